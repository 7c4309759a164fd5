/**
 * The one move that is on its way to the server.
 *
 * It keeps its key until the server has answered, through lost connections and reloads: so it is
 * never lost, and as the server knows the key again, never played twice.
 */

import { Refusal, move, newKey } from "../shared/api.js";
import { sameMoves } from "../shared/geometry.js";
import { read, write } from "../shared/storage.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

/** What was kept, if it is a move. */
const kept = (value) =>
  Array.isArray(value?.cell) && Array.isArray(value.moves) && value.key ? value : null;

export class Outbox {
  #wake = null;

  /**
   * @param hears { changed(), refused(Refusal), confirmed(seq) }
   * @param fetchState gets the game from the server and returns it
   */
  constructor(id, hears, fetchState) {
    this.id = id;
    this.hears = hears;
    this.fetchState = fetchState;
    this.slot = `noughts.move.${id}`;
    this.pending = kept(read(this.slot));
    addEventListener("online", () => this.hurry());
  }

  /** Sends a move made in a state. */
  play(cell, { seq, moves }) {
    this.pending = { cell, seq, moves, key: newKey(), confirmed: false };
    write(this.slot, this.pending);
    this.hears.changed();
    return this.deliver();
  }

  /** Sends what is pending until it is answered, or the game's state turns out to have it. */
  async deliver() {
    const { key } = this.pending;
    const isWaitedFor = () => this.pending?.key === key;
    for (let wait = FIRST_WAIT; isWaitedFor(); wait = Math.min(2 * wait, LONGEST_WAIT)) {
      const { cell, seq } = this.pending;
      const { answer, error } = await move(this.id, { cell, seq, key }).then(
        (answer) => ({ answer }),
        (error) => ({ error }),
      );
      const next = error && (await this.#judge(error));
      if (!isWaitedFor()) return;
      if (answer) return this.#confirmed(answer);
      if (next === "refused") return this.#refused(error);
      if (next === "later") await this.#pause(error.retryAfter * 1000 || wait);
    }
  }

  /** Tries again at once, as when the connection is back. */
  hurry() {
    this.#wake?.();
  }

  /** Forgets the move once the game's state has it. */
  clear() {
    this.pending = null;
    write(this.slot, null);
  }

  /** What to do after a failure: send "again", "later", or give up as "refused". */
  async #judge(error) {
    if (error.code === "stale") {
      const state = await this.fetchState().catch(() => null);
      if (!state) return "later";
      if (!this.pending || !sameMoves(this.pending.moves, state.moves)) return "refused";
      // Only offers and the like came between: the move still stands.
      this.pending.seq = state.seq;
      return "again";
    }
    return error instanceof Refusal && !error.passing ? "refused" : "later";
  }

  #confirmed({ seq }) {
    this.pending.confirmed = true;
    write(this.slot, null);
    this.hears.confirmed(seq);
  }

  #refused(refusal) {
    this.clear();
    this.hears.refused(refusal);
  }

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
