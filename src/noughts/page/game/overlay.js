/** The referee's findings on the board: dead lines, threats, and potential as heat. */

import { svg } from "../shared/dom.js";
import { cellOf, numberOf, SEATS } from "../shared/geometry.js";
import { CELL, hasMany, square } from "../shared/marks.js";

/** @import { Shape } from "../shared/types.js" */
/** @import { Findings } from "./view.js" */
/** @import { Viewport } from "./viewport.js" */

const SHADES = 10;
const WEIGHT_ROOM = 34; // pixels per cell from which weights are shown as numbers
const MOST_NUMBERS = 240;

/**
 * Draws the findings, or clears them for null.
 *
 * @param {{ heat: SVGElement, dead: SVGElement, closed: SVGElement, threats: SVGElement }} layers
 * @param {Findings | null} findings
 * @param {Shape} shape
 */
export function drawFindings(layers, findings, shape) {
  layers.heat.replaceChildren(...(findings?.heat ? shades(findings, shape) : []));
  layers.dead.setAttribute("d", findings?.sums ? deadLines(findings, shape) : "");
  layers.closed.setAttribute("d", findings && !findings.sums ? closedCells(findings, shape) : "");
  layers.threats.replaceChildren(...(findings ? threats(findings, shape) : []));
}

/**
 * Writes weights into the empty cells, in units of 1/2^k, if there is room.
 *
 * @param {SVGElement} layer
 * @param {{ view: Viewport, shape: Shape, k: number, findings: Findings | null }} board
 */
export function drawWeights(layer, { view, shape, k, findings }) {
  const { firstRow, lastRow, firstCol, lastCol } = view.seen;
  const cells = (lastRow - firstRow + 1) * (lastCol - firstCol + 1);
  const numbers = [];
  if (findings?.heat && findings.legible && view.scale >= WEIGHT_ROOM && cells <= MOST_NUMBERS) {
    for (let row = firstRow; row <= lastRow; row++) {
      for (let col = firstCol; col <= lastCol; col++) {
        const at = numberOf(shape, [row, col]);
        if (findings.marks[at]) continue;
        const place = { x: (col + 0.5) * CELL, y: (row + 0.5) * CELL };
        numbers.push(svg("text", place, String(findings.weights[at] * 2 ** k)));
      }
    }
  }
  layer.replaceChildren(...numbers);
}

/**
 * Returns one path per shade, from the smallest to the largest weight of an empty cell.
 *
 * @param {Findings} findings
 * @param {Shape} shape
 */
function shades({ weights, marks }, shape) {
  const free = [...weights.keys()].filter((at) => !marks[at] && weights[at]);
  const least = free.reduce((found, at) => Math.min(found, weights[at]), Infinity);
  const most = free.reduce((found, at) => Math.max(found, weights[at]), 0);
  const paths = Array(SHADES).fill("");
  for (const at of free) {
    const part = most > least ? (weights[at] - least) / (most - least) : 1;
    paths[Math.round(part * (SHADES - 1))] += square(cellOf(shape, at), shape);
  }
  return paths.map((d, shade) => svg("path", { d, opacity: (0.62 * (shade + 1)) / SHADES }));
}

/**
 * Returns the dead lines, interrupted at the texts in cells; on large boards uninterrupted.
 *
 * @param {Findings} findings
 * @param {Shape} shape
 */
function deadLines({ deadLines: lines }, [side]) {
  const steps = hasMany([side, side]) ? 1 : side - 1;
  const length = (side - 1) / steps;
  const clear = steps === 1 ? 0 : 0.2;
  let d = "";
  for (const [row, col, down, right] of lines) {
    const at = (/** @type {number} */ cells) =>
      `${(col + 0.5 + right * cells) * CELL} ${(row + 0.5 + down * cells) * CELL}`;
    for (let step = 0; step < steps; step++) {
      d += `M${at(step * length + clear)}L${at((step + 1) * length - clear)}`;
    }
  }
  return d;
}

/**
 * Returns the empty cells that are on no live line.
 *
 * @param {Findings} findings
 * @param {Shape} shape
 */
function closedCells({ open, marks }, shape) {
  let d = "";
  open.forEach((isOpen, at) => {
    if (!isOpen && !marks[at]) d += square(cellOf(shape, at), shape);
  });
  return d;
}

/**
 * @param {Findings} findings
 * @param {Shape} shape
 */
function threats({ threats: cells }, shape) {
  return SEATS.map((player) => {
    const corners = [...cells[player]].map((at) => {
      // The players' frames are nested, because a cell can be a threat by both.
      const inset = player === 1 ? 7 : 14;
      const side = CELL - 2 * inset;
      const [row, col] = cellOf(shape, at);
      const [x, y] = [col * CELL + inset, row * CELL + inset];
      return `M${x} ${y}h${side}v${side}h-${side}z`;
    });
    return svg("path", { class: `p${player}`, d: corners.join("") });
  });
}
