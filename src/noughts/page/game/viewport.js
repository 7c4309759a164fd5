/** Pan and zoom: which part of a board is visible and how large, in pixels. */

/** @import { Cell, Shape } from "../shared/types.js" */

const COMFORTABLE = 40; // pixels; larger cells need no zoom
const LARGEST = 64;

/** @typedef {{ scale: number, x: number, y: number }} Place pixels per cell, and the board's corner */

export class Viewport {
  scale = 0; // pixels per cell
  x = 0; // position of the board's corner in the window
  y = 0;
  fitted = true;
  width = 0; // of the window
  height = 0;

  /** @param {Shape} shape */
  constructor([rows, cols]) {
    this.rows = rows;
    this.cols = cols;
  }

  /** The scale at which the whole board is visible. */
  get fit() {
    return Math.min(this.width / this.cols, this.height / this.rows);
  }

  get zoomable() {
    return this.fit < COMFORTABLE;
  }

  /**
   * Adapts to a new size of the window, keeping its middle.
   *
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    const [centreX, centreY] = [
      (this.width / 2 - this.x) / this.scale,
      (this.height / 2 - this.y) / this.scale,
    ];
    this.width = width;
    this.height = height;
    if (this.fitted || this.scale <= this.fit) {
      this.zoomOut();
      return;
    }
    this.x = width / 2 - centreX * this.scale;
    this.y = height / 2 - centreY * this.scale;
    this.#clamp();
  }

  /** Shows the whole board. */
  zoomOut() {
    this.scale = this.fit;
    this.fitted = true;
    this.#clamp();
  }

  /**
   * Zooms about a point of the window. Returns whether anything changed.
   *
   * @param {number} factor
   */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    let scale = Math.min(this.scale * factor, Math.max(LARGEST, this.fit));
    if (scale < this.fit * 1.001) scale = this.fit; // fully zoomed out, up to rounding
    if (scale === this.scale) return false;
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.fitted = scale === this.fit;
    this.#clamp();
    return true;
  }

  /**
   * @param {number} x pixels to the right
   * @param {number} y pixels down
   */
  pan(x, y) {
    this.x += x;
    this.y += y;
    this.#clamp();
  }

  /**
   * Brings a cell into the window at a minimum scale. Returns whether anything changed.
   *
   * @param {Cell} cell
   */
  reveal([row, col], atLeast = 0) {
    const before = [this.scale, this.x, this.y].join();
    if (this.scale < atLeast) {
      this.zoom(
        atLeast / this.scale,
        this.x + (col + 0.5) * this.scale,
        this.y + (row + 0.5) * this.scale,
      );
    }
    /** @type {(start: number, size: number) => number} */
    const into = (start, size) => Math.max(0, -start) || Math.min(0, size - this.scale - start);
    this.pan(
      into(this.x + col * this.scale, this.width),
      into(this.y + row * this.scale, this.height),
    );
    return before !== [this.scale, this.x, this.y].join();
  }

  /**
   * Returns whether the middle of a cell is in the window.
   *
   * @param {Cell} cell
   */
  holds([row, col]) {
    const { firstRow, lastRow, firstCol, lastCol } = this.seen;
    return row >= firstRow && row <= lastRow && col >= firstCol && col <= lastCol;
  }

  /** The current pan and zoom. */
  get place() {
    return { scale: this.scale, x: this.x, y: this.y };
  }

  /**
   * Returns the pan and zoom that bring cells well inside the window, moving no more than needed.
   *
   * @param {Cell[]} cells
   * @returns {Place}
   */
  around(cells) {
    /** @type {(at: number[]) => [first: number, count: number]} */
    const span = (at) => [Math.min(...at), Math.max(...at) - Math.min(...at) + 1];
    const [row, rows] = span(cells.map(([row]) => row));
    const [col, cols] = span(cells.map(([, col]) => col));
    const room = Math.min(this.width / (cols + 1), this.height / (rows + 1));
    const scale = Math.max(this.fit, Math.min(this.scale, room));
    /** @type {(at: number, size: number, first: number, count: number) => number} */
    const moved = (at, size, first, count) => {
      const kept = size / 2 - ((size / 2 - at) * scale) / this.scale; // zooms about the middle
      const [start, length] = [kept + first * scale, count * scale];
      if (start >= 0 && start + length <= size) return kept;
      const edge = Math.min(size / 4, (size - length) / 2);
      const onto = start < 0 ? edge : size - edge - length;
      return kept + onto - start;
    };
    return this.#clamped({
      scale,
      x: moved(this.x, this.width, col, cols),
      y: moved(this.y, this.height, row, rows),
    });
  }

  /** @param {Place} place */
  goTo(place) {
    Object.assign(this, this.#clamped(place));
    this.fitted = this.scale === this.fit;
  }

  /**
   * Returns the cell at a point of the window, or null.
   *
   * @param {number} x
   * @param {number} y
   * @returns {Cell | null}
   */
  cellAt(x, y) {
    const col = Math.floor((x - this.x) / this.scale);
    const row = Math.floor((y - this.y) / this.scale);
    return row >= 0 && row < this.rows && col >= 0 && col < this.cols ? [row, col] : null;
  }

  /** The part of the window that the board covers, and the rows and columns with their middle in it. */
  get seen() {
    const left = Math.max(0, this.x);
    const top = Math.max(0, this.y);
    return {
      left,
      top,
      right: Math.min(this.width, this.x + this.cols * this.scale),
      bottom: Math.min(this.height, this.y + this.rows * this.scale),
      firstCol: Math.max(0, Math.round(-this.x / this.scale)),
      lastCol: Math.min(this.cols, Math.round((this.width - this.x) / this.scale)) - 1,
      firstRow: Math.max(0, Math.round(-this.y / this.scale)),
      lastRow: Math.min(this.rows, Math.round((this.height - this.y) / this.scale)) - 1,
    };
  }

  /**
   * Leaves no blank space beside a board larger than the window, and centres a smaller one.
   *
   * @param {Place} place
   * @returns {Place}
   */
  #clamped({ scale, x, y }) {
    /** @type {(at: number, board: number, window: number) => number} */
    const kept = (at, board, window) =>
      board <= window ? (window - board) / 2 : Math.min(0, Math.max(window - board, at));
    return {
      scale,
      x: kept(x, this.cols * scale, this.width),
      y: kept(y, this.rows * scale, this.height),
    };
  }

  #clamp() {
    Object.assign(this, this.#clamped(this.place));
  }
}
