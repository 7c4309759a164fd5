/** The page of one game: keeps its state and tells the parts of the page what to show. */

import "./board.js";
import "./findings.js";
import "./link.js";
import "./moves.js";
import { isOver, newKey, readGame, recordAddress, rematch, resign, takeback } from "../shared/api.js";
import { fold } from "./fold.js";
import { Invitation } from "./invitation.js";
import { isSameCell, sameMoves } from "../shared/geometry.js";
import { playerName, rulesName } from "../shared/names.js";
import { Outbox } from "./outbox.js";
import { drawPlayers } from "./players.js";
import { Question } from "./question.js";
import { remember } from "../shared/recent.js";
import { observe } from "./referee.js";
import { Stream } from "./stream.js";
import { announcement, explain, standing, whyWatching } from "../shared/wording.js";

const by = (id) => document.getElementById(id);
const id = location.pathname.split("/").pop();
const LONG_ASLEEP = 60_000; // milliseconds after which a connection may have died unnoticed
const NOTED = 8000; // milliseconds that a passing note is shown
const OVERDUE = 1500; // milliseconds after which an event that should have come is asked for

let state = null;
let seats = [];
let connected = true;
let noting = 0;

const outbox = new Outbox(
  id,
  {
    changed: render,
    refused: (refusal) => {
      complain(explain(refusal));
      render();
    },
    confirmed: (seq) => {
      render();
      settle(seq, outbox.pending.key);
    },
  },
  refresh,
);
const invitation = new Invitation(id, { joined, changed: () => state && render() });
const question = new Question();
const stream = new Stream(id, {
  state: adopt,
  event: follow,
  connection: (isUp) => {
    if (isUp === connected) return;
    connected = isUp;
    by("lost").hidden = isUp;
    announce(isUp ? "Connected again." : "Connection lost. Reconnecting.");
    if (isUp) outbox.hurry();
  },
});

async function start() {
  try {
    await refresh();
  } catch (error) {
    if (error.status === 404) return showMissing();
    by("lost").hidden = false;
    return setTimeout(start, 2000);
  }
  by("lost").hidden = true;
  by("game").hidden = false;
  by("title").textContent = rulesName(state.shape, state.k);
  by("board").setup(state.shape, state.k, `Board, ${rulesName(state.shape, state.k)}`);
  for (const kind of ["json", "txt", "svg"]) by(`record-${kind}`).href = recordAddress(id, kind);
  listen();
  render();
  stream.open();
  if (outbox.pending) outbox.deliver();
}

function showMissing() {
  by("missing").hidden = false;
  document.title = "No such game · noughts";
}

// The state, and how it changes.

/** Reads the game, and whose seats this browser holds. */
async function refresh() {
  const { seats: mine, ...game } = await readGame(id);
  seats = mine;
  adopt(game);
  return state;
}

/** Takes a state over, unless it is older than what is known. */
function adopt(game) {
  if (state && game.seq < state.seq) return;
  state = game;
  forgetSent();
  if (by("board").view) render();
}

function follow(event) {
  const next = fold(state, event);
  if (next === state) return;
  if (!next) return refresh().catch(() => stream.open());
  state = next;
  forgetSent();
  render();
  announce(announcement(event, state, seats));
  if (event.kind === "declined" && !seats.includes(event.seat)) note(announcement(event, state, seats));
}

/** Once the state has the move that was sent, there is nothing to send. */
function forgetSent() {
  const sent = outbox.pending;
  const last = sent && state.moves[sent.moves.length];
  if (last && isSameCell(last, sent.cell)) outbox.clear();
}

/** Sees to it that a confirmed move arrives, even if the stream is broken. */
function settle(seq, key) {
  const done = () => {
    if (outbox.pending?.key === key) outbox.clear();
    render();
  };
  const look = () => (state.seq < seq ? refresh().then(done, () => settle(seq, key)) : done());
  if (state.seq >= seq) done();
  else setTimeout(look, OVERDUE);
}

/** The moves as this person sees them: the one that is being sent is among them. */
function moves() {
  const sent = outbox.pending;
  return sent && sameMoves(sent.moves, state.moves) ? [...state.moves, sent.cell] : state.moves;
}

// What the person does.

function listen() {
  by("board").addEventListener("play", ({ detail: cell }) => {
    complain("");
    outbox.play(cell, state);
  });
  by("board").addEventListener("measured", () => (by("zooms").hidden = !by("board").view.zoomable));
  by("zoom-in").onclick = () => by("board").zoom(1.6);
  by("zoom-out").onclick = () => by("board").zoom(1 / 1.6);
  by("zoom-whole").onclick = () => by("board").zoomOut();
  by("moves").addEventListener("flip", () => {
    render();
    by("board").bring(by("moves").seen.at(-1));
  });
  by("referee").onchange = () => render();
  by("takeback").onclick = () => act(takeback, {});
  by("rematch").onclick = playAgain;
  by("resign").onclick = () => by("resign-dialog").showModal();
  by("resign-dialog").onclose = ({ target }) => {
    if (target.returnValue === "yes") act(resign, {});
    target.returnValue = "";
  };
  by("share").onclick = () => {
    by("share-dialog")
      .querySelector("noughts-link")
      .show(location.origin + location.pathname);
    by("share-dialog").showModal();
  };
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

/** Posts something other than a move. The stream tells what came of it. */
async function act(post, body) {
  complain("");
  try {
    await post(id, { seq: state.seq, key: newKey(), ...body });
  } catch (error) {
    const isStale = error.code === "stale";
    complain(isStale ? "The game has moved on; please look, and try again." : explain(error));
    if (isStale) refresh().catch(() => {});
  }
}

async function playAgain() {
  try {
    const next = await rematch(id);
    remember(next);
    sessionStorage.setItem(awaitedKey(next.id), opponentName());
    location.assign(`/g/${next.id}`);
  } catch (error) {
    complain(explain(error));
  }
}

// A rematch does not tell whom it waits for, but whoever asked for it knows.
const awaitedKey = (game) => `awaited:${game}`;

const opponentName = () => (seats.length === 1 ? playerName(state, 3 - seats[0]) : "");

function joined(answer) {
  seats = answer.seats;
  adopt(answer.game);
  render();
  by("board").cells.focus();
}

// What the page shows.

function render() {
  const sheet = by("moves");
  const all = moves();
  sheet.show(all);
  const over = isOver(state);
  const pending = all.length > state.moves.length;
  const mayPlay =
    state.status === "playing" && seats.includes(state.turn) && !pending && sheet.live;
  by("board").show({
    moves: sheet.seen,
    pending: pending && sheet.live && !outbox.pending.confirmed,
    lines: sheet.live ? state.lines : [],
    over: over && sheet.live,
    winner: state.status === "won" ? state.winner : null,
    player: mayPlay ? state.turn : 0,
    findings: by("referee").checked
      ? observe(state.shape, state.k, sheet.seen, over && sheet.live)
      : null,
  });
  const findings = by("findings");
  findings.hidden = !by("board").findings;
  if (!findings.hidden) findings.show(by("board").findings, state.k);

  const mine = seats.length > 0;
  const awaited = mine ? sessionStorage.getItem(awaitedKey(id)) : "";
  by("standing").textContent = standing(state, seats, awaited);
  document.title = `${standing(state, seats, awaited)} · noughts`;
  drawPlayers(by("players"), state, seats, awaited);
  by("game").dataset.status = state.status;
  by("share").hidden = state.status === "waiting";
  by("resign").hidden = !mine || state.status !== "playing";
  by("takeback").hidden = !mine || !mayTakeBack();
  by("takeback").disabled = pending || state.offer !== null;
  by("rematch").hidden = !mine || !over || state.rematch;
  sheet.hidden = by("exports").hidden = !all.length;
  invitation.show(state, seats);
  by("watching").hidden = mine || !by("join").hidden;
  by("watching").textContent = whyWatching(state);
  question.show(state, seats, {
    accept: () => act(takeback, { accept: true }),
    decline: () => act(takeback, { accept: false }),
    again: playAgain,
  });
}

/** Whether there is a move of this person's to take back, and still time. */
function mayTakeBack() {
  const own = seats.length === 2 ? 1 : seats[0] === 1 ? 1 : 2; // the ply of the first own move
  if (state.moves.length < own) return false;
  if (state.status === "playing") return true;
  return state.opponent !== "friend" && (state.status === "won" || state.status === "draw");
}

function complain(text) {
  by("problem").textContent = text;
  by("problem").hidden = !text;
  if (text) announce(text);
}

/** Says in passing what needs no answer. */
function note(text) {
  by("note").textContent = text;
  by("note").hidden = false;
  clearTimeout(noting);
  noting = setTimeout(() => (by("note").hidden = true), NOTED);
}

function announce(text) {
  if (text) by("announcer").textContent = text;
}

start();
