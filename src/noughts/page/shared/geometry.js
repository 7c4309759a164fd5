/** Geometry of a board: cells, marks and winning lines. */

/** @import { Cell, Seat, Shape } from "./types.js" */

export const SEATS = /** @type {const} */ ([1, 2]);

/** Along a row, down a column, along the diagonal and the anti-diagonal. */
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** @type {(seat: Seat) => Seat} */
export const otherSeat = (seat) => (seat === 1 ? 2 : 1);

/**
 * Returns the player who makes the move of a ply, counted from 1. Player 1 moves first.
 *
 * @type {(ply: number) => Seat}
 */
export const moverOf = (ply) => (ply % 2 ? 1 : 2);

/**
 * Returns the number of a cell, row by row.
 *
 * @type {(shape: Shape, cell: Cell) => number}
 */
export const numberOf = ([, cols], [row, col]) => row * cols + col;

/**
 * Returns the cell with a number.
 *
 * @type {(shape: Shape, number: number) => Cell}
 */
export const cellOf = ([, cols], number) => [Math.floor(number / cols), number % cols];

/** @type {(one: Cell, other: Cell) => boolean} */
export const isSameCell = (one, other) => one[0] === other[0] && one[1] === other[1];

/**
 * Returns the number of plies that two games have in common from the start.
 *
 * @param {Cell[]} one
 * @param {Cell[]} other
 */
export function sharedPlies(one, other) {
  let ply = 0;
  while (ply < one.length && ply < other.length && isSameCell(one[ply], other[ply])) ply++;
  return ply;
}

/** @type {(one: Cell[], other: Cell[]) => boolean} */
export const sameMoves = (one, other) =>
  one.length === other.length && sharedPlies(one, other) === one.length;

/**
 * Returns the player who marked each cell, row by row, or 0 for empty cells.
 *
 * @param {Shape} shape
 * @param {Cell[]} moves
 */
export function marksOf(shape, moves) {
  const marks = new Uint8Array(shape[0] * shape[1]);
  moves.forEach((cell, index) => {
    marks[numberOf(shape, cell)] = moverOf(index + 1);
  });
  return marks;
}

/**
 * Returns the cell to which a mark falls in a column, or null if the column is full.
 *
 * @param {Shape} shape
 * @param {Uint8Array} marks by cell, row by row
 * @param {number} col
 * @returns {Cell | null}
 */
export function landing([rows, cols], marks, col) {
  let row = rows - 1;
  while (row >= 0 && marks[row * cols + col]) row--;
  return row < 0 ? null : [row, col];
}

/**
 * Calls `visit` for each line with its first cell and its direction.
 *
 * @param {Shape} shape
 * @param {number} k
 * @param {(row: number, col: number, down: number, right: number) => void} visit
 */
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

/**
 * Returns the number of lines: 2n + 2 on an n×n board if n in a row win.
 *
 * @param {Shape} shape
 * @param {number} k
 */
export function countLines([rows, cols], k) {
  if (k === 1) return rows * cols;
  const across = Math.max(0, cols - k + 1);
  const down = Math.max(0, rows - k + 1);
  return rows * across + cols * down + 2 * across * down;
}
