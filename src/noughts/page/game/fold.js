/** A game's state, event by event: what docs/server.md has every client do. */

/** @import { Game, GameEvent } from "../shared/types.js" */

/**
 * The state after an event: the same object if the event is old, null if one before it is missing.
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
