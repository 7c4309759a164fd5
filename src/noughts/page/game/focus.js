/** Keeps focus and double clicks safe when the element under them disappears. */

const QUICK = 300; // milliseconds between the taps of a double tap
const NEAR = 20; // pixels

/**
 * Changes the page; if that removes the focused element, moves the focus on.
 *
 * @param {() => void} change
 * @param {() => void} focusNext
 */
export function keepFocus(change, focusNext) {
  const before = document.activeElement;
  change();
  if (!before || before === document.body || before.checkVisibility()) return;
  const now = document.activeElement;
  if (now === before || now === document.body) focusNext(); // nothing has taken the focus since
}

/**
 * Stops the second click of a double click from playing a cell if the first one hit something that
 * covered the board. Touch screens may report two single clicks; then time and position decide.
 *
 * @param {HTMLElement} board
 */
export function keepClicks(board) {
  let wasOn = false; // whether the first click was on the board
  let [when, x, y] = [0, 0, 0];
  addEventListener(
    "click",
    (event) => {
      const { detail, target, timeStamp, clientX, clientY } = event;
      const isOn = target instanceof Node && board.contains(target);
      const isNear = Math.hypot(clientX - x, clientY - y) < NEAR;
      const isSecond = detail > 1 || (detail && isNear && timeStamp - when < QUICK);
      [when, x, y] = [timeStamp, clientX, clientY];
      if (!isSecond) wasOn = isOn;
      else if (isOn && !wasOn) event.stopImmediatePropagation();
    },
    true,
  );
}
