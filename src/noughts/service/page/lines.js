/** Geometry: the winning lines of a board. */

/** Along a row, down a column, along the diagonal and the anti-diagonal. */
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** Calls visit(row, col, down, right) for each line: its first cell and its direction. */
export function eachLine([rows, cols], k, visit) {
  for (const [down, right] of k === 1 ? DIRECTIONS.slice(0, 1) : DIRECTIONS) {
    const lastRow = rows - 1 - down * (k - 1);
    const firstCol = right < 0 ? k - 1 : 0;
    const lastCol = right > 0 ? cols - k : cols - 1;
    for (let row = 0; row <= lastRow; row++) {
      for (let col = firstCol; col <= lastCol; col++) visit(row, col, down, right);
    }
  }
}

/** How many lines there are: 2n + 2 on an n×n board where a whole side wins. */
export function countLines([rows, cols], k) {
  if (k === 1) return rows * cols;
  const across = Math.max(0, cols - k + 1);
  const down = Math.max(0, rows - k + 1);
  return rows * across + cols * down + 2 * across * down;
}
