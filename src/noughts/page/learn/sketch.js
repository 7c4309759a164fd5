/** The guess on screen 3: the reader draws how much each referee reads, before it is shown. */

import "./later.js";
import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { t, written } from "../shared/language.js";
import { MOST } from "./chart.js";

/** @import { Name } from "./counted.js" */
/** @import { Chart } from "./chart.js" */

/**
 * The race: its chart, the numbers of each referee, and how to draw it again.
 *
 * @typedef {{
 *   chart: Chart,
 *   names: Record<Name, string>,
 *   average: (n: number, name: Name) => number | undefined,
 *   draw: () => void,
 * }} Race
 */

const STEP = 5; // reads by which an arrow key moves the pen
const START = 10; // reads at which the pen starts
const LISTED = [3, 25, 50, 75, 100]; // boards in the table
const COMPARED = [20, 40, 60, 80, 100]; // boards in the remarks, as far as the curve reaches
const NEAR = 5; // boards beyond the ends of a curve that it still reaches
const CLOSE = 10; // reads, or
const SHARE = 0.25; // of the measured number, within which a guess is right

/** A curve: the drawn points by n, joined by straight lines. */
class Curve {
  /** @type {Map<number, number>} */
  #points = new Map();
  #last = 0; // the n of the latest point of a stroke, or 0

  get points() {
    return [...this.#points].sort(([a], [b]) => a - b);
  }

  /** Starts another stroke. */
  lift() {
    this.#last = 0;
  }

  /**
   * Draws from the latest point of the stroke to another.
   *
   * @param {number} n
   * @param {number} value
   */
  to(n, value) {
    const [from, end] = [Math.min(this.#last || n, n), Math.max(this.#last || n, n)];
    for (const at of this.#points.keys()) {
      if (at > from && at < end) this.#points.delete(at);
    }
    this.#points.set(n, Math.round(Math.max(1, Math.min(MOST, value))));
    this.#last = n;
  }

  /**
   * Returns whether it reaches about as far as this n.
   *
   * @param {number} n
   */
  spans(n) {
    const { points } = this;
    const [from, to] = [points[0]?.[0], points[points.length - 1]?.[0]];
    return points.length > 1 && from - NEAR <= n && n <= to + NEAR;
  }

  /**
   * Returns the value at an n, level beyond the ends.
   *
   * @param {number} n
   */
  at(n) {
    const { points } = this;
    const after = points.find(([at]) => at >= n);
    const before = points.findLast(([at]) => at <= n);
    if (!after || !before) return (after ?? before)?.[1];
    const part = after[0] === before[0] ? 0 : (n - before[0]) / (after[0] - before[0]);
    return before[1] + part * (after[1] - before[1]);
  }
}

/**
 * Lets the reader draw on the chart of the race. Returns a function to call when it was measured.
 *
 * @param {Race} race
 */
export function start({ chart, names, average, draw }) {
  const section = by("race");
  const slide = by("race-n", HTMLInputElement);
  const all = /** @type {Name[]} */ (Object.keys(names));
  /** @type {Record<string, Curve>} */
  let curves = {};
  let pen = all[0];

  const [asked, how, said] = ["asks", "how", "said"].map((part) => by(`sketch-${part}`));
  const [question, way] = [asked.textContent, how.textContent];
  const pens = by("sketch-pens");
  const [compare, skip, again] = ["compare", "skip", "again"].map((part) => by(`sketch-${part}`));

  const isAsking = () => section.hasAttribute("data-asks");
  const drawn = () => all.filter((name) => curves[name].points.length > 1);

  /** Asks for a sketch, and hides the measured curves. */
  function ask() {
    curves = Object.fromEntries(all.map((name) => [name, new Curve()]));
    section.toggleAttribute("data-asks", true);
    asked.textContent = question;
    how.textContent = way;
    said.replaceChildren();
    for (const each of [pens, compare, skip]) each.hidden = false;
    again.hidden = true;
    choose(all[0]);
  }

  /** @param {Name} name of the referee whose curve is drawn next */
  function choose(name) {
    pen = name;
    for (const each of pens.querySelectorAll("button")) {
      each.setAttribute("aria-pressed", String(each.dataset.pen === name));
    }
    show();
  }

  function show() {
    chart.sketched = all.map((name) => ({ name, points: curves[name].points }));
    compare.setAttribute("aria-disabled", String(!drawn().length));
    draw();
    if (!isAsking()) return;
    const value = curves[pen].at(Number(slide.value));
    slide.setAttribute(
      "aria-valuetext",
      value === undefined
        ? `n = ${slide.value}`
        : t("n = {n}, {referee}: {count} reads", {
            n: slide.value,
            referee: names[pen],
            count: written(Math.round(value)),
          }),
    );
  }

  /** Shows the measured curves, and how the drawn ones differ. */
  function reveal() {
    section.removeAttribute("data-asks");
    const its = drawn();
    asked.textContent = its.length ? t("Your curves are dashed.") : "";
    how.textContent = its.length ? "" : t("This is what was measured.");
    tell();
    for (const each of [pens, compare, skip]) each.hidden = true;
    again.hidden = false;
    show();
    announce(
      [asked, how, ...said.children]
        .map((part) => part.textContent)
        .join(" ")
        .trim(),
    );
    again.focus({ preventScroll: true });
  }

  /** Says how the drawn curves differ from the measured ones, once they are measured. */
  function tell() {
    if (isAsking()) return;
    said.replaceChildren(...drawn().map((name) => element("li", {}, difference(name))));
    list();
  }

  /**
   * Says how a drawn curve differs from the measured one.
   *
   * @param {Name} name
   */
  function difference(name) {
    const ends = curves[name].points.map(([n]) => n);
    const within = COMPARED.filter((n) => curves[name].spans(n));
    const pairs = (within.length ? within : ends).map((n) => {
      const [own, is] = [curves[name].at(n) ?? 0, average(n, name) ?? 0];
      return { n, own, is, off: Math.abs(own - is) };
    });
    const [first, middle, last] = [0, 0.5, 1].map(
      (at) => pairs[Math.floor(at * (pairs.length - 1))],
    );
    const most = pairs.reduce((a, b) => (b.off >= a.off ? b : a));
    const values = {
      referee: names[name],
      n: most.n,
      guess: written(Math.round(most.own)),
      count: written(Math.round(most.is)),
    };
    if (pairs.every(({ is, off }) => off <= Math.max(CLOSE, SHARE * is)))
      return t("{referee}: close. At n = {n} you drew {guess}, and it reads {count}.", values);
    if (most.own > most.is)
      return last.own - first.own > CLOSE
        ? t("{referee}: too steep. At n = {n} you drew {guess}, but it reads {count}.", values)
        : t("{referee}: too high. At n = {n} you drew {guess}, but it reads {count}.", values);
    return last.own - middle.own < (last.is - middle.is) / 2
      ? t("{referee}: flat too early. At n = {n} you drew {guess}, but it reads {count}.", values)
      : t("{referee}: too low. At n = {n} you drew {guess}, but it reads {count}.", values);
  }

  /** Lists the measured numbers, each after what was drawn. */
  function list() {
    by("race-table").replaceChildren(
      element("caption", { class: "quiet" }, t("reads per move, as drawn / as measured")),
      element("tr", {}, ...["n", ...Object.values(names)].map((name) => element("th", {}, name))),
      ...LISTED.map((n) =>
        element(
          "tr",
          {},
          element("th", {}, n),
          ...all.map((name) => {
            const own = curves[name].spans(n) ? curves[name].at(n) : undefined;
            const is = written(Math.round(average(n, name) ?? 0));
            return element("td", {}, own === undefined ? is : `${Math.round(own)} / ${is}`);
          }),
        ),
      ),
    );
  }

  // The pen: a pointer on the chart, or the slider's arrow keys.

  const { place } = chart;
  const move = (/** @type {PointerEvent} */ event) => {
    if (!isAsking() || !place.hasPointerCapture(event.pointerId)) return;
    const [n, value] = chart.pointAt(event);
    curves[pen].to(n, value);
    show();
  };
  place.addEventListener("pointerdown", (event) => {
    if (!isAsking()) return;
    place.setPointerCapture(event.pointerId);
    curves[pen].lift();
    move(event);
  });
  place.addEventListener("pointermove", move);
  slide.addEventListener("input", show);
  slide.addEventListener("keydown", (event) => {
    const way = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (!isAsking() || !way) return;
    event.preventDefault();
    const n = Number(slide.value);
    curves[pen].lift();
    curves[pen].to(n, (curves[pen].at(n) ?? START - way) + way);
    show();
  });
  for (const each of pens.querySelectorAll("button")) {
    each.onclick = () => choose(/** @type {Name} */ (each.dataset.pen));
  }
  compare.onclick = () => {
    if (drawn().length) reveal();
  };
  skip.onclick = reveal;
  again.onclick = ask;
  ask();
  return tell;
}
