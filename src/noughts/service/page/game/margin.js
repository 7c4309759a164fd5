/** The margins of a board: the names of rows and columns, and in the referee's view their sums. */

import { svg } from "../shared/dom.js";
import { columnName, signed } from "../shared/names.js";

const LINE_HEIGHT = 15; // pixels that a number needs in a row's margin
const LETTERS_WIDTH = 22; // and a column's name in its margin
const SUM_WIDTH = 32;
const LONGEST_BAR = 18;

/** The room that the margins take, in pixels. */
export function marginFor(findings) {
  return findings?.sums
    ? { top: 24, right: 48, bottom: 34, left: 48 }
    : { top: 24, right: 28, bottom: 24, left: 28 };
}

export function drawMargin(group, { view, edges, findings }) {
  const { seen } = view;
  const place = {
    top: edges.top + seen.top - 11,
    left: edges.left + seen.left - 14,
    bottom: edges.top + seen.bottom + 17,
    right: edges.left + seen.right + 22,
    x: (col) => edges.left + view.x + (col + 0.5) * view.scale,
    y: (row) => edges.top + view.y + (row + 0.5) * view.scale,
  };
  group.replaceChildren(
    ...every(seen.firstCol, seen.lastCol, stepFor(view.scale, LETTERS_WIDTH), (col) =>
      text(place.x(col), place.top, columnName(col), "name"),
    ),
    ...every(seen.firstRow, seen.lastRow, stepFor(view.scale, LINE_HEIGHT), (row) =>
      text(place.left, place.y(row), row + 1, "name"),
    ),
    ...(findings?.sums ? sums(findings, view, place) : []),
  );
}

/** The signed sums: numbers where they have room, else bars. */
function sums({ sums: { rows, cols, diagonal, antiDiagonal }, dead, changed }, view, place) {
  const { firstRow, lastRow, firstCol, lastCol } = view.seen;
  const number = (x, y, sum, line) => {
    const kinds = [
      "sum",
      view.scale > 44 && "large",
      dead.has(line) && "dead",
      changed.has(line) && "changed",
    ];
    if (Math.abs(sum) === rows.length) kinds.push("complete");
    return text(x, y, signed(sum), [...kinds, sign(sum)].filter(Boolean).join(" "));
  };
  const length = LONGEST_BAR / Math.max(1, ...[...rows, ...cols].map(Math.abs));
  const thick = Math.max(1, view.scale * 0.7);
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

const sign = (sum) => (sum > 0 ? "p1" : sum < 0 ? "p2" : "");

const text = (x, y, content, kind) =>
  svg("text", { x: x.toFixed(1), y: y.toFixed(1), class: kind }, String(content));

function every(first, last, step, draw) {
  const drawn = [];
  for (let at = Math.ceil(first / step) * step; at <= last; at += step) drawn.push(draw(at));
  return drawn;
}

/** How many rows or columns apart names must be to have room. */
const stepFor = (scale, room) => [1, 2, 5, 10, 20].find((step) => step * scale >= room) ?? 50;
