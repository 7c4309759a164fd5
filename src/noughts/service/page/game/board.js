/** <noughts-board>: the board, drawn in SVG, with the cells of an ARIA grid over it. */

import { element, svg } from "../shared/dom.js";
import {
  isSameCell,
  landing,
  marksOf,
  moverOf,
  numberOf,
  SEATS,
  sharedPlies,
} from "../shared/geometry.js";
import { icon } from "../shared/icons.js";
import {
  CELL,
  hasMany,
  printed,
  ruling,
  square,
  strike,
  strokes,
  triangle,
} from "../shared/marks.js";
import { spokenCell, symbol } from "../shared/names.js";
import { Cells, cellFor } from "./cells.js";
import { listenForGestures } from "./gestures.js";
import { drawMargin, marginFor } from "./margin.js";
import { drawFindings, drawWeights, LARGEST_K } from "./overlay.js";
import { Viewport } from "./viewport.js";

/** @import { Cell, Rules, Seat, Shape } from "../shared/types.js" */
/** @import { Point } from "./gestures.js" */
/** @import { Edges } from "./margin.js" */
/** @import { Findings } from "./referee.js" */

const READABLE = 22; // pixels; the keyboard zooms in where cells are smaller
const TAPPED_TO = 40; // a tap on cells too small to hit zooms in to this
const GLIDE = 350; // milliseconds that the way to a move out of view takes
const POINTER = 22; // pixels from the window's edge to the middle of what points beyond it

/**
 * A position to draw.
 *
 * @typedef {object} Position
 * @property {Cell[]} moves
 * @property {boolean} pending whether the last move is on its way
 * @property {Cell[][]} lines the winning lines
 * @property {boolean} over whether the game has ended
 * @property {Seat | null} winner whose marks stand out
 * @property {Seat | null} player who may play now
 * @property {Cell[]} forbidden fouls of whoever is to move
 * @property {Findings | null} findings the referee's, where they are to be drawn
 */

/** @type {Position} */
const EMPTY = {
  moves: [],
  pending: false,
  lines: [],
  over: false,
  winner: null,
  player: null,
  forbidden: [],
  findings: null,
};

/**
 * A layer of the drawing.
 *
 * @param {"g" | "path"} tag
 * @param {string} name
 * @returns {SVGElement}
 */
const layer = (tag, name) => svg(tag, { class: name });

/**
 * Whose mark a number stands for; null for 0.
 *
 * @param {number} mark
 */
const seatOf = (mark) => SEATS[mark - 1] ?? null;

export class Board extends HTMLElement {
  #shown = EMPTY;
  #fresh = ""; // what the mark drawn last was: "ply:cell"
  #frame = 0;
  #glide = 0;
  /** @type {Cell | undefined} */
  #missed; // a move that came outside the window while somebody was panning

  /** @type {Shape} */
  shape = [0, 0];
  k = 0;
  gravity = false;
  decided = ""; // what is said of a cell in a line that ended the game
  view = new Viewport(this.shape);
  marks = marksOf(this.shape, []);
  /** @type {Set<number>} */
  winners = new Set();
  /** @type {Set<number>} */
  forbidden = new Set();
  /** @type {Edges | null} */
  edges = null; // null until the board has been measured

  layers = {
    tint: layer("path", "tint"),
    winning: layer("path", "winning"),
    heat: layer("g", "heat"),
    closed: layer("path", "closed"),
    dead: layer("path", "dead"),
    minor: layer("path", "minor"),
    major: layer("path", "major"),
    p1: layer("g", "p1"),
    p2: layer("g", "p2"),
    fresh: layer("g", "fresh"),
    threats: layer("g", "threats"),
    forbidden: layer("path", "forbidden p1"),
    ghost: layer("path", "ghost"),
    strikes: layer("g", "strikes"),
    weights: layer("g", "weights"),
  };
  margin = svg("g", { class: "margin" });
  field = svg("svg", { class: "field" });
  cells = new Cells(this);
  pointer = element(
    "button",
    { type: "button", class: "pointer", hidden: true, onclick: () => this.bring(this.#missed) },
    icon("forward"),
  );
  gestures = this.#listen();

  connectedCallback() {
    if (this.cells.grid.isConnected) return;
    const { p1, p2, fresh, threats, forbidden, ghost, strikes, weights, ...below } = this.layers;
    const marks = svg("g", { class: "marks" }, p1, p2, fresh);
    this.field.append(...Object.values(below), marks, threats, forbidden, ghost, strikes, weights);
    this.append(
      svg("svg", { class: "drawing", "aria-hidden": "true" }, this.margin, this.field),
      this.cells.grid,
      this.pointer,
    );
  }

  /**
   * Makes an empty board.
   *
   * @param {Rules} rules
   * @param {string} label
   */
  setup({ shape, k, gravity, variant }, label) {
    this.shape = shape;
    this.k = k;
    this.gravity = gravity;
    this.decided = variant === "misere" ? "in a losing line" : "in a winning line";
    const [rows, cols] = shape;
    this.view = new Viewport(shape);
    this.marks = marksOf(shape, []);
    this.winners = new Set();
    this.toggleAttribute("many", hasMany(shape));
    this.#shown = EMPTY;
    this.style.setProperty("--ratio", String(cols / rows));
    const { minor, major } = ruling(shape);
    this.layers.minor.setAttribute("d", minor);
    this.layers.major.setAttribute("d", major);
    for (const layer of [this.layers.p1, this.layers.p2]) {
      layer.replaceChildren(...Array.from({ length: rows }, () => svg("path")));
    }
    this.cells.setup(shape, label);
    this.#measure();
    new ResizeObserver(() => this.#measure()).observe(this);
  }

  /**
   * Draws a position.
   *
   * @param {Position} position
   */
  show(position) {
    const before = this.#shown;
    this.#shown = position;
    const same = sharedPlies(before.moves, this.#shown.moves);
    this.#drawMarks(before.moves, same);
    this.#drawLines();
    this.#drawForbidden();
    drawFindings(this.layers, this.#shown.findings, this.shape);
    if (Boolean(before.findings) !== Boolean(this.#shown.findings)) this.#measure();
    else if (this.findings) this.#annotate();
    this.cells.update(!this.#shown.player);
    this.#drawGhost(null);
    this.dataset.winner = String((this.#shown.over && this.#shown.winner) || "");
    this.classList.toggle("playable", this.#shown.player !== null);
    this.#follow(before.moves, same);
  }

  /**
   * Shows a cell that is out of the window, smoothly unless less motion is wished.
   *
   * @param {Cell} [cell]
   */
  bring(cell) {
    this.#stay();
    this.#missed = undefined;
    if (!this.edges || !cell || this.view.holds(cell)) {
      this.#pointTo();
      return;
    }
    const [x, y] = this.view.wayTo(cell);
    const start = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    let done = 0;
    const step = (/** @type {number} */ now) => {
      const time = still ? 1 : Math.max(0, Math.min(1, (now - start) / GLIDE));
      const part = time * time * (3 - 2 * time);
      this.view.pan(x * (part - done), y * (part - done));
      done = part;
      this.#glide = time < 1 ? requestAnimationFrame(step) : 0;
      this.#layOut();
    };
    step(start);
  }

  /**
   * Brings a new move into the window, or points to it under a finger that pans.
   *
   * @param {Cell[]} before
   * @param {number} same how many plies both have from the beginning
   */
  #follow(before, same) {
    const { moves } = this.#shown;
    const last = moves.at(-1);
    if (same === before.length && moves.length > before.length) {
      if (!this.gestures.held()) {
        this.bring(last);
        return;
      }
      this.#missed = last;
    } else if (this.#missed && !(last && isSameCell(this.#missed, last))) this.#missed = undefined;
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
    if (this.#missed && view.holds(this.#missed)) this.#missed = undefined;
    pointer.hidden = !this.#missed;
    if (!this.#missed) return;
    const [row, col] = this.#missed;
    const [x, y] = [view.x + (col + 0.5) * view.scale, view.y + (row + 0.5) * view.scale];
    /** @type {(at: number, size: number) => number} */
    const inside = (at, size) => Math.max(POINTER, Math.min(size - POINTER, at));
    const [left, top] = [inside(x, view.width), inside(y, view.height)];
    pointer.setAttribute("aria-label", `Show the last move, ${spokenCell(this.#missed)}`);
    pointer.style.left = `${edges.left + left}px`;
    pointer.style.top = `${edges.top + top}px`;
    pointer.style.setProperty("--way", `${Math.atan2(y - top, x - left)}rad`);
    pointer.classList.toggle("p1", moverOf(this.#shown.moves.length) === 1);
    pointer.classList.toggle("p2", moverOf(this.#shown.moves.length) === 2);
  }

  /**
   * What a screen reader says of a cell.
   *
   * @param {Cell} cell
   */
  describe(cell) {
    const { moves, pending, findings, over } = this.#shown;
    const at = numberOf(this.shape, cell);
    const mark = seatOf(this.marks[at]);
    const words = [spokenCell(cell), mark ? symbol(mark) : "empty"];
    const last = moves.at(-1);
    if (last && isSameCell(last, cell)) words.push(pending ? "being sent" : "last move");
    if (this.winners.has(at)) words.push(this.decided);
    if (this.forbidden.has(at)) words.push("forbidden");
    const target = this.#target(cell);
    if (!mark && target && !isSameCell(target, cell)) words.push(`falls to row ${target[0] + 1}`);
    if (findings && !mark && !over) {
      for (const player of SEATS) {
        if (findings.threats[player].has(at)) words.push(`threat of ${symbol(player)}`);
      }
      if (!findings.open[at]) words.push("no live line");
      else if (this.k <= LARGEST_K) words.push(`weight ${findings.weights[at] * 2 ** this.k}`);
    }
    return words.join(", ");
  }

  // What the grid of cells asks for.

  /** @param {Cell} cell */
  choose(cell) {
    const target = this.#target(cell);
    if (this.#shown.player && target) {
      this.dispatchEvent(new CustomEvent("play", { detail: target, bubbles: true }));
    }
  }

  /**
   * The cell that is played by choosing one: with gravity any of a column plays the column.
   *
   * @param {Cell} cell
   */
  #target(cell) {
    if (this.gravity) return landing(this.shape, this.marks, cell[1]);
    return this.marks[numberOf(this.shape, cell)] ? null : cell;
  }

  /** @param {Cell} cell */
  reveal(cell) {
    this.#stay();
    if (this.view.reveal(cell, this.view.zoomable ? Math.max(READABLE, this.view.scale) : 0)) {
      this.#layOut();
    }
  }

  /** @param {string} key */
  zoomKey(key) {
    if (key === "+" || key === "=") this.zoom(1.5);
    else if (key === "-") this.zoom(1 / 1.5);
    else if (key === "0") this.zoomOut();
    else return false;
    return true;
  }

  /** @param {number} factor */
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
    const gestures = listenForGestures(grid, {
      isZoomable: () => this.view.zoomable,
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
    grid.addEventListener("click", (event) => gestures.dragged() || this.#click(event));
    grid.addEventListener("pointermove", (event) => {
      this.#drawGhost(
        event.pointerType === "mouse" ? this.view.cellAt(...this.#point(event)) : null,
      );
    });
    grid.addEventListener("pointerleave", () => this.#drawGhost(null));
    return gestures;
  }

  /**
   * Where in the window an event is.
   *
   * @param {MouseEvent} event
   * @returns {Point}
   */
  #point(event) {
    const box = this.cells.grid.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** @param {MouseEvent} event */
  #click(event) {
    // Where the cell is no element of the grid, and nothing assistive clicks, the place tells.
    const cell = cellFor(event.target) ?? this.view.cellAt(...this.#point(event));
    if (!cell) return;
    const isMouse = event instanceof PointerEvent && event.pointerType === "mouse";
    const smallest = isMouse ? 9 : READABLE;
    if (this.view.zoomable && this.view.scale < smallest && event.detail) {
      this.view.zoom(TAPPED_TO / this.view.scale, ...this.#point(event));
      this.#layOut();
      return;
    }
    this.cells.focus(cell);
    this.choose(cell);
  }

  #measure() {
    const { clientWidth, clientHeight } = this;
    if (!clientWidth) return;
    this.edges = marginFor(this.#shown.findings);
    const { top, right, bottom, left } = this.edges;
    this.field.ownerSVGElement?.setAttribute("viewBox", `0 0 ${clientWidth} ${clientHeight}`);
    this.view.resize(clientWidth - left - right, clientHeight - top - bottom);
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
    const viewBox = [-x * units, -y * units, width * units, height * units].join(" ");
    const place = { x: edges.left, y: edges.top, width, height, viewBox };
    for (const [name, value] of Object.entries(place)) this.field.setAttribute(name, String(value));
    this.field.style.setProperty("--rule", String(Math.max(0.75, Math.min(3, scale * 0.035))));
    this.field.style.setProperty("--weight", `${Math.min(30, (15 / scale) * CELL)}px`);
    this.cells.place(view, edges.left, edges.top);
    this.toggleAttribute("zoomed", !view.fitted);
    this.#pointTo();
    this.#annotate();
  }

  /** Writes what has the same size at any zoom. */
  #annotate() {
    const { view, edges, shape, k, findings } = this;
    if (!edges) return;
    drawMargin(this.margin, { view, edges, findings });
    drawWeights(this.layers.weights, { view, shape, k, findings });
  }

  /** The referee's findings that are drawn, or null. */
  get findings() {
    return this.#shown.findings;
  }

  /**
   * Draws the rows that changed, and the last mark by itself, stroke by stroke if it is new.
   *
   * @param {Cell[]} before
   * @param {number} same how many plies both have from the beginning
   */
  #drawMarks(before, same) {
    const { moves, pending } = this.#shown;
    const last = moves.at(-1);
    this.marks = marksOf(this.shape, moves);
    const from = Math.max(0, same - 1); // the last move that both share may be drawn by itself
    const changed = [...before.slice(from), ...moves.slice(from)];
    for (const row of new Set(changed.map(([row]) => row))) this.#drawRow(row, last);

    const isNew = moves.length === before.length + 1 && same === before.length && this.edges;
    const fresh = last ? `${moves.length}:${last}` : "";
    if (fresh !== this.#fresh) {
      const player = moverOf(moves.length);
      const paths = last ? strokes(player, last) : [];
      this.layers.fresh.setAttribute("class", `fresh p${player}${isNew ? " drawn" : ""}`);
      this.layers.fresh.replaceChildren(...paths.map((d) => svg("path", { d, pathLength: 1 })));
      this.#fresh = fresh;
    }
    this.layers.fresh.classList.toggle("pending", pending);
    this.layers.tint.setAttribute("class", `tint p${moverOf(moves.length)}`);
    this.layers.tint.setAttribute("d", last ? square(last, this.shape) : "");
  }

  /**
   * Draws the marks of a row.
   *
   * @param {number} row
   * @param {Cell} [except] a cell whose mark is drawn by itself
   */
  #drawRow(row, except) {
    const paths = ["", "", ""];
    const isMany = hasMany(this.shape);
    for (let col = 0; col < this.shape[1]; col++) {
      /** @type {Cell} */
      const cell = [row, col];
      const mark = seatOf(this.marks[numberOf(this.shape, cell)]);
      if (!mark || (except && isSameCell(except, cell))) continue;
      paths[mark] += isMany ? printed(mark, cell) : strokes(mark, cell).join("");
    }
    const { p1, p2 } = this.layers;
    p1.children[row].setAttribute("d", paths[1]);
    p2.children[row].setAttribute("d", paths[2]);
  }

  #drawLines() {
    const { lines } = this.#shown;
    const cells = lines.flat();
    this.winners = new Set(cells.map((cell) => numberOf(this.shape, cell)));
    this.layers.winning.setAttribute("d", cells.map((cell) => square(cell, this.shape)).join(""));
    const key = JSON.stringify(lines);
    if (this.layers.strikes.dataset.lines === key) return;
    this.layers.strikes.dataset.lines = key;
    this.layers.strikes.replaceChildren(
      ...lines.map((line) => svg("path", { d: strike(line), pathLength: 1 })),
    );
  }

  /**
   * Hints at the mark that a click would make.
   *
   * @param {Cell | null} cell
   */
  #drawGhost(cell) {
    const { player } = this.#shown;
    const target = cell && this.#target(cell);
    const isHinted = player && target && !this.forbidden.has(numberOf(this.shape, target));
    this.layers.ghost.setAttribute("class", player ? `ghost p${player}` : "ghost");
    this.layers.ghost.setAttribute("d", isHinted ? strokes(player, target).join("") : "");
  }

  #drawForbidden() {
    const cells = this.#shown.forbidden;
    this.forbidden = new Set(cells.map((cell) => numberOf(this.shape, cell)));
    this.layers.forbidden.setAttribute("d", cells.map(triangle).join(""));
  }
}

customElements.define("noughts-board", Board);
