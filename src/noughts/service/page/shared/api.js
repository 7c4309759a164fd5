/** The server's API. The browser's cookie says who asks; this file never sees a token. */

/** The server's refusal: `code` for programs, `message` for people, `seq` where it is ahead of us. */
export class Refusal extends Error {
  constructor(status, { code, message, seq } = {}, retryAfter = 0) {
    super(message || `the server answered ${status}`);
    Object.assign(this, { status, code, seq, retryAfter });
  }

  /** Whether the same request may succeed later: the server is busy, draining or out of order. */
  get passing() {
    return this.status === 429 || this.status >= 500;
  }
}

async function ask(path, body) {
  const request = { headers: { Accept: "application/json" }, cache: "no-store" };
  if (body !== undefined) {
    request.method = "POST";
    request.headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  const response = await fetch(path, request);
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  throw new Refusal(response.status, told.error, Number(response.headers.get("Retry-After")) || 0);
}

const json = async (path, body) => (await ask(path, body)).json();

const at = (id, what = "") => `/api/games/${encodeURIComponent(id)}${what && `/${what}`}`;

export const createGame = (options) => json("/api/games", options);
export const readGame = (id) => json(at(id));
export const openGames = async () => (await json("/api/games?listed=open")).games;
export const join = (id, request) => json(at(id, "join"), request);
export const move = (id, request) => json(at(id, "moves"), request);
export const resign = (id, request) => json(at(id, "resign"), request);
export const takeback = (id, request) => json(at(id, "takeback"), request);
export const rematch = (id) => json(at(id, "rematch"), {});
export const recordAddress = (id, kind) => at(id, `record.${kind}`);
export const eventsAddress = (id) => at(id, "events");
export const apiDescription = () => json("/openapi.json");

/** Whether a game has ended. */
export const isOver = ({ status }) => status !== "playing" && status !== "waiting";

/** An image of a QR code, as an object address. */
export async function qrCode(text) {
  return URL.createObjectURL(await (await ask("/api/qr", { text })).blob());
}

/** A key by which the server knows a request again, when it is sent twice. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
