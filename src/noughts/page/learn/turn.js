/** Screen 5, your turn, which loads when it is near the window or when a link contains code. */

import { by } from "../shared/dom.js";
import { read } from "../shared/storage.js";

export const SLOT = "noughts.turn";
export const LANGUAGE = "noughts.turn.language";
export const JAVASCRIPT = ".js"; // after the slot of a problem
export const TASK = "noughts.task";
export const SKELETON = `class TicTacToe:
    def __init__(self, n: int):
        """Start a game on a board of n rows and n columns."""
        self.n = n

    def move(self, row: int, col: int, player: int) -> int:
        """Mark a cell for player 1 or 2.

        Rows and columns count from 0. Return the player
        if this move wins, otherwise 0.
        """
        return 0
`;

export function start() {
  const section = by("turn");
  const kept = read(read(LANGUAGE) === "javascript" ? SLOT + JAVASCRIPT : SLOT);
  by("turn-plain", HTMLTextAreaElement).value = typeof kept === "string" ? kept : SKELETON;
  const load = async () => {
    near.disconnect();
    removeEventListener("hashchange", follow);
    (await import("./writing.js")).start();
  };
  const follow = () => /^#(turn|turn-js|task)=/.test(location.hash) && load();
  const near = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && load(), {
    rootMargin: "100%",
  });
  addEventListener("hashchange", follow);
  if (!follow()) near.observe(section);

  const [, tests] = by("turn-parts").children;
  const test = async () => (await import("./tests.js")).show();
  tests.addEventListener("click", test);
  const open = async () => {
    if (location.hash === "#class") (await import("./classroom.js")).show();
    if (location.hash === "#tests") test().then(() => section.scrollIntoView());
  };
  addEventListener("hashchange", open);
  open();
}
