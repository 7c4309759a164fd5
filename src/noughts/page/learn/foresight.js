/** The guess on screen 2: which signed sums will the next move change, or which will show its win? */

import "./later.js";
import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { isSameCell } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { cellName, signed, symbol } from "../shared/names.js";
import { countLines } from "./counted.js";
import { cut, moverIn, watch, wonLines } from "./games.js";
import { lineName } from "./messages.js";

/** @import { Lesson } from "./games.js" */

/** @typedef {(line: number) => [left: number, top: number]} Place of a number, in percent */

const place = by("foresight");
const margins = element("div", { class: "margins", role: "group" });
const asked = element("p", { class: "asks" });
const how = element("p", { class: "quiet" });
const answers = element("ul", { class: "answers-list" });
const play = element("button", { type: "button", class: "primary" });
const skip = element("button", { type: "button", class: "skip" }, t("I don’t know"));

/** @type {Lesson} */
let game = { n: 0, moves: [] };
let ply = 0;
let forward = () => {};
/** @type {Place} */
let placeOf = () => [0, 0];
/** @type {Map<number, number>} */
let guess = new Map(); // the guessed sums, by line
let isCompared = false;

/**
 * Puts the question below the numbers of a board.
 *
 * @param {() => void} next shows the next move
 */
export function start(next) {
  forward = next;
  margins.setAttribute("aria-label", t("Signed sums"));
  by("board-sums").append(margins);
  place.append(
    element("div", {}, asked, how, answers),
    element("div", { class: "buttons" }, play, skip),
  );
  play.onclick = () => {
    if (isCompared) ask();
    else if (guess.size) compare();
  };
  skip.onclick = () => forward();
}

/**
 * Follows the screen to another position, and asks about the move after it.
 *
 * @param {Lesson} shown
 * @param {number} at the ply that is shown
 * @param {Place} places
 */
export function follow(shown, at, places) {
  const isNext = isCompared && at === ply + 1 && isSameGame(shown);
  [game, placeOf] = [shown, places];
  if (isNext) return;
  ply = at;
  ask();
}

/** @param {Lesson} other */
const isSameGame = ({ n, moves }) =>
  n === game.n &&
  moves.length === game.moves.length &&
  moves.every((cell, index) => isSameCell(cell, game.moves[index]));

/** The signed sums before and after the move that is guessed, and the lines that it completes. */
function truth() {
  const after = cut(game, ply + 1);
  const { before, numbers } = watch("sums", after);
  return { before, numbers, won: wonLines(after) };
}

/** Asks about the move after the one that is shown. */
function ask() {
  if (isCompared) ply++;
  isCompared = false;
  guess = new Map();
  const isOver = ply >= game.moves.length;
  const [question, way] = isOver
    ? ["", t("Step back, and guess what a move changes.")]
    : questionNow();
  asked.textContent = question;
  how.textContent = way;
  play.textContent = t("Play the move");
  answers.replaceChildren();
  for (const each of [play, skip]) each.classList.toggle("unsaid", isOver);
  draw();
}

/** Returns the question about the next move, and how to answer it. */
function questionNow() {
  const move = { mark: symbol(moverIn(game, ply + 1)), cell: cellName(game.moves[ply]) };
  return truth().won.length
    ? [
        t("{mark} plays {cell} next and wins. Which sum will show it?", move),
        t("Tap it beside the board."),
      ]
    : [
        t("{mark} plays {cell} next. Which sums will change, and by how much?", move),
        t("Tap the sums below: once for +1, twice for −1."),
      ];
}

/** Draws a button over each number in the margins, with its guess. */
function draw() {
  play.setAttribute("aria-disabled", String(!guess.size && !isCompared));
  if (ply >= game.moves.length) return margins.replaceChildren();
  const lines = [...Array(countLines(game.n)).keys()];
  const had = document.activeElement?.id;
  margins.replaceChildren(...lines.map(button));
  if (had?.startsWith("sum-")) by(had).focus({ preventScroll: true });
}

/** @param {number} line */
function button(line) {
  const { before, won } = truth();
  const own = guess.get(line);
  const name = `${lineName(game.n, line)}: ${signed(before[line])}`;
  const made = element(
    "button",
    {
      type: "button",
      id: `sum-${line}`,
      "aria-pressed": String(own !== undefined),
      "aria-label":
        own === undefined
          ? name
          : t("{sum}, your guess: {guess}", { sum: name, guess: signed(own) }),
      "aria-disabled": String(isCompared),
      onclick: () => pick(line, before[line], won.length > 0),
    },
    own === undefined || isCompared ? "" : signed(own),
  );
  const [left, top] = placeOf(line);
  const side = Math.min(13, 70 / game.n);
  made.style.setProperty("left", `${left}%`);
  made.style.setProperty("top", `${top}%`);
  made.style.setProperty("width", `${side}%`);
  made.style.setProperty("height", `${Math.min(side, 10)}%`);
  return made;
}

/** @type {(line: number, sum: number, wins: boolean) => void} */
function pick(line, sum, wins) {
  if (isCompared) return;
  const own = guess.get(line);
  const step = moverIn(game, ply + 1) === 1 ? 1 : -1;
  if (own === undefined) guess.set(line, wins ? sum + step : sum + 1);
  else if (own === sum + 1 && !wins) guess.set(line, sum - 1);
  else guess.delete(line);
  draw();
}

/** Plays the move and shows what was guessed beside what is. */
function compare() {
  const { before, numbers, won } = truth();
  isCompared = true;
  forward();
  const changed = [...numbers.keys()].filter((line) =>
    won.length ? won.includes(line) : numbers[line] !== before[line],
  );
  const rows = [...new Set([...changed, ...guess.keys()])].map((line) => {
    const own = guess.get(line);
    const isTrue = changed.includes(line);
    const kind = own === undefined ? "truth" : isTrue && own === numbers[line] ? "both" : "guess";
    return { kind, line, own, is: numbers[line] };
  });
  const count = (/** @type {string} */ of) => rows.filter(({ kind }) => kind === of).length;
  const isRight = rows.every(({ kind }) => kind === "both");
  asked.textContent = t("{right} of {all} guessed", { right: count("both"), all: changed.length });
  how.textContent = isRight
    ? ""
    : t(
        "A move changes only the sums of the lines through its own cell: X adds 1 to each, O subtracts 1.",
      );
  answers.replaceChildren(
    ...rows.map(({ kind, line, own, is }) =>
      element(
        "li",
        {},
        element("span", { class: `key ${kind}` }),
        `${lineName(game.n, line)}: `,
        element("strong", {}, signed(is)),
        element(
          "span",
          { class: "quiet" },
          own === undefined ? t("not guessed") : t("guessed: {guess}", { guess: signed(own) }),
        ),
      ),
    ),
  );
  const isLast = ply + 1 >= game.moves.length;
  play.textContent = t("Guess the next move");
  play.classList.toggle("unsaid", isLast);
  skip.classList.add("unsaid");
  announce([asked, how, ...answers.children].map((part) => part.textContent).join(". "));
  draw();
  if (!isLast) play.focus({ preventScroll: true });
}
