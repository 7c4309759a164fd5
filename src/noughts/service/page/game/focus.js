/** Where the keyboard goes when what had the focus vanishes. */

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
