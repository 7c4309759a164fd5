/** Which players have the game open, in words. */

import { by } from "../shared/dom.js";
import { otherSeat } from "../shared/geometry.js";
import { language, t } from "../shared/language.js";
import { playerName } from "../shared/names.js";

/** @import { Game, Here, Seat } from "../shared/types.js" */

export class Presence {
  /** @type {Here | null} */
  #here = null;
  #said = "";

  /** Milliseconds by which the server's time is ahead of this device's. */
  ahead = -Infinity;

  /** @param {Here} here */
  hear(here) {
    this.#here = here;
    // Faster messages give a larger and more accurate difference.
    this.ahead = Math.max(this.ahead, Date.parse(here.now) - Date.now());
  }

  /** Shows the number of spectators. */
  show() {
    const watchers = this.#here?.watchers ?? 0;
    by("audience").hidden = !watchers;
    by("audience").ariaLabel = t("{count} watching", { count: watchers });
    by("watchers").textContent = String(watchers);
  }

  /**
   * Returns since when a player is away, or "" if they are here or it is unknown.
   *
   * @param {Game} state
   * @param {Seat} seat
   */
  absence(state, seat) {
    const here = this.#here;
    const isAlone = state.opponent !== "friend" || !state.players[seat - 1].joined;
    if (!here || isAlone || here.here[seat - 1]) return "";
    const since = here.away[seat - 1];
    if (since) return t("away since {time}", { time: time(since) });
    return state.status === "waiting" ? t("away") : ""; // a player who has just joined is still connecting
  }

  /**
   * Returns the announcement that the other player has left or returned, or "".
   *
   * @param {Game} state
   * @param {Seat[]} seats of the viewer
   */
  news(state, seats) {
    const other = otherSeat(seats[0]);
    const isPair = seats.length === 1 && state.opponent === "friend";
    if (!isPair || !state.players[other - 1].joined) return ""; // joining is announced separately
    const who = playerName(state, other);
    const said = this.absence(state, other)
      ? t("{who} is away.", { who })
      : t("{who} is here.", { who });
    const isNews = this.#said && this.#said !== said;
    this.#said = said;
    return isNews ? said : "";
  }
}

/** @param {string} at */
function time(at) {
  const when = new Date(at);
  const isToday = when.toDateString() === new Date().toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const clock = { hour: "numeric", minute: "2-digit" };
  return new Intl.DateTimeFormat(
    language,
    isToday ? clock : { ...clock, day: "numeric", month: "short" },
  ).format(when);
}
