/** The translations of the later screens, which the first screen does not wait for. */

import { language, table } from "../shared/language.js";

if (language !== "en") {
  const own = await import(`./languages/later/${language}.js`).then(
    (found) => found.default,
    () => ({}), // offline: fall back to English
  );
  Object.assign(table, own);
}
