/** What the page says: what went wrong, what needs no answer, and what only a screen reader says. */

import { by } from "../shared/dom.js";

const NOTED = 8000; // milliseconds that a passing note is shown

let noting = 0;

/**
 * Says what went wrong, until something else is done; "" for nothing.
 *
 * @param {string} text
 */
export function complain(text) {
  by("problem").textContent = text;
  by("problem").hidden = !text;
  announce(text);
}

/**
 * Says in passing what needs no answer; "" for nothing.
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
