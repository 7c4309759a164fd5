/** For teachers: a form that makes a task, and a table of what a class has handed in. */

import { Link } from "../game/link.js";
import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { t, written } from "../shared/language.js";
import { readCards } from "./catalogue.js";
import { Judge } from "./judge.js";
import { translateFrom } from "./language.js";
import { linkTo } from "./link.js";
import { GOALS, PROBLEMS } from "./task.js";
import { verdictName } from "./verdict.js";

/** @import { Report } from "./judge.js" */
/** @import { Task } from "./task.js" */

await translateFrom("later/"); // the names of verdicts
await translateFrom("class/");

const LARGEST = 1 << 20; // bytes of a solution, as for `noughts check`
const LONGEST = 2953; // characters of a URL in a QR code

/** Shows the section, and makes it when it is shown for the first time. */
export function show() {
  const section = by("class");
  if (!section.childElementCount)
    section.append(
      element("link", { rel: "stylesheet", href: "/page/learn/classroom.css" }),
      element(
        "header",
        {},
        element("h2", { id: "class-title" }, t("For teachers")),
        element(
          "p",
          { class: "lead" },
          t(
            "Make a task of your own, and check what your class hands in. Nothing is stored on a server, and the checks run in this browser.",
          ),
        ),
      ),
      taskForm(),
      results(),
      element(
        "p",
        {},
        element("a", { href: "?projector#question" }, t("Show the lesson on a projector")),
        ` ${t("(arrow keys change the screen)")}`,
      ),
    );
  section.hidden = false;
  section.scrollIntoView();
}

/** Creates the form that makes a task. */
function taskForm() {
  const problem = element(
    "select",
    {},
    ...Object.keys(PROBLEMS).map((name) => element("option", { value: name }, name)),
  );
  const goal = element(
    "select",
    {},
    element("option", { value: "" }, t("any")),
    ...GOALS.map((order) => element("option", { value: order }, order)),
  );
  goal.value = GOALS[0];
  const hints = element("input", { type: "checkbox", role: "switch", checked: true });
  const text = element("textarea", { rows: 4, placeholder: t("The problem’s own text") });
  const skeleton = element("textarea", { rows: 8, class: "code", spellcheck: "false" });
  const link = new Link();
  const tooLong = element(
    "p",
    { class: "quiet", hidden: true },
    t("This link is too long for a QR code."),
  );
  const given = /** @type {() => Task} */ (
    () => ({
      problem: problem.value,
      text: text.value.trim(),
      skeleton: skeleton.value === defaultSkeleton() ? "" : skeleton.value,
      goal: goal.value,
      hints: hints.checked,
    })
  );
  const defaultSkeleton = () => PROBLEMS[problem.value].skeleton;
  let changes = 0;
  const show = async () => {
    const change = ++changes;
    link.ariaBusy = "true";
    const url = await linkTo(JSON.stringify(given()), "task");
    if (change !== changes) return;
    const plain = url.replace(/\?[^#]*/, ""); // no projector
    link.show(plain);
    tooLong.hidden = plain.length <= LONGEST;
    link.ariaBusy = "false";
  };
  let before = "";
  const choose = () => {
    if (skeleton.value === before) skeleton.value = defaultSkeleton(); // not edited
    before = defaultSkeleton();
    const isClass = problem.value === "TicTacToe"; // only its time is measured
    goal.disabled = hints.disabled = !isClass;
    show();
  };
  problem.onchange = choose;
  const form = element(
    "form",
    {
      class: "card task-form",
      oninput: show,
      onsubmit: (/** @type {Event} */ e) => e.preventDefault(),
    },
    element("h3", {}, t("A task")),
    element(
      "div",
      { class: "fields" },
      element("label", {}, t("Problem"), problem),
      element("label", {}, t("Time per move"), goal),
      element("label", { class: "switch" }, hints, ` ${t("Hints and a solution")}`),
    ),
    element("label", {}, t("Text"), text),
    element("label", {}, t("Code to begin with"), skeleton),
    element("p", { class: "quiet" }, t("Your class opens this link; it contains the whole task:")),
    link,
    tooLong,
  );
  choose();
  return form;
}

/** Creates the table of results, and the place to drop files. */
function results() {
  const input = element("input", {
    type: "file",
    multiple: true,
    accept: ".py,.js",
    id: "class-files",
  });
  const said = element("p", { class: "quiet" });
  const rows = element("tbody");
  const table = element(
    "table",
    { hidden: true },
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ...[
          t("Name"),
          t("Verdict"),
          t("Mistake"),
          t("Handed in as"),
          t("Checks (not verified)"),
          t("Minutes (not verified)"),
        ].map((name) => element("th", { scope: "col" }, name)),
      ),
    ),
    rows,
  );
  const copy = element("button", { type: "button", hidden: true }, t("Copy the table"));
  const stop = element("button", { type: "button", hidden: true }, t("Stop"));
  let judge = newJudge();
  let stops = 0;
  let queue = Promise.resolve();

  /** @param {File[]} every @param {number} before how often it had been stopped */
  async function check(every, before) {
    if (stops !== before) return;
    table.hidden = stop.hidden = false;
    for (const [index, file] of every.entries()) {
      if (stops !== before) break;
      said.textContent = t("Checking {file}: {number} of {count}", {
        file: file.name,
        number: written(index + 1),
        count: written(every.length),
      });
      // Each in a Python of its own, so that no file can change another's verdict. It loads before
      // the last one ends: what the browser has compiled for that one halves the time.
      const last = judge;
      judge = newJudge();
      await judge.load("python").catch(() => {}); // then it is loaded again, and the row says why
      last.leave();
      const row = await rowOf(file, judge);
      if (row) rows.append(row);
    }
    stop.hidden = true;
    copy.hidden = !rows.childElementCount;
    said.textContent = t("{right} of {count} correct", {
      right: written(rows.querySelectorAll(".right").length),
      count: written(rows.childElementCount),
    });
    announce(said.textContent);
  }
  const add = (/** @type {Iterable<File>} */ files) => {
    const [every, before] = [[...files], stops];
    queue = queue.then(() => check(every, before));
  };

  input.onchange = () => {
    add([...(input.files ?? [])]);
    input.value = ""; // the same files can be chosen again
  };
  stop.onclick = () => {
    stops += 1;
    judge.stop();
  };
  copy.onclick = async () => {
    const lines = [...table.rows].map((row) =>
      [...row.cells].map(({ textContent }) => plainCell(textContent ?? "")).join("\t"),
    );
    try {
      await navigator.clipboard.writeText(`${lines.join("\n")}\n`);
      said.textContent = t("The table is copied; it can be pasted into a spreadsheet.");
    } catch {
      said.textContent = t("This browser does not allow copying here.");
    }
  };
  const place = element(
    "div",
    { class: "card results" },
    element("h3", {}, t("Results")),
    element(
      "p",
      {},
      t(
        "Drop the files here that your class has saved with “Hand in”, or choose them. Anyone can change what such a file says of itself, so each is checked again, and the table shows both.",
      ),
    ),
    element(
      "p",
      { class: "choose" },
      element("label", { for: "class-files" }, t("Files")),
      " ",
      input,
    ),
    said,
    element(
      "div",
      { class: "wide-table", tabindex: "0", role: "region", "aria-label": t("Results") },
      table,
    ),
    element("div", { class: "buttons" }, copy, stop),
    element(
      "p",
      { class: "quiet" },
      t("On the command line: "),
      element("code", {}, "noughts check --html class.html FOLDER"),
    ),
  );
  place.ondragover = (event) => {
    event.preventDefault();
    place.toggleAttribute("data-over", true);
  };
  place.ondragleave = () => place.removeAttribute("data-over");
  place.ondrop = (event) => {
    event.preventDefault();
    place.removeAttribute("data-over");
    add([...(event.dataTransfer?.files ?? [])]);
  };
  return place;
}

const newJudge = () => new Judge({ loaded: () => {}, doing: () => {} });

/**
 * Returns a cell's text on one line, which no spreadsheet takes for a formula.
 *
 * @param {string} text
 */
const plainCell = (text) =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/^(?=[=+\-@])/, "'");

/**
 * Checks a file and returns its row, or null if that was stopped.
 *
 * @param {File} file
 * @param {Judge} judge
 */
async function rowOf(file, judge) {
  const report = await reportOn(file, judge);
  if (!report) return null;
  const { claim, diagnosis, verdict, message } = report;
  const isRight = verdict === "right";
  const cards = diagnosis ? await readCards().catch(() => []) : [];
  const card = cards.find(({ name }) => name === diagnosis);
  const isForged = claim && claim.verdict !== verdict;
  return element(
    "tr",
    { "data-forged": Boolean(isForged) },
    element("th", { scope: "row" }, file.name, claim?.name && ` (${claim.name})`),
    element(
      "td",
      { class: isRight ? "right" : "wrong" },
      `${isRight ? "✓" : "✗"} ${verdictName(report)}`,
    ),
    element("td", card ? {} : { lang: "en" }, isRight ? report.what : (card?.does ?? message)),
    element("td", { class: isForged ? "wrong" : "" }, claim ? claimName(claim.verdict) : ""),
    element("td", {}, claim?.attempts ?? ""),
    element("td", {}, claim?.seconds == null ? "" : Math.ceil(claim.seconds / 60)),
  );
}

/** @param {Report["verdict"]} verdict */
const claimName = (verdict) => verdictName({ verdict, message: "" });

/**
 * @param {File} file
 * @param {Judge} judge
 * @returns {Promise<Report | null>}
 */
async function reportOn(file, judge) {
  const suffix = /\.(py|js)$/i.exec(file.name)?.[1].toLowerCase();
  if (!suffix)
    return {
      verdict: "unusable",
      message:
        "only Python and JavaScript can be checked in a browser; noughts check takes other languages",
    };
  if (file.size > LARGEST) return { verdict: "unusable", message: "it is larger than 1 MB" };
  try {
    return await judge.judge(await file.text(), [], suffix === "js" ? "javascript" : "python");
  } catch (error) {
    return { verdict: "unusable", message: String(error) };
  }
}
