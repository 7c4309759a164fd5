/**
 * The panels around the board and the event stream that updates them.
 *
 * They are not needed before the first move, so they load after the board.
 */

import {
  ApiError,
  abort,
  hint,
  isOver,
  newKey,
  draw as offerDraw,
  react,
  recordUrl,
  rematch,
  resign,
  surely,
  takeback,
} from "../shared/api.js";
import { by } from "../shared/dom.js";
import { otherSeat } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { chooseTheme, chosenTheme, hasMany, themeOf } from "../shared/marks.js";
import { announcement, explain } from "../shared/messages.js";
import { playerName } from "../shared/names.js";
import { keepForOffline } from "../shared/offline.js";
import { remember } from "../shared/recent.js";
import { enable, oneAtATime } from "./actions.js";
import * as words from "./advice.js";
import { TurnAlert } from "./alert.js";
import { Clocks } from "./clock.js";
import { gameAtOtherLevel, showEnd } from "./end.js";
import { fold } from "./fold.js";
import { Invitation, showWaiting } from "./invitation.js";
import { Link, sharePicture } from "./link.js";
import { announce, complain, note } from "./notices.js";
import { awaitedIn, awaitIn } from "./players.js";
import { Presence } from "./presence.js";
import { Question } from "./question.js";
import { Reactions } from "./reactions.js";
import { Review } from "./review.js";
import { Score } from "./score.js";
import { Stream } from "./stream.js";

/** @import { Advice, Answer, Cell, GameEvent, Seat, Seated, Thought } from "../shared/types.js" */
/** @import { Table } from "./game.js" */

/** @typedef {(id: string, request: { seq: number, key: string }) => Promise<Answer>} Post */

const LONG_ASLEEP = 60_000; // milliseconds after which a connection may have broken unnoticed

const button = (/** @type {string} */ name) => by(name, HTMLButtonElement);

export class Panels {
  review = by("review", Review);
  #score = new Score();
  #question = new Question();
  #presence = new Presence();
  #clocks = new Clocks();
  #alert = new TurnAlert();
  /** @type {{ seq: number, advice: Advice } | null} */
  #hinted = null;
  /** @type {Thought | null} */
  #thought = null; // what the computer knew about its latest move

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.invitation = new Invitation(table.id, {
      joined: (answer) => this.#joined(answer),
      refused: (error) => this.#notJoined(error),
      changed: table.render,
    });
    this.reactions = new Reactions({
      send: (one, reaction) =>
        this.#sendReaction(one, (id, request) => react(id, { ...request, reaction })),
      changed: table.render,
    });
    this.stream = this.#streaming();
    this.#listen();
    for (const unready of document.querySelectorAll("button")) unready.disabled = false;
    this.#score.read(table.state).then(table.render);
    this.stream.open();
    keepForOffline();
  }

  // Messages from the server.

  #streaming() {
    const { table } = this;
    return new Stream(table.id, {
      state: table.adopt,
      event: (event) => this.#follow(event),
      presence: (here) => {
        this.#presence.hear(here);
        announce(this.#presence.news(table.state, table.seats));
        table.render();
      },
      thought: (thought) => {
        this.#thought = thought;
        table.render();
      },
      connection: table.connected,
    });
  }

  /** @param {GameEvent} event */
  #follow(event) {
    const { state, seats } = this.table;
    const next = fold(state, event);
    if (next === state) return;
    if (!next) {
      this.table.refresh().catch(() => this.stream.open());
      return;
    }
    const wasDraw = state.draw !== null;
    const offering = state.offer ?? state.draw;
    const isLapsed = event.kind === "move" && offering !== null && seats.includes(offering);
    this.table.take(next);
    if (event.reaction) {
      announce(this.reactions.receive(event, next, seats));
      return;
    }
    complain("");
    note("");
    const said = announcement(event, next, seats, wasDraw);
    announce(said);
    if (event.kind === "declined" && !seats.includes(event.seat)) note(said);
    if (isLapsed) note(t("Your offer has expired."));
  }

  // Input.

  #listen() {
    const { sheet } = this.table;
    this.#showTheme();
    const theme = by("theme", HTMLSelectElement);
    theme.value = chosenTheme();
    theme.disabled = hasMany(this.table.state.shape);
    theme.onchange = () => {
      chooseTheme(theme.value);
      this.#showTheme();
      this.table.render();
    };
    sharePicture(by("record-png", HTMLAnchorElement));
    for (const back of document.querySelectorAll("button.takeback")) {
      back.addEventListener("click", () =>
        this.#act(/** @type {HTMLButtonElement} */ (back), takeback),
      );
    }
    button("draw").onclick = () => this.#act(button("draw"), offerDraw);
    button("abort").onclick = () => this.#act(button("abort"), abort);
    button("rematch").onclick = () => this.#playAgain(button("rematch"));
    const resigning = by("resign-dialog", HTMLDialogElement);
    by("resign").onclick = () => resigning.showModal();
    resigning.onclose = () => {
      if (resigning.returnValue === "yes") this.#act(button("resign"), resign);
      resigning.returnValue = "";
    };
    for (const name of ["share", "share-result"]) {
      button(name).onclick = () => {
        by("share-link", Link).show(location.origin + location.pathname);
        by("share-dialog", HTMLDialogElement).showModal();
      };
    }
    button("hint").onclick = () => this.#askForHint(button("hint"));
    button("review-open").onclick = () => this.#openReview(button("review-open"));
    this.review.addEventListener("done", () => {
      this.review.hidden = true;
      this.table.render();
    });
    this.review.addEventListener("see", (event) =>
      sheet.see(/** @type {CustomEvent} */ (event).detail),
    );
    const help = by("help-dialog", HTMLDialogElement);
    button("help").onclick = () => help.showModal();
    addEventListener("keydown", ({ key, target }) => {
      const isTyping = target instanceof Element && target.closest("input[type=text], dialog");
      if (key === "?" && !isTyping) help.showModal();
    });
    this.#closeWhenHidden();
  }

  /**
   * Closes the stream of hidden pages of finished and watched games, because a browser opens at most
   * six connections to a server.
   */
  #closeWhenHidden() {
    let hiddenAt = 0;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) {
        hiddenAt = Date.now();
        if (isOver(this.table.state) || !this.table.seats.length) this.stream.close();
      } else if (!this.stream.isOpen || Date.now() - hiddenAt > LONG_ASLEEP) this.stream.open();
    });
  }

  /**
   * Posts an action other than a move and waits for its event.
   *
   * @param {Post} post
   */
  async #send(post) {
    const { id, state, arrival, refresh } = this.table;
    complain("");
    const request = { seq: state.seq, key: newKey() };
    try {
      await arrival((await surely(() => post(id, request))).seq);
    } catch (error) {
      const isStale = error instanceof ApiError && error.code === "stale";
      if (isStale && isOver(await refresh().catch(() => state))) return; // nothing to repeat
      complain(
        isStale ? t("The game has moved on. Check the board and try again.") : explain(error),
      );
    }
  }

  #act = oneAtATime((/** @type {Post} */ post) => this.#send(post));
  #sendReaction = oneAtATime((/** @type {Post} */ post) => this.#send(post)); // does not delay actions

  /** @type {(post: typeof takeback, accept: boolean) => (clicked: HTMLButtonElement) => void} */
  #answer(post, accept) {
    return (clicked) => this.#act(clicked, (id, request) => post(id, { ...request, accept }));
  }

  #playAgain = oneAtATime(async () => {
    const { id, state, seats } = this.table;
    try {
      const ended = isOver(state) ? id : (state.before ?? id);
      const next = await (gameAtOtherLevel(state, seats) ?? surely(() => rematch(ended)));
      remember(next);
      awaitIn(next.id, seats.length === 1 ? playerName(state, otherSeat(seats[0])) : "");
      location.assign(`/g/${next.id}`);
    } catch (error) {
      complain(explain(error));
    }
  });

  #askForHint = oneAtATime(async () => {
    complain("");
    try {
      this.#hinted = await hint(this.table.id);
      this.table.render();
      this.table.board.bring(this.#hinted.advice.cell);
      announce(by("advice").textContent ?? "");
    } catch (error) {
      complain(explain(error));
    }
  });

  #openReview = oneAtATime(async () => {
    complain("");
    const opened = this.review.open(this.table.id).catch((error) => complain(explain(error)));
    this.table.render();
    this.table.board.scrollIntoView({ block: "nearest" });
    await opened;
    this.table.render();
  });

  /** @param {Seated} answer */
  #joined(answer) {
    const { table } = this;
    table.seats = answer.seats;
    table.adopt(answer.game);
    table.render();
    this.stream.open(); // as a player instead of a spectator
    table.board.cells.focus();
  }

  /** @param {unknown} error */
  async #notJoined(error) {
    await this.table.learnSeats();
    if (!this.table.seats.length) complain(explain(error)); // no other tab has joined either
  }

  // Rendering.

  #showTheme() {
    const { board, id, state } = this.table;
    board.theme = themeOf(state);
    for (const kind of ["json", "txt", "svg", "png"])
      by(`record-${kind}`, HTMLAnchorElement).href = recordUrl(id, kind, board.theme);
  }

  show() {
    const { id, state, seats, isPending, mayPlay } = this.table;
    const mine = seats.length > 0;
    const awaited = awaitedIn(id);
    this.#presence.show();
    this.#clocks.show(state, this.#presence.ahead);
    by("share").classList.toggle("kept", state.status === "waiting" || isOver(state));
    enable(button("takeback"), this.#mayTakeBack() && !isPending() && !state.offer);
    enable(button("draw"), !isPending() && !state.offer && !state.draw);
    enable(button("hint"), mayPlay());
    by("advice").textContent = this.#adviceText();
    showEnd(state, seats, { score: this.#score, mayTakeBack: mine && this.#mayTakeBack() });
    this.invitation.show(state, seats, this.#absence(state.players[0].joined ? 1 : 2));
    showWaiting(state, seats, awaited);
    if (isOver(state)) by("resign-dialog", HTMLDialogElement).close();
    this.#question.show(state, seats, {
      accept: this.#answer(takeback, true),
      decline: this.#answer(takeback, false),
      agree: this.#answer(offerDraw, true),
      refuse: this.#answer(offerDraw, false),
      again: this.#playAgain,
    });
  }

  /**
   * Returns the page's title, marked while the turn alert is on.
   *
   * @param {string} title
   */
  titled(title) {
    const { state, seats, isPending } = this.table;
    return this.#alert.titled(title, seats.length === 1 && state.turn === seats[0] && !isPending());
  }

  /**
   * Returns since when a player is away, and the reaction that they have just sent.
   *
   * @param {Seat} seat
   */
  about(seat) {
    return { absence: this.#absence(seat), reaction: this.reactions.shown.get(seat) };
  }

  /** @param {Seat} seat */
  #absence(seat) {
    return this.#presence.absence(this.table.state, seat);
  }

  /**
   * Returns the cell to frame: the better move in the review, or the hint.
   *
   * @returns {Cell | null}
   */
  better() {
    const { sheet } = this.table;
    const reviewed = this.review.hidden ? null : this.review.show(sheet.ply);
    return reviewed ?? (sheet.live ? (this.#advice()?.cell ?? null) : null);
  }

  /** Returns the hint for this position, if there is one. */
  #advice() {
    const { state, isPending } = this.table;
    return this.#hinted?.seq === state.seq && !isPending() ? this.#hinted.advice : null;
  }

  /** Returns the hint, or what the computer knew about its last move, in words. */
  #adviceText() {
    const { state, isPending } = this.table;
    const advised = this.#advice();
    if (advised) return words.hint(advised);
    const isNew = this.#thought?.seq === state.seq && !isPending();
    return this.#thought && isNew ? words.thought(this.#thought.advice) : "";
  }

  /** Returns whether the player has a move to take back and still may. */
  #mayTakeBack() {
    const { state, seats } = this.table;
    const own = seats.length === 2 ? 1 : seats[0]; // the ply of the player's first move
    if (state.moves.length < own) return false;
    if (state.status === "playing") return true;
    const isDecided = state.status === "won" || state.status === "draw";
    return state.opponent !== "friend" && isDecided && !state.rematch;
  }
}
