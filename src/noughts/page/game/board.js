/** <noughts-board>: the board, drawn in SVG under an ARIA grid of cells. */

import { VARIANTS } from "../shared/client_constants.js";
import { element } from "../shared/dom.js";
import { isSameCell, landing, numberOf, SEATS, sharedPlies } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { hasMany, themeOf } from "../shared/marks.js";
import { cellName, symbol } from "../shared/names.js";
import { Cells, cellFor } from "./cells.js";
import { Drawing, seatOf } from "./drawing.js";
import { listenForGestures } from "./gestures.js";
import { Guide } from "./guide.js";
import { drawMargin, marginFor } from "./margin.js";
import { Viewport } from "./viewport.js";

/** @import { Cell, Rules, Seat, Shape } from "../shared/types.js" */
/** @import { Point } from "./gestures.js" */
/** @import { Edges } from "./margin.js" */
/** @import { Findings } from "./view.js" */

const READABLE = 22; // pixels; the keyboard zooms in if cells are smaller
const SURE = 28; // pixels; on smaller cells, a first tap previews and a second one plays
const TAPPED_TO = 40; // pixels; a tap on cells too small to hit zooms in to this size
const ROOMY = 48; // pixels per cell; narrow boards with larger cells have their names outside
const NARROW = 480; // pixels

/**
 * A position to draw.
 *
 * @typedef {object} Position
 * @property {Cell[]} moves
 * @property {boolean} pending whether the last move is being sent
 * @property {Cell[][]} lines the winning lines
 * @property {boolean} over whether the game has ended
 * @property {Seat | null} winner the player whose marks are highlighted
 * @property {Seat | null} player the player who may play now
 * @property {Cell[]} forbidden cells that would be fouls
 * @property {Findings | null} findings the referee's findings, if they are to be drawn
 * @property {Cell | null} hint the recommended cell
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
  hint: null,
};

export class Board extends HTMLElement {
  #shown = EMPTY;
  #frame = 0;
  #hasOpened = false; // whether the board was shown with its moves
  /** @type {Cell | null} */
  #preview = null; // the cell that a second tap plays

  /** @type {Shape} */
  shape = [0, 0];
  k = 0;
  theme = "marks"; // the referee's view always uses plain marks
  decided = ""; // how a screen reader describes a cell on a line that ended the game
  view = new Viewport(this.shape);
  /** @type {Set<number>} */
  winners = new Set();
  /** @type {Set<number>} */
  forbidden = new Set();
  /** @type {Edges | null} */
  edges = null; // null until the board has been measured

  drawing = new Drawing();
  cells = new Cells(this);
  guide = new Guide(this);
  #again = element("span", { class: "again", hidden: true, "aria-hidden": "true" });
  gestures = this.#listen();

  connectedCallback() {
    if (this.cells.grid.isConnected) return;
    this.append(this.drawing.root, this.cells.grid, this.guide.pointer, this.#again);
  }

  /**
   * Sets up an empty board.
   *
   * @param {Rules} rules
   * @param {string} label
   */
  setup(rules, label) {
    const { shape, k, variant } = rules;
    this.shape = shape;
    this.k = k;
    this.decided = VARIANTS[variant].loses ? t("on a losing line") : t("on a winning line");
    const [rows, cols] = shape;
    this.view = new Viewport(shape);
    this.winners = new Set();
    this.toggleAttribute("many", hasMany(shape));
    this.#shown = EMPTY;
    this.style.setProperty("--ratio", String(cols / rows));
    this.theme = themeOf(rules);
    this.drawing.setup(rules);
    this.cells.setup(shape, label);
    this.#measure();
    new ResizeObserver(() => this.#measure()).observe(this);
  }

  /** The marks of all cells, row by row. */
  get marks() {
    return this.drawing.marks;
  }

  /**
   * Draws a position.
   *
   * @param {Position} position
   */
  show(position) {
    const before = this.#shown;
    this.#shown = position;
    const { moves, lines, forbidden, findings } = position;
    const same = sharedPlies(before.moves, moves);
    /** @type {(cells: Cell[]) => Set<number>} */
    const numbers = (cells) => new Set(cells.map((cell) => numberOf(this.shape, cell)));
    this.winners = numbers(lines.flat());
    this.forbidden = numbers(forbidden);
    if (same < Math.max(moves.length, before.moves.length)) this.#preview = null;
    this.drawing.setTheme(findings ? "marks" : this.theme);
    this.drawing.drawMarks(moves, same, position.pending);
    this.drawing.drawLines(lines);
    this.drawing.drawForbidden(forbidden);
    this.drawing.drawFindings(findings);
    this.drawing.drawHint(position.hint);
    if (Boolean(before.findings) !== Boolean(findings)) this.#measure();
    else if (findings) this.#annotate();
    this.cells.update(!position.player);
    this.#drawPreview();
    this.dataset.winner = String((position.over && position.winner) || "");
    this.classList.toggle("playable", position.player !== null);
    const isNew = same === before.moves.length && moves.length > before.moves.length;
    if (this.#hasOpened) this.guide.follow(moves, isNew, this.gestures.held());
    else this.#open(moves.at(-1));
  }

  /**
   * Opens a board at the last move, if its cells are too small to read.
   *
   * @param {Cell} [last]
   */
  #open(last) {
    if (!this.edges) return;
    this.#hasOpened = true;
    if (!last || this.view.scale >= READABLE) return;
    this.view.reveal(last, SURE);
    this.layOut();
  }

  /**
   * Brings a cell into the window.
   *
   * @param {Cell} [cell]
   */
  bring(cell) {
    if (cell) this.guide.bring([cell]);
  }

  /**
   * Describes a cell for screen readers.
   *
   * @param {Cell} cell
   */
  describe(cell) {
    const { moves, pending, findings, over } = this.#shown;
    const at = numberOf(this.shape, cell);
    const mark = seatOf(this.marks[at]);
    const words = [cellName(cell), mark ? symbol(mark) : t("empty")];
    const last = moves.at(-1);
    if (last && isSameCell(last, cell)) words.push(pending ? t("sending") : t("last move"));
    if (this.winners.has(at)) words.push(this.decided);
    if (this.forbidden.has(at)) words.push(t("forbidden"));
    const target = this.#target(cell);
    if (!mark && target && !isSameCell(target, cell))
      words.push(t("falls to {cell}", { cell: cellName(target) }));
    if (findings && !mark && !over) {
      for (const player of SEATS) {
        if (findings.threats[player].has(at))
          words.push(t("threat by {mark}", { mark: symbol(player) }));
      }
      if (!findings.open[at]) words.push(t("not on a live line"));
      else if (findings.legible)
        words.push(t("total {number}", { number: findings.weights[at] * 2 ** this.k }));
    }
    return words.join(", ");
  }

  // Called by the grid of cells.

  /** @param {Cell} cell */
  choose(cell) {
    const target = this.#target(cell);
    if (this.#shown.player && target) {
      this.#preview = null;
      this.#drawPreview();
      this.dispatchEvent(new CustomEvent("play", { detail: target, bubbles: true }));
    }
  }

  /**
   * Returns the cell that a choice plays; with gravity, any cell plays its column.
   *
   * @param {Cell} cell
   */
  #target(cell) {
    if (this.drawing.gravity) return landing(this.shape, this.marks, cell[1]);
    return this.marks[numberOf(this.shape, cell)] ? null : cell;
  }

  /** @param {Cell} cell */
  reveal(cell) {
    this.guide.stay();
    if (this.view.reveal(cell, this.view.zoomable ? Math.max(READABLE, this.view.scale) : 0)) {
      this.layOut();
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
    this.guide.stay();
    if (this.view.zoom(factor) && focused) this.view.reveal([row, col]);
    this.layOut();
  }

  zoomOut() {
    this.guide.stay();
    this.view.zoomOut();
    this.layOut();
  }

  #listen() {
    const grid = this.cells.grid;
    const gestures = listenForGestures(grid, {
      isZoomable: () => this.view.zoomable,
      point: (event) => this.#point(event),
      pan: (x, y) => {
        this.guide.stay();
        this.view.pan(x, y);
        this.#layOutSoon();
      },
      zoom: (factor, x, y) => {
        this.guide.stay();
        const changed = this.view.zoom(factor, x, y);
        if (changed) this.#layOutSoon();
        return changed;
      },
    });
    grid.addEventListener("click", (event) => gestures.dragged() || this.#click(event));
    grid.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") this.#hover(this.view.cellAt(...this.#point(event)));
    });
    grid.addEventListener("pointerleave", () => this.#drawPreview());
    return gestures;
  }

  /**
   * Returns the position of an event in the window.
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
    // If the cell has no element in the grid, the position of the click decides.
    const cell = cellFor(event.target) ?? this.view.cellAt(...this.#point(event));
    if (!cell) return;
    const isMouse = event instanceof PointerEvent && event.pointerType === "mouse";
    const smallest = isMouse ? 9 : READABLE;
    if (this.view.zoomable && this.view.scale < smallest && event.detail) {
      this.view.zoom(TAPPED_TO / this.view.scale, ...this.#point(event));
      this.layOut();
      return;
    }
    this.cells.focus(cell);
    const isPlain = !this.view.zoomable || this.view.scale >= SURE || isMouse || !event.detail;
    const target = this.#shown.player ? this.#target(cell) : null;
    const isSecond = this.#preview && target && isSameCell(this.#preview, target);
    if (isPlain || isSecond) this.choose(cell);
    else {
      this.#preview = target;
      this.#drawPreview();
      if (target) this.dispatchEvent(new CustomEvent("preview", { detail: target }));
    }
  }

  #measure() {
    const { clientWidth, clientHeight } = this;
    if (!clientWidth) return;
    const isNarrow = clientWidth < Math.min(NARROW, ROOMY * this.shape[1]);
    const edges = marginFor(this.#shown.findings, isNarrow);
    const width = clientWidth - edges.left - edges.right;
    const height = clientHeight - edges.top - edges.bottom;
    if (width <= 0 || height <= 0) return; // in the middle of a layout
    this.edges = edges;
    this.drawing.root.setAttribute("viewBox", `0 0 ${clientWidth} ${clientHeight}`);
    this.view.resize(width, height);
    this.toggleAttribute("zoomable", this.view.zoomable);
    this.layOut();
    this.dispatchEvent(new CustomEvent("measured"));
  }

  #layOutSoon() {
    this.#frame ||= requestAnimationFrame(() => this.layOut());
  }

  /** Draws everything that depends on pan and zoom. */
  layOut() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (!this.edges) return;
    this.drawing.place(this.view, this.edges);
    this.cells.place(this.view, this.edges.left, this.edges.top);
    this.toggleAttribute("zoomed", !this.view.fitted);
    this.guide.point();
    this.#annotate();
    this.#drawPreview();
  }

  /** Draws texts that have the same size at any zoom. */
  #annotate() {
    const { view, edges, k, findings } = this;
    if (!edges) return;
    drawMargin(this.drawing.margin, { view, edges, findings });
    this.drawing.drawWeights({ view, k, findings });
  }

  /** The referee's findings on the board, or null. */
  get findings() {
    return this.#shown.findings;
  }

  /**
   * Previews the mark that a click would make.
   *
   * @param {Cell | null} cell
   */
  #hover(cell) {
    const { player } = this.#shown;
    const target = player && cell && this.#target(cell);
    const isAllowed = target && !this.forbidden.has(numberOf(this.shape, target));
    this.drawing.drawGhost(isAllowed ? target : null, player);
  }

  /** Shows the cell that a second tap plays, if a first one was made. */
  #drawPreview() {
    const { view, edges } = this;
    const cell = this.#preview && this.#target(this.#preview);
    this.drawing.drawGhost(cell, this.#shown.player, true);
    this.#again.hidden = !cell || !view.holds(cell);
    if (!cell || !edges) return;
    const [row, col] = cell;
    this.#again.textContent = t("{cell} – tap again", { cell: cellName(cell) });
    const top = edges.top + view.y + row * view.scale;
    const isHigh = top < 2 * SURE;
    this.#again.classList.toggle("under", isHigh);
    this.#again.style.top = `${isHigh ? top + view.scale : top}px`;
    this.#again.style.setProperty("--at", `${edges.left + view.x + (col + 0.5) * view.scale}px`);
  }
}

customElements.define("noughts-board", Board);
