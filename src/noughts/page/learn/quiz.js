/** The quiz "Which one is it?": wrongly judged games and wrong solutions that the reader has seen. */

import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { codeBlock, seen } from "./catalogue.js";
import { Counterexample } from "./counterexample.js";

/** @import { Card } from "./catalogue.js" */

/** @typedef {{ card: Card, shows: "game" | "code", choices: Card[] }} Question */

const CHOICES = 4;
const MOST = 10; // questions
const LEAST = 3; // mistakes to have seen before the quiz

/**
 * Draws a question about each of these cards, at most ten, alternately a game and some code. The
 * wrong choices are mistakes that judge the game correctly, some of them of the same kind.
 *
 * @param {Card[]} cards that are asked about
 * @param {Card[]} all
 * @returns {Question[]}
 */
export function draw(cards, all) {
  const asked = shuffled(cards).slice(0, MOST);
  return asked.map((card, at) => {
    const others = shuffled(
      all.filter(({ name }) => name !== card.name && !card.fails.includes(name)),
    );
    const alike = others.filter(({ kind }) => kind === card.kind).slice(0, CHOICES / 2);
    const wrong = [...new Set([...alike, ...others])].slice(0, CHOICES - 1);
    const shows = /** @type {"game" | "code"} */ (at % 2 ? "code" : "game");
    return { card, shows, choices: shuffled([card, ...wrong]) };
  });
}

/**
 * @template T
 * @param {T[]} all
 */
function shuffled(all) {
  const mixed = [...all];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}

/** @param {Card[]} cards */
export function start(cards) {
  const next = by("quiz-next");
  const standing = by("quiz-standing");
  /** @type {Question[]} */
  let questions = [];
  let at = 0;
  /** @type {Card[]} */
  let missed = [];
  const place = by("quiz-place");
  const again = by("quiz-missed");

  const introduction = standing.textContent ?? "";

  /** Offers the quiz once enough mistakes have been seen. */
  function offer() {
    if (questions.length) return;
    const left = LEAST - seen.size;
    next.setAttribute("aria-disabled", String(left > 0));
    if (left > 0)
      standing.textContent = t(
        "Look at three mistakes first: the quiz asks about those you have seen.",
      );
    else if (!place.firstChild) standing.textContent = introduction;
  }
  by("mistakes").addEventListener("seen", offer);
  offer();

  const score = () => at + 1 - missed.length;

  function ask() {
    const { card, shows, choices } = questions[at];
    const game = shows === "game" ? new Counterexample() : null;
    const title = t("Question {number} of {all}", { number: at + 1, all: questions.length });
    standing.textContent = title;
    next.textContent = at === questions.length - 1 ? t("Result") : t("Next question");
    next.setAttribute("aria-disabled", "true");
    const heading = element(
      "h4",
      { tabindex: -1 },
      game
        ? t("This game is judged wrongly. Which mistake causes it?")
        : t("What is wrong with this code?"),
    );
    const why = element("p", { class: "unsaid" }, card.why); // hidden, but keeps its space
    const reasons = choices.map((choice) =>
      element("p", { class: "quiet unsaid" }, ...(game ? spared(choice) : written(choice))),
    );
    const code = codeBlock(card.code);
    const list = element(
      "ol",
      { class: "choices" },
      ...choices.map((choice) => {
        const verdict = element("span", { class: "verdict" });
        const button = element(
          "button",
          { type: "button" },
          element("span", {}, choice.does),
          verdict,
        );
        button.onclick = () => choose(choice, button);
        return element("li", {}, button);
      }),
    );

    /** @type {(choice: Card, button: HTMLElement) => void} */
    function choose(choice, button) {
      if (next.getAttribute("aria-disabled") === "false") return;
      const isRight = choice === card;
      if (!isRight) missed.push(card);
      for (const [number, each] of [...list.querySelectorAll("button")].entries()) {
        const isIt = choices[number] === card;
        each.setAttribute("aria-disabled", "true");
        if (!isIt && each !== button) continue;
        each.classList.add(isIt ? "right" : "wrong");
        each.lastElementChild?.append(
          element("span", { "aria-hidden": "true" }, isIt ? "✓" : "✗"),
          element("span", { class: "unseen" }, isIt ? t("correct") : t("wrong")),
        );
      }
      why.classList.remove("unsaid");
      const reason = isRight ? null : reasons[choices.indexOf(choice)];
      reason?.classList.remove("unsaid");
      if (!game) code.replaceWith(codeBlock(card.code, card.wrong));
      next.setAttribute("aria-disabled", "false");
      standing.textContent = `${title} · ${t("{count} correct", { count: score() })}`;
      announce(
        [
          isRight ? t("Correct.") : t("Wrong. The answer is:"),
          card.does,
          card.why,
          reason?.textContent ?? "",
        ]
          .join(" ")
          .trim(),
      );
    }

    place.replaceChildren(
      element(
        "div",
        { class: "question" },
        element("div", { class: "shown" }, heading, game ?? code),
        element(
          "div",
          { class: "beside" },
          list,
          why,
          element("div", { class: "either" }, ...reasons),
        ),
      ),
    );
    game?.show(card.game);
    heading.focus();
  }

  function tell() {
    at = questions.length - 1;
    const result = t("{count} of {all} correct", { count: score(), all: questions.length });
    standing.textContent = t("That was the last question.");
    next.textContent = t("Ask again");
    again.hidden = !missed.length;
    const heading = element("h4", { class: "result", tabindex: -1 }, result);
    place.replaceChildren(
      element(
        "div",
        { class: "end" },
        heading,
        element(
          "p",
          {},
          missed.length ? t("Review these:") : t("Perfect! You spotted every mistake."),
        ),
        element(
          "ul",
          {},
          ...missed.map(({ name, does }) =>
            element("li", {}, element("a", { href: `#mistake-${name}` }, does)),
          ),
        ),
      ),
    );
    announce(result);
    heading.focus();
  }

  /** @param {Card[]} about */
  function begin(about) {
    questions = draw(about, cards);
    at = 0;
    missed = [];
    again.hidden = true;
    ask();
  }

  again.onclick = () => begin(missed);
  next.onclick = () => {
    if (next.getAttribute("aria-disabled") === "true") return;
    if (questions.length && at < questions.length - 1) {
      at++;
      ask();
    } else if (questions.length) {
      tell();
      questions = [];
    } else {
      begin(cards.filter(({ name }) => seen.has(name)));
    }
  };
}

/**
 * Says why a choice is wrong for a game.
 *
 * @param {Card} choice
 */
const spared = ({ does }) => [
  t("Not “{mistake}”: a class with that mistake judges this game correctly.", { mistake: does }),
];

/**
 * Says why a choice is wrong for some code: how code with that mistake looks.
 *
 * @param {Card} choice
 */
const written = ({ code, wrong }) => [
  t("With your choice, the code would have:"),
  " ",
  element("code", {}, code[wrong[wrong.length - 1]].trim()),
];
