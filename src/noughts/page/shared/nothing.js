/** The page for an address that is none. */

import { translatePage } from "./language.js";

translatePage();
