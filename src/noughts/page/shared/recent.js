/** The games this browser has a seat in, newest first, and the invites it has given out. */

import { read, write } from "./storage.js";

/** @import { Game, Opponent, Shape } from "./types.js" */

/**
 * A game that is kept; `over` once its end has been seen.
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
const MOST = 200; // of them finished games go first

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
 * Keeps a game on top of the list, as the server described it on creating or joining.
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
 * Notes that a game has ended.
 *
 * @param {string} id
 */
export const noteOver = (id) =>
  keep(recentGames().map((one) => (one.id === id ? { ...one, over: true } : one)));

/**
 * The secret by which a friend may join, if this browser made the game.
 *
 * @param {string} id
 */
export const inviteTo = (id) => recentGames().find((one) => one.id === id)?.invite ?? null;

/** The name this person plays under. */
export function ownName() {
  const name = read(NAME);
  return typeof name === "string" ? name : "";
}

/** @param {string} name */
export const keepName = (name) => write(NAME, name);
