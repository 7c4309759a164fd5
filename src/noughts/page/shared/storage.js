/**
 * Values that the browser stores between visits.
 *
 * A browser may forbid storage, and stored values may be damaged. Both count as nothing stored.
 */

/**
 * Reads a value, or null if there is none. It may have any shape, because users can edit it.
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
 * Stores a value; null removes it.
 *
 * @param {string} slot
 * @param {unknown} value
 */
export function write(slot, value) {
  try {
    if (value === null) localStorage.removeItem(slot);
    else localStorage.setItem(slot, JSON.stringify(value));
  } catch {
    // Storage is forbidden or full.
  }
}
