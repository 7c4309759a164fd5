/** The lesson: one screen after the other. */

import "./language.js";
import { by } from "../shared/dom.js";
import { drawIcons } from "../shared/icons.js";
import { translatePage } from "../shared/language.js";
import { keepForOffline } from "../shared/offline.js";
import * as question from "./question.js";
import * as race from "./race.js";
import * as referees from "./referees.js";

/** The screens in their order; each has the section of its name in learn.html. */
const SCREENS = { question, referees, race };

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
drawIcons();
for (const screen of Object.values(SCREENS)) screen.start();
followContents();
keepForOffline();
