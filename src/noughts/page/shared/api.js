/** The server's API. The browser's cookie identifies the player; this file never sees a token. */

/** @import { Advice, Answer, ErrorDetail, Finding, Game, LiveGame, NewGame, OpenGame, Seated, SeenGame } from "./types.js" */

/**
 * An error that the API answered: `code` for programs, `message` for people, `seq` if the server is
 * ahead of this page, `kind` of a foul.
 */
export class ApiError extends Error {
  /**
   * @param {number} status of HTTP
   * @param {ErrorDetail} detail
   * @param {number} retryAfter seconds until a retry makes sense, or 0 if the server names none
   */
  constructor(status, { code, detail, message = detail, seq, kind }, retryAfter) {
    super(message || `the server answered ${status}`);
    this.status = status;
    this.code = code;
    this.seq = seq;
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later: the server is busy, draining or failing. */
  get passing() {
    return this.status === 429 || this.status >= 500;
  }
}

const PATIENCE = 20_000; // milliseconds after which the answer to a POST counts as lost

/**
 * @param {string} path
 * @param {object} [body] posted as JSON
 */
async function ask(path, body) {
  const headers = new Headers({ Accept: "application/json" });
  /** @type {RequestInit} */
  const request = { headers, cache: "no-cache" }; // always revalidate cached answers
  if (body !== undefined) {
    headers.set("Content-Type", "application/json");
    request.method = "POST";
    request.body = JSON.stringify(body);
    request.signal = AbortSignal.timeout(PATIENCE);
  }
  const response = await fetch(path, request);
  if (response.ok) return response;
  const { error, ...answer } = await response.json().catch(() => ({}));
  const retryAfter = Number(response.headers.get("Retry-After")) || 0;
  throw new ApiError(response.status, { ...error, ...answer }, retryAfter);
}

/** @type {(path: string, body?: object) => Promise<any>} */
const json = async (path, body) => (await ask(path, body)).json();

/**
 * Sends a request again if no answer arrived. Use it for idempotent requests only.
 *
 * @template T
 * @param {() => Promise<T>} ask
 * @returns {Promise<T>}
 */
export const surely = (ask) =>
  ask().catch((error) => {
    if (error instanceof ApiError) throw error;
    return ask();
  });

/** @param {string} id */
const at = (id, what = "") => `/api/games/${encodeURIComponent(id)}${what && `/${what}`}`;

/** @type {(options: NewGame) => Promise<Seated>} */
export const createGame = (options) => json("/api/games", options);

/** @type {(id: string) => Promise<SeenGame>} */
export const readGame = (id) => json(at(id));

/**
 * Reads the lobby: games that anyone may join, and games that anyone may watch.
 *
 * @type {() => Promise<{ games: OpenGame[], live: LiveGame[] }>}
 */
export const readLobby = () => json("/api/games?listed=open");

/** @type {(id: string, request: { invite?: string, name: string | null, key: string }) => Promise<Seated>} */
export const join = (id, request) => json(at(id, "join"), request);

/** An action of a player: `seq` of the state it was decided in, and the key that makes it idempotent. */
/** @typedef {{ seq: number, key: string }} Act */

/** @type {(id: string, request: Act & { cell: import("./types.js").Cell }) => Promise<Answer>} */
export const move = (id, request) => json(at(id, "moves"), request);

/** @type {(id: string, request: Act) => Promise<Answer>} */
export const resign = (id, request) => json(at(id, "resign"), request);

/** @type {(id: string, request: Act & { accept?: boolean }) => Promise<Answer>} */
export const takeback = (id, request) => json(at(id, "takeback"), request);

/** @type {(id: string, request: Act & { accept?: boolean }) => Promise<Answer>} */
export const draw = (id, request) => json(at(id, "draw"), request);

/** @type {(id: string, request: Act) => Promise<Answer>} */
export const abort = (id, request) => json(at(id, "abort"), request);

/** @type {(id: string, request: Act & { reaction: string }) => Promise<Answer>} */
export const react = (id, request) => json(at(id, "reaction"), request);

/** @type {(id: string) => Promise<Seated>} */
export const rematch = (id) => json(at(id, "rematch"), {});

/** @type {(id: string) => Promise<{ seq: number, advice: Advice }>} */
export const hint = (id) => json(at(id, "hint"));

/** @type {(id: string) => Promise<{ findings: Finding[] }>} */
export const analysis = (id) => json(at(id, "analysis"));

/** @type {(id: string, kind: string, theme: string) => string} */
export const recordUrl = (id, kind, theme) => at(id, `record.${kind}?look=${theme}`);

/** @type {(id: string) => string} */
export const eventsUrl = (id) => at(id, "events");

/**
 * Returns whether a game has ended.
 *
 * @param {Pick<Game, "status">} game
 */
export const isOver = ({ status }) => status !== "playing" && status !== "waiting";

/** @param {string} url */
export const readPicture = async (url) => (await ask(url)).blob();

/** Returns a new key, by which the server recognises a repeated request. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
