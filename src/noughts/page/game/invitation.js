/** Panels before a game starts: the invitation link, the join form, and waiting. */

import { ApiError, join, newKey, readLobby, surely } from "../shared/api.js";
import { LIMITS } from "../shared/client_constants.js";
import { by } from "../shared/dom.js";
import { otherSeat } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { gameName, playerName, symbol } from "../shared/names.js";
import { inviteTo, keepName, ownName, remember } from "../shared/recent.js";
import { read, write } from "../shared/storage.js";
import { Link } from "./link.js";
import { complain } from "./notices.js";

/** @import { Game, Seat, Seated } from "../shared/types.js" */

const nameField = by("name", HTMLInputElement);

export class Invitation {
  #secret = location.hash.slice(1);
  /** @type {boolean | undefined} */
  #listed; // whether anyone may join; undefined until the lobby has been read

  /**
   * @param {string} id of the game
   * @param {{
   *   joined: (answer: Seated) => void,
   *   refused: (error: unknown) => Promise<void>,
   *   changed: () => void,
   * }} handlers
   */
  constructor(id, handlers) {
    this.id = id;
    this.slot = `noughts.join.${id}`;
    /** Key of a join request whose answer was lost; sending it again returns the same seat. */
    this.key = read(this.slot);
    this.handlers = handlers;
    nameField.value = ownName();
    nameField.maxLength = LIMITS.name;
    addEventListener("hashchange", () => {
      this.#secret = location.hash.slice(1);
      handlers.changed();
    });
    by("join").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#join();
    });
    if (this.key) this.#join();
  }

  /**
   * Shows the panels that fit while the game waits.
   *
   * @param {Game} state
   * @param {Seat[]} seats of the viewer
   * @param {string} absence since when the waiting player is away, or ""
   */
  show(state, seats, absence) {
    const waiting = state.status === "waiting";
    const guest = !seats.length && (waiting || this.key !== null);
    if (!guest) this.#dropSecret();
    if (guest && !this.#secret && this.#listed === undefined) this.#readListed();
    const secret = inviteTo(this.id);
    by("invite").hidden = !(waiting && seats.length && secret);
    by("join").hidden = !(guest && (this.#secret || this.#listed || this.key));
    if (!by("invite").hidden) {
      by("invite-link", Link).show(`${location.origin}/g/${this.id}#${secret}`);
    }
    if (!by("join").hidden && waiting) {
      const seat = state.players[0].joined ? 2 : 1;
      const board = gameName(state);
      by("join-title").textContent = t("{who} invites you to a game: {board}. You play {mark}.", {
        who: playerName(state, otherSeat(seat)),
        board,
        mark: symbol(seat),
      });
      by("join-absence").textContent =
        absence &&
        t("{who}: {absence}. You can join and wait.", {
          who: playerName(state, otherSeat(seat)),
          absence,
        });
      by("join-absence").hidden = !absence;
      by("join-referee").hidden = !state.referee;
    }
  }

  /** Removes the secret from the URL: it admits one player only and should not be passed on. */
  #dropSecret() {
    if (!location.hash) return;
    this.#secret = "";
    history.replaceState(null, "", location.pathname);
  }

  async #readListed() {
    this.#listed = false;
    const open = await readLobby().catch(() => null);
    this.#listed = open?.games.some(({ id }) => id === this.id);
    if (this.#listed) this.handlers.changed();
  }

  async #join() {
    const name = nameField.value.trim();
    const button = by("join-button", HTMLButtonElement);
    keepName(name);
    button.disabled = true;
    complain("");
    this.#keep(this.key ?? newKey());
    const request = { invite: this.#secret || undefined, name: name || null, key: this.key };
    try {
      const answer = await surely(() => join(this.id, request));
      this.#keep(null);
      remember({ id: this.id, game: answer.game });
      this.handlers.joined(answer);
    } catch (error) {
      if (error instanceof ApiError) {
        write(this.slot, null); // the player sees the error, so no later visit joins by itself
        if (!error.passing) this.key = null;
        if (error.code === "wrong_invite") this.#secret = "";
      }
      await this.handlers.refused(error);
    }
    button.disabled = false;
  }

  /** @param {string | null} key */
  #keep(key) {
    this.key = key;
    write(this.slot, key);
  }
}

/**
 * Shows a waiting player how to reach the other player, or to cancel the game.
 *
 * @param {Game} state
 * @param {Seat[]} seats of the viewer
 * @param {string | null} awaited the player who is awaited for a rematch, if known
 */
export function showWaiting(state, seats, awaited) {
  const isWaiting = state.status === "waiting" && seats.length > 0;
  by("waiting").hidden = !isWaiting;
  if (!isWaiting) return;
  const { before } = state;
  by("waiting-link").hidden = !before;
  by("waiting-text").textContent = before
    ? t("This link takes {who} to the rematch, which also appears on their start page.", {
        who: awaited || t("the other player"),
      })
    : t("You can close this page; you’ll find the game on the start page.");
  if (before) by("waiting-link", Link).show(`${location.origin}/g/${before}`);
}
