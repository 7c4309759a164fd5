/** The score of two players over a series of rematches. */

import { isOver, readGame } from "../shared/api.js";
import { otherSeat } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { playerName, symbol } from "../shared/names.js";

/** @import { Game, Seat } from "../shared/types.js" */

const MOST = 100; // earlier games to read

/** @typedef {number[]} Points draws, then the wins of each seat of this game */

export class Score {
  /** @type {Points} */
  #before = [0, 0, 0];
  #games = 0;

  /**
   * Reads the earlier games; unreadable games do not count.
   *
   * @param {Game} state
   */
  async read(state) {
    let [{ before }, isSwapped] = [state, false];
    while (before && this.#games < MOST) {
      const game = await readGame(before).catch(() => null);
      if (!game) return;
      if (state.opponent !== "self") isSwapped = !isSwapped; // a rematch swaps the seats
      if (isOver(game)) this.#games++;
      count(this.#before, game, isSwapped);
      before = game.before;
    }
  }

  /**
   * Returns the score in words, such as "Ada 3 – 1 Grace", or "" for the first game.
   *
   * @param {Game} state
   * @param {Seat[]} seats of the viewer, who is named first
   */
  words(state, seats) {
    if (!this.#games) return "";
    const score = [...this.#before];
    count(score, state, false);
    const first = seats.length === 1 ? seats[0] : 1;
    const second = otherSeat(first);
    /** @type {(seat: Seat) => string} */
    const name = (seat) => (state.opponent === "self" ? symbol(seat) : playerName(state, seat));
    const points = `${name(first)} ${score[first]} – ${score[second]} ${name(second)}`;
    if (!score[0]) return points;
    return score[0] === 1
      ? `${points} · ${t("1 draw")}`
      : `${points} · ${t("{n} draws", { n: score[0] })}`;
  }
}

/**
 * @param {Points} score
 * @param {Game} game
 * @param {boolean} isSwapped whether the seats are swapped in this game
 */
function count(score, { status, winner }, isSwapped) {
  if (winner) score[isSwapped ? otherSeat(winner) : winner]++;
  else if (status === "draw") score[0]++;
}
