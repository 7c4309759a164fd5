/** What is said of a game: the status everyone sees, and what the live region announces. */

import { isOver, Refusal } from "./api.js";
import { cellName, playerName, symbol } from "./names.js";

/** @import { Game, GameEvent, Seat } from "./types.js" */

/**
 * Whether a person at this screen plays one side only.
 *
 * @type {(seats: Seat[]) => boolean}
 */
const oneSide = (seats) => seats.length === 1;

/**
 * The game's status in a few words.
 *
 * @param {Game} state
 * @param {Seat[]} seats of whoever looks
 * @param {string | null} [awaited] who was asked for a rematch, if that is known
 */
export function standing(state, seats, awaited) {
  const { status, turn, winner } = state;
  if (status === "waiting") return `Waiting for ${awaited || "the other player"}`;
  if (status === "draw") return "A draw";
  if (winner) {
    const how = status === "resigned" ? " by resignation" : "";
    if (oneSide(seats) && winner === seats[0]) return `You win${how}`;
    return `${sideName(state, winner)} wins${how}`;
  }
  if (!turn) return ""; // the server says whose turn it is in every game that is played
  if (oneSide(seats) && turn === seats[0]) return "Your turn";
  const name = sideName(state, turn);
  return state.players[turn - 1].kind === "computer" ? `${name} is thinking` : `${name} to move`;
}

/**
 * Why somebody without a seat can only watch.
 *
 * @param {Game} state
 */
export function whyWatching(state) {
  if (state.status === "waiting") return "You are watching. The free seat needs an invitation.";
  return isOver(state) ? "You are watching." : "You are watching: both seats are taken.";
}

/**
 * A player as the status names it; on one screen the marks are all that tells them apart.
 *
 * @param {Game} state
 * @param {Seat} seat
 */
function sideName(state, seat) {
  return state.opponent === "self" ? symbol(seat) : playerName(state, seat);
}

/**
 * What to announce of an event.
 *
 * @param {GameEvent} event
 * @param {Game} state after it
 * @param {Seat[]} seats of whoever listens
 */
export function announcement(event, state, seats) {
  const said = told(event, sideName(state, event.seat), seats.includes(event.seat));
  const isAside = ["offer", "declined", "rematch"].includes(event.kind);
  const after = isAside ? "" : `${standing(state, seats)}.`;
  return [said, after].filter(Boolean).join(" ");
}

/**
 * @param {GameEvent} event
 * @param {string} who
 * @param {boolean} isOwn whether whoever listens did it
 */
function told(event, who, isOwn) {
  switch (event.kind) {
    case "move":
      return `${symbol(event.seat)} at ${cellName(event.cell)}.`;
    case "joined":
      return `${who} has joined.`;
    case "offer":
      return isOwn ? "You offer to take back." : `${who} asks to take back a move.`;
    case "declined":
      return "The takeback was declined.";
    case "takeback":
      return "A move was taken back.";
    case "rematch":
      return isOwn ? "" : `${who} asks for a rematch.`;
    default: // the standing tells that somebody has resigned
      return "";
  }
}

/**
 * The server's refusals that the page says in words of its own, by code.
 *
 * @type {Record<string, string>}
 */
const REFUSALS = {
  stale: "The game has moved on; your move was not played.",
  cell_taken: "That cell is taken.",
  floating: "A mark would fall from that cell.",
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

/**
 * What a foul of renju makes, by its kind.
 *
 * @type {Record<string, string>}
 */
const FOULS = {
  overline: "an overline: six or more in a row",
  double_four: "a double-four: two fours at once",
  double_three: "a double-three: two open threes at once",
};

/**
 * Why something did not work, for people.
 *
 * @param {unknown} error
 */
export function explain(error) {
  if (!(error instanceof Refusal)) return "There is no connection; please try again.";
  const foul = error.code === "foul" && FOULS[error.kind ?? ""];
  if (foul) return `Renju forbids ${symbol(1)} this cell: it makes ${foul}.`;
  return REFUSALS[error.code ?? ""] ?? `That did not work: ${error.message}`;
}
