/** Names of cells, marks, boards, players and clocks, on screen and for screen readers. */

import { LEVELS, VARIANTS } from "./client_constants.js";
import { t } from "./language.js";

/** @import { Cell, Game, Player, Rules, Seat, Shape, TimeControl } from "./types.js" */

export const MINUTE = 60; // seconds
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/**
 * Returns the letters of a column, counted from 0: A to Z, AA, AB and so on.
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
 * Names a cell as in a spreadsheet: [2, 1] is B3.
 *
 * @type {(cell: Cell) => string}
 */
export const cellName = ([row, col]) => `${columnName(col)}${row + 1}`;

/** @type {(seat: Seat) => string} */
export const symbol = (seat) => (seat === 1 ? "X" : "O");

/** @type {(shape: Shape) => string} */
export const boardName = ([rows, cols]) => `${rows}×${cols}`;

/**
 * Names the aim of a game: "5 in a row".
 *
 * @type {(rules: Rules) => string}
 */
export function aimName({ k, gravity, variant }) {
  const aim = t(VARIANTS[variant].aim, { k });
  return gravity ? t("{aim}, marks fall", { aim }) : aim;
}

/**
 * Names rules: "15×15, 5 in a row", or only the board if a whole side wins.
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
 * Formats a signed number with a true minus sign.
 *
 * @type {(number: number) => string}
 */
export const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

/**
 * Names a player: by name, else "Computer", else by mark.
 *
 * @param {{ players: Player[] }} game
 * @param {Seat} seat
 */
export function playerName({ players }, seat) {
  const { name, kind } = players[seat - 1];
  return name || (kind === "computer" ? t("Computer") : t("Player {mark}", { mark: symbol(seat) }));
}

/**
 * Names a level of the computer.
 *
 * @type {(level: string | null) => string}
 */
export const levelName = (level) => t(LEVELS[level ?? ""]?.title ?? level ?? "");

/**
 * Names a clock: "30 s per move", "3 min + 2 s".
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
 * Names the rules and the clock of a game: "15×15, 5 in a row, 3 min + 2 s".
 *
 * @param {Game} game
 */
export const gameName = (game) =>
  game.clock ? `${rulesName(game)}, ${clockName(game.clock)}` : rulesName(game);
