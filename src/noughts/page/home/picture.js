/** Small pictures of boards. */

import { svg } from "../shared/dom.js";
import { moverOf } from "../shared/geometry.js";
import { CELL, faces, hasMany, markIn, ruling, strike } from "../shared/marks.js";

/** @import { Cell, Rules, Shape } from "../shared/types.js" */

/**
 * Draws a position and its winning lines into an SVG.
 *
 * @param {SVGSVGElement} picture
 * @param {Shape} shape
 * @param {Cell[]} moves
 * @param {Cell[][]} lines
 * @param {string} theme
 */
export function draw(picture, shape, moves, lines = [], theme = "marks") {
  const [rows, cols] = shape;
  const marks = ["", "", ""];
  moves.forEach((cell, ply) => {
    const player = moverOf(ply + 1);
    marks[player] += markIn(theme, player, cell).join("");
  });
  const { minor, major } = ruling(shape, theme);
  const many = hasMany(shape);
  const pen = many ? 14 : 9;
  picture.setAttribute("viewBox", `0 0 ${cols * CELL} ${rows * CELL}`);
  picture.dataset.theme = theme;
  picture.replaceChildren(
    ...(theme === "marks" ? [] : [faces()]),
    svg("rect", { class: "plate", rx: 20, width: cols * CELL, height: rows * CELL }),
    svg("path", { class: "minor", d: minor + major, "stroke-width": many ? 6 : 3 }),
    svg("path", { class: "sample p1", d: marks[1], "stroke-width": pen }),
    svg("path", { class: "sample p2", d: marks[2], "stroke-width": pen }),
    ...lines.map((line) =>
      svg("path", { class: "strike", d: strike(line), "stroke-width": pen - 3 }),
    ),
    svg("path", { class: "ghost p1", "stroke-width": pen }),
  );
}

/**
 * Previews the first move that a click would make.
 *
 * @param {SVGSVGElement} picture
 * @param {Cell | null} cell
 */
export function ghost(picture, cell) {
  picture
    .querySelector(".ghost")
    ?.setAttribute("d", cell ? markIn(picture.dataset.theme ?? "", 1, cell).join("") : "");
}

/**
 * Returns the cell of a picture at an event, or null.
 *
 * @param {SVGSVGElement} picture
 * @param {MouseEvent} event
 * @returns {Cell | null}
 */
export function cellAt(picture, { clientX, clientY }) {
  const { width, height } = picture.viewBox.baseVal;
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(
    picture.getScreenCTM()?.inverse(),
  );
  const isInside = x >= 0 && y >= 0 && x < width && y < height;
  return isInside ? [Math.floor(y / CELL), Math.floor(x / CELL)] : null;
}

/**
 * Returns a sample game that ends with k crosses in a row: its moves and its winning line.
 *
 * @param {Rules} rules
 */
export function sample({ shape: [rows, cols], k, gravity }) {
  const isUpright = k > cols; // only if the line does not fit across
  const [along, across] = isUpright ? [rows, cols] : [cols, rows];
  const at = gravity && !isUpright ? across - 1 : Math.floor((across - 1) / 2);
  const start = gravity && isUpright ? along - k : Math.floor((along - k) / 2);
  /** @type {(steps: number, aside: number) => Cell} */
  const cell = (steps, aside) => (isUpright ? [steps, aside] : [aside, steps]);
  const line = Array.from({ length: k }, (_, i) => cell(start + i, at));
  // Noughts go above and below in no visible pattern; with gravity, on top of the crosses.
  /** @type {(i: number) => number} */
  const beside = (i) => (at === 0 || (!gravity && (i * 7) % 5 < 2) ? 1 : -1);
  const noughts = line.slice(1).map((_, i) => cell(start + i + 1, at + beside(i)));
  return { moves: line.flatMap((cell, i) => (i < k - 1 ? [cell, noughts[i]] : [cell])), line };
}
