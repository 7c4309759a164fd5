/** Buttons that keep their places and run one action at a time. */

/**
 * Enables or disables a button, which keeps its place and the focus.
 *
 * @param {HTMLButtonElement} button
 * @param {boolean} isAble
 */
export function enable(button, isAble) {
  button.setAttribute("aria-disabled", String(!isAble));
}

/** @type {(button: HTMLButtonElement) => boolean} */
const isEnabled = (button) => button.getAttribute("aria-disabled") !== "true";

/** Position of the last click in a series of quick clicks: 2 for the second of a double click. */
let inARow = 0;
addEventListener(
  "click",
  ({ detail }) => {
    inARow = detail;
  },
  true,
);

/**
 * Wraps work so that it runs once at a time. Another click on the same button is ignored, even the
 * second click of a double click whose first has finished; a click on another button waits for its
 * turn. The clicked button shows that it is busy.
 *
 * @template {unknown[]} A
 * @param {(...args: A) => Promise<unknown>} work
 * @returns {(button: HTMLButtonElement, ...args: A) => Promise<void>}
 */
export function oneAtATime(work) {
  let last = Promise.resolve();
  return async (button, ...args) => {
    if (inARow > 1 || button.hasAttribute("aria-busy") || !isEnabled(button)) return;
    button.setAttribute("aria-busy", "true");
    const isSeen = () => button.checkVisibility() && isEnabled(button);
    const done = last.then(() => isSeen() && work(...args));
    last = done.then(
      () => {},
      () => {},
    );
    await done.finally(() => button.removeAttribute("aria-busy"));
  };
}
