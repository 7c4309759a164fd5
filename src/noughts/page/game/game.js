/**
 * The page of one game: its state, its board and its players.
 *
 * Everything else is in `panels.js`, which loads after the first board has been drawn.
 */

import { ApiError, isOver, readGame } from "../shared/api.js";
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

/** @typedef {typeof table} Table The state and functions that the panels use. */

const OVERDUE = 1500; // milliseconds after which the page reads a state whose event is missing
const RETRY = 2000; // milliseconds until a failed request is repeated
const TRIES = 3; // failed attempts to load the panels before the page reloads

const id = location.pathname.split("/").pop() ?? "";
const board = by("board", Board);
const sheet = by("moves", Moves);
const refereesView = by("referee", HTMLInputElement);

/** @type {Game} */
let state; // unset, and the page hidden, until the game has been read
/** @type {Seat[]} */
let seats = [];
/** @type {import("./panels.js").Panels | null} */
let panels = null; // until they have loaded
let tries = 0; // failed attempts to load them
/** @type {typeof import("./findings.js") | null} */
let referee = null; // loaded when its view is switched on
/** @type {Promise<unknown> | null} */
let styled = null; // set once the style of the panels has been requested
/** @type {(() => void)[]} */
const waiting = []; // callbacks for the next state

const outbox = new Outbox(
  id,
  {
    // The mark appears in the next frame, everything else in the one after.
    changed: () => {
      drawBoard();
      afterFrame(render);
    },
    refused: (error) => {
      complain(explain(error));
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
    if (state.status !== "playing") await loadPanels(); // they contain everything to do now
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) showMissing();
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

/** Loads the panels, and retries until they have loaded. */
async function complete() {
  try {
    await loadPanels();
    render();
  } catch {
    retry(complete);
  }
}

async function loadPanels() {
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

/** Returns whether this page is already a reload: reloading twice would not help. */
function wasReloaded() {
  const loads = performance.getEntriesByType("navigation");
  return loads.some((load) => "type" in load && load.type === "reload");
}

/** Imports the panels; some browsers remember a failed import, so retries use another URL. */
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
 * Shows whether the server answers, if that has changed.
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

// The state and its changes.

/** Reads the game and the seats of this browser. */
async function refresh() {
  const { seats: mine, ...game } = await readGame(id);
  seats = mine;
  adopt(game);
  return state;
}

/** Reads the state and the seats, which another tab may have taken. */
async function learnSeats() {
  await refresh().catch(() => {});
  if (seats.length) panels?.stream.open(); // as a player instead of a spectator
}

/** Polls the state until the panels have loaded, which open the stream. */
async function poll() {
  while (!panels) {
    await new Promise((resolve) => setTimeout(resolve, RETRY));
    if (!panels) await refresh().catch(() => {});
  }
}

/**
 * Adopts a state, unless it is older than the current one, and announces the changes.
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

/** Clears the sent move once the state contains it. */
function forgetSent() {
  const sent = outbox.pending;
  const last = sent && state.moves[sent.moves.length];
  if (last && isSameCell(last, sent.cell)) outbox.clear();
}

/**
 * Waits until the state has reached what the server confirmed; reads it if the stream is broken.
 *
 * @param {number} seq
 */
async function arrival(seq) {
  if (!panels) refresh().catch(() => {}); // the stream is not open yet
  while (state.seq < seq) {
    const isLate = await new Promise((resolve) => {
      waiting.push(() => resolve(false));
      setTimeout(() => resolve(true), OVERDUE);
    });
    if (isLate) await refresh().catch(() => {});
  }
}

/** Returns the moves as the player sees them, including the one being sent. */
function moves() {
  const sent = outbox.pending;
  return sent && sameMoves(sent.moves, state.moves) ? [...state.moves, sent.cell] : state.moves;
}

// Input on the board.

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

// Rendering.

function render() {
  if (!by("game").hidden) keepFocus(draw, focusNext);
}

/** Moves the focus to the next action: at the end Rematch or Done, otherwise the board. */
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

/** Draws the board, with the move being sent, or at an earlier move. */
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

/** Shows or hides everything around the board, before it has any content. */
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

/** Shows the players, and whose turn it is or who won. */
function drawStanding() {
  const said = isLookingBack() ? sheet.place : turn();
  if (!isPending() || isLookingBack() || outbox.isSlow) by("standing").textContent = said;
  by("title").hidden = isLookingBack();
  by("newest").hidden = !isLookingBack();
  const title = `${turn()} · noughts`;
  document.title = panels?.titled(title) ?? title;
  drawPlayers(by("players"), state, seats, (seat) => panels?.about(seat) ?? { absence: "" });
  by("why-watching").textContent = whyWatching(state);
  by("elsewhere").hidden = isOver(state); // the panel then has the same link
}

/** Returns whether a move is being sent. */
function isPending() {
  return moves().length > state.moves.length;
}

/** Returns whether the player may play now, on the visible position. */
function mayPlay() {
  return state.turn !== null && seats.includes(state.turn) && !isPending() && sheet.live;
}

/** Returns the status in words, which changes if sending a move takes long. */
function turn() {
  return outbox.isSlow ? t("Sending your move…") : standing(state, seats, awaitedIn(id));
}

/** Returns whether the player looks at an earlier position of a game in progress. */
const isLookingBack = () => !sheet.live && state.status === "playing";

keepClicks(board);
translatePage();
drawIcons();
start();
