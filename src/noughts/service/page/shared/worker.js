/**
 * The service worker: without a network the pages come from what was kept of them.
 *
 * With a network it asks the server first, so nobody sees an old page; the API it leaves alone.
 */

const KEPT = "noughts";
const PAGES = ["/", "/page/game/game.html"];
const GAME = "/page/game/game.html"; // stands in for the page of any game

const scope = /** @type {any} */ (self); // the types of service workers clash with those of pages

/** Keeps the pages with all that they name: their styles, modules and pictures. */
async function keepPages() {
  const cache = await caches.open(KEPT);
  await cache.addAll(PAGES);
  for (const page of PAGES) {
    const text = (await (await cache.match(page))?.text()) ?? "";
    const named = [...text.matchAll(/(?:href|src)="(\/page\/[^"#]+)/g)].map(
      ([, address]) => address,
    );
    await cache.addAll([...new Set(named)]);
  }
}

/**
 * The server's answer, or else the one that was kept.
 *
 * @param {Request} request
 */
async function answer(request) {
  const cache = await caches.open(KEPT);
  const { pathname } = new URL(request.url);
  try {
    const response = await fetch(request);
    if (response.ok && !pathname.startsWith("/g/")) cache.put(request, response.clone());
    return response;
  } catch (error) {
    const stand = pathname.startsWith("/g/") ? GAME : "/";
    const kept = await cache.match(request.mode === "navigate" ? stand : request);
    if (kept) return kept;
    throw error;
  }
}

scope.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(keepPages()));
scope.addEventListener("fetch", (/** @type {any} */ event) => {
  const { pathname } = new URL(event.request.url);
  const isOwn = pathname === "/" || pathname.startsWith("/g/") || pathname.startsWith("/page/");
  if (event.request.method === "GET" && isOwn) event.respondWith(answer(event.request));
});
