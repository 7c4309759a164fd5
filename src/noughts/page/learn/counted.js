/**
 * The three referees of `noughts.referee`, with every read and write of what they keep counted.
 *
 * A test holds each access against the Python classes. Lines are numbered: the rows from the top,
 * the columns from the left, the diagonal, the anti-diagonal.
 */

/** @import { Cell, Seat } from "../shared/types.js" */

/** @typedef {{ at: number, writes: boolean }} Access */

/** The numbers that a referee keeps. */
export class Kept {
  reads = 0;
  writes = 0;
  /** @type {Access[] | null} */
  log = null; // where it is to be known which, and not only how many

  /** @param {number} size */
  constructor(size) {
    this.numbers = new Int32Array(size);
  }

  /** @param {number} at */
  read(at) {
    this.reads++;
    this.log?.push({ at, writes: false });
    return this.numbers[at];
  }

  /**
   * @param {number} at
   * @param {number} number
   */
  write(at, number) {
    this.writes++;
    this.log?.push({ at, writes: true });
    this.numbers[at] = number;
  }
}

/**
 * How many lines an n×n board has.
 *
 * @param {number} n
 */
export const countLines = (n) => 2 * n + 2;

/**
 * The two to four lines through a cell.
 *
 * @param {number} n
 * @param {Cell} cell
 */
export function linesThrough(n, [row, col]) {
  const lines = [row, n + col];
  if (row === col) lines.push(2 * n);
  if (row + col === n - 1) lines.push(2 * n + 1);
  return lines;
}

/**
 * The number of a line's i-th cell, row by row.
 *
 * @param {number} n
 * @param {number} line
 * @param {number} i
 */
export function cellOn(n, line, i) {
  if (line < n) return line * n + i;
  if (line < 2 * n) return i * n + line - n;
  return line === 2 * n ? i * n + i : i * n + n - 1 - i;
}

/** Keeps the board, and looks at every cell of the lines through the move. */
export class BoardScan {
  /** @param {number} n */
  constructor(n) {
    this.n = n;
    this.kept = new Kept(n * n);
  }

  /**
   * The player, if this move wins, else 0.
   *
   * @param {Cell} cell
   * @param {Seat} player
   */
  move(cell, player) {
    const { n, kept } = this;
    kept.write(cell[0] * n + cell[1], player);
    let won = false;
    for (const line of linesThrough(n, cell)) {
      let isComplete = true;
      for (let i = 0; i < n; i++) if (kept.read(cellOn(n, line, i)) !== player) isComplete = false;
      won ||= isComplete;
    }
    return won ? player : 0;
  }
}

/** Keeps numbers for each line, and changes one of each line through the move. */
class LineReferee {
  /**
   * @param {number} n
   * @param {number} each how many numbers there are for each line
   */
  constructor(n, each) {
    this.n = n;
    this.kept = new Kept(each * countLines(n));
  }

  /**
   * @param {Cell} cell
   * @param {number} first where the numbers begin
   * @param {1 | -1} step
   */
  complete(cell, first, step) {
    const { n, kept } = this;
    const [row, col, ...diagonals] = linesThrough(n, cell).map((line) => first + line);
    /** @type {(at: number) => void} */
    const add = (at) => kept.write(at, kept.read(at) + step);
    /** @type {(at: number) => boolean} */
    const isComplete = (at) => kept.read(at) === step * n;
    add(row);
    add(col);
    let won = isComplete(row) || isComplete(col);
    for (const diagonal of diagonals) {
      add(diagonal);
      won ||= isComplete(diagonal);
    }
    return won;
  }
}

/** Keeps two tallies for each line: all of player 1, then all of player 2. */
export class PlayerTallies extends LineReferee {
  /** @param {number} n */
  constructor(n) {
    super(n, 2);
  }

  /**
   * @param {Cell} cell
   * @param {Seat} player
   */
  move(cell, player) {
    return this.complete(cell, (player - 1) * countLines(this.n), 1) ? player : 0;
  }
}

/** Keeps one sum for each line. */
export class SignedSums extends LineReferee {
  /** @param {number} n */
  constructor(n) {
    super(n, 1);
  }

  /**
   * @param {Cell} cell
   * @param {Seat} player
   */
  move(cell, player) {
    return this.complete(cell, 0, player === 1 ? 1 : -1) ? player : 0;
  }
}

export const REFEREES = { scan: BoardScan, tallies: PlayerTallies, sums: SignedSums };

/** @typedef {keyof typeof REFEREES} Name */
