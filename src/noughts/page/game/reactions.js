/** Reactions: five to send, and received ones, shown beside their player for some seconds. */

import { REACTIONS } from "../shared/client_constants.js";
import { by, element } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { playerName } from "../shared/names.js";
import { Mute } from "./mute.js";

/** @import { Game, GameEvent, Seat } from "../shared/types.js" */

const SHOWN = 5000; // milliseconds

export class Reactions {
  #mute = new Mute("mute-reactions", "noughts.reactions.muted");
  /**
   * The reactions on show, by player.
   *
   * @type {Map<Seat, string>}
   */
  shown = new Map();
  /** @type {Map<Seat, number>} */
  #timers = new Map();

  /**
   * @param {{
   *   send: (button: HTMLButtonElement, reaction: string) => void,
   *   changed: () => void,
   * }} handlers
   */
  constructor(handlers) {
    this.handlers = handlers;
    for (const [reaction, name] of Object.entries(REACTIONS)) {
      const button = element("button", { type: "button", "aria-label": t(name) }, reaction);
      button.onclick = () => handlers.send(button, reaction);
      by("mute-reactions").before(button);
    }
  }

  /**
   * Shows a reaction and returns its announcement.
   *
   * @param {GameEvent} event
   * @param {Game} state
   * @param {Seat[]} seats of the viewer
   */
  receive({ seat, reaction = "" }, state, seats) {
    const isOwn = seats.includes(seat);
    if (this.#mute.isOn && !isOwn) return "";
    this.shown.set(seat, reaction);
    clearTimeout(this.#timers.get(seat));
    const forget = () => {
      this.shown.delete(seat);
      this.handlers.changed();
    };
    this.#timers.set(seat, window.setTimeout(forget, SHOWN));
    this.handlers.changed();
    const what = t(REACTIONS[reaction] ?? reaction);
    return isOwn ? "" : `${playerName(state, seat)}: ${what}`;
  }
}
