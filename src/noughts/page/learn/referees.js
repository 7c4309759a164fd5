/** Screen 2, three referees: the same moves under each, with its numbers and accesses. */

import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { marksOf, moverOf } from "../shared/geometry.js";
import { drawIcons } from "../shared/icons.js";
import { t } from "../shared/language.js";
import { signed, symbol } from "../shared/names.js";
import { Board, behind, text } from "./board.js";
import { cellOn, countLines, linesThrough, REFEREES } from "./counted.js";
import { cut, FOUR_LINES, own, WORKED, watch, wonLines } from "./games.js";
import { lineName, moveName, standing } from "./messages.js";

/** @import { Seat } from "../shared/types.js" */
/** @import { Name } from "./counted.js" */
/** @import { Room } from "./board.js" */
/** @import { Lesson, Watched } from "./games.js" */

const NAMES = /** @type {Name[]} */ (Object.keys(REFEREES));

/** @type {Record<string, { game: () => Lesson, left: number }>} */
const GAMES = {
  worked: { game: () => WORKED, left: 2 }, // moves that are not played yet
  four: { game: () => FOUR_LINES, left: 1 },
  own: { game: () => own, left: 0 },
};

/** @type {Lesson} */
let game = WORKED;
let ply = 0;
/** @type {typeof import("./foresight.js") | null} */
let foresight = null; // loads later
/** @type {Room} */
let sums; // of the board with the signed sums

export function start() {
  drawIcons();
  const slide = by("ply", HTMLInputElement);
  const to = (/** @type {number} */ wanted) => {
    const next = Math.max(0, Math.min(game.moves.length, wanted));
    if (next === ply) return;
    ply = next;
    show();
    tell();
  };
  by("referees-first").onclick = () => to(0);
  by("referees-back").onclick = () => to(ply - 1);
  by("referees-forward").onclick = () => to(ply + 1);
  by("referees-last").onclick = () => to(game.moves.length);
  slide.oninput = () => to(Number(slide.value));
  for (const button of by("referees-games").querySelectorAll("button")) {
    button.onclick = () => {
      choose(button.dataset.game ?? "");
      tell();
    };
  }
  for (const name of NAMES) {
    by(`board-${name}`, Board).chosen = (cell) => {
      game = { n: game.n, moves: [...game.moves.slice(0, ply), cell] };
      ply++;
      press("");
      show();
      tell();
    };
  }
  choose("worked");
  import("./foresight.js")
    .then((loaded) => {
      foresight = loaded;
      foresight.start(() => to(ply + 1));
      foresee();
    })
    .catch(() => {}); // offline
}

/** Has the reader guess what the next move changes. */
function foresee() {
  foresight?.follow(game, ply, (line) => {
    const [x, y] = placeOf(sums, game.n, line);
    return [sums.percent(x), sums.percent(y)];
  });
}

/**
 * Shows a ready-made game shortly before its end.
 *
 * @param {string} name
 */
function choose(name) {
  const { n, moves } = GAMES[name].game();
  game = { n, moves: [...moves] };
  ply = moves.length - GAMES[name].left;
  press(name);
  show();
}

/** @param {string} name */
function press(name) {
  for (const button of by("referees-games").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.game === name));
  }
}

/** Returns the game up to the visible move. */
const shown = () => cut(game, ply);

function show() {
  const slide = by("ply", HTMLInputElement);
  slide.max = String(game.moves.length);
  slide.value = String(ply);
  slide.setAttribute("aria-valuetext", moveName(game, ply));
  by("ply-name").textContent = moveName(game, ply);
  by("referees-standing").textContent = standing(shown());
  for (const [names, isAt] of /** @type {[string[], boolean][]} */ ([
    [["first", "back"], ply === 0],
    [["forward", "last"], ply === game.moves.length],
  ])) {
    for (const name of names) {
      by(`referees-${name}`).setAttribute("aria-disabled", String(isAt));
    }
  }
  for (const name of NAMES) card(name);
  foresee();
}

function tell() {
  const said = NAMES.map((name) => {
    const [reads, writes] = counts(watch(name, shown()));
    return t("{referee}: {reads} reads, {writes} writes.", { referee: title(name), reads, writes });
  });
  announce([moveName(game, ply), standing(shown()), ...(ply ? said : [])].join(" "));
}

/** @param {Name} name */
const title = (name) =>
  ({ scan: t("Board scan"), tallies: t("Player tallies"), sums: t("Signed sums") })[name];

/**
 * Returns the reads and writes of the latest move.
 *
 * @param {Watched} watched
 */
function counts({ log }) {
  const writes = log.filter((access) => access.writes).length;
  return [log.length - writes, writes];
}

/**
 * Shows the numbers of a referee and its accesses at the latest move.
 *
 * @param {Name} name
 */
function card(name) {
  const now = shown();
  const watched = watch(name, now);
  const touched = new Set(watched.log.map(({ at }) => at));
  /** @type {Map<number, number>} */
  const looks = new Map();
  if (name === "scan") {
    for (const { at, writes } of watched.log) if (!writes) looks.set(at, (looks.get(at) ?? 0) + 1);
  }
  const margins = { tallies: talliesAround, sums: sumsAround, scan: () => [] };
  by(`board-${name}`, Board).show(now, {
    looks,
    won: wonLines(now),
    margin: (room) => {
      if (name === "sums") sums = room;
      return margins[name](room, watched, touched, now.n);
    },
  });
  const [reads, writes] = counts(watched);
  by(`kept-${name}`).textContent = String(watched.numbers.length);
  by(`reads-${name}`).textContent = String(reads);
  by(`writes-${name}`).textContent = String(writes);
  by(`all-${name}`).textContent = String(watched.reads);
  by(`changes-${name}`).replaceChildren(...changes(name, watched));
  if (name !== "scan") by(`keeps-${name}`).textContent = keeps(name, watched, now.n);
}

/**
 * Lists the changes of the latest move: row, column, diagonal and anti-diagonal, also if untouched.
 *
 * @param {Name} name
 * @param {Watched} watched
 */
function changes(name, { before, numbers }) {
  const { n, moves } = shown();
  const last = moves.at(-1);
  if (!last) return [];
  const seat = moverOf(moves.length);
  const first = name === "tallies" ? (seat - 1) * countLines(n) : 0;
  const touched = linesThrough(n, last);
  return [touched[0], touched[1], 2 * n, 2 * n + 1].map((line) => {
    const its = element("dt", {}, lineName(n, line));
    if (!touched.includes(line))
      return element("div", { class: "untouched" }, its, element("dd", {}, "–"));
    return element(
      "div",
      {},
      its,
      name === "scan"
        ? element("dd", {}, marksOn(n, line))
        : element(
            "dd",
            { class: `p${seat}` },
            `${number(name, before[first + line])} → `,
            element("strong", {}, number(name, numbers[first + line])),
          ),
    );
  });
}

/**
 * Describes all numbers of a referee for screen readers.
 *
 * @param {Name} name
 * @param {Watched} watched
 * @param {number} n
 */
function keeps(name, { numbers }, n) {
  const lines = countLines(n);
  const each = Array.from({ length: lines }, (_, line) => {
    const kept =
      name === "sums" ? signed(numbers[line]) : `X ${numbers[line]}, O ${numbers[lines + line]}`;
    return `${lineName(n, line)}: ${kept}`;
  });
  return each.join("; ");
}

/** @type {(name: Name, kept: number) => string} */
const number = (name, kept) => (name === "sums" ? signed(kept) : String(kept));

/**
 * Shows the marks on a line, in reading order.
 *
 * @param {number} n
 * @param {number} line
 */
function marksOn(n, line) {
  const marks = marksOf([n, n], shown().moves);
  const along = Array.from({ length: n }, (_, i) => marks[cellOn(n, line, i)]);
  return element(
    "span",
    { class: "marks" },
    ...along.map((mark) =>
      element(
        "span",
        mark ? { class: `p${mark}` } : {},
        mark ? symbol(/** @type {Seat} */ (mark)) : "·",
      ),
    ),
  );
}

/**
 * Returns the position of a line's number, at the end of the line.
 *
 * @param {Room} room
 * @param {number} n
 * @param {number} line
 */
function placeOf({ row, col, left, right, bottom }, n, line) {
  if (line < n) return [right, row(line)];
  if (line < 2 * n) return [col(line - n), bottom];
  return line === 2 * n ? [right, bottom] : [left, bottom];
}

/**
 * Draws one sum per line.
 *
 * @param {Room} room
 * @param {Watched} watched
 * @param {Set<number>} touched
 * @param {number} n
 */
function sumsAround(room, { numbers }, touched, n) {
  return [...numbers].flatMap((sum, line) => {
    const seat = sum > 0 ? 1 : sum < 0 ? 2 : 0;
    return numberAt(placeOf(room, n, line), room.size, signed(sum), seat, touched.has(line));
  });
}

/**
 * Draws two tallies per line. The tally of X is on the left beside a row, and on top below a column.
 *
 * @param {Room} room
 * @param {Watched} watched
 * @param {Set<number>} touched
 * @param {number} n
 */
function talliesAround(room, { numbers }, touched, n) {
  const lines = countLines(n);
  return [...numbers].flatMap((tally, at) => {
    const line = at % lines;
    const seat = at < lines ? 1 : 2;
    const [x, y] = placeOf(room, n, line);
    const aside = (seat === 1 ? -0.7 : 0.7) * room.size;
    const place = line < n ? [x + 1.1 * aside, y] : [x, y + aside];
    return numberAt(place, room.size, String(tally), tally ? seat : 0, touched.has(at));
  });
}

/**
 * Draws a number in a margin, in the colour of a player, tinted if the latest move accessed it.
 *
 * @param {number[]} place
 * @param {number} size
 * @param {string} number
 * @param {Seat | 0} seat
 * @param {boolean} isTouched
 */
function numberAt([x, y], size, number, seat, isTouched) {
  const kind = `number ${isTouched ? "touched" : ""} p${seat}`;
  const tint = isTouched ? [behind(x, y, size, number.length)] : [];
  return [...tint, text(x, y, size, kind, number)];
}
