/** The lesson: loads and starts its screens. */

import "./language.js";
import { by } from "../shared/dom.js";
import { translatePage } from "../shared/language.js";
import { keepForOffline } from "../shared/offline.js";
import * as question from "./question.js";

/**
 * The screens in order; each has a section with its name in learn.html. Later screens load once the
 * first one can be used.
 */
const SCREENS = {
  question: () => question,
  referees: () => import("./referees.js"),
  race: () => import("./race.js"),
  mistakes: () => import("./mistakes.js"),
  turn: () => import("./turn.js"),
};

/**
 * Shows one screen at a time: `?embed=race` only that screen, for another page to embed, and
 * `?projector` all of them in large type, with the arrow keys.
 */
const asked = new URLSearchParams(location.search);

/** The only screen that this page shows; null if it shows all. */
const embedded = Object.keys(SCREENS).find((screen) => screen === asked.get("embed")) ?? null;

/** Shows the screen in the address, or the first one, and no other. */
function showOne() {
  const name = embedded ?? location.hash.slice(1).replace(/^(turn|task)=.*/, "turn");
  const shown = document.getElementById(name)?.closest(".screen") ?? by("question");
  for (const screen of document.querySelectorAll(".screen"))
    screen.toggleAttribute("data-away", screen !== shown);
  scrollTo(0, 0);
}

/** Turns the pages of the projector with the arrow keys. */
function turnPages(/** @type {KeyboardEvent} */ event) {
  const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  const at = /** @type {Element} */ (event.target);
  const isElsewhere = at.closest("input, textarea, select, .editor, [role=grid]");
  if (!step || event.defaultPrevented || isElsewhere) return;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const screens = Object.keys(SCREENS);
  const current = screens.findIndex((screen) => !by(screen).hasAttribute("data-away"));
  const next = screens[current + step];
  if (next) location.hash = next;
  event.preventDefault();
}

/** Fades the table of contents where it goes on beyond the window. */
function fadeContents() {
  const list = /** @type {HTMLElement} */ (document.querySelector(".contents ol"));
  const fade = () => {
    const { scrollLeft, clientWidth, scrollWidth } = list;
    list.toggleAttribute("data-before", scrollLeft > 1);
    list.toggleAttribute("data-after", scrollLeft + clientWidth < scrollWidth - 1);
  };
  list.addEventListener("scroll", fade);
  new ResizeObserver(fade).observe(list);
}

/** Marks the screen in the middle of the window in the table of contents. */
function followContents() {
  const watching = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = document.querySelector(`.contents [href="#${target.id}"]`);
        if (isIntersecting) {
          link?.setAttribute("aria-current", "true");
          link?.scrollIntoView({ block: "nearest", inline: "nearest" });
        } else link?.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-40% 0px -60% 0px" },
  );
  for (const screen of Object.keys(SCREENS)) watching.observe(by(screen));
}

translatePage();
fadeContents();
if (embedded || asked.has("projector")) {
  document.documentElement.dataset.alone = embedded ? "embed" : "projector";
  showOne();
  addEventListener("hashchange", showOne);
  if (!embedded) addEventListener("keydown", turnPages);
}
followContents();
for (const [screen, load] of Object.entries(SCREENS)) {
  if (!embedded || embedded === screen) (await load()).start();
}
if (!embedded) keepForOffline();
