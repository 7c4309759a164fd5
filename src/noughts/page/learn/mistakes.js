/** Screen 4, what goes wrong: cards and a quiz, which are loaded when somebody comes near. */

import { by } from "../shared/dom.js";
import { t } from "../shared/language.js";

const CARD = /^#mistake-/; // the address of a card, by the name of its mistake

/** @type {Promise<void> | null} */
let loading = null;

/** What a reader has opened while it was not there says so, and is tried again. */
async function load() {
  const places = [...by("mistakes").querySelectorAll(".many, #quiz-standing")];
  try {
    const [{ readCards }, cards, quiz] = await Promise.all([
      import("./catalogue.js"),
      import("./cards.js"),
      import("./quiz.js"),
    ]);
    const all = await readCards();
    cards.fill(all);
    quiz.start(all);
    by("mistakes").dataset.ready = "";
  } catch {
    loading = null;
    for (const place of places) place.textContent = "";
    by("quiz-standing").textContent = t("No connection. Please try again.");
  }
}

const comeNear = () => {
  loading ??= load();
  return loading;
};

export function start() {
  const section = by("mistakes");
  const follow = async () => {
    if (!CARD.test(location.hash)) return;
    await comeNear();
    const { open } = await import("./cards.js");
    open(location.hash.slice(1));
  };
  section.addEventListener("click", comeNear); // where it could not be loaded before
  addEventListener("hashchange", follow);
  new IntersectionObserver(
    ([{ isIntersecting }], observer) => {
      if (!isIntersecting) return;
      observer.disconnect();
      comeNear();
    },
    { rootMargin: "100%" },
  ).observe(section);
  follow();
}
