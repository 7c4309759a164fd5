/**
 * The texts in the reader's language: English is where it is used, and the key to the tables of
 * the others in `languages/`. A text that a table lacks stays English.
 */

import { LANGUAGES } from "./client_constants.js";
import { read, write } from "./storage.js";

const SLOT = "noughts.language";
const SPOKEN = ["aria-label", "placeholder"]; // attributes that are texts

/** The reader's language: as chosen here, else the first of the browser's that there is. */
export const language =
  [read(SLOT), ...navigator.languages.map((one) => one.slice(0, 2))].find((one) =>
    LANGUAGES.includes(one ?? ""),
  ) ?? "en";

/** @type {Record<string, string>} */
export const table =
  language === "en"
    ? {}
    : await import(`../languages/${language}.js`).then(
        (found) => found.default,
        () => ({}), // offline: English serves
      );

/**
 * A text with its values filled in: `t("{who} wins", { who: "Ada" })`.
 *
 * @param {string} text in English
 * @param {Record<string, string | number>} values
 */
export const t = (text, values = {}) =>
  (table[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** @type {(number: number) => string} */
export const written = (number) => new Intl.NumberFormat(language).format(number);

/** Translates what the page has from the beginning. */
export function translatePage() {
  const root = document.documentElement;
  root.lang = language;
  if (language === "en") return;
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const [, before, text, after] = /^(\s*)(.*?)(\s*)$/s.exec(node.nodeValue ?? "") ?? [];
    if (text) node.nodeValue = before + t(text.replace(/\s+/g, " ")) + after;
  }
  for (const name of SPOKEN) {
    for (const node of root.querySelectorAll(`[${name}]`)) {
      node.setAttribute(name, t(node.getAttribute(name) ?? ""));
    }
  }
}

/**
 * Lets the reader choose the language.
 *
 * @param {HTMLSelectElement} select
 */
export function offerLanguages(select) {
  select.replaceChildren(
    ...LANGUAGES.map((code) => {
      const name = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
      return new Option(name[0].toUpperCase() + name.slice(1), code);
    }),
  );
  select.value = language;
  select.onchange = () => {
    write(SLOT, select.value);
    location.reload();
  };
}
