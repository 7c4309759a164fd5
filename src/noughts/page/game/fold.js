/** Applies events to a game's state, as docs/server.md describes for every client. */

/** @import { Game, GameEvent } from "../shared/types.js" */

/**
 * Returns the state after an event: the same object if the event is old, null if an earlier event is
 * missing.
 *
 * @param {Game} state
 * @param {GameEvent} event
 */
export function fold(state, event) {
  if (event.seq <= state.seq) return state;
  if (event.seq !== state.seq + 1) return null;
  const replaced = Object.entries(event).filter(([field]) => field in state);
  /** @type {Game} */
  const next = { ...state, ...Object.fromEntries(replaced) };
  next.moves = state.moves.slice(0, event.ply);
  if (event.cell) next.moves.push(event.cell);
  if (event.name !== undefined) {
    const joined = { name: event.name, joined: true };
    next.players = state.players.map((player, index) =>
      index === event.seat - 1 ? { ...player, ...joined } : player,
    );
  }
  return next;
}
