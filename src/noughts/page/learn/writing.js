/** The editor for the reader's own class, which the checker judges in Python in the browser. */

import "./later.js";
import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { read, write } from "../shared/storage.js";
import { codeBlock, readCards } from "./catalogue.js";
import { Editor, RUN_KEY } from "./editor.js";
import { Judge } from "./judge.js";
import { linked, linkTo } from "./link.js";
import { JAVASCRIPT, LANGUAGE, SKELETON, SLOT, TASK } from "./turn.js";
import {
  doingName,
  loadingName,
  plotted,
  reported,
  slowness,
  tell,
  verdictName,
} from "./verdict.js";

/** @import { Report } from "./judge.js" */
/** @import { Task } from "./task.js" */

/**
 * Has the service worker cache what was used: see shared/worker.js.
 *
 * @param {number} group of files, 0 for Python and 1 for JavaScript
 */
const keepHeavy = (group) =>
  navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(group));

/**
 * Whether a task needs Python: for its code, a goal to measure, or a board.
 *
 * @param {Task | null} task
 */
const isInPython = (task) =>
  task !== null &&
  (task.skeleton + task.goal !== "" || !["TicTacToe", "tictactoe"].includes(task.problem));

export function start() {
  const progress = by("turn-progress", HTMLProgressElement);
  const run = by("turn-run");
  const stop = by("turn-stop");
  const own = by("turn-own");
  const chooser = by("turn-language", HTMLSelectElement);
  const report = by("turn-report");
  /** @type {string | null} */
  let judged = null; // the code of the report
  let isRunning = false;
  let isSeen = false;
  let isForeign = false; // whether the code came from a link, and is stored only once edited
  let foreign = "";
  /** @type {Task | null} */
  let task = null;
  /** @type {typeof import("./task.js") | undefined} */
  let tasks;
  let problemSlot = SLOT;
  /** @type {typeof import("./javascript/writing.js") | undefined} */
  let script; // if JavaScript is chosen
  /** @type {HTMLElement | undefined} */
  let solution;
  const slot = () => problemSlot + (script ? JAVASCRIPT : "");
  const skeleton = () =>
    script?.SKELETONS[task?.problem ?? "TicTacToe"] ??
    (tasks && task ? tasks.skeletonOf(task) : SKELETON);
  const readyName = () => script?.ready ?? t("Python is ready.");

  const editor = new Editor(by("turn-plain", HTMLTextAreaElement), {
    changed() {
      setOld(editor.text !== judged);
      if (isForeign && editor.text === foreign) return;
      isForeign = false;
      own.hidden = true;
      write(slot(), editor.text);
      if (!read(`${slot()}.work`)) write(`${slot()}.work`, { attempts: 0, since: Date.now() });
      editor.mark(null);
    },
    run: () => judgeIt(),
  });

  const judge = new Judge({
    loaded: (part) => {
      progress.value = part;
      say(loadingName(part));
    },
    doing: (doing) => say(`${doingName(doing)} …`),
  });

  /** @param {string} text */
  function say(text) {
    by("turn-doing").textContent = text;
  }

  /** Loads what a check needs, and says `ready` then. Returns whether it is loaded. */
  async function load(ready = "") {
    const { value: chosen } = chooser;
    try {
      if (script && judge.isThere && !judge.isPrepared) say(script.loading);
      if (!(await judge.load(chosen))) {
        say(t("Stopped."));
        return false;
      }
      progress.value = 1;
      if (!isRunning && chosen === chooser.value) say(ready || readyName());
      keepHeavy(0);
      if (script) keepHeavy(1);
      return true;
    } catch (error) {
      say(
        String(error).endsWith("JavaScript")
          ? t("Couldn’t load JavaScript. Check your connection and press Run.")
          : t("Couldn’t load Python. Check your connection and press Run."),
      );
      announce(by("turn-doing").textContent ?? "");
      return false;
    }
  }

  /** @param {boolean} is */
  function setRunning(is) {
    isRunning = is;
    by("turn").toggleAttribute("data-running", is);
    run.setAttribute("aria-disabled", String(is));
    run.setAttribute("aria-busy", String(is));
    stop.setAttribute("aria-disabled", String(!is));
    chooser.disabled = is || isInPython(task);
  }

  /** @param {boolean} is */
  const setOld = (is) => report.toggleAttribute("data-old", is && judged !== null);

  async function judgeIt() {
    if (isRunning) return;
    setRunning(true);
    setOld(true);
    editor.mark(null);
    const text = editor.text;
    const players = by("turn-players", HTMLSelectElement).value.split(",").filter(Boolean);
    if (await load()) {
      announce(t("Checking your class…"));
      const said = await judge.judge(text, players, chooser.value);
      const found = tasks && task ? tasks.inTask(task, said) : said;
      if (found) await show(found, text);
      else announce(t("Stopped."));
      const isJudged = found?.seconds && ["right", "wrong"].includes(found.verdict);
      if (isJudged && script)
        by("turn-costs").append(element("p", { class: "quiet" }, script.unmeasured));
      else if (isJudged) {
        say(`${doingName("measuring")} …`);
        by("turn-costs").append(element("p", { class: "quiet" }, by("turn-doing").textContent));
        const costs = await judge.costs(text, players);
        const hint = found.verdict === "right" ? slowness(costs) : [];
        const goal = task && found.verdict === "right" && tasks?.compared(costs, task.goal);
        by("turn-costs").replaceChildren(...costs.map(plotted), goal || "", ...hint);
      }
      if (isJudged) say(t("Checked in {seconds} s.", { seconds: found.seconds?.toFixed(1) ?? "" }));
      else if (judge.isThere) say(readyName());
      if (!judge.isThere) load(found ? undefined : t("Stopped."));
    }
    setRunning(false);
  }

  /**
   * @param {Report} found
   * @param {string} text of the checked class
   */
  async function show(found, text) {
    const cards = found.diagnosis ? await readCards().catch(() => []) : [];
    const card = cards.find(({ name }) => name === found.diagnosis);
    const parts = reported(found, (line) => editor.goTo(line), card);
    judged = text;
    setOld(editor.text !== text);
    tell(report, parts, run);
    import("./handin.js").then(({ noteCheck }) => noteCheck(slot(), text, found, Boolean(script)));
    if (found.line)
      editor.mark(found.line, found.counterexample?.answered.slice(1) ?? found.message);
    by("turn-solution").hidden = Boolean(solution) || !(task?.hints ?? true);
    announce(`${verdictName(found)}: ${found.message}`);
  }

  function hint() {
    const hints = [...by("turn-hints").children].filter((one) => one instanceof HTMLElement);
    const next = hints.find((one) => one.hidden);
    if (!next) return;
    next.hidden = false;
    announce(next.textContent ?? "");
    by("turn-hint").hidden = !hints.some((one) => one.hidden);
  }

  async function compare() {
    const { SOLUTION } = script ?? (await import("./solution.js"));
    solution = codeBlock(SOLUTION.trimEnd().split("\n"));
    by("turn-solution").after(solution);
    by("turn-solution").hidden = true;
  }

  /**
   * Shows the code in a language, and loads what a check in it needs once it has been seen.
   *
   * @param {string} chosen
   */
  async function speak(chosen) {
    chooser.value = chosen;
    const isScript = chosen === "javascript";
    if (isScript === Boolean(script)) return;
    try {
      const found = isScript ? await import("./javascript/writing.js") : undefined;
      if (chooser.value !== chosen) return;
      script = found;
    } catch {
      chooser.value = "python";
      say(t("Couldn’t load JavaScript. Check your connection and press Run."));
      return;
    }
    solution?.remove();
    solution = undefined;
    isForeign = true; // until it is edited
    foreign = stored();
    own.hidden = true;
    await editor.show(script, foreign);
    setOld(true);
    if (isSeen) load();
  }

  by("turn-hint").onclick = hint;
  by("turn-solution").onclick = compare;
  by("turn-players").onchange = () => setOld(true);
  chooser.onchange = () => {
    write(LANGUAGE, chooser.value === "python" ? null : chooser.value);
    speak(chooser.value);
  };
  run.onclick = judgeIt;
  run.title = RUN_KEY;
  stop.onclick = () => judge.stop();
  by("turn-reset").onclick = () => {
    editor.text = skeleton();
    write(slot(), null);
    write(`${slot()}.work`, null);
    if (judge.isThere && !isRunning) say(readyName());
  };
  own.onclick = () => {
    isForeign = false;
    own.hidden = true;
    editor.text = stored();
    history.replaceState(null, "", "#turn");
  };
  by("turn-link").onclick = async () => {
    const link = await linkTo(editor.text, script ? "turn-js" : "turn");
    history.replaceState(null, "", link);
    let said = t("The link is in the address bar.");
    try {
      await navigator.clipboard.writeText(link);
      said = t("Link copied.");
    } catch {} // not allowed, or not a secure origin
    say(said);
    announce(said);
  };

  function stored() {
    const kept = read(slot());
    return typeof kept === "string" ? kept : skeleton();
  }

  async function beginTask() {
    if (!location.hash.startsWith("#task=") && !read(TASK)) return;
    tasks = await import("./task.js");
    const given = await tasks.readTask();
    if (!given || tasks.slotOf(given) === problemSlot) return;
    if (task) return location.reload(); // it would leave traces
    task = given;
    problemSlot = tasks.slotOf(task);
    chooser.disabled = isInPython(task);
    tasks.showTask(task);
    by("turn-own-task").hidden = false;
    isForeign = true; // until it is edited
    editor.text = foreign = stored();
    if (location.hash.startsWith("#task=")) by("turn").scrollIntoView();
  }

  by("turn-leave").onclick = () => {
    write(TASK, null);
    location.hash = "#turn";
    location.reload();
  };

  async function begin() {
    await beginTask();
    const isScript = location.hash.startsWith("#turn-js=") && !isInPython(task);
    const code = await linked(isScript ? "turn-js" : "turn");
    if (code !== null) await speak(isScript ? "javascript" : "python");
    const kept = read(slot());
    if (code === null) return;
    isForeign = true;
    foreign = code;
    own.hidden = typeof kept !== "string" || kept === code;
    editor.text = code;
    by("turn").scrollIntoView();
  }
  addEventListener("hashchange", () => isRunning || begin());
  begin().then(() => {
    if (script || chooser.disabled || location.hash.startsWith("#turn=")) return;
    if (chooser.value === "javascript") write(LANGUAGE, chooser.value); // chosen since
    if (read(LANGUAGE) === "javascript") speak("javascript");
  });

  // The editor and Python load when the problem first becomes visible.
  new IntersectionObserver(([{ isIntersecting }], observer) => {
    if (!isIntersecting) return;
    observer.disconnect();
    editor.load().catch(() => {}); // the textarea remains
    isSeen = true;
    load();
  }).observe(by("turn-task"));
}
