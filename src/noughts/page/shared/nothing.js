/** The page for unknown URLs. */

import { translatePage } from "./language.js";

translatePage();
