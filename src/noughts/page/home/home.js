/** The start page: the preview board, the choice of opponent and the lists of games. */

import { keepMove } from "../game/outbox.js";
import { createGame, newKey, surely } from "../shared/api.js";
import { LEVELS, LIMITS } from "../shared/client_constants.js";
import { by, element } from "../shared/dom.js";
import { countLines, landing, marksOf } from "../shared/geometry.js";
import { drawIcons } from "../shared/icons.js";
import { offerLanguages, t, translatePage, written } from "../shared/language.js";
import { themeOf } from "../shared/marks.js";
import { explain } from "../shared/messages.js";
import { aimName, boardName, clockName, DAY, MINUTE } from "../shared/names.js";
import { keepForOffline } from "../shared/offline.js";
import { keepName, ownName, remember } from "../shared/recent.js";
import { read, write } from "../shared/storage.js";
import { startLists } from "./lists.js";
import { cellAt, draw, ghost, sample } from "./picture.js";
import { isRules, isWhole, RulesForm } from "./rules.js";

/** @import { Cell, NewGame, Opponent, Rules, Seat, TimeControl } from "../shared/types.js" */

const WISH = "noughts.wish"; // the last choices
const REMEMBERED = ["opponent", "level"];

const form = by("new", HTMLFormElement);
const submit = by("play", HTMLButtonElement);
const name = by("name", HTMLInputElement);
const clock = by("clock", HTMLSelectElement);
const board = by("preview", SVGSVGElement);

/**
 * The clocks on offer.
 *
 * @type {TimeControl[]}
 */
const CLOCKS = [
  { seconds: 30, increment: null },
  { seconds: 2 * MINUTE, increment: null },
  { seconds: DAY, increment: null },
  { seconds: 3 * MINUTE, increment: 2 },
  { seconds: 10 * MINUTE, increment: 5 },
  { seconds: 30 * MINUTE, increment: 0 },
];

/** Returns the selected radio button of a group. */
const chosen = (/** @type {string} */ radios) => String(new FormData(form).get(radios));

/** The game requested last, until the server has created it, and the key that makes this idempotent. */
let asked = { wish: "", key: "" };

const rulesForm = new RulesForm(showRules);

function start() {
  name.value ||= ownName();
  name.maxLength = LIMITS.name;
  for (const [index, control] of CLOCKS.entries())
    clock.append(element("option", { value: index }, clockName(control)));
  recall();
  form.addEventListener("change", showOptions);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    play();
  });
  board.addEventListener("click", (event) => {
    const cell = cellAt(board, event);
    if (cell && !submit.disabled) play(target(cell));
  });
  board.addEventListener("pointermove", (event) => {
    const cell = event.pointerType === "mouse" ? cellAt(board, event) : null;
    ghost(board, cell && target(cell));
  });
  board.addEventListener("pointerleave", () => ghost(board, null));
  // Also after returning from a game.
  addEventListener("pageshow", () => busy(false));
  addEventListener("online", () => {
    const noConnection = explain(null);
    if (by("problem").textContent === noConnection) by("problem").textContent = "";
  });
  busy(false);
  startLists();
}

/** Restores the last choices, unless the player has already changed them. */
function recall() {
  const wish = read(WISH);
  for (const radios of REMEMBERED) {
    const all = [...form.querySelectorAll("input")].filter((one) => one.name === radios);
    if (!all.every((one) => one.checked === one.defaultChecked)) continue;
    for (const one of all) if (one.value === wish?.[radios]) one.checked = true;
  }
  rulesForm.choose(isRules(wish?.rules) ? wish.rules : rulesForm.rules);
}

/** @param {Rules} rules */
function showRules(rules) {
  const { moves, line } = sample(rules);
  draw(board, rules.shape, moves, [line], themeOf(rules));
  by("size").textContent = boardName(rules.shape);
  by("rule").textContent = aimName(rules);
  const lines = written(countLines(rules.shape, rules.k));
  by("count").textContent = isWhole(rules)
    ? t("2n + 2 = {lines} lines", { lines })
    : t("{lines} lines", { lines });
  showOptions();
}

/** Shows the panels that fit the options, and stores the options, since a new language reloads the page. */
function showOptions() {
  const opponent = chosen("opponent");
  write(WISH, { rules: rulesForm.rules, opponent, level: chosen("level") });
  for (const part of form.querySelectorAll("[data-for]")) {
    const isFor = part.getAttribute("data-for")?.split(" ").includes(opponent);
    part.classList.toggle("off", !isFor);
  }
  by("about-level").textContent = aboutLevel(chosen("level"));
  by("hint").textContent =
    opponent === "self" ? t("Or tap a cell to start.") : t("Or tap a cell to play the computer.");
}

/** Returns whether the computer provably never loses under these rules. */
function isProven() {
  const { k, gravity, variant } = rulesForm.rules;
  return isWhole(rulesForm.rules) && k > 2 && !gravity && variant === "freestyle";
}

/** @param {string} level */
function aboutLevel(level) {
  const { about, searches } = LEVELS[level];
  return searches && isProven()
    ? t("Provably never loses on this board, from either side.")
    : t(about);
}

/**
 * Returns the cell that a choice plays; with gravity, the lowest cell of its column.
 *
 * @param {Cell} cell
 */
function target(cell) {
  const { shape, gravity } = rulesForm.rules;
  return gravity ? landing(shape, marksOf(shape, []), cell[1]) : cell;
}

/**
 * Creates the game and opens it.
 *
 * @param {Cell | null} [cell] the first move, on one device or against the computer
 */
async function play(cell = null) {
  const wanted = /** @type {Opponent} */ (chosen("opponent"));
  const opponent = cell && wanted === "friend" ? "computer" : wanted;
  const { rules } = rulesForm;
  const called = name.value.trim();
  keepName(called);
  /** @type {NewGame} */
  const wish = { ...rules, opponent };
  if (opponent !== "self") {
    wish.name = called || null;
    wish.seat = cell ? 1 : /** @type {Seat} */ (Number(chosen("seat")));
  }
  if (opponent === "computer") wish.level = chosen("level");
  if (opponent === "friend") {
    wish.listed = by("listed", HTMLInputElement).checked;
    wish.referee = by("referee", HTMLInputElement).checked;
    wish.clock = CLOCKS[Number(clock.value || "-1")] ?? null;
  }
  if (asked.wish !== JSON.stringify(wish)) asked = { wish: JSON.stringify(wish), key: newKey() };
  wish.key = asked.key;
  by("problem").textContent = "";
  busy(true);
  try {
    const made = await surely(() => createGame(wish));
    asked.wish = "";
    remember(made);
    if (cell) keepMove(made.id, cell, made.game);
    location.assign(`/g/${made.id}`);
  } catch (error) {
    by("problem").textContent = explain(error);
    busy(false);
  }
}

/** @param {boolean} isBusy whether a game is being created */
function busy(isBusy) {
  submit.disabled = isBusy;
  board.classList.toggle("ready", !isBusy);
}

translatePage();
offerLanguages(by("language", HTMLSelectElement));
drawIcons();
start();
keepForOffline();
