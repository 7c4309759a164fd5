/** Where the keyboard and the finger go when what they were on vanishes. */

const QUICK = 300; // milliseconds between the two taps of a double one
const NEAR = 20; // pixels

/**
 * Makes a change of the page; where it takes the focused element away, the focus goes on.
 *
 * @param {() => void} change
 * @param {() => void} focusNext
 */
export function keepFocus(change, focusNext) {
  const before = document.activeElement;
  change();
  if (!before || before === document.body || before.checkVisibility()) return;
  const now = document.activeElement;
  if (now === before || now === document.body) focusNext(); // nobody has focused anything since
}

/**
 * Has the second click of a double one play no cell if the first was on something that covered it.
 * By touch each of the two may count as a first one: then the time and the place decide.
 *
 * @param {HTMLElement} board
 */
export function keepClicks(board) {
  let wasOn = false; // whether the first one was on the board
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
