/** The margins of a board: names of rows and columns and, in the referee's view, their sums. */

import { svg } from "../shared/dom.js";
import { columnName, signed } from "../shared/names.js";

/** @import { Findings } from "./view.js" */
/** @import { Viewport } from "./viewport.js" */

const LINE_HEIGHT = 15; // pixels per number in the margin of rows
const LETTERS_WIDTH = 22; // pixels per name in the margin of columns
const SUM_WIDTH = 32;
const LONGEST_BAR = 18;

/** @typedef {{ top: number, right: number, bottom: number, left: number }} Edges in pixels */

/**
 * Returns the size of the margins.
 *
 * @param {Findings | null} findings
 * @param {boolean} isNarrow whether the names go inside the board
 * @returns {Edges}
 */
export function marginFor(findings, isNarrow) {
  if (isNarrow && !findings?.sums) return { top: 0, right: 0, bottom: 0, left: 0 };
  return findings?.sums
    ? { top: 24, right: 48, bottom: 34, left: 48 }
    : { top: 24, right: 28, bottom: 24, left: 28 };
}

/**
 * Draws the margins.
 *
 * @param {SVGGElement} group
 * @param {{ view: Viewport, edges: Edges, findings: Findings | null }} board
 */
export function drawMargin(group, { view, edges, findings }) {
  const { seen } = view;
  const step = { cols: stepFor(view.scale, LETTERS_WIDTH), rows: stepFor(view.scale, LINE_HEIGHT) };
  if (!edges.top) {
    group.replaceChildren(...namesInside(view, step));
    return;
  }
  /** @type {Place} */
  const place = {
    top: edges.top + seen.top - 11,
    left: edges.left + seen.left - 14,
    bottom: edges.top + seen.bottom + 17,
    right: edges.left + seen.right + 22,
    x: (/** @type {number} */ col) => edges.left + view.x + (col + 0.5) * view.scale,
    y: (/** @type {number} */ row) => edges.top + view.y + (row + 0.5) * view.scale,
  };
  group.replaceChildren(
    ...every(seen.firstCol, seen.lastCol, step.cols, (col) =>
      text(place.x(col), place.top, columnName(col), "name"),
    ),
    ...every(seen.firstRow, seen.lastRow, step.rows, (row) =>
      text(place.left, place.y(row), row + 1, "name"),
    ),
    ...(findings?.sums ? sums(findings.sums, view, place) : []),
  );
}

/**
 * Draws the names of rows and columns in the corners of the first visible cells.
 *
 * @param {Viewport} view
 * @param {{ cols: number, rows: number }} step
 */
function namesInside({ seen, scale, x, y }, step) {
  return [
    ...every(seen.firstCol, seen.lastCol, step.cols, (col) =>
      text(Math.max(0, x + col * scale) + 3, seen.top + 7, columnName(col), "name inside"),
    ),
    ...every(seen.firstRow, seen.lastRow, step.rows, (row) => {
      const bottom = Math.max(y + (row + 1) * scale - 6, seen.top + 18); // below the names of columns
      return text(seen.left + 3, bottom, row + 1, "name inside");
    }),
  ];
}

/**
 * Positions of the margins, and of the middles of rows and columns.
 *
 * @typedef {Edges & { x: (col: number) => number, y: (row: number) => number }} Place
 */

/**
 * Draws the signed sums, as numbers if there is room, otherwise as bars.
 *
 * @param {NonNullable<Findings["sums"]>} sums
 * @param {Viewport} view
 * @param {Place} place
 */
function sums({ rows, cols, diagonal, antiDiagonal, dead, changed }, view, place) {
  const { firstRow, lastRow, firstCol, lastCol } = view.seen;
  /** @type {(x: number, y: number, sum: number, line: string) => SVGElement} */
  const number = (x, y, sum, line) => {
    const kinds = [
      "sum",
      view.scale > 44 && "large",
      dead.has(line) && "dead",
      changed.has(line) && "changed",
      Math.abs(sum) === rows.length && "complete",
      sign(sum),
    ];
    return text(x, y, signed(sum), kinds.filter(Boolean).join(" "));
  };
  const length = LONGEST_BAR / Math.max(1, ...[...rows, ...cols].map(Math.abs));
  const thick = Math.max(1, view.scale * 0.7);
  /** @type {(box: Record<string, number>, sum: number) => SVGElement} */
  const bar = (box, sum) => svg("rect", { ...box, class: `bar ${sign(sum)}` });
  return [
    ...every(firstRow, lastRow, 1, (row) =>
      view.scale >= LINE_HEIGHT
        ? number(place.right, place.y(row), rows[row], `row ${row}`)
        : bar(
            {
              x: place.right - 14,
              y: place.y(row) - thick / 2,
              width: Math.abs(rows[row]) * length,
              height: thick,
            },
            rows[row],
          ),
    ),
    ...every(firstCol, lastCol, 1, (col) =>
      view.scale >= SUM_WIDTH
        ? number(place.x(col), place.bottom, cols[col], `column ${col}`)
        : bar(
            {
              x: place.x(col) - thick / 2,
              y: place.bottom - 9,
              width: thick,
              height: Math.abs(cols[col]) * length,
            },
            cols[col],
          ),
    ),
    text(place.right - 16, place.bottom, "↘", "name"),
    number(place.right + 8, place.bottom, diagonal, "diagonal"),
    text(place.left + 8, place.bottom, "↙", "name"),
    number(place.left - 14, place.bottom, antiDiagonal, "anti-diagonal"),
  ];
}

/** @type {(sum: number) => string} */
const sign = (sum) => (sum > 0 ? "p1" : sum < 0 ? "p2" : "");

/** @type {(x: number, y: number, content: string | number, kind: string) => SVGElement} */
const text = (x, y, content, kind) =>
  svg("text", { x: x.toFixed(1), y: y.toFixed(1), class: kind }, String(content));

/**
 * Calls `draw` for each step-th number from first to last.
 *
 * @param {number} first
 * @param {number} last
 * @param {number} step
 * @param {(at: number) => SVGElement} draw
 */
function every(first, last, step, draw) {
  const drawn = [];
  for (let at = Math.ceil(first / step) * step; at <= last; at += step) drawn.push(draw(at));
  return drawn;
}

/**
 * Returns the distance between names, in rows or columns, so that they have room.
 *
 * @type {(scale: number, room: number) => number}
 */
const stepFor = (scale, room) => [1, 2, 5, 10, 20].find((step) => step * scale >= room) ?? 50;
