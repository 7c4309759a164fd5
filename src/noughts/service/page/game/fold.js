/** A game's state, event by event: the same fold that the server makes of its log. */

const REPLACED = ["status", "turn", "winner", "lines", "offer", "rematch", "seq"];

/**
 * The state after an event: the same object if the event is old, null if one before it is missing.
 */
export function fold(state, event) {
  if (event.seq <= state.seq) return state;
  if (event.seq !== state.seq + 1) return null;
  const next = { ...state };
  for (const field of REPLACED) if (field in event) next[field] = event[field];
  if (event.kind === "move") next.moves = [...state.moves, event.cell];
  if (event.kind === "takeback") next.moves = state.moves.slice(0, event.ply);
  if (event.kind === "joined") {
    next.players = state.players.map((player, index) =>
      index === event.seat - 1 ? { ...player, name: event.name, joined: true } : player,
    );
  }
  return next;
}
