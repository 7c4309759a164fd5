/**
 * The ARIA grid of a board, for screen readers and the keyboard.
 *
 * Only one cell is a tab stop. On large boards only the cells around it are in the document, with
 * their row and column index, so 10,000 cells cost no more than 81.
 */

import { afterFrame, element } from "../shared/dom.js";

/** @import { Cell, Shape } from "../shared/types.js" */
/** @import { Viewport } from "./viewport.js" */

const WHOLE = 225; // boards with at most this many cells are in the document as a whole
const REACH = 4; // otherwise, cells in the document on each side of the tab stop
const PAGE = 10;

export class Cells {
  /** @type {Cell} */
  active = [0, 0];
  rows = 0;
  cols = 0;
  /** @type {Map<string, HTMLElement>} */
  #cells = new Map(); // by "row,col"

  /**
   * @param {{
   *   describe: (cell: Cell) => string,
   *   reveal: (cell: Cell) => void,
   *   choose: (cell: Cell) => void,
   *   zoomKey: (key: string) => boolean,
   * }} board zoomKey returns whether it handled the key
   */
  constructor(board) {
    this.board = board;
    this.grid = element("div", { role: "grid", class: "cells" });
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", ({ target }) => {
      const cell = cellFor(target);
      if (cell) this.#activate(cell);
    });
  }

  /**
   * Sets up the grid of a board.
   *
   * @param {Shape} shape
   * @param {string} label
   */
  setup([rows, cols], label) {
    this.rows = rows;
    this.cols = cols;
    this.active = [Math.floor((rows - 1) / 2), Math.floor((cols - 1) / 2)];
    this.grid.setAttribute("aria-label", label);
    this.grid.setAttribute("aria-rowcount", String(rows));
    this.grid.setAttribute("aria-colcount", String(cols));
    this.#render();
  }

  /**
   * Positions the grid over the window of the drawing.
   *
   * @param {Viewport} view
   * @param {number} left
   * @param {number} top
   */
  place(view, left, top) {
    const { style } = this.grid;
    style.left = `${left}px`;
    style.top = `${top}px`;
    style.width = `${view.width}px`;
    style.height = `${view.height}px`;
    style.setProperty("--x", `${view.x}px`);
    style.setProperty("--y", `${view.y}px`);
    style.setProperty("--cell", `${view.scale}px`);
  }

  /**
   * Updates the label of each cell.
   *
   * @param {boolean} readOnly
   */
  update(readOnly) {
    this.grid.setAttribute("aria-readonly", String(readOnly));
    for (const [key, node] of this.#cells) {
      const text = this.board.describe(cellAt(key));
      if (node.getAttribute("aria-label") !== text) node.setAttribute("aria-label", text);
    }
  }

  /** Moves the focus to a cell; outside the neighbourhood, the focus follows a frame later. */
  focus(cell = this.active) {
    this.#activate(cell);
    const focus = () => this.#cells.get(this.active.join())?.focus({ preventScroll: true });
    focus();
    if (this.#covers(cell)) return;
    afterFrame(() => {
      this.#render();
      focus();
    });
  }

  /**
   * Makes a cell the tab stop. Keeps all elements, because a click may be in progress.
   *
   * @param {Cell} cell
   */
  #activate(cell) {
    this.#cells.get(this.active.join())?.setAttribute("tabindex", "-1");
    this.active = cell;
    this.#cells.get(cell.join())?.setAttribute("tabindex", "0");
  }

  /**
   * Returns whether a cell and its neighbours are in the document.
   *
   * @param {Cell} cell
   */
  #covers([row, col]) {
    /** @type {(at: number, side: number) => number[]} */
    const near = (at, side) => [Math.max(0, at - 1), Math.min(side - 1, at + 1)];
    return near(row, this.rows).every((r) =>
      near(col, this.cols).every((c) => this.#cells.has([r, c].join())),
    );
  }

  /** Puts the cells around the active cell into the document. */
  #render() {
    const hadFocus = this.grid.contains(document.activeElement);
    /** @type {(at: number, side: number) => [first: number, end: number]} */
    const range = (at, side) => {
      const reach = this.rows * this.cols > WHOLE ? REACH : side;
      const first = Math.max(0, Math.min(at - reach, side - 2 * reach - 1));
      return [first, Math.min(side, first + 2 * reach + 1)];
    };
    const [top, bottom] = range(this.active[0], this.rows);
    const [left, right] = range(this.active[1], this.cols);
    const rows = [];
    this.#cells.clear();
    for (let row = top; row < bottom; row++) {
      const line = element("div", { role: "row", "aria-rowindex": row + 1 });
      line.style.setProperty("--row", String(row));
      for (let col = left; col < right; col++) line.append(this.#cell([row, col]));
      rows.push(line);
    }
    this.grid.replaceChildren(...rows);
    if (hadFocus) this.#cells.get(this.active.join())?.focus({ preventScroll: true });
  }

  /** @param {Cell} cell */
  #cell(cell) {
    const key = cell.join();
    const node = element("div", {
      role: "gridcell",
      "aria-colindex": cell[1] + 1,
      "aria-label": this.board.describe(cell),
      "data-cell": key,
      tabindex: key === this.active.join() ? 0 : -1,
    });
    node.style.setProperty("--col", String(cell[1]));
    this.#cells.set(key, node);
    return node;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.metaKey) return;
    const target = this.#target(event);
    if (target) {
      this.board.reveal(target);
      this.focus(target);
    } else if (event.key === "Enter" || event.key === " ") {
      this.board.choose(this.active);
    } else if (event.ctrlKey || !this.board.zoomKey(event.key)) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Returns the cell to which a key moves, or null.
   *
   * @param {KeyboardEvent} event
   * @returns {Cell | null}
   */
  #target({ key, ctrlKey }) {
    const [row, col] = this.active;
    /** @type {(r: number, c: number) => Cell} */
    const within = (r, c) => [
      Math.max(0, Math.min(this.rows - 1, r)),
      Math.max(0, Math.min(this.cols - 1, c)),
    ];
    /** @type {Record<string, () => Cell>} */
    const ways = {
      ArrowUp: () => within(row - 1, col),
      ArrowDown: () => within(row + 1, col),
      ArrowLeft: () => within(row, col - 1),
      ArrowRight: () => within(row, col + 1),
      PageUp: () => within(row - PAGE, col),
      PageDown: () => within(row + PAGE, col),
      Home: () => within(ctrlKey ? 0 : row, 0),
      End: () => within(ctrlKey ? Infinity : row, Infinity),
    };
    return ways[key]?.() ?? null;
  }
}

/**
 * Returns the cell for a key "row,col".
 *
 * @param {string} key
 * @returns {Cell}
 */
function cellAt(key) {
  const [row, col] = key.split(",").map(Number);
  return [row, col];
}

/**
 * Returns the cell of the grid that contains an element, or null.
 *
 * @param {EventTarget | null} target
 */
export function cellFor(target) {
  const node = target instanceof Element ? target.closest("[data-cell]") : null;
  return node ? cellAt(node.getAttribute("data-cell") ?? "") : null;
}
