/**
 * Translations into the reader's language. Texts are in English where they are used, and are the
 * keys of the tables in `languages/`. A text that is missing from a table stays English.
 */

import { LANGUAGES } from "./client_constants.js";
import { read, write } from "./storage.js";

const SLOT = "noughts.language";
const SPOKEN = ["aria-label", "placeholder"]; // attributes with texts

/** The reader's language: their choice on this page, else the first supported one of the browser. */
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
        () => ({}), // offline: fall back to English
      );

/**
 * Translates a text and fills in its values: `t("{who} wins", { who: "Ada" })`.
 *
 * @param {string} text in English
 * @param {Record<string, string | number>} values
 */
export const t = (text, values = {}) =>
  (table[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** @type {(number: number) => string} */
export const written = (number) => new Intl.NumberFormat(language).format(number);

/** Translates the page's HTML. */
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
