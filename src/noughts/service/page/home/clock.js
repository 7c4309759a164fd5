/** How long players may think: what can be chosen, and what it is called. */

import { by, element } from "../shared/dom.js";
import { t } from "../shared/language.js";

/** @import { TimeControl } from "../shared/types.js" */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
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

/**
 * What a clock is called: "30 s a move", "3 min + 2 s".
 *
 * @param {TimeControl} control
 */
export function clockName({ seconds, increment }) {
  if (increment === null) return t("{time} a move", { time: duration(seconds) });
  if (!increment) return t("{time} each", { time: duration(seconds) });
  return `${duration(seconds)} + ${duration(increment)}`;
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds % DAY === 0) return t("{count} d", { count: seconds / DAY });
  if (seconds % HOUR === 0) return t("{count} h", { count: seconds / HOUR });
  if (seconds % MINUTE === 0) return t("{count} min", { count: seconds / MINUTE });
  return t("{count} s", { count: seconds });
}
