/** The reader's own tests, which Python in the browser runs with correct classes and with mistakes. */

import "./later.js";
import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { t, written } from "../shared/language.js";
import { read, write } from "../shared/storage.js";
import { codeBlock, readCards } from "./catalogue.js";
import { Editor, RUN_KEY } from "./editor.js";
import { Judge } from "./judge.js";
import { translateFrom } from "./language.js";
import { doingName, english, judgement, loadingName, sentence, tell } from "./verdict.js";

/** @import { Card } from "./catalogue.js" */

/**
 * The report of `tried` in `noughts.checker.browser`; only the first two fields if the tests cannot
 * be run. If they did not finish, it has a verdict.
 *
 * @typedef {{
 *   message?: string,
 *   line?: number | null,
 *   verdict?: string,
 *   failing?: [test: string, why: string][],
 *   caught?: string[],
 *   missed?: { name: string, does: string, code: string }[],
 * }} Tested
 */

await translateFrom("tests/");

const SLOT = "noughts.tests";
const SKELETON = `from tictactoe import TicTacToe


def test_row():
    game = TicTacToe(3)
    assert game.move(0, 0, 1) == 0
    assert game.move(1, 0, 2) == 0
    assert game.move(0, 1, 1) == 0
    assert game.move(1, 1, 2) == 0
    assert game.move(0, 2, 1) == 1
`;

/** Shows the tests in place of the class, and makes them when they are shown for the first time. */
export function show() {
  const place = by("tests");
  if (!place.childElementCount) {
    make(place);
    by("turn-parts").firstElementChild?.addEventListener("click", () => choose(false));
  }
  choose(true);
}

/** @param {boolean} tests whether the tests are shown, or else the class */
function choose(tests) {
  by("tests").hidden = !tests;
  by("turn-class").hidden = tests;
  for (const [at, button] of [...by("turn-parts").children].entries())
    button.setAttribute("aria-pressed", String(tests === (at === 1)));
  if (!tests && location.hash === "#tests") history.replaceState(null, "", "#turn");
}

/** @param {HTMLElement} place */
function make(place) {
  const kept = read(SLOT);
  const plain = element("textarea", {
    id: "tests-plain",
    class: "editor",
    "aria-label": t("Your tests, in Python"),
    spellcheck: "false",
    autocapitalize: "off",
    wrap: "off",
  });
  plain.value = typeof kept === "string" ? kept : SKELETON;
  const button = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
    element("button", { type: "button", onclick }, name);
  const run = button(t("Run"), check);
  const stop = button(t("Stop"), () => {
    end(null);
    judge.stop();
  });
  const reset = button(t("Reset"), () => {
    editor.text = SKELETON;
    changed();
  });
  run.className = "primary";
  run.title = RUN_KEY;
  const progress = element("progress", { max: 1, value: 1, "aria-labelledby": "tests-doing" });
  const doing = element("p", { class: "quiet", id: "tests-doing" });
  const report = element(
    "div",
    {
      class: "card report",
      role: "region",
      "aria-label": t("What your tests catch"),
      tabindex: -1,
    },
    element(
      "p",
      { class: "quiet" },
      t("The mistakes that your tests miss will appear here, each with a test that catches it."),
    ),
  );
  place.append(
    element("link", { rel: "stylesheet", href: "/page/learn/tests.css" }),
    element(
      "div",
      { class: "writing" },
      element(
        "p",
        {},
        t(
          "Write tests for such a class. They run with correct classes, which must pass, and with each mistake from “What goes wrong”, which should fail at least one test.",
        ),
      ),
      plain,
      element("div", { class: "buttons" }, run, stop, reset),
      progress,
      doing,
      element(
        "p",
        { class: "quiet" },
        t(
          "Tests are functions named test_… that use assert, or unittest classes; pytest is not available in a browser. They may import the class from any module.",
        ),
      ),
      element(
        "p",
        { class: "quiet" },
        t("Tab indents. Escape, then Tab leaves the editor. Ctrl+Enter or ⌘+Enter runs the check."),
      ),
    ),
    report,
  );

  /** @type {string | null} */
  let tested = null; // the text of the report
  let isRunning = false;
  /** @type {(stopped: null) => void} */
  let end = () => {}; // of what precedes a run
  const editor = new Editor(plain, { changed, run: check });
  const judge = new Judge({
    loaded(part) {
      if (!isRunning) return; // stopped, but it goes on for the next run
      progress.value = part;
      say(loadingName(part));
    },
    doing(what) {
      const [, number, count] = /mistake (\d+) of (\d+)$/.exec(what) ?? [];
      if (number) progress.value = Number(number) / Number(count);
      say(number ? t("Trying mistake {number} of {count}…", { number, count }) : stepName(what));
    },
  });
  editor.load().catch(() => {}); // the textarea remains
  // A link to a class or to a task was followed.
  addEventListener("hashchange", () => /^#(turn|task)/.test(location.hash) && choose(false));
  setRunning(false);

  /** @param {string} text */
  function say(text) {
    doing.textContent = text;
  }

  /** @param {boolean} is */
  function setRunning(is) {
    isRunning = is;
    place.toggleAttribute("data-running", is);
    run.setAttribute("aria-disabled", String(is));
    run.setAttribute("aria-busy", String(is));
    stop.setAttribute("aria-disabled", String(!is));
  }

  /** @param {boolean} is */
  const setOld = (is) => report.toggleAttribute("data-old", is && tested !== null);

  function changed() {
    setOld(editor.text !== tested);
    write(SLOT, editor.text === SKELETON ? null : editor.text);
    editor.mark(null);
  }

  /** Loads what a run needs. Returns the known mistakes, or undefined without Python. */
  async function load() {
    try {
      await judge.load("python");
    } catch {
      say(t("Couldn’t load Python. Check your connection and press Run."));
      announce(doing.textContent ?? "");
      return;
    }
    return readCards().catch(() => []);
  }

  /**
   * @param {string} text of the tests
   * @param {Card[]} cards
   */
  async function judged(text, cards) {
    announce(t("Running your tests with correct classes…"));
    const games = Object.fromEntries(cards.map(({ name, game }) => [name, game]));
    const said = await judge.ask({ test: text, games: JSON.stringify(games) });
    const found = said && (said.tried ?? said);
    if (!said?.tried || isOutOfMemory(found)) judge.leave();
    return found;
  }

  async function check() {
    if (isRunning) return;
    setRunning(true);
    setOld(true);
    editor.mark(null);
    progress.value = 0;
    const text = editor.text;
    /** @type {Promise<null>} */
    const stopped = new Promise((resolve) => {
      end = resolve;
    });
    const cards = await Promise.race([load(), stopped]);
    const found = cards && (await judged(text, cards));
    if (found && cards) {
      tellOf(found, text, cards);
      say("");
    } else if (found === null) {
      say(t("Stopped."));
      announce(t("Stopped."));
    }
    progress.value = 1;
    setRunning(false);
  }

  /**
   * @param {Tested} found
   * @param {string} text of the tests
   * @param {Card[]} cards
   */
  function tellOf(found, text, cards) {
    const { message, line } = found;
    const goTo = line && button(t("Go to line {line}", { line }), () => line && editor.goTo(line));
    const parts = message
      ? [english("p", {}, sentence(message)), goTo]
      : found.failing?.length
        ? failingTests(found.failing)
        : missedMistakes(found, cards, add);
    const isRight = !message && !found.failing?.length && !found.missed?.length;
    tested = text;
    setOld(editor.text !== text);
    tell(report, [judgement(isRight, headline(found)), ...parts], run);
    if (line) editor.mark(line, message);
    announce([headline(found), message].filter(Boolean).join(": "));
  }

  /** @param {string} code of a test */
  function add(code) {
    const isCurrent = editor.text === tested;
    editor.text = withTest(editor.text, code);
    changed();
    if (isCurrent) tested = editor.text; // the report still holds for the other mistakes
    setOld(!isCurrent);
    announce(t("Added"));
  }
}

/** @type {(found: Tested) => boolean | undefined} */
const isOutOfMemory = ({ failing }) => failing?.some(([, why]) => why.startsWith("MemoryError"));

/** @param {string} what is being done, in the checker's words */
const stepName = (what) =>
  what.startsWith("running")
    ? t("Running your tests with correct classes…")
    : `${doingName(what)} …`;

/** @param {Tested} found */
function headline({ message, verdict, failing = [], caught = [], missed = [] }) {
  if (verdict) return t("Your tests did not finish");
  if (message) return t("Your tests cannot be run");
  if (failing.length) return t("A correct class fails your tests");
  return t("Catches {caught} of {count} known mistakes", {
    caught: written(caught.length),
    count: written(caught.length + missed.length),
  });
}

/** @param {[test: string, why: string][]} failing */
const failingTests = (failing) => [
  element(
    "ul",
    { class: "points" },
    ...failing.map(([test, why]) =>
      element("li", {}, t("{test} fails with a correct class: {why}", { test, why })),
    ),
  ),
  element("p", { class: "quiet" }, t("Fix this first. Your tests then run with each mistake.")),
];

/**
 * Shows each mistake that no test catches, with a test that does.
 *
 * @param {Tested} found
 * @param {Card[]} cards
 * @param {(code: string) => void} add
 */
function missedMistakes({ missed = [] }, cards, add) {
  if (!missed.length) return [element("p", {}, t("No known mistake gets past your tests."))];
  const rows = missed.map(({ name, does, code }) => {
    const card = cards.find((one) => one.name === name);
    const button = element(
      "button",
      {
        type: "button",
        class: "slim",
        onclick() {
          if (button.ariaDisabled) return;
          button.ariaDisabled = "true";
          button.textContent = t("Added");
          add(code);
        },
      },
      t("Add this test"),
    );
    return element(
      "details",
      { name: "missed" },
      element("summary", { lang: card ? null : "en" }, sentence(card?.does ?? does)),
      card &&
        element(
          "p",
          { class: "quiet" },
          `${card.why} `,
          element("a", { href: `#mistake-${name}` }, t("Show the mistake")),
        ),
      codeBlock(code.split("\n")),
      button,
    );
  });
  return [
    element("p", {}, t("No test catches these. Open one to see the smallest test that does.")),
    element("div", { class: "missed" }, ...rows),
  ];
}

/**
 * Adds a test under a name that is free: a method at the end of the last unittest class, or of the
 * last class if none is known to be one, or a function at the end.
 *
 * @param {string} text
 * @param {string} code
 */
function withTest(text, code) {
  const lines = text.trimEnd().split("\n");
  const [, name] = /^def (\w+)/.exec(code) ?? [];
  let free = name;
  for (let at = 2; name && text.includes(`def ${free}(`); at++) free = `${name}_${at}`;
  const added = code.replace(name ?? "", free ?? "").split("\n");
  const last = (/** @type {RegExp} */ header) => lines.findLastIndex((line) => header.test(line));
  const isMethod = code.startsWith(`def ${name}(self)`);
  const named = isMethod ? last(/^class .*TestCase/) : -1;
  const start = isMethod && named < 0 ? last(/^class /) : named;
  if (start < 0) return `${[...lines, "", "", ...added].join("\n").trimStart()}\n`;
  let end = start + 1;
  while (end < lines.length && /^(\s|\)|$)/.test(lines[end])) end += 1; // ")" ends long headers
  while (!lines[end - 1].trim()) end -= 1; // empty lines stay after the class
  const body = lines.findIndex((line, at) => at >= start && /:\s*(#.*)?$/.test(line)) + 1;
  const [indent] = /^\s*/.exec(lines.slice(body, end).find((line) => line.trim()) ?? "") ?? [];
  lines.splice(end, 0, "", ...added.map((line) => (indent || "    ") + line));
  return `${lines.join("\n")}\n`;
}
