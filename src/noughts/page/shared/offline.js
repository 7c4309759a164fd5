/** Offline support by a service worker, if the browser has one. */

export function keepForOffline() {
  navigator.serviceWorker?.register("/worker.js").catch(() => {}); // forbidden, or not a secure origin
}
