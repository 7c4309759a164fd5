/** The games this browser has a seat in, newest first, and the invites it has given out. */

import { read, write } from "./storage.js";

const SLOT = "noughts.recent";
const NAME = "noughts.name";
const MOST = 30;

export function recentGames() {
  const games = read(SLOT);
  return Array.isArray(games) ? games.filter((one) => one?.id && Array.isArray(one.shape)) : [];
}

const keep = (games) => write(SLOT, games.slice(0, MOST));

/** Keeps a game on top of the list, as the server described it on creating or joining. */
export function remember({ id, invite = null, game }) {
  const others = recentGames().filter((one) => one.id !== id);
  keep([{ id, invite, shape: game.shape, k: game.k }, ...others]);
}

export const forget = (id) => keep(recentGames().filter((one) => one.id !== id));

/** The secret by which a friend may join, if this browser made the game. */
export const inviteTo = (id) => recentGames().find((one) => one.id === id)?.invite ?? null;

/** The name this person plays under. */
export const ownName = () => {
  const name = read(NAME);
  return typeof name === "string" ? name : "";
};

export const keepName = (name) => write(NAME, name);
