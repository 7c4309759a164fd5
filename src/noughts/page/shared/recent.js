/** Games in which this browser has a seat, newest first, and the invitations it created. */

import { read, write } from "./storage.js";

/** @import { Game, Opponent, Shape } from "./types.js" */

/**
 * A stored game; `over` once the browser has seen its end.
 *
 * @typedef {{
 *   id: string,
 *   invite: string | null,
 *   shape: Shape,
 *   k: number,
 *   opponent: Opponent,
 *   over?: boolean,
 * }} RecentGame
 */

const SLOT = "noughts.recent";
const NAME = "noughts.name";
const MOST = 200; // games; finished ones are dropped first

/** @returns {RecentGame[]} */
export function recentGames() {
  const games = read(SLOT);
  return Array.isArray(games) ? games.filter((one) => one?.id && Array.isArray(one.shape)) : [];
}

/** @param {RecentGame[]} games */
function keep(games) {
  let room = MOST - games.filter(({ over }) => !over).length;
  write(
    SLOT,
    games.filter(({ over }) => !over || room-- > 0),
  );
}

/**
 * Stores a game at the top of the list, from the server's answer to creating or joining it.
 *
 * @param {{ id: string, invite?: string | null, game: Game }} seated
 */
export function remember({ id, invite = null, game }) {
  const others = recentGames().filter((one) => one.id !== id);
  const { shape, k, opponent } = game;
  keep([{ id, invite, shape, k, opponent }, ...others]);
}

/** @param {string} id */
export const forget = (id) => keep(recentGames().filter((one) => one.id !== id));

/**
 * Records that a game has ended.
 *
 * @param {string} id
 */
export const noteOver = (id) =>
  keep(recentGames().map((one) => (one.id === id ? { ...one, over: true } : one)));

/**
 * Returns the invitation secret of a game, if this browser created it.
 *
 * @param {string} id
 */
export const inviteTo = (id) => recentGames().find((one) => one.id === id)?.invite ?? null;

/** Returns the name that the player uses. */
export function ownName() {
  const name = read(NAME);
  return typeof name === "string" ? name : "";
}

/** @param {string} name */
export const keepName = (name) => write(NAME, name);
