/**
 * The page of one game: its state, its board and its players.
 *
 * All else comes after the first board has been drawn, with `panels.js`.
 */

import { isOver, Refusal, readGame } from "../shared/api.js";
import { VARIANTS } from "../shared/client_constants.js";
import { afterFrame, by, element } from "../shared/dom.js";
import { isSameCell, sameMoves } from "../shared/geometry.js";
import { drawIcons } from "../shared/icons.js";
import { t, translatePage } from "../shared/language.js";
import { explain, news, standing, whyWatching } from "../shared/messages.js";
import { cellName, gameName, rulesName } from "../shared/names.js";
import { Board } from "./board.js";
import { keepClicks, keepFocus } from "./focus.js";
import { Moves } from "./moves.js";
import { announce, complain, note } from "./notices.js";
import { Outbox } from "./outbox.js";
import { awaitedIn, drawPlayers } from "./players.js";

/** @import { Game, Seat } from "../shared/types.js" */

/** @typedef {typeof table} Table What the panels around the board know, and what they can do. */

const OVERDUE = 1500; // milliseconds after which an event that should have come is asked for
const RETRY = 2000; // milliseconds after which the page asks again for what did not come
const TRIES = 3; // to bring the panels, until the page is loaded again

const id = location.pathname.split("/").pop() ?? "";
const board = by("board", Board);
const sheet = by("moves", Moves);
const refereesView = by("referee", HTMLInputElement);

/** @type {Game} */
let state; // unset until the game has been read, and hidden till then
/** @type {Seat[]} */
let seats = [];
/** @type {import("./panels.js").Panels | null} */
let panels = null; // until they have come
let tries = 0; // to bring them that have failed
/** @type {typeof import("./findings.js") | null} */
let referee = null; // comes when somebody wants to see its view
/** @type {Promise<unknown> | null} */
let styled = null; // once the style of all that comes later has been asked for
/** @type {(() => void)[]} */
const waiting = []; // those who wait for the next state

const outbox = new Outbox(
  id,
  {
    // The mark is in the next frame, and all that is said of it in the one after.
    changed: () => {
      drawBoard();
      afterFrame(render);
    },
    refused: (refusal) => {
      complain(explain(refusal));
      render();
    },
    confirmed: async (sent, seq) => {
      render();
      await arrival(seq);
      if (outbox.pending === sent) outbox.clear();
      render();
    },
  },
  refresh,
);

const table = {
  id,
  board,
  sheet,
  outbox,
  get state() {
    return state;
  },
  get seats() {
    return seats;
  },
  set seats(mine) {
    seats = mine;
  },
  refresh,
  learnSeats,
  adopt,
  take,
  arrival,
  render,
  turn,
  isPending,
  mayPlay,
  connected,
};

async function start() {
  try {
    await refresh();
    if (state.status !== "playing") await bringPanels(); // all there is to do is in them
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) showMissing();
    else retry(start);
    return;
  }
  connected(true);
  by("game").hidden = false;
  by("title").textContent = gameName(state);
  board.setup(state, t("Board, {rules}", { rules: rulesName(state) }));
  refereesView.checked = state.referee;
  listen();
  render();
  if (state.referee) showReferee();
  outbox.deliver();
  complete();
  poll();
}

/** Brings what is around the board, and tries until it is there. */
async function complete() {
  try {
    await bringPanels();
    render();
  } catch {
    retry(complete);
  }
}

async function bringPanels() {
  if (panels) return;
  try {
    const [{ Panels }] = await Promise.all([importPanels(), style()]);
    panels = new Panels(table);
  } catch (error) {
    tries += 1;
    await refresh();
    if (tries === TRIES && !wasReloaded()) location.reload();
    throw error;
  }
  connected(true);
}

/** Whether this page has been loaded again before: once is enough to see that it does not help. */
function wasReloaded() {
  const loads = performance.getEntriesByType("navigation");
  return loads.some((load) => "type" in load && load.type === "reload");
}

/** Imports them: browsers that keep in mind what did not come are given another address. */
function importPanels() {
  return tries ? import(`./panels.js?${tries}`) : import("./panels.js");
}

/** Loads the style of the panels and of the referee's view. */
function style() {
  styled ??= new Promise((resolve, reject) => {
    const onerror = () => {
      link.remove();
      styled = null;
      reject();
    };
    const href = "/page/game/panels.css";
    const link = element("link", { rel: "stylesheet", href, onload: resolve, onerror });
    document.head.append(link);
  });
  return styled;
}

/** @param {() => void} again */
function retry(again) {
  connected(false);
  setTimeout(again, RETRY);
}

/**
 * Shows whether the server answers, when that has changed.
 *
 * @param {boolean} isUp
 */
function connected(isUp) {
  if (isUp === by("lost").hidden) return;
  by("lost").hidden = isUp;
  if (!isUp) {
    announce(t("Connection lost. Reconnecting."));
    return;
  }
  complain("");
  announce(t("Reconnected. {turn}.", { turn: turn() }));
  outbox.hurry();
}

function showMissing() {
  by("lost").hidden = true;
  by("missing").hidden = false;
  document.title = t("Game not found · noughts");
}

// The state, and how it changes.

/** Reads the game, and whose seats this browser holds. */
async function refresh() {
  const { seats: mine, ...game } = await readGame(id);
  seats = mine;
  adopt(game);
  return state;
}

/** Asks for the state and the seats, which may have been taken in another tab. */
async function learnSeats() {
  await refresh().catch(() => {});
  if (seats.length) panels?.stream.open(); // as a player, no more as somebody who watches
}

/** Asks for the state every now and then until the panels are there, which open the stream. */
async function poll() {
  while (!panels) {
    await new Promise((resolve) => setTimeout(resolve, RETRY));
    if (!panels) await refresh().catch(() => {});
  }
}

/**
 * Takes a state over, unless it is older than what is known; announces what is new.
 *
 * @param {Game} game
 */
function adopt(game) {
  const before = state;
  if (before && game.seq < before.seq) return;
  take(game);
  if (before && game.seq > before.seq) announce(news(before, game, seats));
}

/** @param {Game} game */
function take(game) {
  const hasBegun = state?.status === "waiting" && game.status === "playing";
  state = game;
  if (hasBegun && !seats.length && !panels?.invitation.key) learnSeats();
  forgetSent();
  if (!isOver(state)) panels?.review.forget();
  render();
  for (const go of waiting.splice(0)) go();
}

/** Once the state has the move that was sent, there is nothing to send. */
function forgetSent() {
  const sent = outbox.pending;
  const last = sent && state.moves[sent.moves.length];
  if (last && isSameCell(last, sent.cell)) outbox.clear();
}

/**
 * Waits until the state has what the server confirmed; asks for it if the stream is broken.
 *
 * @param {number} seq
 */
async function arrival(seq) {
  if (!panels) refresh().catch(() => {}); // there is no stream yet
  while (state.seq < seq) {
    const isLate = await new Promise((resolve) => {
      waiting.push(() => resolve(false));
      setTimeout(() => resolve(true), OVERDUE);
    });
    if (isLate) await refresh().catch(() => {});
  }
}

/** The moves as this person sees them: the one that is being sent is among them. */
function moves() {
  const sent = outbox.pending;
  return sent && sameMoves(sent.moves, state.moves) ? [...state.moves, sent.cell] : state.moves;
}

// What the person does on the board.

function listen() {
  board.addEventListener("play", (event) => {
    complain("");
    outbox.play(/** @type {CustomEvent} */ (event).detail, state);
  });
  board.addEventListener("preview", (event) => {
    announce(
      t("{cell} – tap again", { cell: cellName(/** @type {CustomEvent} */ (event).detail) }),
    );
  });
  board.addEventListener("measured", () => {
    by("zooms").hidden = !board.view.zoomable;
  });
  by("zoom-in").onclick = () => board.zoom(1.6);
  by("zoom-out").onclick = () => board.zoom(1 / 1.6);
  by("zoom-whole").onclick = () => board.zoomOut();
  sheet.addEventListener("flip", () => {
    render();
    board.bring(sheet.seen.at(-1));
  });
  by("newest").onclick = () => {
    sheet.see(state.moves.length);
    board.cells.focus();
  };
  board.addEventListener("click", () => {
    if (isLookingBack()) note(t("{place}. To play, go back to the game.", { place: sheet.place }));
  });
  refereesView.onchange = showReferee;
}

async function showReferee() {
  try {
    if (refereesView.checked && !referee) {
      [referee] = await Promise.all([import("./findings.js"), style()]);
    }
    board.drawing.overlay = referee;
  } catch (error) {
    refereesView.checked = false;
    complain(explain(error));
  }
  render();
}

// What the page shows.

function render() {
  if (!by("game").hidden) keepFocus(draw, focusNext);
}

/** The next thing to do: at the end to play again or to leave the review, else the board. */
function focusNext() {
  const next = [by("rematch"), by("review").querySelector("button")];
  const seen = next.find((one) => one?.checkVisibility());
  if (seen) seen.focus();
  else board.cells.focus();
}

function draw() {
  drawBoard();
  drawMoves();
  drawPlaces();
  drawStanding();
  panels?.show();
  by("watching").hidden = seats.length > 0 || !by("join").hidden;
}

/** Draws the board as it is seen: with the move that is being sent, or as it was before. */
function drawBoard() {
  const over = isOver(state);
  sheet.take(moves());
  const view = refereesView.checked ? referee : null;
  board.show({
    moves: sheet.seen,
    pending: isPending() && sheet.live && !outbox.pending?.confirmed,
    lines: sheet.live ? state.lines : [],
    over: over && sheet.live,
    winner: state.status === "won" && !VARIANTS[state.variant].loses ? state.winner : null,
    player: mayPlay() ? state.turn : null,
    forbidden: sheet.live && !isPending() ? state.forbidden : [],
    findings: view?.observe(state, sheet.seen, over && sheet.live) ?? null,
    hint: panels?.better() ?? null,
  });
}

function drawMoves() {
  if (panels) sheet.mistakes = panels.review.mistakes;
  sheet.show(isOver(state));
  sheet.hidden = !moves().length;
}

/** Gives all that is around the board its place, before there is anything in it. */
function drawPlaces() {
  const over = isOver(state);
  const isFriend = state.opponent === "friend";
  by("game").dataset.status = state.status;
  by("forbidden").hidden = !VARIANTS[state.variant].fouls || over;
  by("forbidden").classList.toggle("kept", !board.forbidden.size);
  by("referee-switch").classList.toggle("kept", isFriend && !state.referee && !over);
  by("findings").hidden = !board.findings;
  if (referee && board.findings) {
    by("findings", referee.FindingsPanel).show(board.findings, state.k);
  }
  by("actions").hidden = !seats.length || state.status !== "playing";
  board.classList.toggle("mine", !by("actions").hidden);
  by("draw").hidden = !isFriend;
  by("hint").hidden = state.opponent !== "computer" || !seats.length;
  by("advice").hidden = by("actions").hidden || by("hint").hidden;
  const isBegun = state.players.every(({ joined }) => joined);
  by("reactions").hidden = !isFriend || seats.length !== 1 || !isBegun;
}

/** Shows who plays, and whose turn it is or who has won. */
function drawStanding() {
  const said = isLookingBack() ? sheet.place : turn();
  if (!isPending() || isLookingBack() || outbox.isSlow) by("standing").textContent = said;
  by("title").hidden = isLookingBack();
  by("newest").hidden = !isLookingBack();
  const title = `${turn()} · noughts`;
  document.title = panels?.titled(title) ?? title;
  drawPlayers(by("players"), state, seats, (seat) => panels?.about(seat) ?? { absence: "" });
  by("why-watching").textContent = whyWatching(state);
  by("elsewhere").hidden = isOver(state); // then the panel has it
}

/** Whether a move is on its way. */
function isPending() {
  return moves().length > state.moves.length;
}

/** Whether this person may play now, on the position that is seen. */
function mayPlay() {
  return state.turn !== null && seats.includes(state.turn) && !isPending() && sheet.live;
}

/** The status in words; while a move is on its way it is nobody's turn. */
function turn() {
  return outbox.isSlow ? t("Sending your move…") : standing(state, seats, awaitedIn(id));
}

/** Whether an earlier move is seen of a game that goes on. */
const isLookingBack = () => !sheet.live && state.status === "playing";

keepClicks(board);
translatePage();
drawIcons();
start();
