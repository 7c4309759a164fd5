/** What the referee's view knows of a position. */

import type { Seat } from "../shared/types.js";

/** By its first cell and its direction. */
export type Line = [row: number, col: number, down: number, right: number];

/** Of one sum. */
export type Change = { line: string; name: string; before: number; after: number };

/** One signed sum a line, where they say who has won. */
export type Sums = { rows: number[]; cols: number[]; diagonal: number; antiDiagonal: number };

/** What the lines say. Arrays by player have nothing at 0; those by cell go row by row. */
export type Analysis = {
  /** by cell */
  marks: Uint8Array;
  /** the player not to move */
  attacker: Seat;
  /** how many there are */
  lines: number;
  /** those that nobody can complete any more */
  deadLines: Line[];
  /** by player: how many lines are live */
  live: number[];
  /** by player: the weight of the live lines times 2^k, exact */
  potential: bigint[];
  /** by player: the cells that complete a line now */
  threats: Set<number>[];
  /** by cell, against the player to move */
  weights: Float64Array;
  /** by cell: whether it lies on a live line of anyone's */
  open: Uint8Array;
};

/** All that the view shows. */
export type Findings = Analysis & {
  /** whether it shows potential as heat */
  heat: boolean;
  /** whether weights are short enough to be shown as numbers */
  legible: boolean;
  /**
   * whether a potential below 1 is a proof: whoever has the move may always play the heaviest cell,
   * and is better off without the other's lines
   */
  proves: boolean;
  /** where they say who has won, with those that the last move changed and the lines that are dead */
  sums: (Sums & { changes: Change[]; changed: Set<string>; dead: Set<string> }) | null;
};
