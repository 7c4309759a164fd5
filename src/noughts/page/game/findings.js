/** <noughts-findings>: the referee's view beside the board, in words and numbers. */

import { element } from "../shared/dom.js";
import { otherSeat, SEATS } from "../shared/geometry.js";
import { t } from "../shared/language.js";
import { signed, symbol } from "../shared/names.js";

export { drawFindings, drawWeights } from "./overlay.js";
export { observe } from "./referee.js";

/** @import { Change, Findings } from "./view.js" */

const EXACT = 12; // potentials are written as fractions up to this k

export class FindingsPanel extends HTMLElement {
  /**
   * Shows the findings of `observe` for a game with k in a row.
   *
   * @param {Findings} findings
   * @param {number} k
   */
  show(findings, k) {
    const rows = SEATS.map((player) =>
      element(
        "tr",
        { class: `p${player}` },
        element("th", { scope: "row" }, symbol(player)),
        element("td", {}, String(findings.live[player])),
        element("td", {}, String(findings.threats[player].size)),
        element("td", {}, potential(findings.potential[player], k)),
      ),
    );
    const heads = ["", t("live lines"), t("threats"), t("potential")].map((text) =>
      text ? element("th", { scope: "col" }, text) : element("td"),
    );
    this.replaceChildren(
      element("h2", {}, t("What the referee sees")),
      findings.sums ? changes(findings.sums.changes, findings.attacker) : "",
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...heads)),
        element("tbody", {}, ...rows),
      ),
      element(
        "p",
        { class: "quiet" },
        t("{dead} of {lines} lines are dead.", {
          dead: findings.deadLines.length,
          lines: findings.lines,
        }),
        " ",
        verdict(findings, k),
      ),
      findings.heat && findings.live[findings.attacker] ? legend(findings) : "",
      element(
        "p",
        { class: "quiet" },
        key(findings, k),
        " ",
        element("a", { href: "/learn" }, t("Lesson")),
      ),
    );
  }
}

/**
 * Lists the sums that the last move changed.
 *
 * @param {Change[]} changed
 * @param {number} player the player who moved
 */
function changes(changed, player) {
  if (!changed.length)
    return element("p", { class: "quiet" }, t("Each move changes at most four sums."));
  return element(
    "dl",
    { class: `changes p${player}` },
    ...changed.map(({ name, before, after }) =>
      element(
        "div",
        {},
        element("dt", {}, name),
        element("dd", {}, `${signed(before)} → `, element("strong", {}, signed(after))),
      ),
    ),
  );
}

/**
 * Describes the verdict of the Erdős–Selfridge theorem on the position.
 *
 * @param {Findings} findings
 * @param {number} k
 */
function verdict({ attacker, potential: sums, heat, live, proves }, k) {
  if (!heat) return "";
  if (!live[1] && !live[2]) return t("No more lines can be completed.");
  if (!proves) return "";
  const [one, other] = [symbol(otherSeat(attacker)), symbol(attacker)];
  return sums[attacker] < 1n << BigInt(k)
    ? t(
        "{other}’s potential is below 1, so {one} can avoid losing by always playing in the cell where it is highest.",
        { one, other },
      )
    : t("{other}’s potential is 1 or more, so {one}’s safety is not proven yet.", {
        one,
        other,
      });
}

/** @param {Findings} findings */
const legend = ({ attacker }) =>
  element(
    "p",
    { class: "legend quiet" },
    element("span", { class: "ramp" }),
    t("the deeper the colour, the greater {mark}’s potential on the lines through the cell", {
      mark: symbol(attacker),
    }),
  );

/**
 * Explains the symbols on the board and around it.
 *
 * @param {Findings} findings
 * @param {number} k
 */
function key({ sums, heat, legible }, k) {
  const unit = `1/${2 ** k}`;
  return [
    heat && legible
      ? t("A line with e empty cells has potential 2^−e; cells show totals in units of {unit}.", {
          unit,
        })
      : "",
    sums
      ? t("Dotted lines and crossed-out sums can’t be completed.")
      : t("No line through a grey cell can win."),
    t("A dotted frame marks a threat."),
  ].join(" ");
}

/**
 * Formats a potential, given times 2^k: 13/16, or 6.3 × 10^−28.
 *
 * @param {bigint} scaled
 * @param {number} k
 */
function potential(scaled, k) {
  const whole = 1n << BigInt(k);
  if (scaled % whole === 0n) return String(scaled / whole);
  if (k <= EXACT) return reduced(scaled, whole);
  const number = Number(scaled) / 2 ** k;
  if (number >= 0.001) return number.toPrecision(3);
  const [digits, exponent] = number.toExponential(1).split("e");
  return element("span", {}, `${digits} × 10`, element("sup", {}, exponent.replace("-", "−")));
}

/**
 * Reduces a fraction with a power of 2 below to lowest terms.
 *
 * @type {(above: bigint, below: bigint) => string}
 */
const reduced = (above, below) =>
  above % 2n ? `${above}/${below}` : reduced(above / 2n, below / 2n);

customElements.define("noughts-findings", FindingsPanel);
