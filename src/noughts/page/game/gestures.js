/** Pan and zoom of a board by touch, wheel and mouse. */

const SLOP = 6; // pixels that a finger may move during a tap

/** @typedef {[x: number, y: number]} Point in pixels of the window */

/**
 * The view that gestures pan and zoom.
 *
 * @typedef {object} View
 * @property {() => boolean} isZoomable
 * @property {(event: MouseEvent) => Point} point returns the position of an event
 * @property {(x: number, y: number) => void} pan
 * @property {(factor: number, x: number, y: number) => boolean} zoom returns whether anything changed
 */

/**
 * @param {HTMLElement} target the element to listen on
 * @param {View} view
 * @returns {{ dragged: () => boolean, held: () => boolean }} `dragged` returns whether
 *   the current click ends a drag, `held` whether a drag is in progress
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
    const share = other ? 0.5 : 1; // each of two fingers moves the middle by half
    view.pan((to[0] - from[0]) * share, (to[1] - from[1]) * share);
    if (!other) return;
    const spread = (/** @type {Point} */ [x, y]) => Math.hypot(x - other[0], y - other[1]);
    const [x, y] = [(to[0] + other[0]) / 2, (to[1] + other[1]) / 2];
    view.zoom(spread(to) / Math.max(1, spread(from)), x, y);
  });

  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
    // On the window, because the finger may have left the board by then.
    addEventListener(end, (event) => fingers.delete(event.pointerId));
  }

  target.addEventListener(
    "wheel",
    (event) => {
      if (!view.isZoomable()) return;
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const changed = view.zoom(Math.exp(-event.deltaY * lines * 0.002), ...view.point(event));
      // When fully zoomed out, the wheel scrolls the page.
      if (changed) event.preventDefault();
    },
    { passive: false },
  );

  return { dragged: () => dragged, held: () => dragged && fingers.size > 0 };
}
