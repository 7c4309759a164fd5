/** What cells, marks and boards are called, on screen and spoken. */

/** The letters of a column counted from 0: A to Z, AA, AB and so on. */
export function columnName(col) {
  let letters = "";
  for (let left = col; left >= 0; left = Math.floor(left / 26) - 1) {
    letters = String.fromCharCode(65 + (left % 26)) + letters;
  }
  return letters;
}

/** As in a spreadsheet: [2, 1] is B3. */
export const cellName = ([row, col]) => `${columnName(col)}${row + 1}`;

export const spokenCell = ([row, col]) => `row ${row + 1}, column ${col + 1}`;

export const symbol = (player) => ["", "X", "O"][player];

export const boardName = ([rows, cols]) => `${rows}×${cols}`;

/** "5 in a row"; where a whole side wins there is nothing to add. */
export function rulesName(shape, k) {
  const whole = shape.every((side) => side === k);
  return whole ? boardName(shape) : `${boardName(shape)}, ${k} in a row`;
}

/** A number as the margin shows it, with a true minus. */
export const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));

/** What a player is called: by name, else by what it is, else by the mark. */
export function playerName(state, seat) {
  const { name, kind } = state.players[seat - 1];
  return name || (kind === "computer" ? "Computer" : `Player ${symbol(seat)}`);
}
