/** The start page. */

import { createGame, openGames, readGame } from "../shared/api.js";
import { element, svg } from "../shared/dom.js";
import { countLines } from "../shared/geometry.js";
import { boardName, playerName, rulesName, symbol } from "../shared/names.js";
import { draw, sample } from "./picture.js";
import { forget, keepName, ownName, recentGames, remember } from "../shared/recent.js";
import { explain, standing } from "../shared/wording.js";

const MOST_SHOWN = 8;
const PRESETS = [
  ["3×3", 3, 3],
  ["5×5", 5, 5],
  ["Go-moku", 15, 5],
  ["100×100", 100, 100],
];

const by = (id) => document.getElementById(id);
const form = by("new");
const { n, k, name } = form.elements;
const chosen = (field) => form.elements[field].value;

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
  for (const [field, slide] of [
    [n, by("n-slide")],
    [k, by("k-slide")],
  ]) {
    field.addEventListener("input", () => {
      if (field.validity.valid) resize(field, Number(field.value));
      else tellBounds();
    });
    slide.addEventListener("input", () => resize(field, Number(slide.value)));
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
  form.querySelector(".primary").disabled = false;
  listRecent();
  listOpen();
}

let side = 0;
let row = 0;
let wantedRow = Infinity; // what k shall be where the side allows it; Infinity: the whole side

/** Follows a change of the side or of k. */
function resize(field, value) {
  if (field === k) choose(side, value);
  else show(value);
}

function choose(newSide, newRow) {
  wantedRow = newRow === newSide ? Infinity : newRow;
  show(newSide);
}

/** Shows the board that is chosen by now. */
function show(newSide) {
  side = newSide;
  row = Math.min(wantedRow, side);
  k.max = by("k-slide").max = side;
  for (const [field, slide, value] of [
    [n, "n-slide", side],
    [k, "k-slide", row],
  ]) {
    if (Number(field.value) !== value) field.value = value;
    by(slide).value = value;
  }
  for (const button of by("presets").children) {
    button.setAttribute("aria-pressed", button.dataset.board === `${side},${row}`);
  }
  const { moves, line } = sample(side, row);
  draw(by("preview"), [side, side], moves, [line]);
  by("size").textContent = boardName([side, side]);
  by("rule").textContent = `${row} in a row`;
  const lines = countLines([side, side], row).toLocaleString("en");
  by("count").textContent = row === side ? `2n + 2 = ${lines} lines` : `${lines} lines`;
  tellBounds();
  showOptions();
}

/** Says at once which numbers the board can have. */
function tellBounds() {
  by("bounds").textContent = [
    [n, "Side"],
    [k, "In a row"],
  ]
    .filter(([field]) => !field.validity.valid)
    .map(([{ min, max }, label]) => `${label}: a whole number from ${min} to ${max}.`)
    .join(" ");
}

function showOptions() {
  const opponent = chosen("opponent");
  by("levels").hidden = opponent !== "computer";
  by("seats").hidden = opponent === "self";
  by("listing").hidden = opponent !== "friend";
  by("about-opponent").textContent = {
    friend: "You get a link to send.",
    computer: "It answers at once on small boards, and thinks up to a few seconds on large ones.",
    self: "You play both sides, or pass the screen to and fro.",
  }[opponent];
  by("about-level").textContent = {
    random: "Plays anything that is legal.",
    easy: "Sees lines, and often overlooks one.",
    medium: "Sees lines, and now and then overlooks one.",
    perfect:
      row === side && side > 2
        ? "Provably never loses on this board, from either seat."
        : "Plays what it can prove, and looks ahead where it cannot.",
  }[chosen("level")];
}

async function create() {
  const opponent = chosen("opponent");
  keepName(name.value.trim());
  const options = { shape: [side, side], k: row, opponent, name: name.value.trim() || null };
  if (opponent !== "self") options.seat = Number(chosen("seat"));
  if (opponent === "computer") options.level = chosen("level");
  if (opponent === "friend") options.listed = form.elements.listed.checked;
  const button = form.querySelector(".primary");
  button.disabled = true;
  by("problem").textContent = "";
  try {
    const made = await createGame(options);
    remember(made);
    location.assign(`/g/${made.id}`);
  } catch (error) {
    by("problem").textContent = explain(error);
    button.disabled = false;
  }
}

/** A row of a list: a picture of the board, two lines of text, and what there is to do. */
function entry(id, shape, moves, title, text, action) {
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
        element("strong", {}, title),
        element("span", { class: "quiet" }, text),
      ),
      action && element("span", { class: "your-turn" }, action),
    ),
  );
}

async function listRecent() {
  const games = await Promise.all(
    recentGames()
      .slice(0, MOST_SHOWN)
      .map(({ id }) =>
        readGame(id).catch((error) => {
          if (error.status === 404) forget(id);
          return null;
        }),
      ),
  );
  const rows = games.filter(Boolean).map((game) => {
    const { seats, ...state } = game;
    const mine = seats.length === 1 && state.turn === seats[0];
    const names = [1, 2].map((seat) =>
      seats.includes(seat) && seats.length === 1 ? "You" : playerName(state, seat),
    );
    const title = state.opponent === "self" ? "Both sides" : names.join(" – ");
    const rules = rulesName(state.shape, state.k);
    return entry(
      state.id,
      state.shape,
      state.moves,
      title,
      `${rules} · ${standing(state, seats)}`,
      mine && "Your turn",
    );
  });
  by("recent").replaceChildren(...rows);
  by("no-recent").hidden = rows.length > 0;
}

async function listOpen() {
  const mine = new Set(recentGames().map(({ id }) => id));
  const games = (await openGames().catch(() => [])).filter(({ id }) => !mine.has(id));
  const rows = games.map(({ id, shape, k: row, name: host, seat }) =>
    entry(
      id,
      shape,
      [],
      host || "Someone",
      `${rulesName(shape, row)} · you play ${symbol(seat)}`,
      "Join",
    ),
  );
  by("open").replaceChildren(...rows);
  by("no-open").hidden = rows.length > 0;
}

start();
