/** What somebody can do who waits for the other player: send the way to them, or withdraw. */

import { by } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { Link } from "./link.js";

/** @import { Game, Seat } from "../shared/types.js" */

/**
 * Shows the card while the game waits.
 *
 * @param {Game} state
 * @param {Seat[]} seats of whoever looks
 * @param {string | null} awaited who was asked for a rematch, if that is known
 */
export function showWaiting(state, seats, awaited) {
  const isWaiting = state.status === "waiting" && seats.length > 0;
  by("waiting").hidden = !isWaiting;
  if (!isWaiting) return;
  const { before } = state;
  by("waiting-link").hidden = !before;
  by("waiting-text").textContent = before
    ? t("This link leads {who} to the rematch; their start page shows it, too.", {
        who: awaited || t("the other player"),
      })
    : t("You may close this page: the game waits for you on the start page.");
  if (before) by("waiting-link", Link).show(`${location.origin}/g/${before}`);
}
