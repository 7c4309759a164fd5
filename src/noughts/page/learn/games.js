/** Games of the lesson, ready-made and random, and what referees do in them. */

import { cellOf, moverOf, otherSeat } from "../shared/geometry.js";
import { REFEREES } from "./counted.js";

/** @import { Cell, Seat } from "../shared/types.js" */
/** @import { Access, Name } from "./counted.js" */

/**
 * A game on an n×n board. X and O alternate, X first, unless `movers` gives the player of each move.
 *
 * @typedef {{ n: number, moves: Cell[], movers?: Seat[] }} Lesson
 */

/**
 * What a referee did in the whole game (`reads`, `writes`) and at the latest move (`log`).
 *
 * @typedef {{
 *   numbers: Int32Array,
 *   before: Int32Array,
 *   reads: number,
 *   writes: number,
 *   log: Access[],
 *   winner: Seat | 0,
 * }} Watched `before` are the numbers before the latest move
 */

/** The game on the first screen, which the reader plays. */
export const own = { n: 3, moves: /** @type {Cell[]} */ ([]) };

/**
 * Returns the player who makes the move of a ply, counted from 1, or who moves next.
 *
 * @param {Lesson} game
 * @param {number} ply
 */
export const moverIn = ({ movers }, ply) =>
  movers?.[ply - 1] ?? (movers?.length ? otherSeat(movers[movers.length - 1]) : moverOf(ply));

/**
 * Returns a game up to a ply.
 *
 * @param {Lesson} game
 * @param {number} ply
 * @returns {Lesson}
 */
export const cut = (game, ply) => ({ ...game, moves: game.moves.slice(0, ply) });

/** The game of docs/referee.md. */
export const WORKED = /** @type {Lesson} */ ({
  n: 3,
  moves: [
    [0, 0],
    [0, 2],
    [2, 2],
    [1, 1],
    [2, 0],
    [1, 0],
    [2, 1],
  ],
});

/** A full 7×7 board, the smallest on which the last move can complete four lines. */
export const FOUR_LINES = fourLines(7);

/** @param {number} n */
function fourLines(n) {
  const middle = (n - 1) / 2;
  /** @type {[Cell[], Cell[]]} */
  const cells = [[], []];
  for (let row = 0; row < n; row++) {
    for (let col = 0; col < n; col++) {
      const isStar = row === middle || col === middle || row === col || row + col === n - 1;
      const isLast = row === middle && col === middle;
      if (!isLast) cells[isStar ? 0 : 1].push([row, col]);
    }
  }
  const [stars, others] = cells;
  /** @type {Cell[]} */
  const moves = stars.flatMap((cell, at) => [cell, others[at]]);
  return { n, moves: [...moves, /** @type {Cell} */ ([middle, middle])] };
}

/**
 * Plays a game under a referee and records what it does at the latest move.
 *
 * @param {Name} name
 * @param {Lesson} game
 * @returns {Watched}
 */
export function watch(name, game) {
  const { n, moves } = game;
  const referee = new REFEREES[name](n);
  const { kept } = referee;
  let before = kept.numbers.slice();
  /** @type {Seat | 0} */
  let winner = 0;
  moves.forEach((cell, index) => {
    before = kept.numbers.slice();
    kept.log = [];
    winner = referee.move(cell, moverIn(game, index + 1)) || winner;
  });
  const { numbers, reads, writes, log } = kept;
  return { numbers, before, reads, writes, log: log ?? [], winner };
}

/**
 * Returns a generator of random numbers from 0 to 1 for a seed (mulberry32).
 *
 * @param {number} seed
 */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns the cells of an n×n board in random order.
 *
 * @param {number} n
 * @param {number} seed
 */
export function shuffled(n, seed) {
  const next = chance(seed * 1000 + n);
  const cells = Array.from({ length: n * n }, (_, number) => cellOf([n, n], number));
  for (let last = cells.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1));
    [cells[last], cells[other]] = [cells[other], cells[last]];
  }
  return cells;
}

/**
 * Returns the lines that the latest move completed.
 *
 * @param {Lesson} game
 */
export function wonLines(game) {
  const { numbers } = watch("sums", game);
  return [...numbers.keys()].filter((line) => Math.abs(numbers[line]) === game.n);
}
