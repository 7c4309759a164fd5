/** The cards of the known mistakes, grouped by kind; one card is open at a time. */

import { by, element } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { codeBlock } from "./catalogue.js";
import { Counterexample } from "./counterexample.js";

/** @import { Card } from "./catalogue.js" */

/** @param {Card[]} cards */
export function fill(cards) {
  for (const kind of by("mistakes").querySelectorAll("details")) {
    const its = cards.filter((card) => card.kind === kind.dataset.kind);
    kind.append(element("div", { class: "list" }, ...its.map(folded)));
    keepInPlace(kind);
  }
}

/**
 * Opens the card with an id and scrolls to it.
 *
 * @param {string} id
 */
export function open(id) {
  const card = document.getElementById(id);
  if (!(card instanceof HTMLDetailsElement)) return;
  const show = () => {
    card.scrollIntoView({ block: "start" });
    card.querySelector("summary")?.focus({ preventScroll: true });
  };
  const kind = card.parentElement?.closest("details");
  if (kind) kind.open = true;
  if (card.open) return show();
  card.addEventListener("toggle", show, { once: true }); // it has its full height then
  card.open = true;
}

/**
 * Creates a closed card, which shows what the mistake does; opening it adds the rest.
 *
 * @param {Card} card
 */
function folded(card) {
  const details = element(
    "details",
    { name: "mistake", id: `mistake-${card.name}`, class: "mistake" },
    element("summary", {}, element("span", {}, card.does), icon("forward")),
  );
  details.ontoggle = () => {
    const made = details.querySelector(".whole");
    if (details.open && !made) details.append(whole(card));
    if (!details.open) made?.remove(); // also stops its replay
    const hash = `#${details.id}`;
    if (details.open) history.replaceState(null, "", hash);
    else if (location.hash === hash) history.replaceState(null, "", "#mistakes");
  };
  keepInPlace(details);
  return details;
}

/** @param {Card} card */
function whole(card) {
  const game = new Counterexample();
  const base = /\((\w+)\)/.exec(card.code[0])?.[1] ?? "";
  /** @type {Record<string, string>} */
  const bases = {
    Sums: t("The rest of the class is correct: it keeps one sum per line."),
    Board: t("The rest of the class is correct: it scans the board after each move."),
  };
  const content = element(
    "div",
    { class: "whole" },
    element(
      "div",
      { class: "text" },
      element("p", {}, card.why),
      codeBlock(card.code, card.wrong),
      base && element("p", { class: "quiet" }, bases[base]),
      card.right.length > 0 && element("p", {}, element("strong", {}, t("Correct version"))),
      card.right.length > 0 && codeBlock(card.right),
    ),
    element(
      "div",
      { class: "shown" },
      element("h3", {}, t("The smallest game that shows it")),
      game,
    ),
  );
  game.show(card.game);
  return content;
}

/**
 * Keeps a clicked summary in place when a card above it closes.
 *
 * @param {HTMLDetailsElement} details
 */
function keepInPlace(details) {
  const summary = details.querySelector("summary");
  summary?.addEventListener("click", () => {
    const before = summary.getBoundingClientRect().top;
    requestAnimationFrame(() => {
      const moved = summary.getBoundingClientRect().top - before;
      scrollBy({ top: moved, behavior: "instant" });
    });
  });
}
