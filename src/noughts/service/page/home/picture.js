/** Small pictures of boards, for looking at only. */

import { svg } from "../shared/dom.js";
import { moverOf } from "../shared/geometry.js";
import { CELL, hasMany, ruling, strike, strokes } from "../shared/marks.js";

/** @import { Cell, Shape } from "../shared/types.js" */

/**
 * Fills an SVG with a position and the lines that have won in it.
 *
 * @param {SVGSVGElement} picture
 * @param {Shape} shape
 * @param {Cell[]} moves
 * @param {Cell[][]} lines
 */
export function draw(picture, shape, moves, lines = []) {
  const [rows, cols] = shape;
  const marks = ["", "", ""];
  moves.forEach((cell, ply) => {
    const player = moverOf(ply + 1);
    marks[player] += strokes(player, cell).join("");
  });
  const { minor, major } = ruling(shape);
  const many = hasMany(shape);
  const pen = many ? 14 : 9;
  picture.setAttribute("viewBox", `0 0 ${cols * CELL} ${rows * CELL}`);
  picture.replaceChildren(
    svg("path", { d: minor + major, "stroke-width": many ? 6 : 3 }),
    svg("path", { class: "p1", d: marks[1], "stroke-width": pen }),
    svg("path", { class: "p2", d: marks[2], "stroke-width": pen }),
    ...lines.map((line) =>
      svg("path", { class: "strike", d: strike(line), "stroke-width": pen - 3 }),
    ),
  );
}

/**
 * A game as it may end on an n×n board: k crosses in a row. Returns the moves and the line.
 *
 * @param {number} n
 * @param {number} k
 */
export function sample(n, k) {
  const row = Math.floor((n - 1) / 2);
  const start = Math.floor((n - k) / 2);
  /** @type {Cell[]} */
  const line = Array.from({ length: k }, (_, i) => [row, start + i]);
  // The noughts lie above and below, in no pattern one would see.
  /** @type {Cell[]} */
  const noughts = line
    .slice(1)
    .map(([, col], i) => [row + ((i * 7) % 5 < 2 || row === 0 ? 1 : -1), col]);
  return { moves: line.flatMap((cell, i) => (i < k - 1 ? [cell, noughts[i]] : [cell])), line };
}
