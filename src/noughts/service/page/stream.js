/** A game's event stream, mended whenever it breaks. */

import { eventsAddress } from "./api.js";

const KINDS = ["joined", "move", "offer", "declined", "takeback", "resigned", "rematch"];
const SLOWEST = 8000;

export class Stream {
  #source = null;
  #timer = 0;
  #wait = 500;

  /** @param hears { state(STATE), event(EVENT), connection(boolean) } */
  constructor(id, hears) {
    this.address = eventsAddress(id);
    this.hears = hears;
    // Without a network a server on this machine still answers: connecting anew tells.
    addEventListener("offline", () => this.open());
    addEventListener("online", () => this.open());
    // A page that was put aside, or a machine that slept, may hold a connection that is long dead.
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (shown) => shown.persisted && this.open());
  }

  /** Connects, anew if need be. The server then tells the whole state first. */
  open() {
    this.close();
    const source = (this.#source = new EventSource(this.address));
    source.onopen = () => {
      this.#wait = 500;
      this.hears.connection(true);
    };
    source.onerror = () => this.#lost();
    source.addEventListener("state", ({ data }) => this.hears.state(JSON.parse(data)));
    for (const kind of KINDS) {
      source.addEventListener(kind, ({ data }) => this.hears.event(JSON.parse(data)));
    }
  }

  close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  get isOpen() {
    return this.#source !== null;
  }

  #lost() {
    if (!this.#source) return;
    this.hears.connection(false);
    // The browser reconnects by itself after a break, but gives up on an answer that is no stream.
    if (this.#source.readyState !== EventSource.CLOSED) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, SLOWEST);
  }
}
