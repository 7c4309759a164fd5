/** Screen 3, the race: reads per move of each referee, on boards of every size. */

import { by } from "../shared/dom.js";
import { moverOf } from "../shared/geometry.js";
import { language, t, written } from "../shared/language.js";
import { boardName } from "../shared/names.js";
import { Chart } from "./chart.js";
import { REFEREES } from "./counted.js";
import { shuffled } from "./games.js";

/** @import { Name } from "./counted.js" */

export const [FIRST, LAST] = [3, 100];
const SLICE = 8; // milliseconds of work at a time, so that slow phones answer a tap at once
const PACE = 100; // milliseconds between drawings

const NAMES = /** @type {Name[]} */ (Object.keys(REFEREES));

/**
 * The reads of all referees in one game.
 *
 * @typedef {{ n: number, moves: number, reads: Record<Name, number> }} Result
 */

/**
 * Plays a random game to its end under all referees, a move at a time, and counts their reads.
 *
 * @param {number} n
 * @param {number} seed
 * @returns {Generator<void, Result, void>}
 */
export function* race(n, seed) {
  const referees = NAMES.map((name) => new REFEREES[name](n));
  let moves = 0;
  for (const cell of shuffled(n, seed)) {
    moves++;
    const seat = moverOf(moves);
    let winner = 0;
    for (const referee of referees) winner = referee.move(cell, seat);
    if (winner) break;
    yield;
  }
  const reads = NAMES.map((name, at) => [name, referees[at].kept.reads]);
  return { n, moves, reads: Object.fromEntries(reads) };
}

const tenths = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** @type {(result: Result, name: Name) => number} */
const average = ({ moves, reads }, name) => reads[name] / moves;

export function start() {
  const section = by("race");
  const slide = by("race-n", HTMLInputElement);
  /** @type {Result[]} */
  let results = [];
  let seed = 0;
  let running = 0;
  let measured = () => {}; // tells the sketch

  const chart = new Chart(by("race-chart", SVGSVGElement), {
    from: FIRST,
    to: LAST,
    seen: (n) => {
      slide.value = String(n);
      read();
    },
  });

  function draw() {
    chart.draw(
      NAMES.map((name) => ({
        name,
        points: results.map((result) => [result.n, average(result, name)]),
      })),
    );
  }

  /** Shows the numbers of the chosen board. */
  function read() {
    const n = Number(slide.value);
    const result = results.find((one) => one.n === n);
    chart.point(n);
    by("race-board").textContent = boardName([n, n]);
    for (const name of NAMES) {
      by(`race-${name}`).textContent = result ? tenths.format(average(result, name)) : "…";
    }
    if (section.hasAttribute("data-asks")) return;
    slide.setAttribute(
      "aria-valuetext",
      result
        ? t(
            "{board}: board scan {scan}, player tallies {tallies}, signed sums {sums} reads per move",
            {
              board: boardName([n, n]),
              ...Object.fromEntries(
                NAMES.map((name) => [name, tenths.format(average(result, name))]),
              ),
            },
          )
        : boardName([n, n]),
    );
  }

  function summarise() {
    const all = (/** @type {(result: Result) => number} */ of) =>
      written(results.reduce((sum, result) => sum + of(result), 0));
    by("race-summary").textContent = t(
      "{games} games, {moves} moves: {scan} reads by the board scan, {sums} by the signed sums.",
      {
        games: results.length,
        moves: all(({ moves }) => moves),
        scan: all(({ reads }) => reads.scan),
        sums: all(({ reads }) => reads.sums),
      },
    );
  }

  /** Plays a game on every board, a few moves at a time, so that the page stays responsive. */
  function run() {
    clearTimeout(running);
    results = [];
    seed++;
    section.removeAttribute("data-done");
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let game = race(FIRST, seed);
    let drawn = 0;
    const some = () => {
      const start = performance.now();
      while (results.length <= LAST - FIRST && performance.now() < start + SLICE) {
        const { done, value } = game.next();
        if (!done) continue;
        results.push(value);
        game = race(FIRST + results.length, seed);
      }
      const isDone = results.length > LAST - FIRST;
      if (isDone || start > drawn + PACE) {
        if (isDone || !isStill) draw();
        read();
        summarise();
        drawn = start;
      }
      section.toggleAttribute("data-done", isDone);
      if (isDone) measured();
      else running = setTimeout(some);
    };
    some();
  }

  for (const axis of ["linear", "logarithmic"]) {
    by(`axis-${axis}`).onclick = () => {
      for (const other of ["linear", "logarithmic"]) {
        by(`axis-${other}`).setAttribute("aria-pressed", String(other === axis));
      }
      chart.isLogarithmic = axis === "logarithmic";
      draw();
      read();
    };
  }
  by("race-again").onclick = run;
  slide.oninput = read;
  chart.onresize = () => {
    draw();
    read();
  };
  run();
  import("./sketch.js")
    .then(({ start }) => {
      measured = start({
        chart,
        names: {
          scan: t("Board scan"),
          tallies: t("Player tallies"),
          sums: t("Signed sums"),
        },
        average: (n, name) => {
          const result = results.find((one) => one.n === n);
          return result && average(result, name);
        },
        draw: () => {
          draw();
          read();
        },
      });
    })
    .catch(() => section.removeAttribute("data-asks")); // offline
}
