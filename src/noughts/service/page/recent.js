/** The games this browser has a seat in, newest first, and the invites it has given out. */

const SLOT = "noughts.recent";
const NAME = "noughts.name";
const MOST = 30;

export function recentGames() {
  try {
    return JSON.parse(localStorage.getItem(SLOT)) ?? [];
  } catch {
    return [];
  }
}

const keep = (games) => localStorage.setItem(SLOT, JSON.stringify(games.slice(0, MOST)));

/** Keeps a game on top of the list, as the server described it on creating or joining. */
export function remember({ id, invite = null, game }) {
  const others = recentGames().filter((one) => one.id !== id);
  keep([{ id, invite, shape: game.shape, k: game.k }, ...others]);
}

export const forget = (id) => keep(recentGames().filter((one) => one.id !== id));

/** The secret by which a friend may join, if this browser made the game. */
export const inviteTo = (id) => recentGames().find((one) => one.id === id)?.invite ?? null;

/** The name this person plays under. */
export const ownName = () => localStorage.getItem(NAME) ?? "";

export const keepName = (name) => localStorage.setItem(NAME, name);
