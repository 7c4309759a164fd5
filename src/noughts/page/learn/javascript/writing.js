/** JavaScript in the lesson's editor: what it begins with, how it is shown, and how it is named. */

import { t } from "../../shared/language.js";
import { translateFrom } from "../language.js";

await translateFrom("javascript/");

export const label = t("Your class, in JavaScript");
export const loading = t("Loading JavaScript…");
export const ready = t("JavaScript is ready.");
export const unmeasured = t(
  "Time and memory are not measured here; “noughts check” measures them.",
);

/** Loads what CodeMirror needs for it. */
export const loadMode = () => import("./mode.js");

/**
 * How the code of each problem begins, by the checker's names.
 *
 * @type {Record<string, string>}
 */
export const SKELETONS = {
  TicTacToe: `class TicTacToe {
  /** Starts a game on a board of n rows and n columns. */
  constructor(n) {
    this.n = n;
  }

  /**
   * Marks a cell for player 1 or 2.
   *
   * Rows and columns count from 0. Returns the player
   * if this move wins, otherwise 0.
   */
  move(row, col, player) {
    return 0;
  }
}
`,
  tictactoe: `/** Returns the result of a game on 3×3: "A", "B", "Draw" or "Pending". */
function tictactoe(moves) {
  return "Pending";
}
`,
};

export const SOLUTION = `class TicTacToe {
  constructor(n) {
    this.n = n;
    this.rows = Array(n).fill(0); // one sum per line: 2n + 2 numbers,
    this.cols = Array(n).fill(0); // not n * n cells
    this.diagonal = 0;
    this.antiDiagonal = 0;
  }

  move(row, col, player) {
    const mark = player === 1 ? 1 : -1; // the players pull in opposite directions
    this.rows[row] += mark; // a move changes only the lines through its cell
    this.cols[col] += mark;
    if (row === col) this.diagonal += mark;
    if (row + col === this.n - 1) this.antiDiagonal += mark; // numbered from 0
    const lines = [this.rows[row], this.cols[col], this.diagonal, this.antiDiagonal];
    return lines.some((sum) => Math.abs(sum) === this.n) ? player : 0; // n equal marks: +n or -n
  }
}
`;
