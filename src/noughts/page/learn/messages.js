/** Texts of the lesson about a game. */

import { t } from "../shared/language.js";
import { cellName, columnName, symbol } from "../shared/names.js";
import { moverIn, wonLines } from "./games.js";

/** @import { Lesson } from "./games.js" */

/**
 * Names a line of an n×n board.
 *
 * @param {number} n
 * @param {number} line
 */
export function lineName(n, line) {
  if (line < n) return t("row {row}", { row: line + 1 });
  if (line < 2 * n) return t("column {column}", { column: columnName(line - n) });
  return line === 2 * n ? t("diagonal") : t("anti-diagonal");
}

/**
 * Names a move: "Move 7 of 7: X plays B3."
 *
 * @param {Lesson} game
 * @param {number} ply
 */
export function moveName(game, ply) {
  const all = game.moves.length;
  if (!all) return t("No moves yet: play one.");
  return ply
    ? t("Move {ply} of {all}: {mark} plays {cell}.", {
        ply,
        all,
        mark: symbol(moverIn(game, ply)),
        cell: cellName(game.moves[ply - 1]),
      })
    : t("Before move 1 of {all}.", { all });
}

/**
 * Describes who has won, on which lines, or whose turn it is.
 *
 * @param {Lesson} game
 */
export function standing(game) {
  const { n, moves } = game;
  const won = wonLines(game);
  if (won.length) {
    return t("{mark} has won: {lines}.", {
      mark: symbol(moverIn(game, moves.length)),
      lines: won.map((line) => lineName(n, line)).join(", "),
    });
  }
  if (moves.length === n * n) return t("No winner: the board is full.");
  const mark = symbol(moverIn(game, moves.length + 1));
  return moves.length
    ? t("No winner yet. {mark} to move.", { mark })
    : t("{who} to move", { who: mark });
}
