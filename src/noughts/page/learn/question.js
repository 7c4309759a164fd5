/** Screen 1, the question: who has won, and how many cells must a referee check to know? */

import { announce } from "../game/notices.js";
import { by } from "../shared/dom.js";
import { moverOf } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { boardName, cellName, symbol } from "../shared/names.js";
import { Board } from "./board.js";
import { own, watch, wonLines } from "./games.js";
import { standing } from "./messages.js";

const STEP = 110; // milliseconds per cell
const LONGEST = 1800; // milliseconds for all cells

export function start() {
  const board = by("question-board", Board);
  const size = by("question-size", HTMLInputElement);
  const again = by("look-again", HTMLButtonElement);
  const back = by("question-back", HTMLButtonElement);
  const fresh = by("question-new", HTMLButtonElement);
  let looking = 0;

  /** Shows the first cells that were checked after the latest move. */
  function show(/** @type {number[]} */ cells, /** @type {number} */ count) {
    /** @type {Map<number, number>} */
    const looks = new Map();
    for (const cell of cells.slice(0, count)) looks.set(cell, (looks.get(cell) ?? 0) + 1);
    const isDone = count === cells.length;
    board.show(own, {
      looks,
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
    const { log, reads } = watch("scan", own);
    const cells = log.filter(({ writes }) => !writes).map(({ at }) => at);
    by("looks-all").textContent = String(reads);
    by("looks-name").textContent = cells.length
      ? t("cells checked for {mark} at {cell}", {
          mark: symbol(moverOf(own.moves.length)),
          cell: cellName(own.moves[own.moves.length - 1]),
        })
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

  function tell() {
    const { log } = watch("scan", own);
    announce(
      own.moves.length
        ? t("{mark} at {cell}: {count} cells checked. {standing}", {
            mark: symbol(moverOf(own.moves.length)),
            cell: cellName(own.moves[own.moves.length - 1]),
            count: log.filter(({ writes }) => !writes).length,
            standing: standing(own),
          })
        : t("An empty board, {board}.", { board: boardName([own.n, own.n]) }),
    );
  }

  function changed() {
    look();
    tell();
  }

  board.chosen = (cell) => {
    own.moves.push(cell);
    changed();
  };
  size.oninput = () => {
    own.n = Number(size.value);
    own.moves = [];
    by("question-side").textContent = boardName([own.n, own.n]);
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
    if (own.moves.length) changed();
  };
  size.value = String(own.n); // the browser may have restored another value
  look();
}
