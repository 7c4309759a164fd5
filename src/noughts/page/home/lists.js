/** The lists of games: this browser's own, and the lobby. */

import { ApiError, isOver, readGame, readLobby } from "../shared/api.js";
import { by, element, svg } from "../shared/dom.js";
import { SEATS } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { hasMany } from "../shared/marks.js";
import { standing } from "../shared/messages.js";
import { boardName, clockName, playerName, rulesName, symbol } from "../shared/names.js";
import { forget, noteOver, recentGames } from "../shared/recent.js";
import { draw } from "./picture.js";

/** @import { Cell, LiveGame, OpenGame, SeenGame, Shape } from "../shared/types.js" */
/** @import { RecentGame } from "../shared/recent.js" */

/** @typedef {{ id: string, shape: Shape, moves: Cell[], title: string, text: string, action: string }} Entry */

const FEW = 4; // finished games that are always shown
const ASKING = 20; // finished games against friends to check for a rematch
const AGAIN = 15_000; // milliseconds between reads of this browser's games
const SOON = 5000; // milliseconds between reads of the lobby, which rarely changes

let isEveryShown = false;
/** @type {Map<string, SeenGame>} */
const lastRead = new Map(); // this browser's games by id

/** Shows the lists, and updates them while the page is visible and when it becomes visible. */
export function startLists() {
  by("more").onclick = showEvery;
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

/** @type {(games: RecentGame[]) => Set<string>} */
const idsOf = (games) => new Set(games.map(({ id }) => id));

/** Lists the finished games as well and focuses the first one, because the button disappears. */
async function showEvery() {
  isEveryShown = true;
  const before = new Set(linksIn("recent").map(({ href }) => href));
  await listRecent();
  (linksIn("recent").find(({ href }) => !before.has(href)) ?? headingOf("recent")).focus();
}

/** Lists the games in progress, those that wait for the player first, then the finished ones. */
async function listRecent() {
  const recent = recentGames();
  const known = idsOf(recent);
  const over = recent.filter((game) => game.over);
  const going = recent.filter((game) => !game.over);
  const shown = idsOf([...going, ...(isEveryShown ? over : over.slice(0, FEW))]);
  const asking = over.filter(({ opponent }) => opponent === "friend").slice(0, ASKING);
  await Promise.all([...new Set([...shown, ...idsOf(asking)])].map(readOrForget));
  /** @type {SeenGame[]} */
  const games = [];
  /** @type {Entry[]} */
  const unread = [];
  for (const kept of recentGames()) {
    const game = lastRead.get(kept.id);
    if (game && isOver(game) && !kept.over) noteOver(kept.id);
    if (game && (shown.has(kept.id) || duty(game, known))) games.push(game);
    else if (!game && shown.has(kept.id)) unread.push(unreadEntry(kept));
  }
  games.sort((one, other) => rank(one, known) - rank(other, known));
  show("recent", [...games.map((game) => recentEntry(game, known)), ...unread]);
  by("more").hidden = isEveryShown || over.length <= FEW;
}

/**
 * Reads a game, or keeps the old state when offline. Forgets games that the server does
 * not have.
 *
 * @param {string} id
 */
async function readOrForget(id) {
  try {
    lastRead.set(id, await readGame(id));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) return;
    lastRead.delete(id);
    forget(id);
  }
}

/**
 * Returns what the player has to do in a game, or "".
 *
 * @param {SeenGame} game
 * @param {Set<string>} known the ids of this browser's games
 */
function duty({ seats, turn, offer, draw: drawOffer, rematch }, known) {
  const asking = offer ?? drawOffer;
  if (seats.length !== 1) return "";
  if (rematch && !known.has(rematch)) return t("Rematch");
  if (asking && asking !== seats[0]) return t("Reply");
  return turn === seats[0] ? t("Your turn") : "";
}

/**
 * Returns the rank of a game in the list, lowest first.
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

/**
 * Returns the entry of a game that has not been read yet.
 *
 * @param {RecentGame} game
 * @returns {Entry}
 */
const unreadEntry = ({ id, shape }) => ({
  id,
  shape,
  moves: [],
  title: boardName(shape),
  text: "",
  action: "",
});

async function listOthers() {
  const listed = await readLobby().catch(() => null);
  if (!listed) return;
  const mine = idsOf(recentGames());
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
    !here && t("away right now"),
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

/** @typedef {"recent" | "open" | "live"} List */

/** @type {(list: List) => HTMLAnchorElement[]} */
const linksIn = (list) => [...by(list).querySelectorAll("a")];

/**
 * Returns the heading to focus if a list has no links: its own, or the previous list's.
 *
 * @param {List} list
 */
function headingOf(list) {
  const heading = by(list === "live" ? "open-title" : `${list}-title`);
  heading.tabIndex = -1;
  return heading;
}

/**
 * Fills a list, if it has changed. Keyboard focus in the list stays there, on a nearby row if the
 * focused row is gone.
 *
 * @param {List} list
 * @param {Entry[]} entries
 */
function show(list, entries) {
  const place = by(list);
  const key = JSON.stringify(entries);
  if (place.dataset.shown === key) return;
  place.dataset.shown = key;
  const before = linksIn(list);
  const at = before.findIndex((link) => link.matches(":focus"));
  place.replaceChildren(...entries.map(row));
  const none = document.getElementById(`no-${list}`);
  if (none) none.hidden = entries.length > 0;
  else if (place.parentElement) place.parentElement.hidden = !entries.length;
  if (at < 0) return;
  const links = linksIn(list);
  const same = links.find(({ href }) => href === before[at].href);
  (same ?? links[at] ?? links.at(-1) ?? headingOf(list)).focus();
}

/**
 * Creates a row of a list: a picture of the board, two lines of text, and the action.
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
