/** What the computer knows of a move, in words that claim no more than is proved. */

import { t } from "../shared/language.js";
import { cellName, symbol } from "../shared/names.js";

/** @import { Advice, Finding } from "../shared/types.js" */

const EXPECTED = 5; // moves of both sides that are listed

/**
 * A hint: where to play, and what is proved of it.
 *
 * @param {Advice} advice
 */
export function hint(advice) {
  const cell = cellName(advice.cell);
  switch (advice.value) {
    case 1:
      return t("Hint: {cell} {wins}.", { cell, wins: wins(advice) });
    case 0:
      return t("Hint: {cell} cannot lose.", { cell });
    case -1:
      return t("Hint: {cell}. Against best play every move loses.", { cell });
    default:
      return `${t("Hint: {cell} looks best; nothing is proved.", { cell })} ${byScore(advice.chance)}`;
  }
}

/**
 * What the computer knew of its own move when it made it; "" of a level that does not think.
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
    case 1:
      return t("The computer: {cell} {wins}, proved.", { cell, wins: wins(advice) });
    case 0:
      return t("The computer: {cell} cannot lose, proved.", { cell });
    case -1:
      return t("The computer: against best play it loses, proved.");
    default:
      return t("The computer: {cell}; nothing is proved, it expects {chance} % of the points.", {
        cell,
        chance: advice.chance ?? 50,
      });
  }
}

/** @param {Advice} advice that wins */
function wins({ proof, plies }) {
  const moves = Math.ceil((plies ?? 0) / 2);
  if (proof === "line" || moves === 1) return t("wins at once");
  return moves ? t("wins in {moves} moves", { moves }) : t("wins");
}

/** @type {(chance: number | null) => string} */
const byScore = (chance) =>
  chance === null ? "" : t("By score: {chance} % of the points.", { chance });

/**
 * What a move of a game gave away, and what would have kept it.
 *
 * @param {Finding} finding
 */
export function comment(finding) {
  const { lost, loses, best, chance, best_chance: before } = finding;
  const better = { cell: cellName(best.cell), wins: wins(best) };
  switch (lost) {
    case "win":
      return t("It gave away a win: {cell} {wins}, proved.", better);
    case "draw":
      return t("It loses, proved: {cell} could not lose.", better);
    case "chances": {
      const cost = (before ?? 0) - (chance ?? 0);
      return t("It cost {cost} % of the points, by score: {cell} was better.", { ...better, cost });
    }
    default:
      if (loses) return t("Nothing more could be lost: it loses against best play.");
      if (best.value === 1 && chance === 100) return t("It keeps the win, proved.");
      if (best.value === 0) return t("It gave nothing away.");
      return `${t("It gave nothing away that can be seen.")} ${byScore(chance)}`;
  }
}

/**
 * A move of a game: "Move 9: X H8".
 *
 * @param {{ ply: number, player: 1 | 2, cell: [number, number] }} move
 */
export const moveName = ({ ply, player, cell }) =>
  t("Move {ply}: {mark} {cell}", { ply, mark: symbol(player), cell: cellName(cell) });
