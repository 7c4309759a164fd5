/** Screen 5, your turn: what it needs is loaded when somebody comes near, or comes by a link to code. */

import { by } from "../shared/dom.js";

export function start() {
  const section = by("turn");
  const load = async () => {
    near.disconnect();
    removeEventListener("hashchange", follow);
    (await import("./writing.js")).start();
  };
  const follow = () => location.hash.startsWith("#turn=") && load();
  const near = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && load(), {
    rootMargin: "100%",
  });
  addEventListener("hashchange", follow);
  if (!follow()) near.observe(section);
}
