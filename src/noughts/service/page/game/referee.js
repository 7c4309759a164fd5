/**
 * The referee's numbers, counted afresh from the moves: signed sums, live lines, threats, potential.
 *
 * A line is live for a player while it bears no mark of the other, and weighs 2^(−e) with e empty
 * cells. The potential is the weight of all live lines of the attacker, the player not to move; a
 * cell's weight is that of those through it: what the player to move takes away by playing there.
 */

import { eachLine, marksOf, moverOf } from "../shared/geometry.js";
import { columnName } from "../shared/names.js";

/** Whether one signed sum a row, column and diagonal tells who has won. */
export const hasSums = ([rows, cols], k) => rows === cols && rows === k;

/** The whole algorithm: +1 for each mark of player 1, −1 for each of player 2. */
export function signedSums(n, moves) {
  const sums = { rows: Array(n).fill(0), cols: Array(n).fill(0), diagonal: 0, antiDiagonal: 0 };
  moves.forEach(([row, col], index) => {
    const sign = index % 2 ? -1 : 1;
    sums.rows[row] += sign;
    sums.cols[col] += sign;
    if (row === col) sums.diagonal += sign;
    if (row + col === n - 1) sums.antiDiagonal += sign;
  });
  return sums;
}

/** The at most four sums that the last move changed, each as it is now. */
export function lastChanges(n, moves, sums) {
  if (!moves.length) return [];
  const [row, col] = moves.at(-1);
  const changes = [
    { line: `row ${row}`, name: `row ${row + 1}`, after: sums.rows[row] },
    { line: `column ${col}`, name: `column ${columnName(col)}`, after: sums.cols[col] },
  ];
  if (row === col) changes.push({ line: "diagonal", name: "diagonal", after: sums.diagonal });
  if (row + col === n - 1) {
    changes.push({ line: "anti-diagonal", name: "anti-diagonal", after: sums.antiDiagonal });
  }
  const sign = moverOf(moves.length) === 1 ? 1 : -1;
  return changes.map((change) => ({ ...change, before: change.after - sign }));
}

/**
 * All that the referee's view shows of a position: what `analyse` finds, and where one sum a line
 * tells who has won, the `sums`, those that the last move `changes`, and which lines are `dead`.
 */
export function observe(shape, k, moves, over) {
  const findings = { ...analyse(shape, k, moves), heat: !over };
  if (!hasSums(shape, k)) return findings;
  const sums = signedSums(k, moves);
  const changes = lastChanges(k, moves, sums);
  return {
    ...findings,
    sums,
    changes,
    changed: new Set(changes.map(({ line }) => line)),
    dead: new Set(findings.deadLines.map(wholeLine)),
  };
}

/** What a line that is a whole side is called in `changes` and `dead`. */
function wholeLine([row, col, down, right]) {
  if (!down) return `row ${row}`;
  if (!right) return `column ${col}`;
  return right > 0 ? "diagonal" : "anti-diagonal";
}

/**
 * All that the lines tell.
 *
 * `live[p]`: player p's live lines; `potential[p]`: their weight times 2^k, exact, as a BigInt;
 * `threats[p]`: the cells that complete a line of p's now; `deadLines`: those that nobody can
 * complete, each as [row, col, down, right]; `weights`: of each cell, row by row, against the
 * player to move; `open`: which cells still lie on a live line of anyone's.
 */
export function analyse(shape, k, moves) {
  const [rows, cols] = shape;
  const marks = marksOf(shape, moves);
  const attacker = moverOf(moves.length);
  const found = {
    marks,
    attacker,
    live: [0, 0, 0],
    potential: [0n, 0n, 0n],
    threats: [null, new Set(), new Set()],
    deadLines: [],
    lines: 0,
    weights: new Float64Array(rows * cols),
    open: new Uint8Array(rows * cols),
  };
  const tallied = [null, new Array(k + 1).fill(0), new Array(k + 1).fill(0)];
  const through = new Int32Array(k);

  eachLine(shape, k, (row, col, down, right) => {
    found.lines++;
    const tally = [0, 0, 0];
    const step = down * cols + right;
    for (let i = 0, cell = row * cols + col; i < k; i++, cell += step) {
      through[i] = cell;
      tally[marks[cell]]++;
    }
    if (tally[1] && tally[2]) return found.deadLines.push([row, col, down, right]);
    for (const cell of through) found.open[cell] = 1;
    for (const player of [1, 2]) {
      if (tally[3 - player]) continue;
      found.live[player]++;
      tallied[player][tally[player]]++;
      if (tally[0] === 1) found.threats[player].add(through.find((cell) => !marks[cell]));
      if (player !== attacker) continue;
      const weight = 2 ** -tally[0];
      for (const cell of through) if (!marks[cell]) found.weights[cell] += weight;
    }
  });

  for (const player of [1, 2]) {
    tallied[player].forEach((lines, t) => (found.potential[player] += BigInt(lines) << BigInt(t)));
  }
  return found;
}
