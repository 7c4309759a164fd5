/** Touch, wheel and mouse on a board, told as pan and zoom. */

const SLOP = 6; // pixels that a finger may slip in a tap

/**
 * @param target the element that is touched
 * @param view { zoomable, fitted, point(event) -> [x, y], pan(dx, dy), zoom(factor, x, y) -> changed }
 * @returns { dragged(), whether the click now at hand ends a drag; held(), whether a drag goes on }
 */
export function listenForGestures(target, view) {
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
    if (!from || !view.zoomable) return;
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
    const spread = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
    const middle = [(to[0] + other[0]) / 2, (to[1] + other[1]) / 2];
    view.zoom(spread(to) / Math.max(1, spread(from)), ...middle);
  });

  for (const end of ["pointerup", "pointercancel"]) {
    // On the window, for the finger may have left the board by then.
    addEventListener(end, (event) => fingers.delete(event.pointerId));
  }

  target.addEventListener(
    "wheel",
    (event) => {
      if (!view.zoomable) return;
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const changed = view.zoom(Math.exp(-event.deltaY * lines * 0.002), ...view.point(event));
      // Zoomed out all the way, the wheel scrolls the page as ever.
      if (changed) event.preventDefault();
    },
    { passive: false },
  );

  return { dragged: () => dragged, held: () => dragged && fingers.size > 0 };
}
