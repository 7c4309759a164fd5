/** Icons of buttons and players, drawn as strokes in a 24×24 square. */

import { svg } from "./dom.js";

const ICONS = {
  cross: "M5.5 5.5Q12 12 18.6 18.4M18.4 5.4Q11.8 12.2 5.6 18.6",
  nought: "M13.6 5.1C8.8 3.6 5 7.6 5 12.2S8.1 19.1 12.2 19.1S19.1 16.2 19.1 11.8S15.9 4.9 11.8 5",
  first: "M7 6V18M18 6L11 12L18 18",
  back: "M15 6L8 12L15 18",
  forward: "M9 6L16 12L9 18",
  last: "M17 6V18M6 6L13 12L6 18",
  plus: "M12 6V18M6 12H18",
  minus: "M6 12H18",
  whole: "M9 5H5V9M15 5H19V9M9 19H5V15M15 19H19V15",
  play: "M8 5.5V18.5L18.5 12Z",
  pause: "M8.5 6V18M15.5 6V18",
  eye: "M3.5 12Q12 4 20.5 12Q12 20 3.5 12M12 10A2 2 0 1 0 12 14A2 2 0 1 0 12 10",
  bell: "M6.5 16.5V11A5.5 5.5 0 0 1 17.5 11V16.5M5 16.5H19M10.5 19.5H13.5",
  share: "M12 15V4M8 7.5L12 3.5L16 7.5M7 11H5.5V20H18.5V11H17",
};

/** @typedef {keyof typeof ICONS} IconName */

/**
 * Creates an icon, hidden from screen readers.
 *
 * @param {IconName} name
 */
export function icon(name) {
  const drawn = svg("svg", { class: "icon", "aria-hidden": "true" });
  draw(drawn, name);
  return drawn;
}

/** Draws the icons in the page's HTML, each named by its `data-icon`. */
export function drawIcons() {
  for (const place of document.querySelectorAll("svg[data-icon]")) {
    draw(place, /** @type {IconName} */ (place.getAttribute("data-icon")));
  }
}

/**
 * @param {Element} place
 * @param {IconName} name
 */
function draw(place, name) {
  place.setAttribute("viewBox", "0 0 24 24");
  place.append(svg("path", { d: ICONS[name] }));
}
