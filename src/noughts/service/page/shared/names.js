/** What cells, marks and boards are called, on screen and spoken. */

import { t } from "./language.js";

/** @import { Cell, Player, Rules, Seat, Shape } from "./types.js" */

/**
 * The letters of a column counted from 0: A to Z, AA, AB and so on.
 *
 * @param {number} col
 */
export function columnName(col) {
  let letters = "";
  for (let left = col; left >= 0; left = Math.floor(left / 26) - 1) {
    letters = String.fromCharCode(65 + (left % 26)) + letters;
  }
  return letters;
}

/**
 * As in a spreadsheet: [2, 1] is B3.
 *
 * @type {(cell: Cell) => string}
 */
export const cellName = ([row, col]) => `${columnName(col)}${row + 1}`;

/** @type {(seat: Seat) => string} */
export const symbol = (seat) => (seat === 1 ? "X" : "O");

/** @type {(shape: Shape) => string} */
export const boardName = ([rows, cols]) => `${rows}×${cols}`;

/**
 * What a player is after, or is to avoid: "5 in a row".
 *
 * @type {(rules: Rules) => string}
 */
export function aimName({ k, gravity, variant }) {
  const aims = {
    freestyle: t("{k} in a row", { k }),
    standard: t("exactly {k} in a row", { k }),
    caro: t("{k} in a row, caro", { k }),
    misere: t("{k} in a row lose", { k }),
    renju: t("renju"),
  };
  return gravity ? t("{aim}, marks fall", { aim: aims[variant] }) : aims[variant];
}

/**
 * "15×15, 5 in a row"; where a whole side wins there is nothing to add.
 *
 * @param {Rules} rules
 */
export function rulesName(rules) {
  const { shape, k, gravity, variant } = rules;
  const board = boardName(shape);
  const isFreestyle = variant === "freestyle";
  if (isFreestyle && gravity && k === 4 && board === "6×7") return t("Connect Four");
  const isWhole = isFreestyle && !gravity && shape.every((side) => side === k);
  return isWhole ? board : `${board}, ${aimName(rules)}`;
}

/**
 * A number as the margin shows it, with a true minus.
 *
 * @type {(number: number) => string}
 */
export const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

/**
 * What a player is called: by name, else by what it is, else by the mark.
 *
 * @param {{ players: Player[] }} game
 * @param {Seat} seat
 */
export function playerName({ players }, seat) {
  const { name, kind } = players[seat - 1];
  return name || (kind === "computer" ? t("Computer") : t("Player {mark}", { mark: symbol(seat) }));
}

/**
 * What a level of the computer is called.
 *
 * @param {string | null} level
 */
export function levelName(level) {
  /** @type {Record<string, string>} */
  const names = {
    random: t("Random"),
    easy: t("Easy"),
    medium: t("Medium"),
    strong: t("Strong"),
  };
  return names[level ?? ""] ?? level;
}
