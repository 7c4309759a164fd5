/** The report on a solution: verdict, counterexample, mistake and costs. */

import { element, svg } from "../shared/dom.js";
import { language, t } from "../shared/language.js";
import { Counterexample } from "./counterexample.js";

/** @import { Card } from "./catalogue.js" */
/** @import { Cost, Report } from "./judge.js" */

const SIZE = 6; // megabytes of Python
const [WIDTH, HEIGHT] = [192, 76]; // of a plot
const [SIDE, FOOT] = [8, 20]; // around it

const megabytes = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** @type {Record<Report["verdict"], () => string>} */
const VERDICTS = {
  right: () => t("Correct"),
  wrong: () => t("Wrong"),
  crashed: () => t("It crashed"),
  timeout: () => t("It took too long"),
  memory: () => t("It took too much memory"),
  unusable: () => t("It cannot be run"),
};

/** @type {Record<string, () => string>} */
const COSTS = {
  "time per move": () => t("Time per move"),
  construction: () => t("Creating an object"),
  memory: () => t("Memory"),
};

/** @param {number} part of Python that is loaded */
export const loadingName = (part) =>
  part < 1
    ? t("Loading Python: {loaded} of {size} MB", {
        loaded: megabytes.format(part * SIZE),
        size: SIZE,
      })
    : t("Starting Python…");

/**
 * Translates what the checker is doing.
 *
 * @param {string} doing in the checker's words
 */
export function doingName(doing) {
  const board = /^playing on (\d+×\d+)$/.exec(doing)?.[1];
  if (board) return t("playing on {board}", { board });
  if (doing.startsWith("measuring")) return t("measuring how time and memory grow");
  if (doing.startsWith("playing every")) return t("playing every game on small boards");
  if (doing.includes("smallest game")) return t("looking for the smallest failing game");
  return t("looking for the mistake");
}

/** @param {Report} report */
export const verdictName = ({ verdict }) => VERDICTS[verdict]();

/** @type {(isRight: boolean, words: string) => HTMLElement} */
export const judgement = (isRight, words) =>
  element(
    "p",
    { class: `judgement ${isRight ? "right" : "wrong"}` },
    element("span", { "aria-hidden": "true" }, isRight ? "✓" : "✗"),
    ` ${words}`,
  );

/**
 * Creates the parts of a report. The checker's sentences are in English, as in a terminal.
 *
 * @param {Report} report
 * @param {(line: number) => void} goTo moves the cursor to a line
 * @param {Card} [card] of the mistake
 */
export function reported(report, goTo, card) {
  const { verdict, message, counterexample, mistake, output, line } = report;
  const isRight = verdict === "right";
  return [
    judgement(isRight, verdictName(report)),
    english("p", {}, sentence(message)),
    line &&
      element(
        "p",
        {},
        element(
          "button",
          { type: "button", class: "slim", onclick: () => goTo(line) },
          t("Go to line {line}", { line }),
        ),
      ),
    counterexample?.moves.length && played(report),
    mistake && explained(report, card),
    remarks([...(report.found ?? []), ...(report.notes ?? [])]),
    element("div", { class: "costs", id: "turn-costs" }),
    output &&
      element(
        "details",
        { class: "printed" },
        element("summary", {}, t("Output")),
        element("pre", { tabindex: "0" }, output),
      ),
  ];
}

/**
 * Shows a report and moves the focus there. In a small window it covers the foot until it is closed.
 *
 * @param {HTMLElement} place
 * @param {unknown[]} parts
 * @param {HTMLElement} run the button that has the focus then
 */
export function tell(place, parts, run) {
  const isSheet = () => getComputedStyle(place).position === "fixed";
  const onclick = () => {
    place.removeAttribute("data-told");
    run.focus({ preventScroll: true });
  };
  const close = element("button", { type: "button", class: "slim close", onclick }, t("Close"));
  place.onkeydown = ({ key }) => {
    if (key === "Escape" && isSheet()) onclick();
  };
  place.onclick = ({ target }) => {
    if (target instanceof HTMLAnchorElement) place.removeAttribute("data-told");
  };
  place.replaceChildren(close, ...parts.filter((part) => part instanceof Node));
  place.toggleAttribute("data-told", true);
  place.focus({ preventScroll: true });
  if (!isSheet()) place.scrollIntoView({ block: "nearest" });
}

/** @param {Report} report */
function played({ counterexample, before }) {
  const shown = new Counterexample();
  if (counterexample) shown.show({ ...counterexample, before });
  return element(
    "div",
    { class: "played" },
    shown,
    english("p", { class: "quiet" }, sentence(counterexample?.message ?? "")),
  );
}

/**
 * Explains the mistake, in the reader's language if the lesson has a card for it.
 *
 * @param {Report} report
 * @param {Card} [card]
 */
function explained({ mistake }, card) {
  const { does, why } = card ?? mistake ?? { does: "", why: "" };
  return element(
    "div",
    {},
    element("p", {}, t("It behaves like a class with this mistake:")),
    element(
      "p",
      { lang: card ? null : "en" },
      card ? element("a", { href: `#mistake-${card.name}` }, sentence(does)) : sentence(does),
    ),
    element("p", { class: "quiet", lang: card ? null : "en" }, why),
  );
}

/** @param {string[]} said */
const remarks = (said) =>
  said.length > 0 &&
  english(
    "ul",
    { class: "remarks quiet" },
    ...said.map((each) => element("li", {}, sentence(each))),
  );

/**
 * Plots a cost against n on logarithmic axes, so that the slope shows the complexity.
 *
 * @param {Cost} cost
 */
export function plotted({ name, words, points }) {
  const seen = points.filter(([, cost]) => cost > 0);
  const [first, last] = [points[0][0], points[points.length - 1][0]];
  const costs = seen.map(([, cost]) => cost);
  const least = Math.min(...costs);
  const wide = Math.log(last / first) || 1;
  const high = Math.max(wide, Math.log(Math.max(...costs) / least)); // O(1) looks flat
  const places = seen.map(([n, cost]) => [
    SIDE + ((WIDTH - 2 * SIDE) * Math.log(n / first)) / wide,
    HEIGHT - FOOT - 6 - ((HEIGHT - FOOT - 14) * Math.log(cost / least)) / high,
  ]);
  const title = COSTS[name]?.() ?? name;
  return element(
    "figure",
    { class: "cost" },
    element("figcaption", {}, element("strong", {}, title), english("span", {}, words)),
    svg(
      "svg",
      {
        class: "plot-cost",
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "img",
        "aria-label": `${title}: ${words}`,
      },
      svg("path", { class: "axis", d: `M${SIDE} ${HEIGHT - FOOT}H${WIDTH - SIDE}` }),
      svg("path", { class: "line", d: `M${places.map((at) => at.join(" ")).join("L")}` }),
      ...places.map(([cx, cy]) => svg("circle", { cx, cy, r: 3 })),
      svg("text", { x: SIDE, y: HEIGHT - 4 }, `n = ${first}`),
      svg("text", { x: WIDTH - SIDE, y: HEIGHT - 4, class: "end" }, last),
    ),
  );
}

/**
 * Links a correct solution to the race if its moves take longer on larger boards.
 *
 * @param {Cost[]} costs
 */
export const slowness = (costs) =>
  costs.some(({ name, words }) => name === "time per move" && words.startsWith("O(n"))
    ? [
        element(
          "p",
          {},
          element(
            "a",
            { href: "#race" },
            t(
              "It is correct, but each move does more work as the board grows: the race shows how much.",
            ),
          ),
        ),
      ]
    : [];

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} attributes
 * @param {(Node | string)[]} children
 */
export const english = (tag, attributes, ...children) =>
  element(tag, { lang: "en", ...attributes }, ...children);

/** @param {string} text */
export const sentence = (text) =>
  text && text[0].toUpperCase() + text.slice(1) + (/[.!?:]$/.test(text) ? "" : ".");
