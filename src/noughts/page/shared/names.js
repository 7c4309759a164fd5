/** What cells, marks and boards are called, on screen and spoken. */

import { LEVELS, VARIANTS } from "./client_constants.js";
import { t } from "./language.js";

/** @import { Cell, Game, Player, Rules, Seat, Shape, TimeControl } from "./types.js" */

export const MINUTE = 60; // seconds
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

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
  const aim = t(VARIANTS[variant].aim, { k });
  return gravity ? t("{aim}, marks fall", { aim }) : aim;
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
 * @type {(level: string | null) => string}
 */
export const levelName = (level) => t(LEVELS[level ?? ""]?.title ?? level ?? "");

/**
 * What a clock is called: "30 s a move", "3 min + 2 s".
 *
 * @param {TimeControl} control
 */
export function clockName({ seconds, increment }) {
  if (increment === null) return t("{time} per move", { time: duration(seconds) });
  if (!increment) return t("{time} each", { time: duration(seconds) });
  return `${duration(seconds)} + ${duration(increment)}`;
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds % DAY === 0) return t("{count} d", { count: seconds / DAY });
  if (seconds % HOUR === 0) return t("{count} h", { count: seconds / HOUR });
  if (seconds % MINUTE === 0) return t("{count} min", { count: seconds / MINUTE });
  return t("{count} s", { count: seconds });
}

/**
 * What is played and how fast: "15×15, 5 in a row, 3 min + 2 s".
 *
 * @param {Game} game
 */
export const gameName = (game) =>
  game.clock ? `${rulesName(game)}, ${clockName(game.clock)}` : rulesName(game);
