/** Screen 3, the race: reads per move of each referee, on boards of every size. */

import { by } from "../shared/dom.js";
import { language, t, written } from "../shared/language.js";
import { boardName } from "../shared/names.js";
import { Chart } from "./chart.js";
import { REFEREES } from "./counted.js";

/** @import { Name } from "./counted.js" */
/** @import { Result } from "./racing.js" */

export const [FIRST, LAST] = [3, 100];
const PACE = 100; // milliseconds between drawings

const NAMES = /** @type {Name[]} */ (Object.keys(REFEREES));

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
  /** @type {Worker | undefined} */
  let worker;
  let hasSketch = false;
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

  /** Plays a game on every board. */
  function run() {
    worker?.terminate();
    worker = new Worker("/page/learn/racing.js", { type: "module" });
    results = [];
    seed++;
    section.removeAttribute("data-done");
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let drawn = 0;
    worker.onmessage = ({ data }) => {
      results.push(data);
      if (!hasSketch) sketch();
      const isDone = data.n === LAST;
      const now = performance.now();
      if (!isDone && now < drawn + PACE) return;
      drawn = now;
      if (isDone || !isStill) draw();
      read();
      summarise();
      if (!isDone) return;
      section.toggleAttribute("data-done", true);
      worker?.terminate();
      measured();
    };
    worker.onerror = () => {
      section.removeAttribute("data-asks"); // there will be nothing to guess
      by("race-summary").textContent = t("The games couldn’t be played. Try “Play new games”.");
    };
    worker.postMessage({ from: FIRST, to: LAST, seed });
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

  /** Asks for a sketch of the curves, once there is something to measure it with. */
  function sketch() {
    hasSketch = true;
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

  run();
}
