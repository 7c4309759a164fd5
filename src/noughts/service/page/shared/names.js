/** What cells, marks and boards are called, on screen and spoken. */

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
    freestyle: `${k} in a row`,
    standard: `exactly ${k} in a row`,
    caro: `${k} in a row, caro`,
    misere: `${k} in a row lose`,
    renju: "renju",
  };
  return gravity ? `${aims[variant]}, marks fall` : aims[variant];
}

/**
 * "15×15, 5 in a row"; where a whole side wins there is nothing to add.
 *
 * @param {Rules} rules
 */
export function rulesName(rules) {
  const { shape, k, gravity, variant } = rules;
  const isFreestyle = variant === "freestyle";
  if (isFreestyle && gravity && k === 4 && boardName(shape) === "6×7") return "Connect Four";
  const isWhole = isFreestyle && !gravity && shape.every((side) => side === k);
  return isWhole ? boardName(shape) : `${boardName(shape)}, ${aimName(rules)}`;
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
  return name || (kind === "computer" ? "Computer" : `Player ${symbol(seat)}`);
}
