/** The players' clocks: what each has left, counted down by the server's time. */

import { SEATS } from "../shared/geometry.js";

/** @import { Game, Seat } from "../shared/types.js" */

const SECOND = 1000;
const SHORT = 10 * SECOND; // what is left is shown as short

export class Clocks {
  #timer = 0;

  /**
   * Shows what both have left, second by second.
   *
   * @param {Game} state
   * @param {number} ahead what the server's time is ahead of this device's, in milliseconds
   */
  show(state, ahead) {
    clearTimeout(this.#timer);
    if (!state.clock) return;
    for (const seat of SEATS) {
      const place = document.querySelector(`.p${seat} .clock`);
      if (!place) continue;
      const ms = left(state, seat, ahead);
      place.textContent = written(ms);
      place.classList.toggle("short", ms < SHORT && state.status === "playing");
    }
    if (!state.clock.deadline || !state.turn) return;
    const next = left(state, state.turn, ahead) % SECOND || SECOND;
    this.#timer = setTimeout(() => this.show(state, ahead), next + 1);
  }
}

/**
 * The milliseconds that a player has left.
 *
 * @param {Game} state of a game with clocks
 * @param {Seat} seat
 * @param {number} ahead
 */
function left({ clock, turn }, seat, ahead) {
  if (!clock) return 0;
  if (!clock.deadline || seat !== turn) return clock.left[seat - 1];
  const now = Date.now() + (Number.isFinite(ahead) ? ahead : 0);
  // No more than at the beginning of the turn, even if this device's clock is behind.
  return Math.max(0, Math.min(clock.left[seat - 1], Date.parse(clock.deadline) - now));
}

/**
 * A time that is left, as `4:05`, or `23:59:59`; seconds are counted as on a clock that ends at 0.
 *
 * @param {number} ms
 */
export function written(ms) {
  const seconds = Math.ceil(ms / SECOND);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}
