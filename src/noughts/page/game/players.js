/** The two players: marks, names and whose turn it is. */

import { element } from "../shared/dom.js";
import { SEATS } from "../shared/geometry.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { levelName, playerName, symbol } from "../shared/names.js";

/** @import { Game, Seat } from "../shared/types.js" */

/**
 * Returns the key under which the tab stores who is awaited for a rematch; the server does not say.
 *
 * @param {string} id of the game
 */
const awaitedKey = (id) => `awaited:${id}`;

/** @type {(id: string, name: string) => void} */
export const awaitIn = (id, name) => sessionStorage.setItem(awaitedKey(id), name);

/** @type {(id: string) => string | null} */
export const awaitedIn = (id) => sessionStorage.getItem(awaitedKey(id));

/**
 * Draws both players. An unchanged player is not drawn again, which avoids a layout.
 *
 * @param {HTMLElement} list
 * @param {Game} state
 * @param {Seat[]} seats of the viewer
 * @param {(seat: Seat) => { absence: string, reaction?: string }} about returns since when a
 *   player is away, and the reaction that they have just sent
 */
export function drawPlayers(list, state, seats, about) {
  SEATS.forEach((seat, at) => {
    const drawn = player(state, seats, seat, about(seat));
    const before = list.children[at];
    if (!before) list.append(drawn);
    else if (!before.isEqualNode(drawn)) before.replaceWith(drawn);
  });
}

/**
 * @param {Game} state
 * @param {Seat[]} seats
 * @param {Seat} seat
 * @param {{ absence: string, reaction?: string }} about
 */
function player(state, seats, seat, { absence, reaction }) {
  const { kind, joined } = state.players[seat - 1];
  const awaited = awaitedIn(state.id);
  const both = state.opponent === "self";
  let name = awaited ? t("Waiting for {who}", { who: awaited }) : t("no one yet");
  if (joined) name = both ? t("Player {mark}", { mark: symbol(seat) }) : playerName(state, seat);
  const about = [
    !both && seats.includes(seat) && t("you"),
    kind === "computer" && levelName(state.level),
    state.winner === seat && t("winner"),
    !seats.includes(seat) && absence && t("away"),
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
      element("span", { class: "unseen" }, `${symbol(seat)}: `),
      element("strong", { class: "cut", title: name, dir: "auto" }, name),
      element("span", { class: "quiet cut", title: absence || null }, about.join(" · ")),
    ),
    state.clock && element("span", { class: "clock", role: "timer" }),
    reaction && element("span", { class: "bubble", "aria-hidden": "true" }, reaction),
  );
}
