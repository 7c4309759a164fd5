/** <noughts-board>: the board, drawn in SVG, with the cells of an ARIA grid over it. */

import { Cells, cellFor } from "./cells.js";
import { element, icon, svg } from "../shared/dom.js";
import { isSameCell, marksOf, moverOf, numberOf, sharedPlies } from "../shared/geometry.js";
import { listenForGestures } from "./gestures.js";
import { drawMargin, marginFor } from "./margin.js";
import { CELL, hasMany, printed, ruling, square, strike, strokes } from "../shared/marks.js";
import { spokenCell, symbol } from "../shared/names.js";
import { LARGEST_K, drawFindings, drawWeights } from "./overlay.js";
import { Viewport } from "./viewport.js";

const READABLE = 22; // pixels; the keyboard zooms in where cells are smaller
const TAPPED_TO = 40; // a tap on cells too small to hit zooms in to this
const GLIDE = 350; // milliseconds that the way to a move out of view takes
const POINTER = 22; // pixels from the window's edge to the middle of what points beyond it

const EMPTY = {
  moves: [],
  pending: false,
  lines: [],
  over: false,
  winner: null,
  player: 0,
  findings: null,
};

export class Board extends HTMLElement {
  #shown = EMPTY;
  #fresh = null; // what the mark drawn last was: "ply:cell"
  #frame = 0;
  #glide = 0;
  #missed = null; // a move that came outside the window while somebody was panning

  connectedCallback() {
    if (this.drawing) return;
    this.layers = {};
    const layer = (name, tag = "path") => (this.layers[name] = svg(tag, { class: name }));
    this.field = svg(
      "svg",
      { class: "field" },
      ...["tint", "winning"].map((name) => layer(name)),
      layer("heat", "g"),
      ...["closed", "dead", "minor", "major"].map((name) => layer(name)),
      svg("g", { class: "marks" }, layer("p1", "g"), layer("p2", "g"), layer("fresh", "g")),
      layer("threats", "g"),
      layer("ghost"),
      layer("strikes", "g"),
      layer("weights", "g"),
    );
    this.margin = svg("g", { class: "margin" });
    this.drawing = svg("svg", { class: "drawing", "aria-hidden": "true" }, this.margin, this.field);
    this.cells = new Cells(this);
    this.pointer = element(
      "button",
      { type: "button", class: "pointer", hidden: true, onclick: () => this.bring(this.#missed) },
      icon("forward"),
    );
    this.append(this.drawing, this.cells.grid, this.pointer);
    this.#listen();
  }

  /** Makes an empty board. */
  setup(shape, k, label) {
    Object.assign(this, { shape, k });
    const [rows, cols] = shape;
    this.view = new Viewport(shape);
    this.marks = marksOf(shape, []);
    this.winners = new Set();
    this.many = hasMany(shape);
    this.toggleAttribute("many", this.many);
    this.#shown = EMPTY;
    this.style.setProperty("--ratio", cols / rows);
    const { minor, major } = ruling(shape);
    this.layers.minor.setAttribute("d", minor);
    this.layers.major.setAttribute("d", major);
    for (const player of [1, 2]) {
      this.layers[`p${player}`].replaceChildren(...Array.from({ length: rows }, () => svg("path")));
    }
    this.cells.setup(shape, label);
    this.#measure();
    new ResizeObserver(() => this.#measure()).observe(this);
  }

  /**
   * Draws a position: `moves`; whether the last is `pending`; winning `lines`; whether the game is
   * `over`, and its `winner`; the `player` who may play now (0: nobody); the referee's `findings` or null.
   */
  show(position) {
    const before = this.#shown;
    this.#shown = { ...EMPTY, ...position };
    const same = sharedPlies(before.moves, this.#shown.moves);
    this.#drawMarks(before.moves, same);
    this.#drawLines();
    drawFindings(this.layers, this.#shown.findings, this.shape);
    if (Boolean(before.findings) !== Boolean(this.#shown.findings)) this.#measure();
    else if (this.findings) this.#annotate();
    this.cells.update(!this.#shown.player);
    this.#drawGhost(null);
    this.dataset.winner = (this.#shown.over && this.#shown.winner) || "";
    this.classList.toggle("playable", this.#shown.player > 0);
    this.#follow(before.moves, same);
  }

  /** Shows a cell that is out of the window, smoothly unless less motion is wished. */
  bring(cell) {
    this.#stay();
    this.#missed = null;
    if (!this.edges || !cell || this.view.holds(cell)) return this.#pointTo();
    const [x, y] = this.view.wayTo(cell);
    const start = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let done = 0;
    const step = (now) => {
      const time = still ? 1 : Math.max(0, Math.min(1, (now - start) / GLIDE));
      const part = time * time * (3 - 2 * time);
      this.view.pan(x * (part - done), y * (part - done));
      done = part;
      this.#glide = time < 1 ? requestAnimationFrame(step) : 0;
      this.#layOut();
    };
    step(start);
  }

  /** A new move out of the window is brought into it, or pointed to under a finger that pans. */
  #follow(before, same) {
    const { moves } = this.#shown;
    const last = moves.at(-1);
    if (same === before.length && moves.length > before.length) {
      if (!this.gestures.held()) return this.bring(last);
      this.#missed = last;
    } else if (this.#missed && !(last && isSameCell(this.#missed, last))) this.#missed = null;
    this.#pointTo();
  }

  /** Ends a glide: whoever pans or zooms knows better. */
  #stay() {
    cancelAnimationFrame(this.#glide);
    this.#glide = 0;
  }

  /** Points from the window's edge to a move that was missed. */
  #pointTo() {
    if (!this.edges) return;
    const { view, edges, pointer } = this;
    if (this.#missed && view.holds(this.#missed)) this.#missed = null;
    pointer.hidden = !this.#missed;
    if (!this.#missed) return;
    const [row, col] = this.#missed;
    const [x, y] = [view.x + (col + 0.5) * view.scale, view.y + (row + 0.5) * view.scale];
    const inside = (at, size) => Math.max(POINTER, Math.min(size - POINTER, at));
    const [left, top] = [inside(x, view.width), inside(y, view.height)];
    pointer.setAttribute("aria-label", `Show the last move, ${spokenCell(this.#missed)}`);
    pointer.style.left = `${edges.left + left}px`;
    pointer.style.top = `${edges.top + top}px`;
    pointer.style.setProperty("--way", `${Math.atan2(y - top, x - left)}rad`);
    pointer.classList.toggle("p1", moverOf(this.#shown.moves.length) === 1);
    pointer.classList.toggle("p2", moverOf(this.#shown.moves.length) === 2);
  }

  /** What a screen reader says of a cell. */
  describe(cell) {
    const { moves, pending, findings, over } = this.#shown;
    const at = numberOf(this.shape, cell);
    const mark = this.marks[at];
    const words = [spokenCell(cell), mark ? symbol(mark) : "empty"];
    const last = moves.at(-1);
    if (last && isSameCell(last, cell)) words.push(pending ? "being sent" : "last move");
    if (this.winners.has(at)) words.push("in a winning line");
    if (findings && !mark && !over) {
      for (const player of [1, 2]) {
        if (findings.threats[player].has(at)) words.push(`threat of ${symbol(player)}`);
      }
      if (!findings.open[at]) words.push("no live line");
      else if (this.k <= LARGEST_K) words.push(`weight ${findings.weights[at] * 2 ** this.k}`);
    }
    return words.join(", ");
  }

  // What the grid of cells asks for.

  choose(cell) {
    const free = !this.marks[numberOf(this.shape, cell)];
    if (this.#shown.player && free) {
      this.dispatchEvent(new CustomEvent("play", { detail: cell, bubbles: true }));
    }
  }

  reveal(cell) {
    this.#stay();
    if (this.view.reveal(cell, this.view.zoomable ? Math.max(READABLE, this.view.scale) : 0)) {
      this.#layOut();
    }
  }

  zoomKey(key) {
    const factor = { "+": 1.5, "=": 1.5, "-": 1 / 1.5 }[key];
    if (factor) this.zoom(factor);
    else if (key === "0") this.zoomOut();
    else return false;
    return true;
  }

  zoom(factor) {
    const [row, col] = this.cells.active;
    const focused = this.cells.grid.contains(document.activeElement);
    this.#stay();
    if (this.view.zoom(factor) && focused) this.view.reveal([row, col]);
    this.#layOut();
  }

  zoomOut() {
    this.#stay();
    this.view.zoomOut();
    this.#layOut();
  }

  #listen() {
    const grid = this.cells.grid;
    const board = this;
    this.gestures = listenForGestures(grid, {
      get zoomable() {
        return board.view.zoomable;
      },
      point: (event) => this.#point(event),
      pan: (x, y) => {
        this.#stay();
        this.view.pan(x, y);
        this.#layOutSoon();
      },
      zoom: (factor, x, y) => {
        this.#stay();
        const changed = this.view.zoom(factor, x, y);
        if (changed) this.#layOutSoon();
        return changed;
      },
    });
    grid.addEventListener("click", (event) => !this.gestures.dragged() && this.#click(event));
    grid.addEventListener("pointermove", (event) => {
      this.#drawGhost(
        event.pointerType === "mouse" ? this.view.cellAt(...this.#point(event)) : null,
      );
    });
    grid.addEventListener("pointerleave", () => this.#drawGhost(null));
  }

  #point(event) {
    const box = this.cells.grid.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #click(event) {
    // Where the cell is no element of the grid, and nothing assistive clicks, the place tells.
    const named = event.target.closest("[data-cell]");
    const cell = named ? cellFor(named) : this.view.cellAt(...this.#point(event));
    if (!cell) return;
    const smallest = event.pointerType === "mouse" ? 9 : READABLE;
    if (this.view.zoomable && this.view.scale < smallest && event.detail) {
      this.view.zoom(TAPPED_TO / this.view.scale, ...this.#point(event));
      return this.#layOut();
    }
    this.cells.focus(cell);
    this.choose(cell);
  }

  #measure() {
    if (!this.view || !this.clientWidth) return;
    const size = [this.clientWidth, this.clientHeight];
    this.edges = marginFor(this.#shown.findings);
    const { top, right, bottom, left } = this.edges;
    this.drawing.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
    this.view.resize(size[0] - left - right, size[1] - top - bottom);
    this.toggleAttribute("zoomable", this.view.zoomable);
    this.#layOut();
    this.dispatchEvent(new CustomEvent("measured"));
  }

  #layOutSoon() {
    this.#frame ||= requestAnimationFrame(() => this.#layOut());
  }

  /** Draws what depends on pan and zoom. */
  #layOut() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (!this.edges) return;
    const { view, edges } = this;
    const { scale, x, y, width, height } = view;
    const units = CELL / scale;
    const place = { x: edges.left, y: edges.top, width, height };
    place.viewBox = [-x * units, -y * units, width * units, height * units].join(" ");
    for (const [name, value] of Object.entries(place)) this.field.setAttribute(name, value);
    this.field.style.setProperty("--rule", Math.max(0.75, Math.min(3, scale * 0.035)));
    this.field.style.setProperty("--weight", `${Math.min(30, (15 / scale) * CELL)}px`);
    this.cells.place(view, edges.left, edges.top);
    this.toggleAttribute("zoomed", !view.fitted);
    this.#pointTo();
    this.#annotate();
  }

  /** Writes what has the same size at any zoom. */
  #annotate() {
    if (!this.edges) return;
    drawMargin(this.margin, this);
    drawWeights(this.layers.weights, this);
  }

  /** The referee's findings that are drawn, or null. */
  get findings() {
    return this.#shown.findings;
  }

  /** Draws the rows that changed, and the last mark by itself, stroke by stroke if it is new. */
  #drawMarks(before, same) {
    const { moves, pending } = this.#shown;
    const last = moves.at(-1);
    this.marks = marksOf(this.shape, moves);
    const from = Math.max(0, same - 1); // the last move that both share may be drawn by itself
    const changed = [...before.slice(from), ...moves.slice(from)];
    for (const row of new Set(changed.map(([row]) => row))) this.#drawRow(row, last);

    const isNew = moves.length === before.length + 1 && same === before.length && this.edges;
    const fresh = last && `${moves.length}:${last}`;
    if (fresh !== this.#fresh) {
      const player = moverOf(moves.length);
      const paths = last
        ? strokes(player, ...last).map((d) => svg("path", { d, pathLength: 1 }))
        : [];
      this.layers.fresh.setAttribute("class", `fresh p${player}${isNew ? " drawn" : ""}`);
      this.layers.fresh.replaceChildren(...paths);
      this.#fresh = fresh;
    }
    this.layers.fresh.classList.toggle("pending", pending);
    this.layers.tint.setAttribute("d", last ? square(last, this.shape) : "");
  }

  #drawRow(row, except) {
    const paths = ["", "", ""];
    for (let col = 0; col < this.shape[1]; col++) {
      const mark = this.marks[numberOf(this.shape, [row, col])];
      if (!mark || (except && isSameCell(except, [row, col]))) continue;
      paths[mark] += this.many ? printed(mark, row, col) : strokes(mark, row, col).join("");
    }
    for (const player of [1, 2])
      this.layers[`p${player}`].children[row].setAttribute("d", paths[player]);
  }

  #drawLines() {
    const { lines } = this.#shown;
    const cells = lines.flat();
    this.winners = new Set(cells.map((cell) => numberOf(this.shape, cell)));
    this.layers.winning.setAttribute(
      "d",
      cells.map((cell) => square(cell, this.shape)).join(""),
    );
    const key = JSON.stringify(lines);
    if (this.layers.strikes.dataset.lines === key) return;
    this.layers.strikes.dataset.lines = key;
    this.layers.strikes.replaceChildren(
      ...lines.map((line) => svg("path", { d: strike(line), pathLength: 1 })),
    );
  }

  /** A hint of the mark that a click would make. */
  #drawGhost(cell) {
    const { player } = this.#shown;
    const free = cell && player && !this.marks[numberOf(this.shape, cell)];
    this.layers.ghost.setAttribute("class", `ghost p${player}`);
    this.layers.ghost.setAttribute("d", free ? strokes(player, ...cell).join("") : "");
  }
}

customElements.define("noughts-board", Board);
