/**
 * What this browser keeps between visits.
 *
 * A browser may forbid that, and what it kept may be damaged: then there is nothing, and the page
 * works without.
 */

/**
 * What was kept: null if there is nothing, and of any shape, since people can edit it.
 *
 * @param {string} slot
 */
export function read(slot) {
  try {
    return JSON.parse(localStorage.getItem(slot) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keeps a value; null removes what there was.
 *
 * @param {string} slot
 * @param {unknown} value
 */
export function write(slot, value) {
  try {
    if (value === null) localStorage.removeItem(slot);
    else localStorage.setItem(slot, JSON.stringify(value));
  } catch {
    // Forbidden, or full.
  }
}
