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
export const isEnabled = (button) => button.getAttribute("aria-disabled") !== "true";

/**
 * Makes a function that runs once at a time: what is clicked meanwhile is dropped. The button that
 * was clicked shows that it is busy.
 *
 * @template {unknown[]} A
 * @param {(...args: A) => Promise<unknown>} work
 * @returns {(button: HTMLButtonElement, ...args: A) => Promise<void>}
 */
export function oneAtATime(work) {
  let isBusy = false;
  return async (button, ...args) => {
    if (isBusy || !isEnabled(button)) return;
    isBusy = true;
    button.setAttribute("aria-busy", "true");
    await work(...args).finally(() => {
      button.removeAttribute("aria-busy");
      isBusy = false;
    });
  };
}
