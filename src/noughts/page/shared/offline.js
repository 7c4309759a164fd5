/** The page without a network: a service worker keeps it, where the browser has such. */

export function keepForOffline() {
  navigator.serviceWorker?.register("/worker.js").catch(() => {}); // forbidden, or no safe origin
}
