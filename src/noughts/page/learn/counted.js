/**
 * The three referees of `noughts.referee`, with every read and write counted.
 *
 * A test compares each access with the Python classes. Lines are numbered: the rows from the top, the
 * columns from the left, the diagonal, the anti-diagonal.
 */

/** @import { Cell, Seat } from "../shared/types.js" */

/** @typedef {{ at: number, writes: boolean }} Access */

/** The numbers that a referee stores. */
export class Kept {
  reads = 0;
  writes = 0;
  /** @type {Access[] | null} */
  log = null; // set it to an array to record every access

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
 * Returns the number of lines of an n×n board.
 *
 * @param {number} n
 */
export const countLines = (n) => 2 * n + 2;

/**
 * Returns the two to four lines through a cell.
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
 * Returns the number, row by row, of the i-th cell of a line.
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

/** Stores the board and reads every cell on the lines through the move. */
export class BoardScan {
  /** @param {number} n */
  constructor(n) {
    this.n = n;
    this.kept = new Kept(n * n);
  }

  /**
   * Returns the player if this move wins, otherwise 0.
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

/** Stores numbers per line and changes one for each line through the move. */
class LineReferee {
  /**
   * @param {number} n
   * @param {number} each numbers per line
   */
  constructor(n, each) {
    this.n = n;
    this.kept = new Kept(each * countLines(n));
  }

  /**
   * @param {Cell} cell
   * @param {number} first index of the first number
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

/** Stores two tallies per line: all of player 1, then all of player 2. */
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

/** Stores one sum per line. */
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
