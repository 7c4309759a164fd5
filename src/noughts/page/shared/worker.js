/**
 * The service worker: it serves the pages from a cache when offline.
 *
 * With a network it asks the server first, so pages are never out of date. It ignores the API. Each
 * release has its own worker, which caches all files of the release before it takes over: files of
 * two releases do not work together.
 */

const KEPT = "noughts-RELEASE"; // the server inserts a digest of the files
const FILES = ["FILES"]; // the server inserts the URLs of all pages and files except the heavy ones
const HEAVY = ["HEAVY"]; // cached once used: the editor, the checker, Python
const FIXED = "/page/pyodide/"; // files below have their version in the URL and never change
const GAME = "/page/game/game.html"; // the page of every game

const scope = /** @type {any} */ (self); // its types clash with those of pages

async function keepFiles() {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES);
  if (await caches.match(HEAVY[0])) await keepHeavy();
  scope.skipWaiting();
}

async function keepHeavy() {
  const cache = await caches.open(KEPT);
  const kept = await Promise.all(HEAVY.map((url) => cache.match(url)));
  await cache.addAll(HEAVY.filter((_, at) => !kept[at]));
}

async function forgetOthers() {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith("noughts-") && name !== KEPT,
  );
  await Promise.all(others.map((name) => caches.delete(name)));
}

/**
 * Returns the server's answer, or the cached one if the server cannot be reached.
 *
 * @param {Request} request
 */
async function answer(request) {
  const fixed = new URL(request.url).pathname.startsWith(FIXED) && (await caches.match(request));
  if (fixed) return fixed;
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(KEPT);
    const isGame = new URL(request.url).pathname.startsWith("/g/");
    const kept = await cache.match(isGame ? GAME : request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keepFiles()));
scope.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(forgetOthers()));
scope.addEventListener("message", (/** @type {any} */ event) => event.waitUntil(keepHeavy()));
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { pathname } = new URL(event.request.url);
  const isOwn = [...FILES, ...HEAVY].includes(pathname) || pathname.startsWith("/g/");
  if (event.request.method === "GET" && isOwn) event.respondWith(answer(event.request));
});
