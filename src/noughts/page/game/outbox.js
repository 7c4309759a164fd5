/**
 * The one move that is on its way to the server.
 *
 * It keeps its key through lost connections and reloads until the server has answered, so it is
 * never lost. The server recognises the key, so the move is never played twice.
 */

import { ApiError, move, newKey } from "../shared/api.js";
import { sameMoves } from "../shared/geometry.js";
import { read, write } from "../shared/storage.js";

/** @import { Answer, Cell, Game } from "../shared/types.js" */

/**
 * A pending move, made after `moves` in the state `seq`; `confirmed` once the server has stored it.
 *
 * @typedef {{ cell: Cell, moves: Cell[], seq: number, key: string, confirmed: boolean }} Pending
 */

const SLOW = 400; // milliseconds
const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

/** @param {number} wait */
const longer = (wait) => Math.min(2 * wait, LONGEST_WAIT);

/**
 * Returns the stored value if it is a move.
 *
 * @type {(value: any) => Pending | null}
 */
const kept = (value) =>
  Array.isArray(value?.cell) && Array.isArray(value.moves) && value.key ? value : null;

/** @param {string} id of a game */
const slotOf = (id) => `noughts.move.${id}`;

/**
 * Stores a move made in a state. The next page of the game sends it.
 *
 * @param {string} id of the game
 * @param {Cell} cell
 * @param {Game} state
 * @returns {Pending}
 */
export function keepMove(id, cell, { seq, moves }) {
  const pending = { cell, seq, moves, key: newKey(), confirmed: false };
  write(slotOf(id), pending);
  return pending;
}

export class Outbox {
  #wake = () => {};
  isSlow = false; // whether the move has been pending for a while

  /**
   * @param {string} id of the game
   * @param {{
   *   changed: () => void,
   *   refused: (error: ApiError) => void,
   *   confirmed: (sent: Pending, seq: number) => void,
   * }} handlers
   * @param {() => Promise<Game>} fetchState reads the game from the server
   */
  constructor(id, handlers, fetchState) {
    this.id = id;
    this.handlers = handlers;
    this.fetchState = fetchState;
    this.slot = slotOf(id);
    this.pending = kept(read(this.slot));
    addEventListener("online", () => this.hurry());
  }

  /**
   * Sends a move made in a state.
   *
   * @param {Cell} cell
   * @param {Game} state
   */
  play(cell, state) {
    this.pending = keepMove(this.id, cell, state);
    this.handlers.changed();
    return this.deliver();
  }

  /** Sends the pending move, if any, until it is answered or the game's state contains it. */
  async deliver() {
    const sent = this.pending;
    setTimeout(() => this.#slow(sent), SLOW);
    for (let wait = FIRST_WAIT; sent && this.pending === sent; wait = longer(wait)) {
      const { cell, seq, key } = sent;
      const { answer, error } = await move(this.id, { cell, seq, key }).then(
        (answer) => ({ answer, error: null }),
        (error) => ({ answer: null, error }),
      );
      const next = error && (await this.#nextStep(sent, error));
      if (this.pending !== sent) return;
      if (answer) return this.#confirmed(sent, answer);
      if (next === "refused") return this.#refused(error);
      if (next === "later") await this.#pause(error.retryAfter * 1000 || wait);
    }
  }

  /** Retries at once, for example when the connection is back. */
  hurry() {
    this.#wake();
  }

  /** @param {Pending | null} sent */
  #slow(sent) {
    if (!sent || sent !== this.pending) return;
    this.isSlow = true;
    this.handlers.changed();
  }

  /** Clears the move once the game's state contains it. */
  clear() {
    this.pending = null;
    this.isSlow = false;
    write(this.slot, null);
  }

  /**
   * Decides what to do after an error: send "again" or "later", or give up as "refused".
   *
   * @param {Pending} sent
   * @param {any} error
   */
  async #nextStep(sent, error) {
    if (error.code === "stale") {
      const state = await this.fetchState().catch(() => null);
      if (!state) return "later";
      if (!sameMoves(sent.moves, state.moves)) return "refused";
      // Only offers and the like happened since, so the move is still possible.
      sent.seq = state.seq;
      return "again";
    }
    return error instanceof ApiError && !error.passing ? "refused" : "later";
  }

  /**
   * @param {Pending} sent
   * @param {Answer} answer
   */
  #confirmed(sent, { seq }) {
    sent.confirmed = true;
    write(this.slot, null);
    this.handlers.confirmed(sent, seq);
  }

  /** @param {ApiError} error */
  #refused(error) {
    this.clear();
    this.handlers.refused(error);
  }

  /**
   * @param {number} ms
   * @returns {Promise<void>}
   */
  #pause(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
