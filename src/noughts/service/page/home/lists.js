/** The games to go on with: this browser's own, and those that wait for anybody. */

import { isOver, listedGames, Refusal, readGame } from "../shared/api.js";
import { by, element, svg } from "../shared/dom.js";
import { SEATS } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { hasMany } from "../shared/marks.js";
import { playerName, rulesName, symbol } from "../shared/names.js";
import { forget, noteOver, recentGames } from "../shared/recent.js";
import { standing } from "../shared/wording.js";
import { clockName } from "./clock.js";
import { draw } from "./picture.js";

/** @import { Cell, LiveGame, OpenGame, SeenGame, Shape } from "../shared/types.js" */

/** @typedef {{ id: string, shape: Shape, moves: Cell[], title: string, text: string, action: string }} Entry */

const FEW = 4; // finished games that are shown unasked
const AGAIN = 15_000; // milliseconds until this browser's games are read again
const SOON = 5000; // milliseconds until the listed ones are: mostly the answer is that nothing is new

let isEveryShown = false;

/** Shows the lists, and again whenever somebody comes back and while somebody looks. */
export function startLists() {
  by("more").onclick = () => {
    isEveryShown = true;
    listRecent();
  };
  addEventListener("pageshow", (shown) => shown.persisted && listAll());
  document.addEventListener("visibilitychange", () => document.hidden || listAll());
  setInterval(() => document.hidden || listRecent(), AGAIN);
  setInterval(() => document.hidden || listOthers(), SOON);
  listAll();
}

function listAll() {
  listRecent();
  listOthers();
}

/** Lists the games that go on, those that wait for this person first, and then finished ones. */
async function listRecent() {
  const recent = recentGames();
  const over = recent.filter((game) => game.over);
  const shown = isEveryShown ? over : over.slice(0, FEW);
  const read = [...recent.filter((game) => !game.over), ...shown];
  const games = (await Promise.all(read.map(({ id }) => readOrForget(id)))).filter(
    (game) => game !== null,
  );
  for (const game of games)
    if (isOver(game) && !over.some(({ id }) => id === game.id)) noteOver(game.id);
  const known = new Set(recent.map(({ id }) => id));
  games.sort((one, other) => rank(one, known) - rank(other, known));
  show(
    "recent",
    games.map((game) => recentEntry(game, known)),
  );
  by("more").hidden = shown.length === over.length;
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

/**
 * What a game waits for this person to do, if anything.
 *
 * @param {SeenGame} game
 * @param {Set<string>} known the ids of this browser's games
 */
function duty({ seats, turn, offer, rematch }, known) {
  if (seats.length !== 1) return "";
  if (rematch && !known.has(rematch)) return t("Rematch");
  if (offer && offer !== seats[0]) return t("Asks you");
  return turn === seats[0] ? t("Your turn") : "";
}

/**
 * Where a game stands in the list: the lower, the sooner.
 *
 * @type {(game: SeenGame, known: Set<string>) => number}
 */
function rank(game, known) {
  if (duty(game, known)) return 0;
  if (isOver(game)) return 3;
  return game.status === "waiting" ? 2 : 1;
}

/**
 * @param {SeenGame} game
 * @param {Set<string>} known
 * @returns {Entry}
 */
function recentEntry(game, known) {
  const { id, shape, moves, seats } = game;
  const alone = seats.length === 1 ? seats[0] : null;
  const names = SEATS.map((seat) => (seat === alone ? t("You") : playerName(game, seat)));
  return {
    id,
    shape,
    moves,
    title: game.opponent === "self" ? t("Both sides") : names.join(" – "),
    text: `${rulesName(game)} · ${standing(game, seats)}`,
    action: duty(game, known),
  };
}

async function listOthers() {
  const listed = await listedGames().catch(() => null);
  if (!listed) return;
  const mine = new Set(recentGames().map(({ id }) => id));
  show("open", listed.games.filter(({ id }) => !mine.has(id)).map(openEntry));
  show("live", listed.live.filter(({ id }) => !mine.has(id)).map(liveEntry));
}

/**
 * @param {OpenGame} game
 * @returns {Entry}
 */
function openEntry({ id, name, seat, clock, here, ...rules }) {
  const about = [
    rulesName(rules),
    clock && clockName(clock),
    t("you play {mark}", { mark: symbol(seat) }),
    !here && t("away just now"),
  ];
  return {
    id,
    shape: rules.shape,
    moves: [],
    title: name || t("Someone"),
    text: about.filter(Boolean).join(" · "),
    action: t("Join"),
  };
}

/**
 * @param {LiveGame} game
 * @returns {Entry}
 */
function liveEntry(game) {
  const { id, shape, moves, ply, watchers } = game;
  const about = [
    rulesName(game),
    t("move {ply}", { ply }),
    watchers && t("{count} watching", { count: watchers }),
  ];
  return {
    id,
    shape,
    moves,
    title: SEATS.map((seat) => playerName(game, seat)).join(" – "),
    text: about.filter(Boolean).join(" · "),
    action: t("Watch"),
  };
}

/**
 * Fills a list, if it has changed: whoever stands in it with the keyboard stays there.
 *
 * @param {"recent" | "open" | "live"} list
 * @param {Entry[]} entries
 */
function show(list, entries) {
  const place = by(list);
  const key = JSON.stringify(entries);
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  const focused = document.activeElement?.getAttribute("href");
  place.replaceChildren(...entries.map(row));
  for (const link of place.querySelectorAll("a")) {
    if (focused && link.getAttribute("href") === focused) link.focus();
  }
  const none = document.getElementById(`no-${list}`);
  if (none) none.hidden = entries.length > 0;
  else if (place.parentElement) place.parentElement.hidden = !entries.length;
}

/**
 * A row of a list: a picture of the board, two lines of text, and what there is to do.
 *
 * @param {Entry} entry
 */
function row({ id, shape, moves, title, text, action }) {
  const picture = svg("svg", {
    class: "thumb",
    "aria-hidden": "true",
    "data-many": hasMany(shape),
  });
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
