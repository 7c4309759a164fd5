/** Types of the referee's view of a position. */

import type { Seat } from "../shared/types.js";

/** A line, by its first cell and its direction. */
export type Line = [row: number, col: number, down: number, right: number];

/** A change of one sum. */
export type Change = { line: string; name: string; before: number; after: number };

/** One signed sum per line, on boards where they show who has won. */
export type Sums = { rows: number[]; cols: number[]; diagonal: number; antiDiagonal: number };

/** Analysis of the lines. Arrays by player are unused at 0; arrays by cell go row by row. */
export type Analysis = {
  /** by cell */
  marks: Uint8Array;
  /** the player not to move */
  attacker: Seat;
  /** number of lines */
  lines: number;
  /** lines that no player can complete any more */
  deadLines: Line[];
  /** number of live lines, by player */
  live: number[];
  /** exact weight of the live lines times 2^k, by player */
  potential: bigint[];
  /** cells that complete a line now, by player */
  threats: Set<number>[];
  /** weight by cell, of the attacker's lines */
  weights: Float64Array;
  /** whether each cell is on a live line of either player */
  open: Uint8Array;
};

/** Everything that the view shows. */
export type Findings = Analysis & {
  /** whether potential is shown as heat */
  heat: boolean;
  /** whether weights are short enough to show as numbers */
  legible: boolean;
  /**
   * whether a potential below 1 is a proof: the player to move can always play the heaviest cell, and
   * only gains by destroying the attacker's lines
   */
  proves: boolean;
  /** the sums, with the changes of the last move and the dead lines; null if sums do not decide */
  sums: (Sums & { changes: Change[]; changed: Set<string>; dead: Set<string> }) | null;
};
