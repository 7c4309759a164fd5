/** The lesson: one screen after the other. */

import "./language.js";
import { by } from "../shared/dom.js";
import { translatePage } from "../shared/language.js";
import { keepForOffline } from "../shared/offline.js";
import * as question from "./question.js";

/**
 * The screens in their order; each has the section of its name in learn.html. Those after the first
 * come once that can be touched.
 */
const SCREENS = {
  question: () => question,
  referees: () => import("./referees.js"),
  race: () => import("./race.js"),
  mistakes: () => import("./mistakes.js"),
  turn: () => import("./turn.js"),
};

/** Marks in the contents which screen is in the middle of the window. */
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
followContents();
for (const load of Object.values(SCREENS)) (await load()).start();
keepForOffline();
