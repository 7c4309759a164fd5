/** Messages about a game: its status, announcements for the live region, and errors. */

import { ApiError, isOver } from "./api.js";
import { ERRORS, EVENTS, FOULS, TERMINATIONS } from "./client_constants.js";
import { t } from "./language.js";
import { cellName, playerName, symbol } from "./names.js";

/** @import { Game, GameEvent, Seat } from "./types.js" */

/**
 * Returns whether the person at this screen plays only one side.
 *
 * @type {(seats: Seat[]) => boolean}
 */
const oneSide = (seats) => seats.length === 1;

/**
 * Describes the status of a game in a few words.
 *
 * @param {Game} state
 * @param {Seat[]} seats of the viewer
 * @param {string | null} [awaited] the player who is awaited for a rematch, if known
 */
export function standing(state, seats, awaited) {
  const { status, turn, winner, termination } = state;
  if (status === "waiting") {
    return t("Waiting for {who}", { who: awaited || t("the other player") });
  }
  if (status === "aborted") return t("The game was cancelled");
  if (termination) {
    const { words, own } = TERMINATIONS[termination];
    const isOwn = oneSide(seats) && winner === seats[0];
    const said = isOwn ? t(own) : t(words, { who: winner ? sideName(state, winner) : "" });
    return said.charAt(0).toUpperCase() + said.slice(1);
  }
  if (!turn) return ""; // every game in progress has a turn
  if (oneSide(seats) && turn === seats[0]) return t("Your turn");
  const who = sideName(state, turn);
  return state.players[turn - 1].kind === "computer"
    ? t("{who} is thinking", { who })
    : t("{who} to move", { who });
}

/**
 * Explains why a viewer without a seat can only watch.
 *
 * @param {Game} state
 */
export function whyWatching(state) {
  if (state.status === "waiting")
    return t("You are watching. You need an invitation to take the free seat.");
  return isOver(state) ? t("You are watching.") : t("You are watching: both seats are taken.");
}

/**
 * Names a player in the status; on one device, players are named by their marks.
 *
 * @param {Game} state
 * @param {Seat} seat
 */
function sideName(state, seat) {
  return state.opponent === "self" ? symbol(seat) : playerName(state, seat);
}

/**
 * Returns the announcement of an event.
 *
 * @param {GameEvent} event
 * @param {Game} state after the event
 * @param {Seat[]} seats of the viewer
 * @param {boolean} wasDraw whether a draw was on offer before
 */
export function announcement(event, state, seats, wasDraw = false) {
  const { own, drawn, said, status, fills } = EVENTS[event.kind];
  const words = (wasDraw && drawn) || (seats.includes(event.seat) ? (own ?? said) : said);
  const isEmpty = fills && !state[/** @type {keyof Game} */ (fills)];
  const values = { who: sideName(state, event.seat), mark: symbol(event.seat) };
  const cell = event.cell ? cellName(event.cell) : "";
  const after = status ? `${standing(state, seats)}.` : "";
  return [isEmpty ? "" : t(words, { ...values, cell }), after].filter(Boolean).join(" ");
}

/**
 * Returns the announcement of a whole state that arrived without its events.
 *
 * @param {Game} before
 * @param {Game} state
 * @param {Seat[]} seats of the viewer
 */
export function news(before, state, seats) {
  const { moves, offer, draw } = state;
  const last = moves.length > before.moves.length && moves.at(-1);
  const mark = symbol(moves.length % 2 ? 1 : 2);
  const takesBack = offer && offer !== before.offer && !seats.includes(offer);
  const offersDraw = draw && draw !== before.draw && !seats.includes(draw);
  const said = [
    last && t(EVENTS.move.said, { mark, cell: cellName(last) }),
    takesBack && t(EVENTS.offer.said, { who: sideName(state, offer) }),
    offersDraw && t(EVENTS.draw.said, { who: sideName(state, draw) }),
    `${standing(state, seats)}.`,
  ];
  return said.filter(Boolean).join(" ");
}

/**
 * Explains an error in plain words.
 *
 * @param {unknown} error
 */
export function explain(error) {
  if (!(error instanceof ApiError)) return t("No connection. Please try again.");
  const foul = FOULS[error.kind ?? ""];
  if (foul) {
    const values = { mark: symbol(1), foul: t(foul) };
    return t("Renju forbids this move for {mark}: it makes {foul}.", values);
  }
  const said = ERRORS[error.code ?? ""];
  return said ? t(said) : t("Something went wrong: {why}", { why: error.message });
}
