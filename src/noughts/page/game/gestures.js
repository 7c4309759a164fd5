/** Touch, wheel and mouse on a board, as pan and zoom. */

const SLOP = 6; // pixels that a finger may slip in a tap

/** @typedef {[x: number, y: number]} Point in pixels of the window */

/**
 * What the gestures move.
 *
 * @typedef {object} View
 * @property {() => boolean} isZoomable
 * @property {(event: MouseEvent) => Point} point where an event is
 * @property {(x: number, y: number) => void} pan
 * @property {(factor: number, x: number, y: number) => boolean} zoom says whether anything changed
 */

/**
 * @param {HTMLElement} target the element that is touched
 * @param {View} view
 * @returns {{ dragged: () => boolean, held: () => boolean }} whether the click now at hand ends a
 *   drag; whether a drag goes on
 */
export function listenForGestures(target, view) {
  /** @type {Map<number, Point>} */
  const fingers = new Map();
  let slipped = 0;
  let dragged = false;

  target.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    if (!fingers.size) [slipped, dragged] = [0, false];
    fingers.set(event.pointerId, view.point(event));
  });

  target.addEventListener("pointermove", (event) => {
    const from = fingers.get(event.pointerId);
    if (!from || !view.isZoomable()) return;
    const to = view.point(event);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    slipped += Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (other || slipped > SLOP) {
      dragged = true;
      if (!target.hasPointerCapture(event.pointerId)) target.setPointerCapture(event.pointerId);
    }
    fingers.set(event.pointerId, to);
    if (!dragged) return;
    const share = other ? 0.5 : 1; // of two fingers, each moves the middle by half
    view.pan((to[0] - from[0]) * share, (to[1] - from[1]) * share);
    if (!other) return;
    const spread = (/** @type {Point} */ [x, y]) => Math.hypot(x - other[0], y - other[1]);
    const [x, y] = [(to[0] + other[0]) / 2, (to[1] + other[1]) / 2];
    view.zoom(spread(to) / Math.max(1, spread(from)), x, y);
  });

  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    // On the window, for the finger may have left the board by then.
    addEventListener(end, (event) => fingers.delete(event.pointerId));
  }

  target.addEventListener(
    "wheel",
    (event) => {
      if (!view.isZoomable()) return;
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const changed = view.zoom(Math.exp(-event.deltaY * lines * 0.002), ...view.point(event));
      // Zoomed out all the way, the wheel scrolls the page as ever.
      if (changed) event.preventDefault();
    },
    { passive: false },
  );

  return { dragged: () => dragged, held: () => dragged && fingers.size > 0 };
}
