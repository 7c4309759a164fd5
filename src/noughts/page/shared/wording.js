/** What is said of a game: the status everyone sees, and what the live region announces. */

import { isOver, Refusal } from "./api.js";
import { t } from "./language.js";
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
  if (status === "waiting") {
    return t("Waiting for {who}", { who: awaited || t("the other player") });
  }
  if (status === "aborted") return t("The game was withdrawn");
  if (status === "draw") return t("A draw");
  if (winner) {
    const isOwn = oneSide(seats) && winner === seats[0];
    const who = sideName(state, winner);
    if (status === "resigned") {
      return isOwn ? t("You win by resignation") : t("{who} wins by resignation", { who });
    }
    if (status === "timeout") {
      return isOwn ? t("You win on time") : t("{who} wins on time", { who });
    }
    return isOwn ? t("You win") : t("{who} wins", { who });
  }
  if (!turn) return ""; // the server says whose turn it is in every game that is played
  if (oneSide(seats) && turn === seats[0]) return t("Your turn");
  const who = sideName(state, turn);
  return state.players[turn - 1].kind === "computer"
    ? t("{who} is thinking", { who })
    : t("{who} to move", { who });
}

/**
 * Why somebody without a seat can only watch.
 *
 * @param {Game} state
 */
export function whyWatching(state) {
  if (state.status === "waiting") return t("You are watching. The free seat needs an invitation.");
  return isOver(state) ? t("You are watching.") : t("You are watching: both seats are taken.");
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
 * @param {boolean} wasDraw whether a draw was offered before
 */
export function announcement(event, state, seats, wasDraw = false) {
  const said = told(event, sideName(state, event.seat), seats.includes(event.seat), wasDraw);
  const isAside = ["offer", "draw", "declined", "rematch"].includes(event.kind);
  const after = isAside ? "" : `${standing(state, seats)}.`;
  return [said, after].filter(Boolean).join(" ");
}

/**
 * What to announce of a state that came whole, without the events that led to it.
 *
 * @param {Game} before
 * @param {Game} state
 * @param {Seat[]} seats of whoever listens
 */
export function news(before, state, seats) {
  const { moves, offer, draw } = state;
  const last = moves.length > before.moves.length && moves.at(-1);
  const mark = symbol(moves.length % 2 ? 1 : 2);
  const takesBack = offer && offer !== before.offer && !seats.includes(offer);
  const offersDraw = draw && draw !== before.draw && !seats.includes(draw);
  const said = [
    last && t("{mark} at {cell}.", { mark, cell: cellName(last) }),
    takesBack && t("{who} asks to take back a move.", { who: sideName(state, offer) }),
    offersDraw && t("{who} offers a draw.", { who: sideName(state, draw) }),
    `${standing(state, seats)}.`,
  ];
  return said.filter(Boolean).join(" ");
}

/**
 * @param {GameEvent} event
 * @param {string} who
 * @param {boolean} isOwn whether whoever listens did it
 * @param {boolean} wasDraw whether a draw was offered before
 */
function told(event, who, isOwn, wasDraw) {
  switch (event.kind) {
    case "move":
      return t("{mark} at {cell}.", { mark: symbol(event.seat), cell: cellName(event.cell) });
    case "joined":
      return t("{who} has joined.", { who });
    case "offer":
      return isOwn ? t("You offer to take back.") : t("{who} asks to take back a move.", { who });
    case "declined":
      return wasDraw ? t("The draw was declined.") : t("The takeback was declined.");
    case "draw":
      return isOwn ? t("You offer a draw.") : t("{who} offers a draw.", { who });
    case "timeout":
      return isOwn ? t("Your time is up.") : t("{who} has no time left.", { who });
    case "takeback":
      return t("A move was taken back.");
    case "rematch":
      return isOwn || !event.rematch ? "" : t("{who} asks for a rematch.", { who });
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
  stale: t("The game has moved on; your move was not played."),
  cell_taken: t("That cell is taken."),
  floating: t("A mark would fall from that cell."),
  wrong_turn: t("It is not your turn."),
  game_over: t("The game is over."),
  timeout: t("The time is up."),
  waiting: t("Nobody has joined yet."),
  seat_taken: t("This game already has two players."),
  wrong_invite: t("This link does not invite to this game."),
  nothing_to_take_back: t("There is nothing to take back."),
  no_token: t("Only the players can do this."),
  unknown_token: t("Only the players can do this."),
  not_your_seat: t("Only the players can do this."),
  too_many: t("Too many requests; please wait a moment."),
};

/**
 * What a foul of renju makes, by its kind.
 *
 * @type {Record<string, string>}
 */
const FOULS = {
  overline: t("an overline: six or more in a row"),
  double_four: t("a double-four: two fours at once"),
  double_three: t("a double-three: two open threes at once"),
};

/**
 * Why something did not work, for people.
 *
 * @param {unknown} error
 */
export function explain(error) {
  if (!(error instanceof Refusal)) return t("There is no connection; please try again.");
  const foul = error.code === "foul" && FOULS[error.kind ?? ""];
  if (foul) return t("Renju forbids {mark} this cell: it makes {foul}.", { mark: symbol(1), foul });
  return REFUSALS[error.code ?? ""] ?? t("That did not work: {why}", { why: error.message });
}
