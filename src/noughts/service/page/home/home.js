/** The start page. */

import { createGame, openGames, Refusal, readGame } from "../shared/api.js";
import { by, element, svg } from "../shared/dom.js";
import { countLines, SEATS } from "../shared/geometry.js";
import { drawIcons } from "../shared/icons.js";
import { aimName, boardName, playerName, rulesName, symbol } from "../shared/names.js";
import { forget, keepName, ownName, recentGames, remember } from "../shared/recent.js";
import { explain, standing } from "../shared/wording.js";
import { draw, sample } from "./picture.js";

/** @import { Cell, NewGame, Opponent, Rules, SeenGame, Shape, Variant } from "../shared/types.js" */

const MOST_SHOWN = 8;
const MOST_RENJU = 19; // rows and columns that the server allows
/** @type {(side: number, k: number, variant?: Variant) => Rules} */
const square = (side, k, variant = "freestyle") => ({
  shape: [side, side],
  k,
  gravity: false,
  variant,
});
/** @type {Record<string, Rules>} */
const PRESETS = {
  "3×3": square(3, 3),
  "5×5": square(5, 5),
  "Connect Four": { shape: [6, 7], k: 4, gravity: true, variant: "freestyle" },
  Gomoku: square(15, 5),
  Renju: square(15, 5, "renju"),
  Misère: square(3, 3, "misere"),
  "100×100": square(100, 100),
};

const form = by("new", HTMLFormElement);
const submit = by("play", HTMLButtonElement);
const name = by("name", HTMLInputElement);
const variant = by("variant", HTMLSelectElement);
const gravity = by("gravity", HTMLInputElement);
/** @type {(id: string, label: string) => { label: string, field: HTMLInputElement, slide: HTMLInputElement }} */
const number = (id, label) => ({
  label,
  field: by(id, HTMLInputElement),
  slide: by(`${id}-slide`, HTMLInputElement),
});
const rows = number("rows", "Rows");
const cols = number("cols", "Columns");
const k = number("k", "In a row");

/** What is chosen among the radio buttons of a name. */
const chosen = (/** @type {string} */ radios) => String(new FormData(form).get(radios));

let rules = PRESETS["3×3"];
let wantedK = Infinity; // what k shall be where the board allows it; Infinity: the longest side

function start() {
  name.value = ownName();
  by("presets").append(
    ...Object.entries(PRESETS).map(([label, preset]) =>
      element("button", { type: "button", onclick: () => choose(preset) }, label),
    ),
  );
  for (const input of [rows, cols, k]) {
    const { field, slide } = input;
    const follow = (/** @type {number} */ value) => {
      const [height, width] = rules.shape;
      if (input === k) choose({ ...rules, k: value });
      else if (input === cols) show({ ...rules, shape: [height, value] });
      else show({ ...rules, shape: [value, width === height ? value : width] });
    };
    field.addEventListener("input", () => {
      if (field.validity.valid) follow(Number(field.value));
      else tellBounds();
    });
    slide.addEventListener("input", () => follow(Number(slide.value)));
  }
  variant.onchange = () => show({ ...rules, variant: /** @type {Variant} */ (variant.value) });
  gravity.onchange = () => show({ ...rules, gravity: gravity.checked });
  form.addEventListener("change", showOptions);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    create();
  });
  choose(rules);
  // Also when one comes back from a game, by whichever way.
  addEventListener("pageshow", welcome);
  document.addEventListener("visibilitychange", () => document.hidden || welcome());
}

function welcome() {
  submit.disabled = false;
  listRecent();
  listOpen();
}

/** @type {(rules: Rules) => boolean} */
const isWhole = ({ shape, k }) => shape.every((side) => side === k);

/**
 * Chooses rules together with how many in a row shall win wherever the board allows it.
 *
 * @param {Rules} chosen
 */
function choose(chosen) {
  wantedK = isWhole(chosen) ? Infinity : chosen.k;
  show(chosen);
}

/**
 * Shows the rules that are chosen by now, as far as they go together.
 *
 * @param {Rules} chosen
 */
function show(chosen) {
  const longest = Math.max(...chosen.shape);
  rules = { ...chosen, k: Math.min(wantedK, longest) };
  const isRenju = rules.k === 5 && longest <= MOST_RENJU && !rules.gravity;
  if (rules.variant === "renju" && !isRenju) rules.variant = "freestyle";
  by("renju", HTMLOptionElement).disabled = !isRenju;
  variant.value = rules.variant;
  gravity.checked = rules.gravity;
  k.field.max = k.slide.max = String(longest);
  for (const [{ field, slide }, value] of /** @type {const} */ ([
    [rows, rules.shape[0]],
    [cols, rules.shape[1]],
    [k, rules.k],
  ])) {
    if (Number(field.value) !== value) field.value = String(value);
    slide.value = String(value);
  }
  const name = rulesName(rules);
  for (const button of by("presets").querySelectorAll("button")) {
    const isPressed = rulesName(PRESETS[button.textContent ?? ""]) === name;
    button.setAttribute("aria-pressed", String(isPressed));
  }
  const { moves, line } = sample(rules);
  draw(by("preview", SVGSVGElement), rules.shape, moves, [line]);
  by("size").textContent = boardName(rules.shape);
  by("rule").textContent = aimName(rules);
  const lines = countLines(rules.shape, rules.k).toLocaleString("en");
  by("count").textContent = isWhole(rules) ? `2n + 2 = ${lines} lines` : `${lines} lines`;
  by("about-variant").textContent = aboutVariant(rules);
  tellBounds();
  showOptions();
}

/** @param {Rules} rules */
function aboutVariant({ k, gravity, variant }) {
  const about = {
    freestyle: `${k} or more in a row win.`,
    standard: `Exactly ${k} in a row win; a longer row is nothing.`,
    caro: `${k} in a row win, unless the other player has closed both ends.`,
    misere: `Whoever has ${k} in a row loses.`,
    renju:
      "X wins with exactly five, and may make no longer row, no two fours and no two open threes at once. O wins with five or more.",
  };
  return gravity ? `${about[variant]} Marks fall to the lowest free row.` : about[variant];
}

/** Says at once which numbers the board can have. */
function tellBounds() {
  by("bounds").textContent = [rows, cols, k]
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
  by("about-level").textContent = aboutLevel(chosen("level"), isProven());
}

/** Whether a proof covers every game by these rules. */
function isProven() {
  const { k, gravity, variant } = rules;
  return isWhole(rules) && k > 2 && !gravity && variant === "freestyle";
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
  const options = { ...rules, opponent, name: ownName || null };
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
        element("strong", { class: "cut", dir: "auto" }, title),
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
    text: `${rulesName(game)} · ${standing(game, seats)}`,
    action: alone && game.turn === alone ? "Your turn" : "",
  });
}

async function listOpen() {
  const mine = new Set(recentGames().map(({ id }) => id));
  const games = (await openGames().catch(() => [])).filter(({ id }) => !mine.has(id));
  const rows = games.map(({ id, name, seat, ...rules }) =>
    entry({
      id,
      shape: rules.shape,
      moves: [],
      title: name || "Someone",
      text: `${rulesName(rules)} · you play ${symbol(seat)}`,
      action: "Join",
    }),
  );
  by("open").replaceChildren(...rows);
  by("no-open").hidden = rows.length > 0;
}

drawIcons();
start();
