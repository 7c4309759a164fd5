/** What the computer knows about a move, in words that claim only what is proven. */

import { t } from "../shared/language.js";
import { cellName, symbol } from "../shared/names.js";

/** @import { Advice, Finding } from "../shared/types.js" */

const EXPECTED = 5; // expected moves of both sides to list

/**
 * Describes a hint: where to play and what is proven.
 *
 * @param {Advice} advice
 */
export function hint(advice) {
  const cell = cellName(advice.cell);
  switch (advice.value) {
    case 1:
      return t("Hint: {cell} {wins}.", { cell, wins: wins(advice) });
    case 0:
      return t("Hint: {cell} is safe.", { cell });
    case -1:
      return t("Hint: {cell}. Every move loses against best play.", { cell });
    default:
      return `${t("Hint: {cell} looks best, but nothing is proven.", { cell })} ${byScore(advice.chance)}`;
  }
}

/**
 * Describes what the computer knew about its own move, or "" for levels that do not search.
 *
 * @param {Advice} advice
 */
export function thought(advice) {
  const { depth, line } = advice;
  if (advice.value === null && depth === null) return "";
  const expected = line
    .slice(1, 1 + EXPECTED)
    .map(cellName)
    .join(" ");
  const ahead =
    depth &&
    expected &&
    t("It looked {depth} moves ahead and expects {line}.", { depth, line: expected });
  return [known(advice), ahead].filter(Boolean).join(" ");
}

/** @param {Advice} advice */
function known(advice) {
  const cell = cellName(advice.cell);
  switch (advice.value) {
    case 1: {
      const moves = movesToWin(advice);
      return moves > 1
        ? t("The computer played {cell}, a win in {moves} moves.", { cell, moves })
        : t("The computer played {cell}, a forced win.", { cell });
    }
    case 0:
      return t("The computer played {cell}, a safe move.", { cell });
    case -1:
      return t("The computer played {cell}, but loses against best play.", { cell });
    default:
      return t("The computer played {cell}. Nothing is proven; it expects to score {chance}%.", {
        cell,
        chance: advice.chance ?? 50,
      });
  }
}

/**
 * Returns how many moves a winning move takes to win, or 0 if that is unknown.
 *
 * @type {(advice: Advice) => number}
 */
const movesToWin = ({ proof, plies }) => (proof === "line" ? 1 : Math.ceil((plies ?? 0) / 2));

/** @param {Advice} advice a winning move */
function wins(advice) {
  const moves = movesToWin(advice);
  if (moves === 1) return t("wins at once");
  return moves ? t("wins in {moves} moves", { moves }) : t("wins");
}

/** @type {(chance: number | null) => string} */
const byScore = (chance) => (chance === null ? "" : t("Expected score: {chance}%.", { chance }));

/**
 * Comments on a move of a finished game: what it lost, and the better move.
 *
 * @param {Finding} finding
 */
export function comment(finding) {
  const { lost, loses, best, chance, best_chance: before } = finding;
  const better = { cell: cellName(best.cell), wins: wins(best) };
  switch (lost) {
    case "win":
      return t("Missed a forced win: {cell} {wins}.", better);
    case "draw":
      return t("Losing move: {cell} would have held.", better);
    case "chances": {
      const cost = (before ?? 0) - (chance ?? 0);
      if (cost === 100)
        return t(
          "Blunder (engine estimate): it lost the whole advantage; {cell} was better.",
          better,
        );
      return t(
        "Mistake (engine estimate): it cost {cost} percentage points of the expected score; {cell} was better.",
        {
          ...better,
          cost,
        },
      );
    }
    default:
      if (loses) return t("The position was already lost against best play.");
      if (best.value === 1 && chance === 100) return t("It keeps the forced win.");
      if (best.value === 0) return t("No mistake.");
      return `${t("No mistake found.")} ${byScore(chance)}`;
  }
}

/**
 * Names a move: "Move 9: X H8".
 *
 * @param {{ ply: number, player: 1 | 2, cell: [number, number] }} move
 */
export const moveName = ({ ply, player, cell }) =>
  t("Move {ply}: {mark} {cell}", { ply, mark: symbol(player), cell: cellName(cell) });
