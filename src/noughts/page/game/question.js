/** Requests for a takeback, a draw or a rematch, with the buttons that answer them. */

import { by, element } from "../shared/dom.js";
import { otherSeat } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { playerName } from "../shared/names.js";
import { recentGames } from "../shared/recent.js";

/** @import { Game, Seat } from "../shared/types.js" */

/** @typedef {(clicked: HTMLButtonElement) => void} Answer */

/**
 * @typedef {{ accept: Answer, decline: Answer, agree: Answer, refuse: Answer, again: Answer }} Answers
 */

/** @typedef {{ text: string, answers: (to: Answers) => HTMLElement[] }} Asked */

export class Question {
  #asked = "";

  /**
   * Shows the current request, if any; its buttons stay while the request is the same.
   *
   * @param {Game} state
   * @param {Seat[]} seats of the viewer
   * @param {Answers} to
   */
  show(state, seats, to) {
    const asked = takeback(state, seats) ?? draw(state, seats) ?? rematch(state, seats);
    const text = asked?.text ?? "";
    if (text === this.#asked) return;
    this.#asked = text;
    by("question").hidden = !asked;
    if (!asked) return;
    by("question-text").textContent = text;
    by("answers").replaceChildren(...asked.answers(to));
  }
}

/** @type {(state: Game, seats: Seat[]) => Asked | null} */
function takeback(state, seats) {
  const { offer, status } = state;
  if (!offer || status !== "playing") return null;
  if (seats.includes(offer)) {
    const other = playerName(state, otherSeat(offer));
    return {
      text: t("You asked {other} to let you take back your move.", { other }),
      answers: () => [],
    };
  }
  return {
    text: t("{who} asks to take back a move.", { who: playerName(state, offer) }),
    answers: ({ accept, decline }) =>
      seats.length ? [answer(t("Accept"), accept, "primary"), answer(t("Decline"), decline)] : [],
  };
}

/** @type {(state: Game, seats: Seat[]) => Asked | null} */
function draw(state, seats) {
  const { draw, status } = state;
  if (!draw || status !== "playing") return null;
  if (seats.includes(draw)) {
    const other = playerName(state, otherSeat(draw));
    return { text: t("You offered {who} a draw.", { who: other }), answers: () => [] };
  }
  return {
    text: t("{who} offers a draw.", { who: playerName(state, draw) }),
    answers: ({ agree, refuse }) =>
      seats.length ? [answer(t("Agree"), agree, "primary"), answer(t("Decline"), refuse)] : [],
  };
}

/** @type {(state: Game, seats: Seat[]) => Asked | null} */
function rematch({ rematch, status, before }, seats) {
  // A player who opens the rematch itself sees the request there, too.
  const isOpen = status === "waiting" && !seats.length;
  const isAsked = isOpen && recentGames().some(({ id }) => id === before);
  if (!rematch && !isAsked) return null;
  if (seats.length || isAsked) {
    return {
      text: t("A rematch is waiting for you."),
      answers: ({ again }) => [answer(t("Play a rematch"), again, "primary")],
    };
  }
  return {
    text: t("The players have started another game."),
    answers: () => [
      element("a", { class: "button", href: `/g/${rematch}` }, t("Watch the rematch")),
    ],
  };
}

/** @type {(text: string, answer: Answer, kind?: string) => HTMLElement} */
function answer(text, give, kind) {
  const button = element("button", { type: "button", class: kind }, text);
  button.onclick = () => give(button);
  return button;
}
