/** Buttons of a player: they keep their places, and do one thing at a time. */

/**
 * Says whether a button does anything. It keeps its place, and the focus.
 *
 * @param {HTMLButtonElement} button
 * @param {boolean} isAble
 */
export function enable(button, isAble) {
  button.setAttribute("aria-disabled", String(!isAble));
}

/** @type {(button: HTMLButtonElement) => boolean} */
const isEnabled = (button) => button.getAttribute("aria-disabled") !== "true";

/** Which of a row of quick clicks the last was: 2 for the second of a double click. */
let inARow = 0;
addEventListener(
  "click",
  ({ detail }) => {
    inARow = detail;
  },
  true,
);

/**
 * Makes a function that runs once at a time: a second click on the same button is dropped, also
 * one of a double click whose first has been answered; another button waits for its turn. The
 * button that was clicked shows that it is busy.
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
