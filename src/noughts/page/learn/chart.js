/** A chart of points by n, on a linear or logarithmic axis, which fills its element. */

import { svg } from "../shared/dom.js";

/** @typedef {{ name: string, points: number[][] }} Series points are [n, value] */

const EDGES = { top: 12, right: 12, bottom: 30, left: 40 };
const STEP = 20; // between labels of the x axis
export const MOST = 220; // the largest value on the y axis
const TICKS = { linear: [0, 50, 100, 150, 200], logarithmic: [1, 3, 10, 30, 100] };

export class Chart {
  isLogarithmic = false;
  onresize = () => {};
  /** @type {Series[]} */
  #series = [];
  /** @type {Series[]} */
  sketched = []; // what the reader drew
  #pointer = svg("g", { class: "pointer" });

  /**
   * @param {SVGSVGElement} place
   * @param {{ from: number, to: number, seen: (n: number) => void }} range seen is called
   *   with the n under the pointer
   */
  constructor(place, { from, to, seen }) {
    this.place = place;
    this.from = from;
    this.to = to;
    const point = (/** @type {PointerEvent} */ event) => seen(this.pointAt(event)[0]);
    place.addEventListener("pointerdown", point);
    place.addEventListener("pointermove", point);
    new ResizeObserver(() => this.onresize()).observe(place);
  }

  /**
   * Returns the n and the value under the pointer.
   *
   * @param {PointerEvent} event
   */
  pointAt({ clientX, clientY }) {
    const { left, bottom, width, height } = this.place.getBoundingClientRect();
    const across = (clientX - left - EDGES.left) / (width - EDGES.left - EDGES.right);
    const up = (bottom - EDGES.bottom - clientY) / (height - EDGES.top - EDGES.bottom);
    const n = Math.round(this.from + across * (this.to - this.from));
    const value = this.isLogarithmic ? MOST ** up : MOST * up;
    return [Math.max(this.from, Math.min(this.to, n)), value];
  }

  /** @param {number} n */
  #x(n) {
    const { width } = this.place.getBoundingClientRect();
    const part = (n - this.from) / (this.to - this.from);
    return EDGES.left + part * (width - EDGES.left - EDGES.right);
  }

  /** @param {number} value */
  #y(value) {
    const { height } = this.place.getBoundingClientRect();
    const part = this.isLogarithmic ? Math.log(value) / Math.log(MOST) : value / MOST;
    return height - EDGES.bottom - part * (height - EDGES.top - EDGES.bottom);
  }

  /** @param {Series[]} series */
  draw(series) {
    this.#series = series;
    const { width, height } = this.place.getBoundingClientRect();
    if (!width) return;
    this.place.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const ticks = TICKS[this.isLogarithmic ? "logarithmic" : "linear"];
    const right = width - EDGES.right;
    const bottom = height - EDGES.bottom;
    this.place.replaceChildren(
      ...ticks.flatMap((value) => [
        svg("path", { class: "grid", d: `M${EDGES.left} ${this.#y(value)}H${right}` }),
        svg("text", { class: "tick y", x: EDGES.left - 8, y: this.#y(value) }, value),
      ]),
      ...this.#numbers().map((n) =>
        svg("text", { class: "tick x", x: this.#x(n), y: bottom + 18 }, n),
      ),
      ...series.map((each) => this.#curve("series", each)),
      ...this.sketched.map((each) => this.#curve("sketched", each)),
      this.#pointer,
    );
  }

  /**
   * @param {string} kind
   * @param {Series} series
   */
  #curve(kind, { name, points }) {
    const d = points.map(([n, value], at) => `${at ? "L" : "M"}${this.#at(n, value)}`).join("");
    return svg("path", { class: `${kind} ${name}`, d: points.length === 1 ? `${d}h0.1` : d });
  }

  /** Returns the labels of the x axis: the first n and round numbers. */
  #numbers() {
    const round = Array.from({ length: this.to / STEP }, (_, at) => (at + 1) * STEP);
    return [this.from, ...round];
  }

  /** @type {(n: number, value: number) => string} */
  #at = (n, value) => `${this.#x(n).toFixed(1)} ${this.#y(value).toFixed(1)}`;

  /**
   * Highlights the points at an n.
   *
   * @param {number} n
   */
  point(n) {
    const { height } = this.place.getBoundingClientRect();
    const isHidden = this.place.closest("[data-asks]");
    const at = (isHidden ? this.sketched : this.#series).map(({ name, points }) => ({
      name,
      value: points.find(([of]) => of === n)?.[1],
    }));
    this.#pointer.replaceChildren(
      svg("path", { d: `M${this.#x(n)} ${EDGES.top}V${height - EDGES.bottom}` }),
      ...at.map(({ name, value }) =>
        value === undefined
          ? svg("g")
          : svg("circle", { class: name, cx: this.#x(n), cy: this.#y(value), r: 5 }),
      ),
    );
  }
}
