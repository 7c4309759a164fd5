/** The known mistakes from the checker's catalogue: mistakes.json and its translations. */

import { element } from "../shared/dom.js";
import { language, t } from "../shared/language.js";

/** @import { Example } from "./counterexample.js" */

/**
 * A mistake, as script/page/mistakes writes it: `wrong` are line numbers in the code, `right` are the
 * correct methods, and `fits` are other mistakes that give the same answers in the game.
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
 *   fits: string[],
 * }} Card
 */

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
 */
export function codeBlock(lines, wrong = []) {
  return element(
    "pre",
    { class: "code" },
    ...lines.map((line, at) => {
      const isWrong = wrong.includes(at);
      const indent = line.length - line.trimStart().length;
      const row = element(
        isWrong ? "mark" : "span",
        { class: "line" },
        isWrong && element("span", { class: "unseen" }, `${t("Wrong:")} `),
        `${line.trimStart()}\n`,
      );
      row.style.setProperty("--indent", String(indent));
      return row;
    }),
  );
}
