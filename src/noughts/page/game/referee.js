/**
 * The referee's numbers, computed from the moves: signed sums, live lines, threats and potential.
 *
 * A line is live for a player while it has no mark of the opponent. With e empty cells it weighs
 * 2^(−e). The potential is the total weight of the live lines of the attacker, the player not to
 * move. The weight of a cell is the weight of the attacker's live lines through it, which the player
 * to move would destroy by playing there.
 */

import { VARIANTS } from "../shared/client_constants.js";
import {
  eachLine,
  landing,
  marksOf,
  moverOf,
  numberOf,
  otherSeat,
  SEATS,
} from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { columnName } from "../shared/names.js";

const LARGEST_K = 8; // for larger k, weights in units of 1/2^k are too long to read

/** @import { Cell, Rules, Seat } from "../shared/types.js" */
/** @import { Analysis, Change, Findings, Line, Sums } from "./view.js" */

/**
 * Returns the signed sums: +1 for each mark of player 1, −1 for each mark of player 2.
 *
 * @param {number} n
 * @param {Cell[]} moves
 * @returns {Sums}
 */
export function signedSums(n, moves) {
  const sums = { rows: Array(n).fill(0), cols: Array(n).fill(0), diagonal: 0, antiDiagonal: 0 };
  moves.forEach(([row, col], index) => {
    const sign = signOf(index + 1);
    sums.rows[row] += sign;
    sums.cols[col] += sign;
    if (row === col) sums.diagonal += sign;
    if (row + col === n - 1) sums.antiDiagonal += sign;
  });
  return sums;
}

/** @param {number} ply */
const signOf = (ply) => (moverOf(ply) === 1 ? 1 : -1);

/**
 * Returns the sums that the last move changed, at most four.
 *
 * @param {number} n
 * @param {Cell[]} moves
 * @param {Sums} sums
 * @returns {Change[]}
 */
function lastChanges(n, moves, sums) {
  const last = moves.at(-1);
  if (!last) return [];
  const [row, col] = last;
  const changes = [
    { line: `row ${row}`, name: t("row {row}", { row: row + 1 }), after: sums.rows[row] },
    {
      line: `column ${col}`,
      name: t("column {column}", { column: columnName(col) }),
      after: sums.cols[col],
    },
  ];
  if (row === col) changes.push({ line: "diagonal", name: t("diagonal"), after: sums.diagonal });
  if (row + col === n - 1) {
    changes.push({ line: "anti-diagonal", name: t("anti-diagonal"), after: sums.antiDiagonal });
  }
  const sign = signOf(moves.length);
  return changes.map((change) => ({ ...change, before: change.after - sign }));
}

/**
 * Returns the findings that the referee's view shows for a position.
 *
 * @param {Rules} rules
 * @param {Cell[]} moves
 * @param {boolean} isOver whether the game has ended; the view then shows no heat
 * @returns {Findings}
 */
export function observe(rules, moves, isOver) {
  const { shape, k, gravity, variant } = rules;
  const { loses, fouls, counts } = VARIANTS[variant];
  const proves = !gravity && !loses && !fouls && !counts;
  const found = { ...analyse(rules, moves), heat: !isOver, legible: k <= LARGEST_K, proves };
  if (!shape.every((side) => side === k)) return { ...found, sums: null };
  const sums = signedSums(k, moves);
  const changes = lastChanges(k, moves, sums);
  const changed = new Set(changes.map(({ line }) => line));
  const dead = new Set(found.deadLines.map(wholeLine));
  return { ...found, sums: { ...sums, changes, changed, dead } };
}

/**
 * Names a line that spans a whole side, as in `changed` and `dead`.
 *
 * @param {Line} line
 */
function wholeLine([row, col, down, right]) {
  if (!down) return `row ${row}`;
  if (!right) return `column ${col}`;
  return right > 0 ? "diagonal" : "anti-diagonal";
}

/**
 * Analyses every line of a position.
 *
 * @param {Rules} rules
 * @param {Cell[]} moves
 * @returns {Analysis}
 */
export function analyse({ shape, k, gravity, variant }, moves) {
  const marks = marksOf(shape, moves);
  const attacker = moverOf(moves.length);
  /** @type {Analysis} */
  const found = {
    marks,
    attacker,
    lines: 0,
    deadLines: [],
    live: [0, 0, 0],
    potential: [0n, 0n, 0n],
    threats: [new Set(), new Set(), new Set()],
    weights: new Float64Array(marks.length),
    open: new Uint8Array(marks.length),
  };
  const tallied = [[], new Array(k + 1).fill(0), new Array(k + 1).fill(0)];
  const through = new Int32Array(k);
  /** @type {(row: number, col: number) => number} */
  const markAt = (row, col) =>
    row >= 0 && row < shape[0] && col >= 0 && col < shape[1]
      ? marks[numberOf(shape, [row, col])]
      : 0;
  /** @type {(cell: number) => boolean} */
  const stays = (cell) =>
    !gravity || numberOf(shape, landing(shape, marks, cell % shape[1]) ?? [-1, 0]) === cell;

  eachLine(shape, k, (row, col, down, right) => {
    found.lines++;
    const tally = [0, 0, 0];
    const step = numberOf(shape, [down, right]);
    for (let i = 0, cell = numberOf(shape, [row, col]); i < k; i++, cell += step) {
      through[i] = cell;
      tally[marks[cell]]++;
    }
    if (tally[1] && tally[2]) {
      found.deadLines.push([row, col, down, right]);
      return;
    }
    for (const cell of through) found.open[cell] = 1;
    for (const player of SEATS) {
      if (tally[otherSeat(player)]) continue;
      found.live[player]++;
      tallied[player][tally[player]]++;
      const empty = tally[0];
      const ends = [markAt(row - down, col - right), markAt(row + k * down, col + k * right)];
      const isThreat = empty === 1 && endsGame(variant, player, ends);
      for (const cell of through) {
        if (marks[cell]) continue;
        if (isThreat && stays(cell)) found.threats[player].add(cell);
        if (player === attacker) found.weights[cell] += 2 ** -empty;
      }
    }
  });

  for (const player of SEATS) {
    for (const [tally, lines] of tallied[player].entries()) {
      found.potential[player] += BigInt(lines) << BigInt(tally);
    }
  }
  return found;
}

/**
 * Returns whether a line that a player completes is known to end the game.
 *
 * @param {string} variant
 * @param {Seat} player
 * @param {number[]} ends the marks next to both ends of the line
 */
function endsGame(variant, player, ends) {
  const { counts, decides } = VARIANTS[variant];
  const [before, after] = ends.map((mark) => mark && (mark === player ? 1 : 2));
  return !counts && decides[player - 1][3 * before + after] === "1";
}
