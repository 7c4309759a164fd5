/** Brings new moves into the board's window, or points to them. */

import { element } from "../shared/dom.js";
import { isSameCell, moverOf } from "../shared/geometry.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { cellName } from "../shared/names.js";

/** @import { Cell } from "../shared/types.js" */
/** @import { Edges } from "./margin.js" */
/** @import { Viewport } from "./viewport.js" */

const GLIDE = 350; // milliseconds to glide to a move that is out of view
const POINTER = 22; // pixels from the window's edge to the middle of the pointer

export class Guide {
  #frame = 0;
  #ply = 0;
  /** @type {Cell | undefined} */
  #missed; // a move that arrived outside the window during panning

  pointer = element(
    "button",
    {
      type: "button",
      class: "pointer",
      hidden: true,
      onclick: () => this.#missed && this.bring([this.#missed]),
    },
    icon("forward"),
  );

  /**
   * @param {{ view: Viewport, edges: Edges | null, layOut: () => void }} board edges are null
   *   until the board has been measured
   */
  constructor(board) {
    this.board = board;
  }

  /**
   * Brings a new move into the window, together with the previous move if that is visible. During
   * panning it only points to the move.
   *
   * @param {Cell[]} moves
   * @param {boolean} isNew whether moves were added
   * @param {boolean} isHeld whether the board is being panned
   */
  follow(moves, isNew, isHeld) {
    this.#ply = moves.length;
    const last = moves.at(-1);
    const { view, edges } = this.board;
    if (isNew && last && edges && !isHeld) {
      const before = moves.at(-2);
      if (!view.holds(last)) this.bring(before && view.holds(before) ? [before, last] : [last]);
      return;
    }
    if (isNew) this.#missed = last;
    else if (this.#missed && !(last && isSameCell(this.#missed, last))) this.#missed = undefined;
    this.point();
  }

  /**
   * Brings cells into the window, smoothly unless reduced motion is preferred.
   *
   * @param {Cell[]} cells
   */
  bring(cells) {
    this.stay();
    this.#missed = undefined;
    const { view, edges } = this.board;
    if (!edges || cells.every((cell) => view.holds(cell))) {
      this.point();
      return;
    }
    const [from, to] = [view.place, view.around(cells)];
    const start = performance.now();
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = (/** @type {number} */ now) => {
      const time = still ? 1 : Math.max(0, Math.min(1, (now - start) / GLIDE));
      const part = time * time * (3 - 2 * time);
      view.goTo({
        scale: from.scale + (to.scale - from.scale) * part,
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
      });
      this.#frame = time < 1 ? requestAnimationFrame(step) : 0;
      this.board.layOut();
    };
    step(start);
  }

  /** Ends a glide, because the player pans or zooms. */
  stay() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Points from the window's edge to a missed move. */
  point() {
    const { view, edges } = this.board;
    if (!edges) return;
    if (this.#missed && view.holds(this.#missed)) this.#missed = undefined;
    const { pointer } = this;
    pointer.hidden = !this.#missed;
    if (!this.#missed) return;
    const [row, col] = this.#missed;
    const [x, y] = [view.x + (col + 0.5) * view.scale, view.y + (row + 0.5) * view.scale];
    /** @type {(at: number, size: number) => number} */
    const inside = (at, size) => Math.max(POINTER, Math.min(size - POINTER, at));
    const [left, top] = [inside(x, view.width), inside(y, view.height)];
    pointer.setAttribute(
      "aria-label",
      t("Show the last move, {cell}", { cell: cellName(this.#missed) }),
    );
    pointer.style.left = `${edges.left + left}px`;
    pointer.style.top = `${edges.top + top}px`;
    pointer.style.setProperty("--way", `${Math.atan2(y - top, x - left)}rad`);
    pointer.classList.toggle("p1", moverOf(this.#ply) === 1);
    pointer.classList.toggle("p2", moverOf(this.#ply) === 2);
  }
}
