/** The known mistakes from the checker's catalogue: mistakes.json and its translations. */

import { element } from "../shared/dom.js";
import { language, t } from "../shared/language.js";
import { read as kept, write } from "../shared/storage.js";

/** @import { Example } from "./counterexample.js" */

/**
 * A mistake, as script/page/mistakes writes it: `wrong` are line numbers in the code, `right` are the
 * correct methods, and `fails` are other mistakes that also answer the game wrongly.
 *
 * @typedef {{
 *   name: string,
 *   kind: string,
 *   does: string,
 *   why: string,
 *   code: string[],
 *   wrong: number[],
 *   right: string[],
 *   game: Example,
 *   fails: string[],
 * }} Card
 */

const SLOT = "noughts.mistakes";
const stored = kept(SLOT);

/** The names of the mistakes whose cards the reader has uncovered, on this device. */
export const seen = new Set(Array.isArray(stored) ? stored : []);

/** @param {string} name */
export function see(name) {
  seen.add(name);
  write(SLOT, [...seen]);
}

/** @returns {Promise<Card[]>} */
export async function readCards() {
  const read = (/** @type {string} */ file) =>
    fetch(`/page/learn/${file}.json`).then((answer) => answer.json());
  /** @type {[Card[], Record<string, [does: string, why: string]>]} */
  const [cards, texts] = await Promise.all([
    read("mistakes"),
    language === "en" ? {} : read(`languages/mistakes.${language}`),
  ]);
  return cards.map((card) => {
    const [does, why] = texts[card.name] ?? [card.does, card.why];
    return { ...card, does, why };
  });
}

/**
 * Shows lines of Python, with the wrong ones highlighted.
 *
 * @param {string[]} lines
 * @param {number[]} wrong
 * @param {{ pick?: (line: number) => void, picked?: number }} guess what to do with a line that the
 *   reader taps, or the line that was tapped
 */
export function codeBlock(lines, wrong = [], { pick, picked } = {}) {
  return element(
    "pre",
    { class: "code" },
    ...lines.map((line, at) => {
      const isWrong = wrong.includes(at);
      const indent = line.length - line.trimStart().length;
      const isButton = pick && line.trim();
      const row = element(
        isButton ? "button" : isWrong ? "mark" : "span",
        {
          type: isButton ? "button" : null,
          class: at === picked ? "line picked" : "line",
          onclick: isButton ? () => pick(at) : null,
        },
        isWrong && element("span", { class: "unseen" }, `${t("Wrong:")} `),
        at === picked && element("span", { class: "unseen" }, `${t("Your guess:")} `),
        `${line.trimStart()}\n`,
      );
      row.style.setProperty("--indent", String(indent));
      return row;
    }),
  );
}
