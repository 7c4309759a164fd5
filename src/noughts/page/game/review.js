/** <noughts-review>: a finished game, move by move, with its mistakes. */

import { analysis } from "../shared/api.js";
import { element } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { comment, moveName } from "./advice.js";

/** @import { Cell, Finding } from "../shared/types.js" */

export class Review extends HTMLElement {
  /** @type {Finding[]} */
  #findings = [];
  #comment = element("p", { class: "comment" });
  #mistakes = element("ol", { class: "mistakes" });

  connectedCallback() {
    if (this.#comment.isConnected) return;
    const done = () => this.dispatchEvent(new CustomEvent("done"));
    this.append(
      element(
        "div",
        { class: "review-head" },
        element("h2", {}, t("Review")),
        element("button", { type: "button", class: "slim", onclick: done }, t("Done")),
      ),
      this.#comment,
      this.#mistakes,
    );
    this.#mistakes.addEventListener("click", ({ target }) => {
      const ply = target instanceof Element && target.closest("button")?.dataset.ply;
      if (ply) this.dispatchEvent(new CustomEvent("see", { detail: Number(ply) }));
    });
  }

  /** The plies of the mistakes. */
  get mistakes() {
    return new Set(this.#findings.filter(({ lost }) => lost).map(({ ply }) => ply));
  }

  /**
   * Opens the review of a game. Its moves can be stepped through at once; the findings arrive later.
   * If they fail to load, the review closes.
   *
   * @param {string} id
   */
  async open(id) {
    this.hidden = false;
    if (this.#findings.length) return;
    this.setAttribute("aria-busy", "true");
    this.#comment.textContent = t("Analysing every move…");
    try {
      this.#findings = (await analysis(id)).findings;
      this.#list();
    } catch (error) {
      this.hidden = true;
      throw error;
    } finally {
      this.removeAttribute("aria-busy");
    }
  }

  /** Discards the findings, because the game continues. */
  forget() {
    if (this.hidden && !this.#findings.length) return;
    this.hidden = true;
    this.#findings = [];
    this.#list();
  }

  #list() {
    const found = this.#findings.filter(({ lost }) => lost);
    this.#mistakes.replaceChildren(
      ...found.map((finding) =>
        element(
          "li",
          {},
          element(
            "button",
            { type: "button", class: `slim p${finding.player}`, "data-ply": finding.ply },
            moveName(finding),
          ),
        ),
      ),
    );
    this.#mistakes.hidden = !found.length;
  }

  /**
   * Comments on a move, and returns the better cell if it was a mistake.
   *
   * @param {number} ply 0 for the empty board
   * @returns {Cell | null}
   */
  show(ply) {
    if (!this.#findings.length) return null;
    const finding = this.#findings[ply - 1];
    const count = this.mistakes.size;
    const all = [t("No mistakes found."), t("1 mistake.")];
    const summary = all[count] ?? t("{count} mistakes.", { count });
    this.#comment.textContent = finding ? `${moveName(finding)}. ${comment(finding)}` : summary;
    for (const button of this.#mistakes.querySelectorAll("button")) {
      if (Number(button.dataset.ply) === ply) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    return finding?.lost ? finding.best.cell : null;
  }
}

customElements.define("noughts-review", Review);
