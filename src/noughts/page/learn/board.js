/** <lesson-board>: an n×n board of the lesson, with room for a referee's numbers in its margins. */

import { Cells, cellFor } from "../game/cells.js";
import { svg } from "../shared/dom.js";
import { cellOf, isSameCell } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { CELL, ruling, square, strike, strokes } from "../shared/marks.js";
import { cellName, columnName, symbol } from "../shared/names.js";
import { cellOn } from "./counted.js";
import { moverIn } from "./games.js";

/** @import { Cell } from "../shared/types.js" */
/** @import { Lesson } from "./games.js" */

/**
 * What to show in addition to the marks: how often each cell was read, the cell being read now, the
 * cells that the reader guessed, the winning lines, the content of the margins, and the width of the margins with names, as a fraction
 * of the board's side.
 *
 * @typedef {{
 *   looks?: Map<number, number>,
 *   now?: number | null,
 *   guessed?: Set<number>,
 *   won?: number[],
 *   margin?: (room: Room) => SVGElement[],
 *   names?: number,
 * }} Shown
 */

/**
 * Positions for texts, in units of the drawing: the middles of rows, columns and margins, and the
 * font `size` of a referee's numbers; `percent` converts a position to percent of the element.
 *
 * @typedef {{
 *   row: (row: number) => number,
 *   col: (col: number) => number,
 *   left: number,
 *   right: number,
 *   bottom: number,
 *   size: number,
 *   percent: (position: number) => number,
 * }} Room
 */

const NAMES = 0.11; // width of the margins with names, as a fraction of the board's side
const SUMS = 0.2; // width of the margins with numbers, as a fraction of the board's side

/** Creates a text in the drawing. */
export const text = (
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ size,
  /** @type {string} */ kind,
  /** @type {string | number} */ content,
) => svg("text", { x, y, "font-size": size, class: kind }, content);

/** Creates a tint behind a number that is being read. */
export const behind = (
  /** @type {number} */ x,
  /** @type {number} */ y,
  /** @type {number} */ size,
  /** @type {number} */ letters,
) => {
  const [width, height] = [(0.65 * letters + 0.4) * size, 1.3 * size];
  const box = { x: x - width / 2, y: y - height / 2, width, height, rx: size / 4 };
  return svg("rect", { class: "look", ...box });
};

export class Board extends HTMLElement {
  /** @type {Lesson} */
  game = { n: 0, moves: [] };
  isOver = false;
  /** @type {((cell: Cell) => void) | null} */
  chosen = null; // null if the board cannot be played on
  /** @type {((cell: Cell) => void) | null} */
  picked = null; // set while cells are chosen for a guess

  /** @type {Set<number>} */
  #guessed = new Set();
  #laid = 0; // the side of the grid
  #drawing = svg("svg", { class: "drawing", "aria-hidden": "true" });
  #ghost = svg("path", { class: "ghost" });
  #cells = new Cells({
    describe: (cell) => this.#describe(cell),
    reveal: () => {},
    choose: (cell) => this.#choose(cell),
    zoomKey: () => false,
  });

  connectedCallback() {
    const { grid } = this.#cells;
    grid.addEventListener("click", ({ target }) => {
      const cell = cellFor(target);
      if (cell) this.#choose(cell);
    });
    grid.addEventListener("pointermove", ({ target, pointerType }) =>
      this.#hint(pointerType === "mouse" ? cellFor(target) : null),
    );
    grid.addEventListener("pointerleave", () => this.#hint(null));
    this.replaceChildren(this.#drawing, grid);
  }

  /**
   * Draws a position.
   *
   * @param {Lesson} game
   * @param {Shown} shown
   */
  show(
    game,
    { looks = new Map(), now = null, guessed = new Set(), won = [], margin, names = NAMES } = {},
  ) {
    const { n, moves } = game;
    this.#guessed = guessed;
    this.game = { ...game, moves: [...moves] };
    this.isOver = !this.chosen || won.length > 0 || moves.length === n * n;
    const side = n * CELL;
    const [before, after] = [names * side, (margin ? SUMS : 0) * side];
    const whole = side + before + after;
    this.#drawing.setAttribute("viewBox", `${-before} ${-before} ${whole} ${whole}`);
    /** @type {Room} */
    const room = {
      row: (row) => (row + 0.5) * CELL,
      col: (col) => (col + 0.5) * CELL,
      left: -before / 2,
      right: side + after / 2,
      bottom: side + after / 2,
      size: Math.min(side / 15, 0.56 * CELL),
      percent: (position) => (100 * (position + before)) / whole,
    };
    this.#drawing.replaceChildren(
      ...this.#tints(looks, now),
      svg("path", { class: "ruling", d: ruling([n, n]).minor }),
      ...this.#guesses(),
      ...this.#marks(),
      this.#ghost,
      svg("g", { class: "strikes" }, ...won.map((line) => this.#strike(line))),
      svg(
        "g",
        { class: "margin" },
        ...this.#names(room, before * (margin ? 0.43 : 0.35)),
        ...(margin?.(room) ?? []),
      ),
    );
    this.#ghost.setAttribute("d", "");
    if (n !== this.#laid) this.#setup(before / whole, side / whole);
    this.#cells.grid.classList.toggle("over", this.isOver);
    this.#cells.update(this.isOver);
  }

  /**
   * Lays the grid over the drawing.
   *
   * @param {number} from in parts of the drawing
   * @param {number} size
   */
  #setup(from, size) {
    const { n } = this.game;
    this.#laid = n;
    const { grid } = this.#cells;
    const { style } = grid;
    this.#cells.setup([n, n], this.getAttribute("aria-label") ?? grid.ariaLabel ?? "");
    this.removeAttribute("aria-label"); // its grid has it now
    for (const way of ["left", "top"]) style.setProperty(way, `${100 * from}%`);
    for (const way of ["width", "height"]) style.setProperty(way, `${100 * size}%`);
    style.setProperty("--n", String(n));
  }

  /**
   * @param {Map<number, number>} looks
   * @param {number | null} now
   */
  #tints(looks, now) {
    const shape = /** @type {[number, number]} */ ([this.game.n, this.game.n]);
    return [...looks].map(([number, times]) =>
      svg("path", {
        class: number === now ? "look now" : "look",
        d: square(cellOf(shape, number), shape),
        opacity: Math.min(0.22 * times, 0.66),
      }),
    );
  }

  #guesses() {
    const shape = /** @type {[number, number]} */ ([this.game.n, this.game.n]);
    return [...this.#guessed].map((number) => {
      const [row, col] = cellOf(shape, number);
      const box = { x: (col + 0.1) * CELL, y: (row + 0.1) * CELL, width: 0.8 * CELL };
      return svg("rect", { class: "guess", ...box, height: box.width, rx: 0.12 * CELL });
    });
  }

  #marks() {
    const { moves } = this.game;
    return moves.map((cell, index) => {
      const seat = moverIn(this.game, index + 1);
      const isLast = index === moves.length - 1;
      return svg(
        "g",
        { class: `mark p${seat}${isLast ? " last" : ""}` },
        ...strokes(seat, cell).map((d) => svg("path", { d })),
      );
    });
  }

  /** @param {number} line */
  #strike(line) {
    const { n } = this.game;
    const ends = [0, n - 1].map((i) => cellOf([n, n], cellOn(n, line, i)));
    return svg("path", { d: strike(ends) });
  }

  /**
   * @param {Room} room
   * @param {number} size
   */
  #names({ row, col, left }, size) {
    return Array.from({ length: this.game.n }, (_, at) => [
      text(col(at), left, size, "name", columnName(at)),
      text(left, row(at), size, "name", at + 1),
    ]).flat();
  }

  /** @param {Cell} cell */
  #describe(cell) {
    const ply = 1 + this.game.moves.findIndex((taken) => isSameCell(taken, cell));
    const mark = ply ? symbol(moverIn(this.game, ply)) : t("empty");
    const isGuessed = this.#guessed.has(cell[0] * this.game.n + cell[1]);
    return `${cellName(cell)}, ${mark}${isGuessed ? `, ${t("guessed")}` : ""}`;
  }

  /** @param {Cell} cell */
  #isFree(cell) {
    return (
      !this.picked && !this.isOver && !this.game.moves.some((taken) => isSameCell(taken, cell))
    );
  }

  /** @param {Cell} cell */
  #choose(cell) {
    if (this.picked) this.picked(cell);
    else if (this.#isFree(cell)) this.chosen?.(cell);
  }

  /** @param {Cell | null} cell where a click would play */
  #hint(cell) {
    const seat = moverIn(this.game, this.game.moves.length + 1);
    this.#ghost.setAttribute("class", `ghost p${seat}`);
    this.#ghost.setAttribute("d", cell && this.#isFree(cell) ? strokes(seat, cell).join("") : "");
  }
}

customElements.define("lesson-board", Board);
