/** The SVG drawing of a board: grid lines, marks and highlights. */

import { svg } from "../shared/dom.js";
import { isSameCell, marksOf, moverOf, numberOf, SEATS } from "../shared/geometry.js";
import {
  CELL,
  column,
  dot,
  faces,
  hasMany,
  markIn,
  printed,
  ruling,
  square,
  strike,
  triangle,
} from "../shared/marks.js";

/** @import { Cell, Seat, Shape } from "../shared/types.js" */
/** @import { Edges } from "./margin.js" */
/** @import { Findings } from "./view.js" */
/** @import { Viewport } from "./viewport.js" */

const SMALLEST = 9; // pixels; marks in smaller cells are drawn as dots, larger than to scale

/**
 * Creates a layer of the drawing.
 *
 * @param {"g" | "path"} tag
 * @param {string} name
 * @returns {SVGElement}
 */
const layer = (tag, name) => svg(tag, { class: name });

/**
 * Returns the player with a number, or null for 0.
 *
 * @param {number} mark
 */
export const seatOf = (mark) => SEATS[mark - 1] ?? null;

export class Drawing {
  /** @type {Shape} */
  #shape = [0, 0];
  /** @type {Cell[]} */
  #moves = [];
  /** @type {SVGElement[][]} */
  #rows = [[], []]; // by player and row, for rows with marks of the player
  #fresh = ""; // the last mark drawn, as "ply:cell"
  #isTiny = false;
  #theme = "";
  /** @type {typeof import("./overlay.js") | null} */
  overlay = null; // loaded with the referee's findings
  gravity = false;
  marks = marksOf(this.#shape, []);

  #layers = {
    plate: svg("rect", { class: "plate", rx: 20 }),
    column: layer("path", "column"),
    tint: layer("path", "tint"),
    winning: layer("path", "winning"),
    heat: layer("g", "heat"),
    closed: layer("path", "closed"),
    dead: layer("path", "dead"),
    minor: layer("path", "minor"),
    major: layer("path", "major"),
    p1: layer("g", "p1"),
    p2: layer("g", "p2"),
    fresh: layer("g", "fresh"),
    threats: layer("g", "threats"),
    forbidden: layer("path", "forbidden p1"),
    hint: layer("path", "hint"),
    ghost: layer("path", "ghost"),
    strikes: layer("g", "strikes"),
    weights: layer("g", "weights"),
  };
  margin = svg("g", { class: "margin" });
  #field = svg("svg", { class: "field" });
  root = svg("svg", { class: "drawing", "aria-hidden": "true" }, faces(), this.#field, this.margin);

  constructor() {
    const { p1, p2, fresh, ...others } = this.#layers;
    const { threats, forbidden, hint, ghost, strikes, weights, ...below } = others;
    const above = [threats, forbidden, hint, ghost, strikes, weights];
    const marks = svg("g", { class: "marks" }, p1, p2, fresh);
    this.#field.append(...Object.values(below), marks, ...above);
  }

  /**
   * Draws an empty board.
   *
   * @param {{ shape: Shape, gravity: boolean }} rules
   */
  setup({ shape, gravity }) {
    this.#shape = shape;
    this.gravity = gravity;
    this.#moves = [];
    this.marks = marksOf(shape, []);
    this.#theme = "";
    for (const path of this.#rows.flat()) path.remove();
    this.#rows = [[], []];
  }

  /** @param {string} theme of the board */
  setTheme(theme) {
    if (theme === this.#theme) return;
    this.#theme = theme;
    this.root.dataset.theme = theme;
    const { plate, minor, major } = this.#layers;
    const [rows, cols] = this.#shape;
    plate.setAttribute("width", String(cols * CELL));
    plate.setAttribute("height", String(rows * CELL));
    const lines = ruling(this.#shape, theme);
    minor.setAttribute("d", lines.minor);
    major.setAttribute("d", lines.major);
    this.#redraw();
  }

  #redraw() {
    for (let row = 0; row < this.#shape[0]; row++) this.#drawRow(row);
    this.#drawFresh(false);
  }

  /**
   * Positions the board in its window.
   *
   * @param {Viewport} view
   * @param {Edges} edges
   */
  place({ scale, x, y, width, height }, edges) {
    const units = CELL / scale;
    const viewBox = [-x * units, -y * units, width * units, height * units].join(" ");
    const place = { x: edges.left, y: edges.top, width, height, viewBox };
    for (const [name, value] of Object.entries(place))
      this.#field.setAttribute(name, String(value));
    this.#field.style.setProperty("--rule", String(Math.max(0.75, Math.min(3, scale * 0.035))));
    this.#field.style.setProperty("--weight", `${Math.min(30, (15 / scale) * CELL)}px`);
    const isTiny = hasMany(this.#shape) && scale < SMALLEST;
    if (isTiny === this.#isTiny) return;
    this.#isTiny = isTiny;
    this.#field.classList.toggle("tiny", isTiny);
    this.#redraw();
  }

  /**
   * Draws the rows that changed, and the last mark separately, animated if it is new.
   *
   * @param {Cell[]} moves
   * @param {number} same number of moves, from the start, that are already drawn
   * @param {boolean} pending whether the last move is being sent
   */
  drawMarks(moves, same, pending) {
    const before = this.#moves;
    this.#moves = moves;
    this.marks = marksOf(this.#shape, moves);
    const from = Math.max(0, same - 1); // the last common move may have been drawn separately
    const changed = [...before.slice(from), ...moves.slice(from)];
    for (const row of new Set(changed.map(([row]) => row))) this.#drawRow(row);

    const last = moves.at(-1);
    const fresh = last ? `${moves.length}:${last}` : "";
    if (fresh !== this.#fresh) {
      this.#fresh = fresh;
      this.#drawFresh(moves.length === before.length + 1 && same === before.length);
    }
    this.#layers.fresh.classList.toggle("pending", pending);
    this.#layers.tint.setAttribute("class", `tint p${moverOf(moves.length)}`);
    this.#layers.tint.setAttribute("d", last ? square(last, this.#shape) : "");
  }

  /**
   * Draws the last mark.
   *
   * @param {boolean} isNew
   */
  #drawFresh(isNew) {
    const last = this.#moves.at(-1);
    const player = moverOf(this.#moves.length);
    const { fresh } = this.#layers;
    const paths = last ? (this.#isTiny ? [dot(last)] : markIn(this.#theme, player, last)) : [];
    const motion = this.gravity ? " dropped" : " drawn";
    fresh.setAttribute("class", `fresh p${player}${isNew ? motion : ""}`);
    fresh.style.setProperty("--rows", String((last?.[0] ?? 0) + 1));
    fresh.replaceChildren(...paths.map((d) => svg("path", { d, pathLength: 1 })));
  }

  /**
   * Draws the marks of a row, except the last move.
   *
   * @param {number} row
   */
  #drawRow(row) {
    const paths = ["", "", ""];
    const last = this.#moves.at(-1);
    const isMany = hasMany(this.#shape);
    for (let col = 0; col < this.#shape[1]; col++) {
      /** @type {Cell} */
      const cell = [row, col];
      const mark = seatOf(this.marks[numberOf(this.#shape, cell)]);
      if (!mark || (last && isSameCell(last, cell))) continue;
      if (this.#isTiny) paths[mark] += dot(cell);
      else paths[mark] += isMany ? printed(mark, cell) : markIn(this.#theme, mark, cell).join("");
    }
    const { p1, p2 } = this.#layers;
    for (const [player, layer] of [p1, p2].entries()) {
      const d = paths[player + 1];
      const rows = this.#rows[player];
      if (!d && !rows[row]) continue;
      rows[row] ??= layer.appendChild(svg("path"));
      rows[row].setAttribute("d", d);
    }
  }

  /**
   * Strikes through the lines that ended the game.
   *
   * @param {Cell[][]} lines
   */
  drawLines(lines) {
    const { winning, strikes } = this.#layers;
    const cells = lines.flat();
    winning.setAttribute("d", cells.map((cell) => square(cell, this.#shape)).join(""));
    const key = JSON.stringify(lines);
    if (strikes.dataset.lines === key) return;
    strikes.dataset.lines = key;
    strikes.replaceChildren(
      ...lines.map((line) => svg("path", { d: strike(line), pathLength: 1 })),
    );
  }

  /**
   * Previews the mark that a choice would make.
   *
   * @param {Cell | null} cell
   * @param {Seat | null} player
   * @param {boolean} isPreview whether a second tap would play it
   */
  drawGhost(cell, player, isPreview = false) {
    const { ghost, column: band } = this.#layers;
    const kind = isPreview ? "ghost preview" : "ghost";
    ghost.setAttribute("class", player ? `${kind} p${player}` : "ghost");
    ghost.setAttribute("d", cell && player ? markIn(this.#theme, player, cell).join("") : "");
    band.setAttribute("d", cell && this.gravity ? column(cell[1], this.#shape) : "");
  }

  /** @param {Cell | null} cell the recommended cell */
  drawHint(cell) {
    this.#layers.hint.setAttribute("d", cell ? square(cell, this.#shape) : "");
  }

  /** @param {Cell[]} cells */
  drawForbidden(cells) {
    this.#layers.forbidden.setAttribute("d", cells.map(triangle).join(""));
  }

  /** @param {Findings | null} findings */
  drawFindings(findings) {
    this.overlay?.drawFindings(this.#layers, findings, this.#shape);
  }

  /** @param {{ view: Viewport, k: number, findings: Findings | null }} board */
  drawWeights(board) {
    this.overlay?.drawWeights(this.#layers.weights, { ...board, shape: this.#shape });
  }
}
