/** Who has the game open, as the stream says it, in words. */

import { by } from "../shared/dom.js";
import { otherSeat } from "../shared/geometry.js";
import { language, t } from "../shared/language.js";
import { playerName } from "../shared/names.js";

/** @import { Game, Here, Seat } from "../shared/types.js" */

export class Presence {
  /** @type {Here | null} */
  #here = null;
  #said = "";

  /** The server's time, less this device's, in milliseconds. */
  ahead = -Infinity;

  /** @param {Here} here */
  hear(here) {
    this.#here = here;
    // The quicker the message, the greater the difference, and the truer.
    this.ahead = Math.max(this.ahead, Date.parse(here.now) - Date.now());
  }

  /** Shows how many watch. */
  show() {
    const watchers = this.#here?.watchers ?? 0;
    by("audience").hidden = !watchers;
    by("audience").ariaLabel = t("{count} watching", { count: watchers });
    by("watchers").textContent = String(watchers);
  }

  /**
   * Where a player is who has not the game open; "" for one who has, or where nobody knows.
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
    return state.status === "waiting" ? t("away") : ""; // whoever has just joined is on the way
  }

  /**
   * What to announce of the other player: that they left, or that they are back.
   *
   * @param {Game} state
   * @param {Seat[]} seats of whoever listens
   */
  news(state, seats) {
    const other = otherSeat(seats[0]);
    const isPair = seats.length === 1 && state.opponent === "friend";
    if (!isPair || !state.players[other - 1].joined) return ""; // joining is announced by itself
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
