/** Screen 5, your turn, which loads when it is near the window or when a link contains code. */

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
