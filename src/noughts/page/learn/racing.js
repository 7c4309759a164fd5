/** A worker that plays the games of the race, so that the page stays responsive. */

import { moverOf } from "../shared/geometry.js";
import { REFEREES } from "./counted.js";
import { shuffled } from "./games.js";

/** @import { Name } from "./counted.js" */

/**
 * The reads of all referees in one game.
 *
 * @typedef {{ n: number, moves: number, reads: Record<Name, number> }} Result
 */

/**
 * Plays a random game to its end under all referees and counts their reads.
 *
 * @param {number} n
 * @param {number} seed
 * @returns {Result}
 */
export function race(n, seed) {
  const names = /** @type {Name[]} */ (Object.keys(REFEREES));
  const referees = names.map((name) => new REFEREES[name](n));
  let moves = 0;
  for (const cell of shuffled(n, seed)) {
    moves++;
    const seat = moverOf(moves);
    let winner = 0;
    for (const referee of referees) winner = referee.move(cell, seat);
    if (winner) break;
  }
  const reads = names.map((name, at) => [name, referees[at].kept.reads]);
  return { n, moves, reads: Object.fromEntries(reads) };
}

self.onmessage = ({ data: { from, to, seed } }) => {
  for (let n = from; n <= to; n++) postMessage(race(n, seed));
};
