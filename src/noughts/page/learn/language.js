/** The translations of the lesson, which other screens do not load. */

import { language, table } from "../shared/language.js";

/**
 * Adds the translations in a folder.
 *
 * @param {string} folder its path in `languages/`, ending with a slash
 */
export async function translateFrom(folder = "") {
  if (language === "en") return;
  const own = await import(`./languages/${folder}${language}.js`).then(
    (found) => found.default,
    () => ({}), // offline: fall back to English
  );
  Object.assign(table, own);
}

await translateFrom();
