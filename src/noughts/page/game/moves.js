/** <noughts-moves>: the list of moves, with buttons and keys to step through it. */

import { element, refill } from "../shared/dom.js";
import { moverOf } from "../shared/geometry.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { cellName, symbol } from "../shared/names.js";

/** @import { Cell } from "../shared/types.js" */

const PACE = 1100; // milliseconds per move of a replay
const MOST_SHOWN = 200; // plies in the document, around the visible one

export class Moves extends HTMLElement {
  /** @type {number | null} */
  #seen = null; // the visible ply, or null for the latest
  /** @type {Cell[]} */
  #moves = [];
  /** @type {HTMLButtonElement[]} */
  #back = [];
  /** @type {HTMLButtonElement[]} */
  #onward = [];
  #timer = 0;
  /** @type {Set<number>} */
  mistakes = new Set(); // plies to mark as mistakes
  #auto = element("button", { type: "button", class: "slim square", onclick: () => this.#play() });
  #count = element("span", { class: "count" });
  #sheet = element("ol", { class: "sheet" });

  connectedCallback() {
    if (this.#sheet.isConnected) return;
    /** @type {(name: "first" | "back" | "forward" | "last", label: string, go: () => number) => HTMLButtonElement} */
    const button = (name, label, go) =>
      element(
        "button",
        {
          type: "button",
          class: "slim square",
          "aria-label": label,
          onclick: () => this.#stop(() => this.see(go())),
        },
        icon(name),
      );
    this.#back = [
      button("first", t("First position"), () => 0),
      button("back", t("Previous move"), () => this.ply - 1),
    ];
    this.#onward = [
      button("forward", t("Next move"), () => this.ply + 1),
      button("last", t("Latest position"), () => Infinity),
    ];
    this.append(
      element(
        "div",
        { class: "flip", role: "group", "aria-label": t("Step through the moves") },
        ...this.#back,
        this.#count,
        this.#auto,
        ...this.#onward,
      ),
      this.#sheet,
    );
    this.#sheet.addEventListener("click", ({ target }) => {
      const ply = target instanceof Element && target.closest("button")?.dataset.ply;
      if (ply) this.#stop(() => this.see(Number(ply)));
    });
    addEventListener("keydown", (event) => this.#key(event));
  }

  /** The visible ply; 0 is the empty board. */
  get ply() {
    return this.#seen ?? this.#moves.length;
  }

  /** Whether the latest position is visible. */
  get live() {
    return this.#seen === null;
  }

  /** The moves up to the visible ply. */
  get seen() {
    return this.#moves.slice(0, this.ply);
  }

  /** The visible ply, in words. */
  get place() {
    return t("Move {ply} of {all}", { ply: this.ply, all: this.#moves.length });
  }

  /**
   * Sets the moves of the game; `show` lists them.
   *
   * @param {Cell[]} moves
   */
  take(moves) {
    this.#moves = moves;
    if (this.#seen !== null && this.#seen >= moves.length) this.#seen = null;
  }

  /** @param {boolean} isOver whether the moves can be replayed */
  show(isOver) {
    this.#auto.hidden = !isOver;
    this.#render();
  }

  /** @param {number} ply */
  see(ply) {
    this.#seen = ply >= this.#moves.length ? null : Math.max(0, ply);
    this.#render();
    this.dispatchEvent(new CustomEvent("flip"));
  }

  /** Starts a replay, from the first move if the last one is visible, or pauses it. */
  #play() {
    if (this.#timer) {
      this.#stop();
      return;
    }
    if (this.live) this.see(0);
    this.#timer = setInterval(() => {
      this.see(this.ply + 1);
      if (this.live) this.#stop();
    }, PACE);
    this.#render();
  }

  /**
   * Stops the replay.
   *
   * @param {() => void} [then]
   */
  #stop(then = () => this.#render()) {
    clearInterval(this.#timer);
    this.#timer = 0;
    then();
  }

  #render() {
    this.#auto.replaceChildren(icon(this.#timer ? "pause" : "play"));
    this.#auto.setAttribute("aria-label", this.#timer ? t("Pause") : t("Replay moves"));
    const all = this.#moves.length;
    this.#count.textContent = t("no moves yet");
    if (all) this.#count.textContent = t("move {ply}", { ply: this.ply });
    if (!this.live) this.#count.textContent = t("move {ply} of {all}", { ply: this.ply, all });
    // Disabling a focused button would drop the focus, so these are only marked as disabled.
    for (const button of this.#back) button.setAttribute("aria-disabled", String(this.ply === 0));
    for (const button of this.#onward) button.setAttribute("aria-disabled", String(this.live));
    const first = Math.max(0, Math.min(this.ply - MOST_SHOWN / 2, all - MOST_SHOWN)) & ~1;
    /** @type {Map<string, () => HTMLElement>} */
    const rows = new Map();
    for (let ply = first + 1; ply <= Math.min(all, first + MOST_SHOWN); ply += 2) {
      const pair = [ply, ply + 1].filter((one) => one <= all);
      const shown = pair.map((one) => [one, this.#moves[one - 1], this.mistakes.has(one)]);
      rows.set(shown.join(), () => this.#row(pair));
    }
    const focused = this.#sheet.contains(document.activeElement);
    refill(this.#sheet, rows);
    this.#mark(focused);
  }

  /**
   * Marks the visible move.
   *
   * @param {boolean} focused whether the focus is on the list, and follows
   */
  #mark(focused) {
    const before = this.#sheet.querySelector("[aria-current]");
    const current = this.#sheet.querySelector(`[data-ply="${this.ply}"]`);
    if (current === before) return;
    before?.removeAttribute("aria-current");
    current?.setAttribute("aria-current", "step");
    if (!(current instanceof HTMLElement)) return;
    if (focused) current.focus({ preventScroll: true });
    // Reading its position now would force another layout before the move is drawn.
    requestAnimationFrame(() => {
      this.#sheet.scrollTop = current.offsetTop - this.#sheet.clientHeight / 2;
    });
  }

  /** @param {number[]} plies one or two */
  #row(plies) {
    const number = element("span", { class: "quiet" }, String((plies[0] + 1) / 2));
    return element("li", {}, number, ...plies.map((ply) => this.#move(ply)));
  }

  /** @param {number} ply */
  #move(ply) {
    const cell = cellName(this.#moves[ply - 1]);
    const isMistake = this.mistakes.has(ply);
    const move = t("Move {ply}: {mark} {cell}", { ply, mark: symbol(moverOf(ply)), cell });
    return element(
      "button",
      {
        type: "button",
        class: `p${moverOf(ply)}`,
        "data-ply": ply,
        "aria-label": isMistake ? t("{move}, a mistake", { move }) : move,
      },
      isMistake ? `${cell} ?` : cell,
    );
  }

  /**
   * Steps through the moves with the arrow keys, unless they mean something else.
   *
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { key, target } = event;
    if (target instanceof Element && target.closest("input:not([type=checkbox]), select, dialog"))
      return;
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    event.preventDefault();
    this.#stop(() => this.see(this.ply + (key === "ArrowLeft" ? -1 : 1)));
  }
}

customElements.define("noughts-moves", Moves);
