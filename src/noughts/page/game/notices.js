/** Notices: errors, passing notes and announcements for screen readers. */

import { by } from "../shared/dom.js";

const NOTED = 8000; // milliseconds that a note is shown

let noting = 0;

/**
 * Shows an error until the next action, or hides it for "".
 *
 * @param {string} text
 */
export function complain(text) {
  by("problem").textContent = text;
  by("problem").hidden = !text;
  announce(text);
}

/**
 * Shows a note for some seconds, or hides it for "".
 *
 * @param {string} text
 */
export function note(text) {
  by("note").textContent = text;
  by("note").hidden = !text;
  clearTimeout(noting);
  if (text) noting = setTimeout(() => note(""), NOTED);
}

/** @param {string} text */
export function announce(text) {
  if (text) by("announcer").textContent = text;
}
