/**
 * The service worker: without a network the pages come from what was kept of them.
 *
 * With a network it asks the server first, so nobody sees an old page; the API it leaves alone.
 * Another release is another worker, which keeps all files of that release before it takes over:
 * files of two releases would not go together.
 */

const KEPT = "noughts-RELEASE"; // the server puts a digest of the files here
const FILES = ["FILES"]; // and here the addresses of all but the heavy ones
const HEAVY = ["HEAVY"]; // kept once they are used: the editor, the checker, Python
const FIXED = "/page/pyodide/"; // a file below has its version in its address, and never changes
const GAME = "/page/game/game.html"; // serves as the page of any game

const scope = /** @type {any} */ (self); // the types of service workers clash with those of pages

async function keepFiles() {
  const cache = await caches.open(KEPT);
  await cache.addAll(["/", "/learn", ...FILES]);
  if (await caches.match(HEAVY[0])) await keepHeavy();
  scope.skipWaiting();
}

async function keepHeavy() {
  const cache = await caches.open(KEPT);
  const kept = await Promise.all(HEAVY.map((address) => cache.match(address)));
  await cache.addAll(HEAVY.filter((_, at) => !kept[at]));
}

async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name !== KEPT);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/**
 * The server's answer, or else the one that was kept.
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
  const isOwn = /^\/($|learn$|g\/|page\/)/.test(pathname);
  if (event.request.method === "GET" && isOwn) event.respondWith(answer(event.request));
});
