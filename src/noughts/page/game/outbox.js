/**
 * The one move that is on its way to the server.
 *
 * It keeps its key until the server has answered, through lost connections and reloads: so it is
 * never lost, and as the server knows the key again, never played twice.
 */

import { move, newKey, Refusal } from "../shared/api.js";
import { sameMoves } from "../shared/geometry.js";
import { read, write } from "../shared/storage.js";

/** @import { Answer, Cell, Game } from "../shared/types.js" */

/**
 * A move on its way: made after `moves`, in the state `seq`; `confirmed` once the server has it.
 *
 * @typedef {{ cell: Cell, moves: Cell[], seq: number, key: string, confirmed: boolean }} Pending
 */

const SLOW = 400; // milliseconds
const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

/** @param {number} wait */
const longer = (wait) => Math.min(2 * wait, LONGEST_WAIT);

/**
 * What was kept, if it is a move.
 *
 * @type {(value: any) => Pending | null}
 */
const kept = (value) =>
  Array.isArray(value?.cell) && Array.isArray(value.moves) && value.key ? value : null;

/** @param {string} id a game's */
const slotOf = (id) => `noughts.move.${id}`;

/**
 * Keeps a move made in a state: whoever opens the game's page next sends it.
 *
 * @param {string} id the game's
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
  isSlow = false; // whether what is pending has been so for a while

  /**
   * @param {string} id the game's
   * @param {{
   *   changed: () => void,
   *   refused: (refusal: Refusal) => void,
   *   confirmed: (sent: Pending, seq: number) => void,
   * }} hears
   * @param {() => Promise<Game>} fetchState gets the game from the server and returns it
   */
  constructor(id, hears, fetchState) {
    this.id = id;
    this.hears = hears;
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
    this.hears.changed();
    return this.deliver();
  }

  /** Sends what is pending, if anything, until it is answered or the game's state has it. */
  async deliver() {
    const sent = this.pending;
    setTimeout(() => this.#slow(sent), SLOW);
    for (let wait = FIRST_WAIT; sent && this.pending === sent; wait = longer(wait)) {
      const { cell, seq, key } = sent;
      const { answer, error } = await move(this.id, { cell, seq, key }).then(
        (answer) => ({ answer, error: null }),
        (error) => ({ answer: null, error }),
      );
      const next = error && (await this.#judge(sent, error));
      if (this.pending !== sent) return;
      if (answer) return this.#confirmed(sent, answer);
      if (next === "refused") return this.#refused(error);
      if (next === "later") await this.#pause(error.retryAfter * 1000 || wait);
    }
  }

  /** Tries again at once, as when the connection is back. */
  hurry() {
    this.#wake();
  }

  /** @param {Pending | null} sent */
  #slow(sent) {
    if (!sent || sent !== this.pending) return;
    this.isSlow = true;
    this.hears.changed();
  }

  /** Forgets the move once the game's state has it. */
  clear() {
    this.pending = null;
    this.isSlow = false;
    write(this.slot, null);
  }

  /**
   * What to do after a failure: send "again", "later", or give up as "refused".
   *
   * @param {Pending} sent
   * @param {any} error
   */
  async #judge(sent, error) {
    if (error.code === "stale") {
      const state = await this.fetchState().catch(() => null);
      if (!state) return "later";
      if (!sameMoves(sent.moves, state.moves)) return "refused";
      // Only offers and the like came between: the move can still be made.
      sent.seq = state.seq;
      return "again";
    }
    return error instanceof Refusal && !error.passing ? "refused" : "later";
  }

  /**
   * @param {Pending} sent
   * @param {Answer} answer
   */
  #confirmed(sent, { seq }) {
    sent.confirmed = true;
    write(this.slot, null);
    this.hears.confirmed(sent, seq);
  }

  /** @param {Refusal} refusal */
  #refused(refusal) {
    this.clear();
    this.hears.refused(refusal);
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
