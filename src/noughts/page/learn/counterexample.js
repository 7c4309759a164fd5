/** <lesson-counterexample>: a game that shows a mistake, with the expected and the given answers. */

import { announce } from "../game/notices.js";
import { element } from "../shared/dom.js";
import { icon } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { boardName } from "../shared/names.js";
import { Board } from "./board.js";
import { cut, moverIn, wonLines } from "./games.js";
import { moveName, standing } from "./messages.js";

/** @import { Seat } from "../shared/types.js" */
/** @import { Lesson } from "./games.js" */

/** @typedef {[row: number, col: number, player: number]} Move */

/**
 * A counterexample of `noughts.checker`: the last move is answered wrongly. Other objects may have to
 * play games first or, if `together`, at the same time.
 *
 * @typedef {{
 *   n: number,
 *   moves: Move[],
 *   expected: string,
 *   answered: string,
 *   before?: [n: number, moves: Move[]][],
 *   together?: boolean,
 * }} Example
 */

const PACE = 900; // milliseconds per move of a replay
const LONG = 12; // characters above which an answer may take two lines
const MARGIN = 2.1; // rem, with the names of rows and columns

export class Counterexample extends HTMLElement {
  /** @type {Lesson[]} */
  #games = [];
  /** @type {[game: number, ply: number][]} */
  #positions = [[0, 0]];
  #at = 0;
  #right = "";
  #wrong = "";
  #areTogether = false;
  #playing = 0;
  #isCovered = false; // whether the reader guesses the wrong answer

  #board = new Board();
  #object = element("p", { class: "quiet" });
  #move = element("strong");
  #standing = element("span");
  #expected = element("dd");
  #answered = element("dd");
  #guess = element("dd");
  #guessed = element("div", { hidden: true }, element("dt", {}, t("Your guess")), this.#guess);
  #answers = element(
    "dl",
    { class: "answers" },
    element("div", {}, element("dt", {}, t("Expected")), this.#expected),
    element("div", {}, element("dt", {}, t("Answered")), this.#answered),
    this.#guessed,
  );
  #back = this.#button("back", () => this.#step(-1));
  #play = this.#button("play", () => (this.#playing ? this.#pause() : this.#start()));
  #forward = this.#button("forward", () => this.#step(1));

  connectedCallback() {
    if (this.firstChild) return;
    this.#board.setAttribute("aria-label", t("Board"));
    this.#back.setAttribute("aria-label", t("Back"));
    this.#forward.setAttribute("aria-label", t("Forward"));
    this.append(
      element("div", { class: "room" }, this.#board),
      element(
        "div",
        { class: "explained" },
        element(
          "div",
          { class: "buttons", role: "group", "aria-label": t("Moves") },
          this.#back,
          this.#play,
          this.#forward,
        ),
        this.#object,
        element("p", { class: "said" }, this.#move, " ", this.#standing),
        this.#answers,
      ),
    );
  }

  disconnectedCallback() {
    this.#pause();
  }

  /**
   * Shows a counterexample at its last move, which is answered wrongly.
   *
   * @param {Example} example
   */
  show({ n, moves, expected, answered, before = [], together = false }) {
    this.#pause();
    const all = [...before, /** @type {[number, Move[]]} */ ([n, moves])];
    this.#games = all.map(([side, made]) => ({
      n: side,
      moves: made.map(([row, col]) => [row, col]),
      movers: made.map(([, , player]) => /** @type {Seat} */ (player)),
    }));
    this.#positions = this.#games.flatMap((game, number) =>
      Array.from(
        { length: game.moves.length + 1 },
        (_, ply) => /** @type {[number, number]} */ ([number, ply]),
      ),
    );
    [this.#right, this.#wrong, this.#areTogether] = [expected, answered, together];
    this.#object.hidden = !before.length;
    this.#answers.classList.toggle("long", answered.length > LONG);
    const largest = Math.max(...this.#games.map((game) => room(game.n)));
    this.style.setProperty("--room", `${largest}rem`);
    this.#show(this.#positions.length - 1);
  }

  /** Hides the wrong answer while the reader guesses it. */
  cover() {
    this.#isCovered = true;
    this.#show(this.#at);
  }

  /**
   * Shows the wrong answer, beside a guess if there is one.
   *
   * @param {string} guess
   */
  uncover(guess = "") {
    this.#isCovered = false;
    if (guess) {
      this.#guess.textContent = guess;
      this.#guessed.hidden = false;
    }
    this.#show(this.#at);
  }

  /**
   * @param {"back" | "play" | "forward"} name
   * @param {() => void} onclick
   */
  #button(name, onclick) {
    return element("button", { type: "button", class: "slim square", onclick }, icon(name));
  }

  /** @param {number} by */
  #step(by) {
    this.#pause();
    const next = this.#at + by;
    if (next < 0 || next >= this.#positions.length) return;
    this.#show(next);
    this.#tell();
  }

  /** Replays to the end, from the start if it is already there. */
  #start() {
    if (this.#isAtEnd) this.#show(0);
    const next = () => {
      this.#show(this.#at + 1);
      this.#tell();
      if (this.#isAtEnd) this.#pause();
    };
    this.#playing = setInterval(next, PACE);
    this.#drawPlay();
  }

  #pause() {
    clearInterval(this.#playing);
    this.#playing = 0;
    this.#drawPlay();
  }

  #drawPlay() {
    this.#play.setAttribute("aria-label", this.#playing ? t("Pause") : t("Replay moves"));
    this.#play.replaceChildren(icon(this.#playing ? "pause" : "play"));
  }

  get #isAtEnd() {
    return this.#at === this.#positions.length - 1;
  }

  /** The expected and the given answer, which are equal until the last move. */
  get #both() {
    const [number, ply] = this.#positions[this.#at];
    if (this.#isAtEnd) return [this.#right, this.#isCovered ? "?" : answerName(this.#wrong)];
    if (!ply) return ["", ""];
    const game = cut(this.#games[number], ply);
    const right = String(wonLines(game).length ? moverIn(game, ply) : 0);
    return [right, right];
  }

  /** @param {number} at */
  #show(at) {
    this.#at = at;
    const [number, ply] = this.#positions[at];
    const game = this.#games[number];
    const shown = cut(game, ply);
    const width = room(game.n);
    this.#board.style.setProperty("max-width", `${width}rem`);
    const won = game.n > 1 ? wonLines(shown) : []; // a single cell is not struck through
    this.#board.show(shown, { won, names: MARGIN / (width - MARGIN) });
    this.#object.textContent = this.#objectName();
    this.#move.textContent = moveName(game, ply);
    this.#standing.textContent = standing(shown);
    const [right, answered] = this.#both;
    this.#expected.textContent = right || "–";
    this.#answered.textContent = answered || "–";
    this.#answered.classList.toggle("wrong", this.#isAtEnd && !this.#isCovered);
    this.#back.setAttribute("aria-disabled", String(!at));
    this.#forward.setAttribute("aria-disabled", String(this.#isAtEnd));
  }

  /** Names the object that plays, if there are several. */
  #objectName() {
    const [number] = this.#positions[this.#at];
    const board = boardName([this.#games[number].n, this.#games[number].n]);
    if (number === this.#games.length - 1)
      return t("The object that gives the wrong answer: {board}", { board });
    return this.#areTogether
      ? t("Meanwhile, on another object: {board}", { board })
      : t("First, another object: {board}", { board });
  }

  #tell() {
    const [right, answered] = this.#both;
    const both = t("Expected: {right}. Answered: {answered}.", { right, answered });
    announce(
      [
        ...(this.#games.length > 1 ? [`${this.#objectName()}.`] : []),
        this.#move.textContent,
        this.#standing.textContent,
        ...(right ? [both] : []),
      ].join(" "),
    );
  }
}

/**
 * Returns the width of a board, in rem.
 *
 * @param {number} n
 */
const room = (n) => Math.min(8 + 2 * n, 16);

/**
 * Formats a given answer.
 *
 * @param {string} answered
 */
export function answerName(answered) {
  if (answered.startsWith("!")) return answered.slice(1);
  return answered || t("no answer");
}

customElements.define("lesson-counterexample", Counterexample);
