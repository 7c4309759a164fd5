/** The page for an unknown address. */

import { translatePage } from "./language.js";

translatePage();
