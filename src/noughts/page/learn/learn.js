/** The lesson: one screen after the other. */

import "./language.js";
import { drawIcons } from "../shared/icons.js";
import { translatePage } from "../shared/language.js";
import { keepForOffline } from "../shared/offline.js";
import * as question from "./question.js";

/** The screens in their order; each has the section of its name in learn.html. */
const SCREENS = { question };

translatePage();
drawIcons();
for (const screen of Object.values(SCREENS)) screen.start();
keepForOffline();
