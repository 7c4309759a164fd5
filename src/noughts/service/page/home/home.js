/** The start page. */

import { createGame, openGames, Refusal, readGame } from "../shared/api.js";
import { by, element, svg } from "../shared/dom.js";
import { countLines, SEATS } from "../shared/geometry.js";
import { drawIcons } from "../shared/icons.js";
import { boardName, playerName, rulesName, symbol } from "../shared/names.js";
import { forget, keepName, ownName, recentGames, remember } from "../shared/recent.js";
import { explain, standing } from "../shared/wording.js";
import { draw, sample } from "./picture.js";

/** @import { Cell, NewGame, Opponent, SeenGame, Shape } from "../shared/types.js" */

const MOST_SHOWN = 8;
/** @type {[label: string, side: number, row: number][]} */
const PRESETS = [
  ["3×3", 3, 3],
  ["5×5", 5, 5],
  ["Go-moku", 15, 5],
  ["100×100", 100, 100],
];

const form = by("new", HTMLFormElement);
const submit = by("play", HTMLButtonElement);
const name = by("name", HTMLInputElement);
const n = {
  label: "Side",
  field: by("n", HTMLInputElement),
  slide: by("n-slide", HTMLInputElement),
};
const k = {
  label: "In a row",
  field: by("k", HTMLInputElement),
  slide: by("k-slide", HTMLInputElement),
};

/** What is chosen among the radio buttons of a name. */
const chosen = (/** @type {string} */ radios) => String(new FormData(form).get(radios));

let side = 0;
let row = 0;
let wantedRow = Infinity; // what k shall be where the side allows it; Infinity: the whole side

function start() {
  name.value = ownName();
  by("presets").append(
    ...PRESETS.map(([label, side, row]) =>
      element(
        "button",
        { type: "button", "data-board": `${side},${row}`, onclick: () => choose(side, row) },
        label,
      ),
    ),
  );
  for (const input of [n, k]) {
    const { field, slide } = input;
    const follow = (/** @type {number} */ value) =>
      input === k ? choose(side, value) : show(value);
    field.addEventListener("input", () => {
      if (field.validity.valid) follow(Number(field.value));
      else tellBounds();
    });
    slide.addEventListener("input", () => follow(Number(slide.value)));
  }
  form.addEventListener("change", showOptions);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    create();
  });
  choose(3, 3);
  // Also when one comes back from a game, by whichever way.
  addEventListener("pageshow", welcome);
  document.addEventListener("visibilitychange", () => document.hidden || welcome());
}

function welcome() {
  submit.disabled = false;
  listRecent();
  listOpen();
}

/**
 * @param {number} newSide
 * @param {number} newRow
 */
function choose(newSide, newRow) {
  wantedRow = newRow === newSide ? Infinity : newRow;
  show(newSide);
}

/**
 * Shows the board that is chosen by now.
 *
 * @param {number} newSide
 */
function show(newSide) {
  side = newSide;
  row = Math.min(wantedRow, side);
  k.field.max = k.slide.max = String(side);
  for (const [{ field, slide }, value] of /** @type {const} */ ([
    [n, side],
    [k, row],
  ])) {
    if (Number(field.value) !== value) field.value = String(value);
    slide.value = String(value);
  }
  for (const button of by("presets").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.board === `${side},${row}`));
  }
  const { moves, line } = sample(side, row);
  draw(by("preview", SVGSVGElement), [side, side], moves, [line]);
  by("size").textContent = boardName([side, side]);
  by("rule").textContent = `${row} in a row`;
  const lines = countLines([side, side], row).toLocaleString("en");
  by("count").textContent = row === side ? `2n + 2 = ${lines} lines` : `${lines} lines`;
  tellBounds();
  showOptions();
}

/** Says at once which numbers the board can have. */
function tellBounds() {
  by("bounds").textContent = [n, k]
    .filter(({ field }) => !field.validity.valid)
    .map(({ label, field: { min, max } }) => `${label}: a whole number from ${min} to ${max}.`)
    .join(" ");
}

function showOptions() {
  const opponent = chosen("opponent");
  by("levels").hidden = opponent !== "computer";
  by("seats").hidden = opponent === "self";
  by("listing").hidden = opponent !== "friend";
  by("about-opponent").textContent = aboutOpponent(opponent);
  by("about-level").textContent = aboutLevel(chosen("level"), row === side && side > 2);
}

/** @param {string} opponent */
function aboutOpponent(opponent) {
  if (opponent === "friend") return "You get a link to send.";
  if (opponent === "self") return "You play both sides, or pass the screen to and fro.";
  return "It answers at once on small boards, and thinks up to a few seconds on large ones.";
}

/**
 * @param {string} level
 * @param {boolean} isProven whether a proof covers every game on the board
 */
function aboutLevel(level, isProven) {
  if (level === "random") return "Plays anything that is legal.";
  if (level === "easy") return "Sees lines, and often overlooks one.";
  if (level === "medium") return "Sees lines, and now and then overlooks one.";
  if (isProven) return "Provably never loses on this board, from either seat.";
  return "Plays what it can prove, and looks ahead where it cannot.";
}

async function create() {
  const opponent = /** @type {Opponent} */ (chosen("opponent"));
  const ownName = name.value.trim();
  keepName(ownName);
  /** @type {NewGame} */
  const options = { shape: [side, side], k: row, opponent, name: ownName || null };
  if (opponent !== "self") options.seat = chosen("seat") === "1" ? 1 : 2;
  if (opponent === "computer") options.level = chosen("level");
  if (opponent === "friend") options.listed = by("listed", HTMLInputElement).checked;
  submit.disabled = true;
  by("problem").textContent = "";
  try {
    const made = await createGame(options);
    remember(made);
    location.assign(`/g/${made.id}`);
  } catch (error) {
    by("problem").textContent = explain(error);
    submit.disabled = false;
  }
}

/**
 * A row of a list: a picture of the board, two lines of text, and what there is to do.
 *
 * @param {{ id: string, shape: Shape, moves: Cell[], title: string, text: string, action: string }} game
 */
function entry({ id, shape, moves, title, text, action }) {
  const picture = svg("svg", { class: "thumb", "aria-hidden": "true" });
  draw(picture, shape, moves);
  return element(
    "li",
    {},
    element(
      "a",
      { href: `/g/${id}` },
      picture,
      element(
        "span",
        { class: "text" },
        element("strong", { class: "cut" }, title),
        element("span", { class: "quiet" }, text),
      ),
      action ? element("span", { class: "your-turn" }, action) : null,
    ),
  );
}

async function listRecent() {
  const recent = recentGames().slice(0, MOST_SHOWN);
  const games = await Promise.all(recent.map(({ id }) => readOrForget(id)));
  const rows = games.filter((game) => game !== null).map(recentEntry);
  by("recent").replaceChildren(...rows);
  by("no-recent").hidden = rows.length > 0;
}

/**
 * A game, or null if it cannot be read now; it is forgotten if there is no such game.
 *
 * @param {string} id
 */
async function readOrForget(id) {
  try {
    return await readGame(id);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) forget(id);
    return null;
  }
}

/** @param {SeenGame} game */
function recentEntry(game) {
  const { id, shape, moves, seats } = game;
  const alone = seats.length === 1 ? seats[0] : null;
  const names = SEATS.map((seat) => (seat === alone ? "You" : playerName(game, seat)));
  return entry({
    id,
    shape,
    moves,
    title: game.opponent === "self" ? "Both sides" : names.join(" – "),
    text: `${rulesName(shape, game.k)} · ${standing(game, seats)}`,
    action: alone && game.turn === alone ? "Your turn" : "",
  });
}

async function listOpen() {
  const mine = new Set(recentGames().map(({ id }) => id));
  const games = (await openGames().catch(() => [])).filter(({ id }) => !mine.has(id));
  const rows = games.map(({ id, shape, k, name, seat }) =>
    entry({
      id,
      shape,
      moves: [],
      title: name || "Someone",
      text: `${rulesName(shape, k)} · you play ${symbol(seat)}`,
      action: "Join",
    }),
  );
  by("open").replaceChildren(...rows);
  by("no-open").hidden = rows.length > 0;
}

drawIcons();
start();
