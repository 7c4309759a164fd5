/** The players' clocks, which count down by the server's time. */

import { SEATS } from "../shared/geometry.js";

/** @import { Game, Seat } from "../shared/types.js" */

const SECOND = 1000;
const SHORT = 10 * SECOND; // less time is highlighted

export class Clocks {
  #timer = 0;

  /**
   * Shows the time left of both players, updated every second.
   *
   * @param {Game} state
   * @param {number} ahead milliseconds by which the server's time is ahead of this device's
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
 * Returns the milliseconds that a player has left.
 *
 * @param {Game} state
 * @param {Seat} seat
 * @param {number} ahead
 */
function left({ clock, turn }, seat, ahead) {
  if (!clock) return 0;
  if (!clock.deadline || seat !== turn) return clock.left[seat - 1];
  const now = Date.now() + (Number.isFinite(ahead) ? ahead : 0);
  // At most the time at the start of the turn, even if this device's clock is behind.
  return Math.max(0, Math.min(clock.left[seat - 1], Date.parse(clock.deadline) - now));
}

/**
 * Formats the time left, as `4:05` or `23:59:59`, rounded up to whole seconds.
 *
 * @param {number} ms
 */
export function written(ms) {
  const seconds = Math.ceil(ms / SECOND);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] ? parts : parts.slice(1);
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}
