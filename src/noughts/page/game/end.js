/** The panel at the end of a game: result, score and next actions. */

import { createGame, isOver } from "../shared/api.js";
import { by } from "../shared/dom.js";
import { otherSeat } from "../shared/geometry.js";
import { standing } from "../shared/messages.js";

/** @import { Game, Seat, Seated } from "../shared/types.js" */
/** @import { Score } from "./score.js" */

const level = by("level", HTMLSelectElement);

/**
 * Shows the panel if the game is over.
 *
 * @param {Game} state
 * @param {Seat[]} seats of the viewer
 * @param {{ score: Score, mayTakeBack: boolean }} more
 */
export function showEnd(state, seats, { score, mayTakeBack }) {
  const wasHidden = by("end").hidden;
  by("end").hidden = !isOver(state) || !by("review").hidden;
  if (!isOver(state)) return;
  by("result").textContent = standing(state, seats);
  by("score").textContent = score.words(state, seats);
  by("score").hidden = !by("score").textContent;
  by("rematch").hidden = !seats.length || state.rematch !== null || state.status === "aborted";
  by("undo").hidden = !mayTakeBack;
  by("review-open").hidden = !state.moves.length;
  by("levels").hidden = !seats.length || state.opponent !== "computer";
  if (wasHidden) level.value = state.level ?? "";
}

/**
 * Creates a game against the computer if another level is chosen; otherwise returns null.
 *
 * @param {Game} state
 * @param {Seat[]} seats
 * @returns {Promise<Seated> | null}
 */
export function gameAtOtherLevel(state, seats) {
  if (state.opponent !== "computer" || level.value === state.level) return null;
  const { shape, k, gravity, variant, players } = state;
  const { name } = players[seats[0] - 1];
  const wish = { shape, k, gravity, variant, name, opponent: state.opponent, level: level.value };
  return createGame({ ...wish, seat: otherSeat(seats[0]) });
}
