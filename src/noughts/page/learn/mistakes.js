/** Screen 4, what goes wrong: cards and a quiz, which load when they are near the window. */

import { by } from "../shared/dom.js";
import { t } from "../shared/language.js";

const CARD = /^#mistake-/; // the hash of a card, by the name of its mistake

/** @type {Promise<void> | null} */
let loading = null;

/** Loads the cards and the quiz; if that fails, shows the error, and a click retries. */
async function load() {
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
    by("quiz-standing").textContent = t("No connection. Please try again.");
  }
}

const loadOnce = () => {
  loading ??= load();
  return loading;
};

export function start() {
  const section = by("mistakes");
  const follow = async () => {
    if (!CARD.test(location.hash)) return;
    await loadOnce();
    const { open } = await import("./cards.js");
    open(location.hash.slice(1));
  };
  section.addEventListener("click", loadOnce); // retries after a failure
  addEventListener("hashchange", follow);
  new IntersectionObserver(
    ([{ isIntersecting }], observer) => {
      if (!isIntersecting) return;
      observer.disconnect();
      loadOnce();
    },
    { rootMargin: "100%" },
  ).observe(section);
  follow();
}
