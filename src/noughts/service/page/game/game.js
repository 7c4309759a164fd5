/** The page of one game: keeps its state and tells the parts of the page what to show. */

import {
  abort,
  hint,
  isOver,
  newKey,
  draw as offerDraw,
  Refusal,
  react,
  readGame,
  recordAddress,
  rematch,
  resign,
  takeback,
} from "../shared/api.js";
import { afterFrame, by } from "../shared/dom.js";
import { isSameCell, otherSeat, sameMoves } from "../shared/geometry.js";
import { drawIcons } from "../shared/icons.js";
import { t, translatePage } from "../shared/language.js";
import { cellName, gameName, playerName, rulesName } from "../shared/names.js";
import { keepForOffline } from "../shared/offline.js";
import { remember } from "../shared/recent.js";
import { announcement, explain, standing, whyWatching } from "../shared/wording.js";
import { enable, oneAtATime } from "./actions.js";
import * as words from "./advice.js";
import { TurnAlert } from "./alert.js";
import { Board } from "./board.js";
import { Clocks } from "./clock.js";
import { gameAtOtherLevel, showEnd } from "./end.js";
import { keepFocus } from "./focus.js";
import { fold } from "./fold.js";
import { Invitation } from "./invitation.js";
import { Link, sharePicture } from "./link.js";
import { announce, complain, note } from "./messages.js";
import { Moves } from "./moves.js";
import { Outbox } from "./outbox.js";
import { drawPlayers } from "./players.js";
import { Presence } from "./presence.js";
import { Question } from "./question.js";
import { Reactions } from "./reactions.js";
import { Review } from "./review.js";
import { Score } from "./score.js";
import { Stream } from "./stream.js";
import { showWaiting } from "./waiting.js";

/** @import { Advice, Answer, Game, GameEvent, Seat, Seated, Thought } from "../shared/types.js" */

const LONG_ASLEEP = 60_000; // milliseconds after which a connection may have died unnoticed
const OVERDUE = 1500; // milliseconds after which an event that should have come is asked for

const id = location.pathname.split("/").pop() ?? "";
const board = by("board", Board);
const sheet = by("moves", Moves);
const review = by("review", Review);
const score = new Score();
const refereesView = by("referee", HTMLInputElement);
const button = (/** @type {string} */ name) => by(name, HTMLButtonElement);

/** @type {Game} */
let state; // unset until the game has been read, and hidden till then
/** @type {Seat[]} */
let seats = [];
let connected = true;
/** @type {typeof import("./findings.js") | null} */
let referee = null; // comes when somebody wants to see its view
/** @type {{ seq: number, advice: Advice } | null} */
let hinted = null;
/** @type {Thought | null} */
let thought = null; // the computer's about its latest move
/** @type {(() => void)[]} */
const waiting = []; // those who wait for the next state

const outbox = new Outbox(
  id,
  {
    // The mark is in the next frame, and all that is told of it in the one after.
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
const invitation = new Invitation(id, { joined, changed: render });
const question = new Question();
const presence = new Presence();
const clocks = new Clocks();
const alert = new TurnAlert();
const reactions = new Reactions({
  send: (one, reaction) => sendReaction(one, (id, request) => react(id, { ...request, reaction })),
  changed: render,
});
const stream = new Stream(id, {
  state: adopt,
  event: follow,
  presence: (here) => {
    presence.hear(here);
    announce(presence.news(state, seats));
    render();
  },
  thought: (told) => {
    thought = told;
    render();
  },
  connection: (isUp) => {
    if (isUp === connected) return;
    connected = isUp;
    by("lost").hidden = isUp;
    if (isUp) complain("");
    announce(
      isUp ? t("Connected again. {turn}.", { turn: turn() }) : t("Connection lost. Reconnecting."),
    );
    if (isUp) outbox.hurry();
  },
});

async function start() {
  try {
    await refresh();
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) showMissing();
    else retry();
    return;
  }
  by("lost").hidden = true;
  by("game").hidden = false;
  by("title").textContent = gameName(state);
  board.setup(state, t("Board, {rules}", { rules: rulesName(state) }));
  for (const kind of ["json", "txt", "svg"]) {
    by(`record-${kind}`, HTMLAnchorElement).href = recordAddress(id, kind);
  }
  const picture = by("share-picture", HTMLAnchorElement);
  picture.href = recordAddress(id, "png");
  sharePicture(picture);
  refereesView.checked = state.referee;
  listen();
  render();
  if (state.referee) showReferee();
  score.read(state).then(render);
  stream.open();
  outbox.deliver();
}

function retry() {
  by("lost").hidden = false;
  setTimeout(start, 2000);
}

function showMissing() {
  by("missing").hidden = false;
  document.title = t("No such game · noughts");
}

// The state, and how it changes.

/** Reads the game, and whose seats this browser holds. */
async function refresh() {
  const { seats: mine, ...game } = await readGame(id);
  seats = mine;
  adopt(game);
  return state;
}

/**
 * Takes a state over, unless it is older than what is known.
 *
 * @param {Game} game
 */
function adopt(game) {
  if (!state || game.seq >= state.seq) take(game);
}

/** @param {GameEvent} event */
function follow(event) {
  const next = fold(state, event);
  if (next === state) return;
  if (!next) {
    refresh().catch(() => stream.open());
    return;
  }
  const wasDraw = state.draw !== null;
  const offering = state.offer ?? state.draw;
  const isLapsed = event.kind === "move" && offering !== null && seats.includes(offering);
  take(next);
  if (event.kind === "reaction") {
    announce(reactions.receive(event, state, seats));
    return;
  }
  complain("");
  note("");
  const told = announcement(event, state, seats, wasDraw);
  announce(told);
  if (event.kind === "declined" && !seats.includes(event.seat)) note(told);
  if (isLapsed) note(t("Your offer has lapsed."));
}

/** @param {Game} game */
function take(game) {
  state = game;
  forgetSent();
  if (!isOver(state)) review.forget();
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

// What the person does.

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
    if (isLookingBack()) note(t("{place}: go back to the game to play.", { place: sheet.place }));
  });
  refereesView.onchange = showReferee;
  for (const back of document.querySelectorAll("button.takeback")) {
    back.addEventListener("click", () => act(/** @type {HTMLButtonElement} */ (back), takeback));
  }
  button("draw").onclick = () => act(button("draw"), offerDraw);
  button("abort").onclick = () => act(button("abort"), abort);
  button("rematch").onclick = () => playAgain(button("rematch"));
  const resigning = by("resign-dialog", HTMLDialogElement);
  by("resign").onclick = () => resigning.showModal();
  resigning.onclose = () => {
    if (resigning.returnValue === "yes") act(button("resign"), resign);
    resigning.returnValue = "";
  };
  for (const name of ["share", "share-result"]) {
    button(name).onclick = () => {
      by("share-link", Link).show(location.origin + location.pathname);
      by("share-dialog", HTMLDialogElement).showModal();
    };
  }
  button("hint").onclick = () => askForHint(button("hint"));
  button("review-open").onclick = () => openReview(button("review-open"));
  review.addEventListener("done", closeReview);
  review.addEventListener("see", (event) => sheet.see(/** @type {CustomEvent} */ (event).detail));
  const help = by("help-dialog", HTMLDialogElement);
  button("help").onclick = () => help.showModal();
  addEventListener("keydown", ({ key, target }) => {
    const isTyping = target instanceof Element && target.closest("input[type=text], dialog");
    if (key === "?" && !isTyping) help.showModal();
  });
  // A browser opens six connections to a server and no more: pages that nobody looks at, and that
  // nobody is waited for in, give theirs back.
  let hiddenAt = 0;
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      hiddenAt = Date.now();
      if (isOver(state) || !seats.length) stream.close();
    } else if (!stream.isOpen || Date.now() - hiddenAt > LONG_ASLEEP) stream.open();
  });
}

/**
 * Posts something other than a move, and waits for the event.
 *
 * @param {(id: string, request: { seq: number, key: string }) => Promise<Answer>} post
 */
async function send(post) {
  complain("");
  try {
    await arrival((await post(id, { seq: state.seq, key: newKey() })).seq);
  } catch (error) {
    const isStale = error instanceof Refusal && error.code === "stale";
    complain(isStale ? t("The game has moved on; please look, and try again.") : explain(error));
    if (isStale) refresh().catch(() => {});
  }
}

const act = oneAtATime(send);
const sendReaction = oneAtATime(send); // which holds nothing else up

const playAgain = oneAtATime(async () => {
  try {
    const next = await (gameAtOtherLevel(state, seats) ?? rematch(id));
    remember(next);
    sessionStorage.setItem(awaitedKey(next.id), opponentName());
    location.assign(`/g/${next.id}`);
  } catch (error) {
    complain(explain(error));
  }
});

const askForHint = oneAtATime(async () => {
  complain("");
  try {
    hinted = await hint(id);
    render();
    board.bring(hinted.advice.cell);
    announce(by("advice").textContent ?? "");
  } catch (error) {
    complain(explain(error));
  }
});

const openReview = oneAtATime(async () => {
  const opened = review.open(id);
  render();
  board.scrollIntoView({ block: "nearest" });
  await opened;
  render();
});

async function showReferee() {
  try {
    if (refereesView.checked) referee ??= await import("./findings.js");
  } catch (error) {
    refereesView.checked = false;
    complain(explain(error));
  }
  render();
}

function closeReview() {
  review.hidden = true;
  render();
}

/**
 * Where the tab keeps whom a rematch waits for: the server does not tell, but whoever asked knows.
 *
 * @param {string} game
 */
const awaitedKey = (game) => `awaited:${game}`;

const opponentName = () => (seats.length === 1 ? playerName(state, otherSeat(seats[0])) : "");

/** @param {Seated} answer */
function joined(answer) {
  seats = answer.seats;
  adopt(answer.game);
  render();
  stream.open(); // as a player, no more as somebody who watches
  board.cells.focus();
}

// What the page shows.

function render() {
  if (!by("game").hidden) keepFocus(draw, focusNext);
}

/** The next thing to do: at the end to play again or to leave the review, else the board. */
function focusNext() {
  const next = [button("rematch"), review.querySelector("button")];
  const seen = next.find((one) => one?.checkVisibility());
  if (seen) seen.focus();
  else board.cells.focus();
}

function draw() {
  drawBoard();
  drawRest();
}

/** Draws the board as it is seen: with the move that is being sent, or as it was before. */
function drawBoard() {
  const over = isOver(state);
  sheet.take(moves());
  const player = mayPlay() ? state.turn : null;
  const better = review.hidden ? null : review.show(sheet.ply);
  const view = refereesView.checked ? referee : null;
  board.show({
    moves: sheet.seen,
    pending: isPending() && sheet.live && !outbox.pending?.confirmed,
    lines: sheet.live ? state.lines : [],
    over: over && sheet.live,
    winner: state.status === "won" && state.variant !== "misere" ? state.winner : null,
    player,
    forbidden: sheet.live && !isPending() ? state.forbidden : [],
    findings: view?.observe(state, sheet.seen, over && sheet.live) ?? null,
    hint: better ?? (sheet.live ? (advice()?.cell ?? null) : null),
  });
}

/** Draws everything around the board. */
function drawRest() {
  const over = isOver(state);
  const pending = isPending();
  sheet.mistakes = review.mistakes;
  sheet.show(over);
  by("forbidden").hidden = state.variant !== "renju" || over;
  by("forbidden").classList.toggle("kept", !board.forbidden.size);
  const isSecret = state.opponent === "friend" && !state.referee && !over;
  by("referee-switch").classList.toggle("kept", isSecret);
  by("findings").hidden = !board.findings;
  if (referee && board.findings) {
    by("findings", referee.FindingsPanel).show(board.findings, state.k);
  }

  const mine = seats.length > 0;
  const told = isLookingBack() ? sheet.place : turn();
  if (!pending || isLookingBack() || outbox.isSlow) by("standing").textContent = told;
  by("title").hidden = isLookingBack();
  by("newest").hidden = !isLookingBack();
  document.title = alert.titled(
    `${turn()} · noughts`,
    seats.length === 1 && state.turn === seats[0] && !pending,
  );
  drawPlayers(by("players"), state, seats, awaited(), (seat) => ({
    absence: presence.absence(state, seat),
    reaction: reactions.shown.get(seat),
  }));
  presence.show();
  clocks.show(state, presence.ahead);
  reactions.show(state, seats);
  by("game").dataset.status = state.status;
  by("share").classList.toggle("kept", state.status === "waiting" || over);
  by("actions").hidden = !mine || state.status !== "playing";
  board.classList.toggle("mine", !by("actions").hidden);
  enable(button("takeback"), mayTakeBack() && !pending && !state.offer);
  by("draw").hidden = state.opponent !== "friend";
  enable(button("draw"), !pending && !state.offer && !state.draw);
  const isHinted = state.opponent === "computer" && mine;
  button("hint").hidden = !isHinted;
  enable(button("hint"), mayPlay());
  by("advice").hidden = by("actions").hidden || !isHinted;
  by("advice").textContent = computersWords();
  showEnd(state, seats, { score, mayTakeBack: mine && mayTakeBack() });
  sheet.hidden = by("exports").hidden = !moves().length;
  invitation.show(state, seats, presence.absence(state, state.players[0].joined ? 1 : 2));
  showWaiting(state, seats, awaited());
  by("watching").hidden = mine || !by("join").hidden;
  by("watching").textContent = whyWatching(state);
  question.show(state, seats, {
    accept: (one) => act(one, (id, request) => takeback(id, { ...request, accept: true })),
    decline: (one) => act(one, (id, request) => takeback(id, { ...request, accept: false })),
    agree: (one) => act(one, (id, request) => offerDraw(id, { ...request, accept: true })),
    refuse: (one) => act(one, (id, request) => offerDraw(id, { ...request, accept: false })),
    again: playAgain,
  });
}

/** Whether a move is on its way. */
const isPending = () => moves().length > state.moves.length;

/** Whether this person may play now, on the position that is seen. */
const mayPlay = () =>
  state.turn !== null && seats.includes(state.turn) && !isPending() && sheet.live;

/** The hint on this position, if one was asked for. */
const advice = () => (hinted?.seq === state.seq && !isPending() ? hinted.advice : null);

/** The hint, or what the computer said of its last move. */
function computersWords() {
  const advised = advice();
  if (advised) return words.hint(advised);
  return thought?.seq === state.seq && !isPending() ? words.thought(thought.advice) : "";
}

/** How the game stands, in words; while a move is on its way it is nobody's turn. */
function turn() {
  return outbox.isSlow ? t("Sending your move…") : standing(state, seats, awaited());
}

/** Who was asked for this game as a rematch, if that is known. */
const awaited = () => (seats.length ? sessionStorage.getItem(awaitedKey(id)) : "");

/** Whether an earlier move is seen of a game that goes on. */
const isLookingBack = () => !sheet.live && state.status === "playing";

/** Whether there is a move of this person's to take back, and still time. */
function mayTakeBack() {
  const own = seats.length === 2 ? 1 : seats[0]; // the ply of the first own move
  if (state.moves.length < own) return false;
  if (state.status === "playing") return true;
  const isDecided = state.status === "won" || state.status === "draw";
  return state.opponent !== "friend" && isDecided && !state.rematch;
}

translatePage();
drawIcons();
start();
keepForOffline();
