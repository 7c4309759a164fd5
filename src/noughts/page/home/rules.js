/** The rules form of the start page, which allows only valid combinations of board and rules. */

import { LIMITS, VARIANTS } from "../shared/client_constants.js";
import { by } from "../shared/dom.js";
import { t } from "../shared/language.js";

/** @import { Rules } from "../shared/types.js" */

const variant = by("variant", HTMLSelectElement);
const gravity = by("gravity", HTMLInputElement);
const presets = /** @type {HTMLElement[]} */ ([...by("presets").querySelectorAll("[data-preset]")]);
/** @type {(button: HTMLElement) => Rules} */
const presetOf = (button) => JSON.parse(button.dataset.preset ?? "");
/** @type {(id: string, label: string) => { label: string, field: HTMLInputElement, slide: HTMLInputElement }} */
const number = (id, label) => ({
  label,
  field: by(id, HTMLInputElement),
  slide: by(`${id}-slide`, HTMLInputElement),
});
const rows = number("rows", t("Rows"));
const cols = number("cols", t("Columns"));
const k = number("k", t("In a row"));

/** @type {(rules: Rules) => boolean} */
export const isWhole = ({ shape, k }) => shape.every((side) => side === k);

/**
 * Returns whether a board and its rules can be played as a variant.
 *
 * @type {(rules: Rules, variant: string) => boolean}
 */
const fits = ({ shape, k, gravity }, variant) => {
  const needs = VARIANTS[variant];
  const isK = needs.k === null || needs.k === k;
  return isK && Math.max(...shape) <= needs.most && (needs.falls || !gravity);
};

/** @type {(value: unknown, most: number) => boolean} */
const isSide = (value, most) =>
  Number.isInteger(value) && Number(value) > 1 && Number(value) <= most;

/**
 * Returns whether a stored value contains rules that this page can show.
 *
 * @param {any} value
 * @returns {value is Rules}
 */
export const isRules = (value) =>
  Array.isArray(value?.shape) &&
  value.shape.length === 2 &&
  value.shape.every((/** @type {unknown} */ side) => isSide(side, LIMITS.side)) &&
  isSide(value.k, Math.max(...value.shape)) &&
  typeof value.gravity === "boolean" &&
  Object.hasOwn(VARIANTS, value.variant);

export class RulesForm {
  rules = presetOf(presets[0]);
  #wantedK = Infinity; // the k to use if the board allows it; Infinity for the longest side

  /** @param {(rules: Rules) => void} changed is called when the rules change */
  constructor(changed) {
    this.changed = changed;
    for (const button of presets) {
      button.onclick = () => this.choose(presetOf(button));
    }
    for (const { field, slide } of [rows, cols]) field.max = slide.max = String(LIMITS.side);
    for (const input of [rows, cols, k]) {
      input.field.addEventListener("input", () => {
        if (input.field.validity.valid) this.#follow(input, Number(input.field.value));
        else showBounds();
      });
      input.slide.addEventListener("input", () => this.#follow(input, Number(input.slide.value)));
    }
    variant.onchange = () => this.#show({ ...this.rules, variant: variant.value });
    gravity.onchange = () => this.#show({ ...this.rules, gravity: gravity.checked });
  }

  /**
   * Chooses rules, and keeps their k for later boards that allow it.
   *
   * @param {Rules} chosen
   */
  choose(chosen) {
    this.#wantedK = isWhole(chosen) ? Infinity : chosen.k;
    this.#show(chosen);
  }

  /**
   * Applies a changed number; a square board stays square when its rows change.
   *
   * @param {typeof rows} input
   * @param {number} value
   */
  #follow(input, value) {
    const [height, width] = this.rules.shape;
    if (input === k) this.choose({ ...this.rules, k: value });
    else if (input === cols) this.#show({ ...this.rules, shape: [height, value] });
    else this.#show({ ...this.rules, shape: [value, width === height ? value : width] });
  }

  /**
   * Shows the chosen rules, adjusted to a valid combination.
   *
   * @param {Rules} chosen
   */
  #show(chosen) {
    const longest = Math.max(...chosen.shape);
    const rules = { ...chosen, k: Math.min(this.#wantedK, longest) };
    if (!fits(rules, rules.variant)) rules.variant = "freestyle";
    this.rules = rules;
    for (const option of variant.options) option.disabled = !fits(rules, option.value);
    variant.value = rules.variant;
    gravity.checked = rules.gravity;
    k.field.max = k.slide.max = String(longest);
    for (const [{ field, slide }, value] of /** @type {const} */ ([
      [rows, rules.shape[0]],
      [cols, rules.shape[1]],
      [k, rules.k],
    ])) {
      if (Number(field.value) !== value) field.value = String(value);
      slide.value = String(value);
    }
    const board = boardOf(rules);
    for (const button of presets) {
      const isPressed = boardOf(presetOf(button)) === board;
      button.setAttribute("aria-pressed", String(isPressed));
    }
    by("about-variant").textContent = aboutVariant(rules);
    showBounds();
    this.changed(rules);
  }
}

/** @type {(rules: Rules) => string} */
const boardOf = ({ shape, k, gravity }) => [shape, k, gravity].join();

/** @param {Rules} rules */
function aboutVariant({ k, gravity, variant }) {
  const about = t(VARIANTS[variant].about, { k });
  return gravity ? `${about} ${t("Marks fall to the lowest free row.")}` : about;
}

/** Shows the allowed range of a number that is out of range. */
function showBounds() {
  const wrong = [rows, cols, k].find(({ field }) => !field.validity.valid);
  by("bounds").textContent = wrong
    ? t("{label}: enter a whole number from {min} to {max}.", {
        label: wrong.label,
        min: wrong.field.min,
        max: wrong.field.max,
      })
    : "";
}
