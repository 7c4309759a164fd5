/** What is said of a game: the status everyone sees, and what the live region announces. */

import { isOver } from "./api.js";
import { playerName, spokenCell, symbol } from "./names.js";

/** Whether a person at this screen plays one side only. */
const oneSide = (seats) => seats.length === 1;

/** The game's status in a few words; `awaited` is who was asked for a rematch, if that is known. */
export function standing(state, seats, awaited) {
  const { status, turn, winner } = state;
  if (status === "waiting") return `Waiting for ${awaited || "the other player"}`;
  if (status === "draw") return "A draw";
  if (isOver(state)) {
    const how = status === "resigned" ? " by resignation" : "";
    if (oneSide(seats) && winner === seats[0]) return `You win${how}`;
    return `${sideName(state, winner)} wins${how}`;
  }
  if (oneSide(seats) && turn === seats[0]) return "Your turn";
  const name = sideName(state, turn);
  return state.players[turn - 1].kind === "computer" ? `${name} is thinking` : `${name} to move`;
}

/** Why somebody without a seat can only watch. */
export function whyWatching({ status }) {
  if (status === "waiting") return "You are watching. The free seat needs an invitation.";
  return isOver({ status }) ? "You are watching." : "You are watching: both seats are taken.";
}

/** A player as the status names it; on one screen the marks are all that tells them apart. */
function sideName(state, seat) {
  return state.opponent === "self" ? symbol(seat) : playerName(state, seat);
}

/** What to announce of an event. */
export function announcement(event, state, seats) {
  const who = event.seat ? sideName(state, event.seat) : "";
  const told = {
    move: () => `${symbol(event.seat)} at ${spokenCell(event.cell)}.`,
    joined: () => `${who} has joined.`,
    offer: () =>
      seats.includes(event.seat) ? "You offer to take back." : `${who} asks to take back a move.`,
    declined: () => "The takeback was declined.",
    takeback: () => "A move was taken back.",
    resigned: () => "",
    rematch: () => (seats.includes(event.seat) ? "" : `${who} asks for a rematch.`),
  }[event.kind]?.();
  const after = ["offer", "declined", "rematch"].includes(event.kind)
    ? ""
    : `${standing(state, seats)}.`;
  return [told, after].filter(Boolean).join(" ");
}

const REFUSALS = {
  stale: "The game has moved on; your move was not played.",
  cell_taken: "That cell is taken.",
  wrong_turn: "It is not your turn.",
  game_over: "The game is over.",
  waiting: "Nobody has joined yet.",
  seat_taken: "This game already has two players.",
  wrong_invite: "This link does not invite to this game.",
  nothing_to_take_back: "There is nothing to take back.",
  no_token: "Only the players can do this.",
  unknown_token: "Only the players can do this.",
  not_your_seat: "Only the players can do this.",
  too_many: "Too many requests; please wait a moment.",
};

/** Why something did not work, for people. */
export function explain(error) {
  if (error.status === undefined) return "There is no connection; please try again.";
  return REFUSALS[error.code] ?? `That did not work: ${error.message}`;
}
