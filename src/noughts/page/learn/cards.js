/** The cards of the known mistakes, grouped by kind; one card is open at a time. */

import { by, element } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { codeBlock, see, seen } from "./catalogue.js";
import { answerName, Counterexample } from "./counterexample.js";

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
  see(card.dataset.mistake ?? ""); // whoever follows a link wants to read
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
    {
      name: "mistake",
      id: `mistake-${card.name}`,
      class: "mistake",
      "data-mistake": card.name,
    },
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

/**
 * Shows a card, after two guesses unless it was seen before: what the class answers, and which line
 * is wrong.
 *
 * @param {Card} card
 */
function whole(card) {
  const game = new Counterexample();
  const text = element("div", { class: "text" });
  const content = element(
    "div",
    { class: "whole" },
    text,
    element(
      "div",
      { class: "shown" },
      element("h3", {}, t("The smallest game that shows it")),
      game,
    ),
  );

  /** @type {(question: string, choices: Node[], code: Node) => void} */
  function ask(question, choices, code) {
    const skip = element("button", { type: "button", class: "slim skip" }, t("I don’t know"));
    skip.onclick = () => uncover();
    const asked = element("p", { class: "asks", tabindex: -1 }, question);
    text.replaceChildren(asked, element("div", { class: "buttons" }, ...choices, skip), code);
    if (content.isConnected) asked.focus({ preventScroll: true });
  }

  function askAnswer() {
    const { answered } = card.game;
    const others = ["0", "1", "2"].filter((other) => other !== answered);
    const choices = [...others, answered].sort().map((choice) => {
      const name = choice.startsWith("!") ? t("an error") : answerName(choice);
      return element(
        "button",
        { type: "button", class: "slim", onclick: () => askLine(name) },
        name,
      );
    });
    game.cover();
    ask(t("What will this class answer to the last move?"), choices, codeBlock(card.code));
  }

  /** @param {string} guess of the answer */
  function askLine(guess) {
    game.uncover(guess);
    const pick = (/** @type {number} */ line) => uncover(line);
    const code = codeBlock(card.code, [], { pick });
    ask(t("Which line is wrong? Tap it."), [], code);
  }

  /** @param {number} [picked] the line that the reader tapped */
  function uncover(picked) {
    see(card.name);
    game.uncover();
    text.replaceChildren(...explained(card, picked).filter((part) => part instanceof Node));
    const first = text.querySelector("p");
    first?.setAttribute("tabindex", "-1");
    if (content.isConnected) first?.focus({ preventScroll: true });
    by("mistakes").dispatchEvent(new Event("seen"));
  }

  game.show(card.game);
  if (seen.has(card.name)) uncover();
  else askAnswer();
  return content;
}

/**
 * Explains a mistake.
 *
 * @param {Card} card
 * @param {number} [picked] the line that the reader tapped
 */
function explained({ why, code, wrong, right }, picked) {
  // Code that calls nothing of its base class replaces it.
  const isWhole =
    code.some((line) => line.includes("def move")) && !code.join().includes("super()");
  const base = isWhole ? "" : (/\((\w+)\)/.exec(code[0])?.[1] ?? "");
  /** @type {Record<string, string>} */
  const bases = {
    Sums: t("The rest of the class is correct: it keeps one sum per line."),
    Board: t("The rest of the class is correct: it scans the board after each move."),
  };
  return [
    element("p", {}, why),
    codeBlock(code, wrong, { picked }),
    base && element("p", { class: "quiet" }, bases[base]),
    right.length > 0 && element("p", {}, element("strong", {}, t("Correct version"))),
    right.length > 0 && codeBlock(right),
  ];
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
