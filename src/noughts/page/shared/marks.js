/**
 * Paths of crosses, noughts and grid lines, in hundredths of a cell.
 *
 * Strokes vary slightly from cell to cell, like handwriting, but always the same in one cell.
 */

import { THEMES } from "./client_constants.js";
import { svg } from "./dom.js";
import { SEATS } from "./geometry.js";
import { read, write } from "./storage.js";

/** @import { Cell, Rules, Seat, Shape } from "./types.js" */

export const CELL = 100;
const BEYOND = 0.3; // cells by which a strike extends past the middle of its last cell

/**
 * Returns whether a board has too many cells for details.
 *
 * @type {(shape: Shape) => boolean}
 */
export const hasMany = ([rows, cols]) => rows * cols > 400;

const KEPT = "noughts.look";

/** Returns the theme that the player chose, or "" for each game's default. */
export function chosenTheme() {
  const theme = String(read(KEPT));
  return Object.hasOwn(THEMES, theme) ? theme : "";
}

/** @param {string} theme */
export const chooseTheme = (theme) => write(KEPT, theme || null);

/**
 * Returns the theme of a board. Boards with many cells and forced colours use plain marks.
 *
 * @type {(rules: Pick<Rules, "shape" | "k" | "gravity">) => string}
 */
export function themeOf({ shape, k, gravity }) {
  if (hasMany(shape) || matchMedia("(forced-colors: active)").matches) return "marks";
  const isGoMoku = k === 5 && Math.min(...shape) > 5;
  return chosenTheme() || (gravity ? "discs" : isGoMoku ? "stones" : "marks");
}

/** Creates the patterns of holes, stones and discs, with which the style fills the players' cells. */
export function faces() {
  const tile = { width: CELL, height: CELL, patternUnits: "userSpaceOnUse" };
  const hole = { id: "face0", class: "face", ...tile };
  const circle = () => svg("circle", { cx: 50, cy: 50, r: 42 });
  const patterns = SEATS.map((player) => {
    const cut = svg("path", {
      d: strokes(player, [0, 0]).join(""),
      transform: "translate(16 16) scale(.68)",
    });
    const its = { id: `face${player}`, class: `face p${player}` };
    return svg("pattern", { ...its, ...tile }, circle(), cut);
  });
  return svg("defs", {}, svg("pattern", hole, circle()), ...patterns);
}

/**
 * Returns the path data of a player's mark in a theme.
 *
 * @type {(theme: string, player: Seat, cell: Cell) => string[]}
 */
export const markIn = (theme, player, cell) =>
  theme === "marks" ? strokes(player, cell) : [square(cell, [1, 1])];

/**
 * Returns a number from −reach to reach that depends only on the cell and the salt.
 *
 * @param {number} row
 * @param {number} col
 * @param {number} salt
 * @param {number} reach
 */
function wobble(row, col, salt, reach) {
  let hash = (row * 374761393 + col * 668265263 + salt * 2147483647) | 0;
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  hash ^= hash >>> 16;
  return (((hash >>> 0) % 2001) / 1000 - 1) * reach;
}

/**
 * Returns the path data of the strokes of a player's mark in a cell.
 *
 * @param {Seat} player
 * @param {Cell} cell
 */
export function strokes(player, [row, col]) {
  /** @type {(x: number, y: number, salt: number, reach?: number) => string} */
  const at = (x, y, salt, reach = 1.6) => {
    const dx = wobble(row, col, salt, reach);
    const dy = wobble(row, col, salt + 1, reach);
    return `${(col * CELL + x + dx).toFixed(1)} ${(row * CELL + y + dy).toFixed(1)}`;
  };
  if (player === 1) {
    return [
      `M${at(25, 25, 1)}Q${at(52, 47, 3, 3)} ${at(75, 75, 5)}`,
      `M${at(75, 24, 7)}Q${at(48, 52, 9, 3)} ${at(25, 76, 11)}`,
    ];
  }
  // A ring that starts just past the top and overlaps its start, as in handwriting.
  return [
    `M${at(59, 23, 1, 0.8)}C${at(39, 16, 3)} ${at(21, 30, 5)} ${at(21, 50, 7)}` +
      `S${at(34, 79, 9)} ${at(51, 79, 11)}S${at(79, 67, 13)} ${at(79, 49, 15)}` +
      `S${at(65, 20, 17)} ${at(47, 21.5, 19, 0.8)}`,
  ];
}

/**
 * Returns a mark as a filled area, which is drawn ten times faster than strokes.
 *
 * @param {Seat} player
 * @param {Cell} cell
 */
export function printed(player, [row, col]) {
  const [x, y] = [col * CELL, row * CELL];
  if (player === 1) {
    return `M${x + 17} ${y + 25}l8 -8l25 25l25 -25l8 8l-25 25l25 25l-8 8l-25 -25l-25 25l-8 -8l25 -25z`;
  }
  return (
    `M${x + 17} ${y + 50}a33 33 0 1 1 66 0a33 33 0 1 1 -66 0z` +
    `M${x + 28} ${y + 50}a22 22 0 1 0 44 0a22 22 0 1 0 -44 0z`
  );
}

/**
 * Returns the grid lines of a board, without a frame; every tenth line is in `major`. Stones lie on
 * lines through the middle of the cells, discs in holes.
 *
 * @param {Shape} shape
 */
export function ruling(shape, theme = "marks") {
  const [rows, cols] = shape;
  const first = theme === "stones" ? 0.5 : 1;
  const inset = theme === "stones" ? 50 : hasMany(shape) ? 0 : 8;
  const paths = { minor: "", major: "" };
  if (theme === "discs") return { ...paths, minor: `M0 0h${cols * CELL}v${rows * CELL}H0z` };
  /** @type {(index: number, side: number) => "major" | "minor"} */
  const width = (index, side) => (side >= 20 && index % 10 === 0 ? "major" : "minor");
  for (let row = first; row < rows; row++) {
    paths[width(row, rows)] += `M${inset} ${row * CELL}H${cols * CELL - inset}`;
  }
  for (let col = first; col < cols; col++) {
    paths[width(col, cols)] += `M${col * CELL} ${inset}V${rows * CELL - inset}`;
  }
  return paths;
}

/**
 * Returns a stroke through the cells of a line, past the middles of its first and last cell.
 *
 * @param {Cell[]} line
 */
export function strike(line) {
  const [[r1, c1], [r2, c2]] = [line[0], line[line.length - 1]];
  /** @type {(from: number, to: number) => number} */
  const far = (from, to) => (Math.sign(to - from) * BEYOND + to + 0.5) * CELL;
  return `M${far(c2, c1)} ${far(r2, r1)}L${far(c1, c2)} ${far(r1, r2)}`;
}

/**
 * Returns the square of a cell, for tints; on small boards it is slightly smaller than the cell.
 *
 * @param {Cell} cell
 * @param {Shape} shape
 */
export function square([row, col], shape) {
  const inset = hasMany(shape) ? 0 : 7;
  const side = CELL - 2 * inset;
  return `M${col * CELL + inset} ${row * CELL + inset}h${side}v${side}h-${side}z`;
}

/**
 * Returns a point in the middle of a cell; the stroke width gives its size.
 *
 * @type {(cell: Cell) => string}
 */
export const dot = ([row, col]) => `M${(col + 0.5) * CELL} ${(row + 0.5) * CELL}h0`;

/**
 * Returns the area of a whole column.
 *
 * @type {(col: number, shape: Shape) => string}
 */
export const column = (col, [rows]) => `M${col * CELL} 0h${CELL}v${rows * CELL}h-${CELL}z`;

/**
 * Returns a small triangle in a cell, as renju diagrams mark forbidden cells.
 *
 * @param {Cell} cell
 */
export function triangle([row, col]) {
  return `M${col * CELL + 50} ${row * CELL + 31}l20 34h-40z`;
}
