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
followContents();
for (const load of Object.values(SCREENS)) (await load()).start();
keepForOffline();
