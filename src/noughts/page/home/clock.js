/** How long players may think: what can be chosen. */

import { by, element } from "../shared/dom.js";
import { clockName, DAY, MINUTE } from "../shared/names.js";

/** @import { TimeControl } from "../shared/types.js" */

/** @type {TimeControl[]} */
const CONTROLS = [
  { seconds: 30, increment: null },
  { seconds: 2 * MINUTE, increment: null },
  { seconds: DAY, increment: null },
  { seconds: 3 * MINUTE, increment: 2 },
  { seconds: 10 * MINUTE, increment: 5 },
  { seconds: 30 * MINUTE, increment: 0 },
];

const select = () => by("clock", HTMLSelectElement);

/** Fills the choice; without a clock is what it begins with. */
export function offerClocks() {
  for (const [index, control] of CONTROLS.entries()) {
    select().append(element("option", { value: index }, clockName(control)));
  }
}

/** @returns {TimeControl | null} */
export const chosenClock = () => CONTROLS[Number(select().value || "-1")] ?? null;
