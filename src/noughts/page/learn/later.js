/** The translations of the later screens, which the first screen does not wait for. */

import { translateFrom } from "./language.js";

await translateFrom("later/");
