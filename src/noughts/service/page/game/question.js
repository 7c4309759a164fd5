/** What the other side asks, a takeback or a rematch, and the buttons that answer. */

import { element } from "../shared/dom.js";
import { playerName } from "../shared/names.js";

export class Question {
  #asked = null;

  show(state, seats, answer) {
    const asked = this.#question(state, seats);
    const key = asked && asked.text;
    if (key === this.#asked) return;
    this.#asked = key;
    document.getElementById("question").hidden = !asked;
    if (!asked) return;
    document.getElementById("question-text").textContent = asked.text;
    document.getElementById("answers").replaceChildren(...asked.answers(answer));
  }

  #question(state, seats) {
    const { offer, rematch, status } = state;
    if (offer && status === "playing") {
      const name = playerName(state, offer);
      if (!seats.length) return { text: `${name} asks to take back a move.`, answers: () => [] };
      if (seats.includes(offer)) {
        const other = playerName(state, 3 - offer);
        return { text: `You have asked ${other} to take back your move.`, answers: () => [] };
      }
      return {
        text: `${name} asks to take back a move.`,
        answers: ({ accept, decline }) => [
          element("button", { type: "button", class: "primary", onclick: accept }, "Accept"),
          element("button", { type: "button", onclick: decline }, "Decline"),
        ],
      };
    }
    if (!rematch) return null;
    if (!seats.length) {
      return {
        text: "The players have begun another game.",
        answers: () => [
          element("a", { class: "button", href: `/g/${rematch}` }, "Watch the rematch"),
        ],
      };
    }
    return {
      text: "A rematch is waiting for you.",
      answers: ({ again }) => [
        element("button", { type: "button", class: "primary", onclick: again }, "Play it"),
      ],
    };
  }
}
