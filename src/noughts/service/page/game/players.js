/** The two players: mark, name, and whose turn it is. */

import { element, icon } from "../shared/dom.js";
import { playerName } from "../shared/names.js";

/** Draws both; `awaited` is who was asked for a rematch, if that is known. */
export function drawPlayers(list, state, seats, awaited) {
  list.replaceChildren(...[1, 2].map((seat) => player(state, seats, seat, awaited)));
}

function player(state, seats, seat, awaited) {
  const { kind, joined } = state.players[seat - 1];
  const both = state.opponent === "self";
  const name = joined
    ? playerName(both ? { ...state, players: [{}, {}] } : state, seat)
    : awaited
      ? `Waiting for ${awaited}`
      : "nobody yet";
  const about = [
    !both && seats.includes(seat) && "you",
    kind === "computer" && state.level,
    state.winner === seat && "winner",
  ].filter(Boolean);
  const mark = icon(seat === 1 ? "cross" : "nought");
  mark.classList.add("mark");
  return element(
    "li",
    {
      class: `player p${seat}${joined ? "" : " absent"}`,
      "aria-current": state.turn === seat ? "true" : null,
    },
    mark,
    element(
      "span",
      { class: "who" },
      element("strong", { title: name }, name),
      element("span", { class: "quiet" }, about.join(" · ")),
    ),
  );
}
