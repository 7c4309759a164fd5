/** The translations of the lesson, which other screens do not load. */

import { language, table } from "../shared/language.js";

if (language !== "en") {
  const own = await import(`./languages/${language}.js`).then(
    (found) => found.default,
    () => ({}), // offline: fall back to English
  );
  Object.assign(table, own);
}
