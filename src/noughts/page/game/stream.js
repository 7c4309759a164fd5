/** A game's event stream, which reconnects whenever it breaks. */

import { eventsUrl } from "../shared/api.js";
import { EVENTS } from "../shared/client_constants.js";

/** @import { Game, GameEvent, Here, Thought } from "../shared/types.js" */

const SLOWEST = 8000;
const SILENCE = 40_000; // ms; the server sends something every 15 s

export class Stream {
  /** @type {EventSource | null} */
  #source = null;
  #timer = 0;
  #wait = 500;
  #heard = 0;

  /**
   * @param {string} id of the game
   * @param {{
   *   state: (state: Game) => void,
   *   event: (event: GameEvent) => void,
   *   presence: (here: Here) => void,
   *   thought: (thought: Thought) => void,
   *   connection: (isUp: boolean) => void,
   * }} handlers
   */
  constructor(id, handlers) {
    this.url = eventsUrl(id);
    this.handlers = handlers;
    // A server on this machine answers even without a network, so reconnecting decides.
    addEventListener("offline", () => this.open());
    addEventListener("online", () => this.open());
    // After the page was suspended or the machine slept, the connection may be dead.
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (shown) => shown.persisted && this.open());
  }

  /** Connects or reconnects. The server then sends the whole state first. */
  open() {
    this.close();
    const source = new EventSource(this.url);
    this.#source = source;
    /** @type {(kind: string, pass?: (data: any) => void) => void} */
    const hear = (kind, pass) =>
      source.addEventListener(kind, ({ data }) => {
        this.#listen();
        pass?.(JSON.parse(data));
      });
    source.onopen = () => {
      this.#wait = 500;
      this.handlers.connection(true);
    };
    source.onerror = () => this.#lost();
    hear("heartbeat");
    hear("presence", (here) => this.handlers.presence(here));
    hear("thought", (thought) => this.handlers.thought(thought));
    hear("state", (state) => this.handlers.state(state));
    for (const kind of Object.keys(EVENTS)) hear(kind, (event) => this.handlers.event(event));
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

  /** Reconnects after a silence, because a connection can break unnoticed. */
  #listen() {
    clearTimeout(this.#heard);
    this.#heard = setTimeout(() => {
      this.handlers.connection(false);
      this.open();
    }, SILENCE);
  }

  #lost() {
    if (!this.#source) return;
    this.handlers.connection(false);
    // The browser reconnects after a break but gives up if the answer is not a stream.
    if (this.#source.readyState !== EventSource.CLOSED) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, SLOWEST);
  }
}
