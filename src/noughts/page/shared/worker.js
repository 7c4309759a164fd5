/**
 * The service worker: it serves the pages from a cache when offline.
 *
 * With a network it asks the server first, so pages are never out of date. It ignores the API. Each
 * release has its own worker, which caches all files of the release before it takes over: files of
 * two releases do not work together.
 */

const KEPT = "noughts-RELEASE"; // the server inserts a digest of the files
const FILES = ["FILES"]; // the server inserts all URLs but the heavy
const HEAVY = [["HEAVY"]]; // cached once used: for Python, for JavaScript
const FIXED = "/page/pyodide/"; // their URLs have the version
const GAME = "/page/game/game.html"; // of every game

const scope = /** @type {any} */ (self); // its types differ

async function keepFiles() {
  const cache = await caches.open(KEPT);
  await cache.addAll(FILES);
  for (const urls of HEAVY) if (await caches.match(urls[0])) await keepHeavy(urls);
  scope.skipWaiting();
}

/** @param {string[]} urls */
async function keepHeavy(urls) {
  const cache = await caches.open(KEPT);
  await Promise.all(urls.map(async (url) => (await cache.match(url)) ?? cache.add(url)));
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
scope.addEventListener("message", (/** @type {any} */ event) =>
  event.waitUntil(keepHeavy(HEAVY[event.data])),
);
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { pathname } = new URL(event.request.url);
  const isOwn = [FILES, ...HEAVY].flat().includes(pathname) || pathname.startsWith("/g/");
  if (event.request.method === "GET" && isOwn) event.respondWith(answer(event.request));
});
