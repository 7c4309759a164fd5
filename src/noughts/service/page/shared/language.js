/** The texts of the page. */

/**
 * A text with its values filled in: `t("{who} wins", { who: "Ada" })`.
 *
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const t = (text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
