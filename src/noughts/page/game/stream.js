/** A game's event stream, mended whenever it breaks. */

import { eventsAddress } from "../shared/api.js";
import { EVENTS } from "../shared/client_constants.js";

/** @import { Game, GameEvent, Here, Thought } from "../shared/types.js" */

const SLOWEST = 8000;
const SILENCE = 40_000; // ms; the server says something every 15 s

export class Stream {
  /** @type {EventSource | null} */
  #source = null;
  #timer = 0;
  #wait = 500;
  #heard = 0;

  /**
   * @param {string} id the game's
   * @param {{
   *   state: (state: Game) => void,
   *   event: (event: GameEvent) => void,
   *   presence: (here: Here) => void,
   *   thought: (thought: Thought) => void,
   *   connection: (isUp: boolean) => void,
   * }} hears
   */
  constructor(id, hears) {
    this.address = eventsAddress(id);
    this.hears = hears;
    // Without a network a server on this machine still answers: connecting again shows.
    addEventListener("offline", () => this.open());
    addEventListener("online", () => this.open());
    // A page that was put aside, or a machine that slept, may hold a connection that is long dead.
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (shown) => shown.persisted && this.open());
  }

  /** Connects, again if need be. The server then sends the whole state first. */
  open() {
    this.close();
    const source = new EventSource(this.address);
    this.#source = source;
    /** @type {(kind: string, pass?: (data: any) => void) => void} */
    const hear = (kind, pass) =>
      source.addEventListener(kind, ({ data }) => {
        this.#listen();
        pass?.(JSON.parse(data));
      });
    source.onopen = () => {
      this.#wait = 500;
      this.hears.connection(true);
    };
    source.onerror = () => this.#lost();
    hear("beat");
    hear("presence", (here) => this.hears.presence(here));
    hear("thought", (thought) => this.hears.thought(thought));
    hear("state", (state) => this.hears.state(state));
    for (const kind of Object.keys(EVENTS)) hear(kind, (event) => this.hears.event(event));
    this.#listen();
  }

  close() {
    clearTimeout(this.#timer);
    clearTimeout(this.#heard);
    this.#source?.close();
    this.#source = null;
  }

  get isOpen() {
    return this.#source !== null;
  }

  /** Connects again after a silence: a connection may be dead without a word. */
  #listen() {
    clearTimeout(this.#heard);
    this.#heard = setTimeout(() => {
      this.hears.connection(false);
      this.open();
    }, SILENCE);
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
