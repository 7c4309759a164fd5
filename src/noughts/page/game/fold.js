/** A game's state, event by event: the same fold that the server makes of its log. */

/** @import { Game, GameEvent } from "../shared/types.js" */

const STANDING = [
  "status",
  "turn",
  "winner",
  "lines",
  "forbidden",
  "offer",
  "draw",
  "clock",
  "rematch",
  "seq",
];
const REPLACED = new Set(STANDING);

/**
 * The state after an event: the same object if the event is old, null if one before it is missing.
 *
 * @param {Game} state
 * @param {GameEvent} event
 */
export function fold(state, event) {
  if (event.seq <= state.seq) return state;
  if (event.seq !== state.seq + 1) return null;
  const replaced = Object.entries(event).filter(([field]) => REPLACED.has(field));
  /** @type {Game} */
  const next = { ...state, ...Object.fromEntries(replaced) };
  if (event.kind === "move") next.moves = [...state.moves, event.cell];
  if (event.kind === "takeback") next.moves = state.moves.slice(0, event.ply);
  if (event.kind === "joined") {
    next.players = state.players.map((player, index) =>
      index === event.seat - 1 ? { ...player, name: event.name, joined: true } : player,
    );
  }
  return next;
}
