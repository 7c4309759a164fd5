/** Screen 1, the question: who has won, and how many cells must a referee check to know? */

import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { moverOf } from "../shared/geometry.js";
import { t, written } from "../shared/language.js";
import { boardName, cellName, symbol } from "../shared/names.js";
import { Board } from "./board.js";
import { own, watch, wonLines } from "./games.js";
import { standing } from "./messages.js";

const STEP = 110; // milliseconds per cell
const LONGEST = 1800; // milliseconds for all cells
const TAPPED = 4; // the largest side of a board on which cells are guessed, not their number

/** Returns the number of the latest move's cell, and of each cell that was checked after it. */
function checked() {
  const { log } = watch("scan", own);
  const latest = log.find(({ writes }) => writes)?.at ?? -1;
  return { latest, cells: log.filter(({ writes }) => !writes).map(({ at }) => at) };
}

/** Names the latest move: "X at B2". */
const latestName = () => ({
  mark: symbol(moverOf(own.moves.length)),
  cell: cellName(own.moves[own.moves.length - 1]),
});

export function start() {
  const section = by("question");
  const board = by("question-board", Board);
  const size = by("question-size", HTMLInputElement);
  const asks = by("question-ask", HTMLInputElement);
  const number = by("question-number", HTMLInputElement);
  const compare = by("question-compare", HTMLButtonElement);
  const again = by("look-again", HTMLButtonElement);
  const back = by("question-back", HTMLButtonElement);
  const fresh = by("question-new", HTMLButtonElement);
  let looking = 0;
  /** @type {Set<number>} */
  let guessed = new Set();
  let hasCounted = false; // whether guessing a number is known: asked for once, or not wanted

  /** Shows the first cells that were checked after the latest move. */
  function show(/** @type {number[]} */ cells, /** @type {number} */ count) {
    /** @type {Map<number, number>} */
    const looks = new Map();
    for (const cell of cells.slice(0, count)) looks.set(cell, (looks.get(cell) ?? 0) + 1);
    const isDone = count === cells.length;
    board.show(own, {
      looks,
      guessed,
      now: isDone ? null : cells[count - 1],
      won: isDone ? wonLines(own) : [],
    });
    by("looks").textContent = String(count);
    by("question-standing").textContent = isDone ? standing(own) : t("Who has won?");
    board.toggleAttribute("busy", !isDone);
  }

  /** Replays the check of the latest move, or shows it at once with reduced motion. */
  function look() {
    cancelAnimationFrame(looking);
    const { cells } = checked();
    by("looks-all").textContent = String(watch("scan", own).reads);
    by("looks-name").textContent = cells.length
      ? t("cells checked for {mark} at {cell}", latestName())
      : t("cells checked");
    for (const button of [again, back, fresh]) {
      button.setAttribute("aria-disabled", String(!own.moves.length));
    }
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return show(cells, cells.length);
    const each = Math.min(STEP, LONGEST / cells.length);
    let begin = 0;
    let shown = 0;
    const next = (/** @type {number} */ now) => {
      begin ||= now;
      const count = Math.min(cells.length, Math.floor((now - begin) / each) + 1);
      if (count !== shown || !count) show(cells, count);
      shown = count;
      if (count < cells.length) looking = requestAnimationFrame(next);
    };
    looking = requestAnimationFrame(next);
  }

  /** Announces the check of the latest move, and how a guess compares with it. */
  function tell(compared = "") {
    const said = own.moves.length
      ? t("{mark} at {cell}: {count} cells checked. {standing}", {
          ...latestName(),
          count: checked().cells.length,
          standing: standing(own),
        })
      : t("An empty board, {board}.", { board: boardName([own.n, own.n]) });
    announce(compared ? `${said} ${compared}` : said);
  }

  function changed() {
    by("question-compared").replaceChildren();
    guessed = new Set();
    look();
    tell();
  }

  // The guess

  /** Asks for a guess before the check of the latest move is shown. */
  function ask() {
    cancelAnimationFrame(looking);
    guessed = new Set();
    const isNumber = own.n > TAPPED;
    board.picked = isNumber ? () => {} : pick;
    setAsking(true);
    number.hidden = !isNumber;
    number.value = "";
    by("question-standing").textContent = isNumber
      ? t("How many cells will a referee check now?")
      : t("Which cells must a referee check now?");
    by("question-how").textContent = isNumber
      ? t("A cell on two lines counts twice.")
      : t("Tap them on the board.");
    showGuess();
    announce(
      [
        t("{mark} at {cell}.", latestName()),
        by("question-standing").textContent,
        by("question-how").textContent,
      ].join(" "),
    );
  }

  /** @param {boolean} is */
  function setAsking(is) {
    by("question-asked").hidden = !is;
    section.toggleAttribute("data-asking", is);
    if (is) return;
    board.picked = null;
    section.removeAttribute("data-asks");
  }

  function showGuess() {
    board.show(own, { guessed });
    compare.setAttribute("aria-disabled", String(own.n > TAPPED && !number.value)); // or no cells
  }

  /** @param {import("../shared/types.js").Cell} cell */
  function pick([row, col]) {
    const at = row * own.n + col;
    if (at === checked().latest) return; // everyone knows what is there
    if (!guessed.delete(at)) guessed.add(at);
    showGuess();
  }

  /** Ends the guess and shows the check. */
  function answer() {
    setAsking(false);
    look();
  }

  function compareCells() {
    const { latest, cells } = checked();
    const needed = new Set(cells);
    needed.delete(latest);
    const right = [...guessed].filter((at) => needed.has(at)).length;
    const [missed, needless] = [needed.size - right, guessed.size - right];
    const parts = /** @type {[string, string][]} */ ([
      ["both", t("{count} right", { count: right })],
      ["truth", t("{count} missed", { count: missed })],
      ["guess", t("{count} needless", { count: needless })],
    ]);
    by("question-compared").replaceChildren(
      ...parts.map(([kind, name]) =>
        element("span", { class: "part" }, element("span", { class: `key ${kind}` }), name),
      ),
    );
    if (!missed && !needless) asks.checked = false;
    return `${parts.map(([, name]) => name).join(", ")}.`;
  }

  function compareNumbers() {
    const { length } = checked().cells;
    const guess = Number(number.value);
    const values = { guess: written(guess), count: written(length) };
    const said =
      guess === length
        ? t("You guessed {guess}, and it is {count}.", values)
        : guess > length
          ? t("You guessed {guess}, but it is {count}: other lines cannot have changed.", values)
          : t("You guessed {guess}, but it is {count}: each line is checked to its end.", values);
    by("question-compared").replaceChildren(said);
    hasCounted = true;
    asks.checked = false;
    return said;
  }

  compare.onclick = () => {
    if (compare.getAttribute("aria-disabled") === "true") return;
    const compared = own.n > TAPPED ? compareNumbers() : compareCells();
    answer();
    tell(compared);
    again.focus({ preventScroll: true });
  };
  by("question-skip").onclick = () => {
    asks.checked = false;
    if (own.n > TAPPED) hasCounted = true;
    answer();
    tell();
    again.focus({ preventScroll: true });
  };
  number.oninput = showGuess;
  number.onkeydown = ({ key }) => {
    if (key === "Enter") compare.click();
  };
  asks.onchange = () => {
    if (asks.checked) return;
    hasCounted = true;
    section.removeAttribute("data-asks");
    if (!by("question-asked").hidden) by("question-skip").click();
  };

  // The game

  board.chosen = (cell) => {
    own.moves.push(cell);
    by("question-compared").replaceChildren();
    if (asks.checked) ask();
    else changed();
  };
  size.oninput = () => {
    own.n = Number(size.value);
    own.moves = [];
    if (own.n > TAPPED && !hasCounted) asks.checked = true;
    by("question-side").textContent = boardName([own.n, own.n]);
    if (board.picked) setAsking(false);
    changed();
  };
  back.onclick = () => {
    if (own.moves.pop()) changed();
  };
  fresh.onclick = () => {
    if (!own.moves.length) return;
    own.moves = [];
    changed();
  };
  again.onclick = () => {
    if (!own.moves.length) return;
    look();
    tell();
  };
  size.value = String(own.n); // the browser may have restored other values
  asks.checked = true;
  look();
}
