/** Before a game begins: the link for the friend, and the question whether to join. */

import { join, newKey, openGames } from "../shared/api.js";
import { playerName, rulesName, symbol } from "../shared/names.js";
import { inviteTo, keepName, ownName, remember } from "../shared/recent.js";
import { explain } from "../shared/wording.js";

const by = (id) => document.getElementById(id);

export class Invitation {
  #secret = location.hash.slice(1);
  #key = newKey(); // whoever sends the same again gets the same seat
  #listed = null; // whether anyone may join; null: not yet asked

  /** @param hears { joined(answer), once this browser has a seat; changed() } */
  constructor(id, hears) {
    this.id = id;
    this.hears = hears;
    by("name").value = ownName();
    addEventListener("hashchange", () => {
      this.#secret = location.hash.slice(1);
      hears.changed();
    });
    by("join").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#join();
    });
  }

  show(state, seats) {
    const waiting = state.status === "waiting";
    const guest = waiting && !seats.length;
    if (!guest) this.#dropSecret();
    if (guest && !this.#secret && this.#listed === null) this.#askWhetherListed();
    const secret = inviteTo(this.id);
    by("invite").hidden = !(waiting && seats.length && secret);
    by("join").hidden = !(guest && (this.#secret || this.#listed));
    if (!by("invite").hidden) {
      by("invite").querySelector("noughts-link").show(`${location.origin}/g/${this.id}#${secret}`);
    }
    if (!by("join").hidden) {
      const seat = state.players[0].joined ? 2 : 1;
      const board = rulesName(state.shape, state.k);
      by("join-title").textContent =
        `${playerName(state, 3 - seat)} invites you to ${board}. You play ${symbol(seat)}.`;
    }
  }

  /** The secret is good for one seat: once that is taken, nobody should pass it on. */
  #dropSecret() {
    if (!location.hash) return;
    this.#secret = "";
    history.replaceState(null, "", location.pathname);
  }

  async #askWhetherListed() {
    this.#listed = false;
    const open = await openGames().catch(() => []);
    this.#listed = open.some(({ id }) => id === this.id);
    if (this.#listed) this.hears.changed();
  }

  async #join() {
    const name = by("name").value.trim();
    const button = by("join").querySelector("button");
    keepName(name);
    button.disabled = true;
    by("problem").hidden = true;
    try {
      const answer = await join(this.id, {
        invite: this.#secret || undefined,
        name: name || null,
        key: this.#key,
      });
      remember({ id: this.id, game: answer.game });
      this.hears.joined(answer);
    } catch (error) {
      by("problem").textContent = explain(error);
      by("problem").hidden = false;
    }
    button.disabled = false;
  }
}
