/** The lesson's own texts in the reader's language, which no other screen has to load. */

import { language, table } from "../shared/language.js";

if (language !== "en") {
  const own = await import(`./languages/${language}.js`).then(
    (found) => found.default,
    () => ({}), // offline: English serves
  );
  Object.assign(table, own);
}
