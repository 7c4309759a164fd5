/** The editor for the reader's own class, which Python in the browser checks. */

import "./later.js";
import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { language, t } from "../shared/language.js";
import { read, write } from "../shared/storage.js";
import { codeBlock, readCards } from "./catalogue.js";
import { Editor, RUN_KEY } from "./editor.js";
import { Judge } from "./judge.js";
import { linked, linkTo } from "./link.js";
import { SKELETON, SLOT, TASK } from "./turn.js";
import { compared, doingName, plotted, reported, slowness, verdictName } from "./verdict.js";

/** @import { Report } from "./judge.js" */
/** @import { Task } from "./task.js" */

const SIZE = 6; // megabytes of Python
const SOLUTION = `class TicTacToe:
    def __init__(self, n: int):
        self.n = n
        self.rows = [0] * n  # one sum per line: 2n + 2 numbers,
        self.cols = [0] * n  # not n * n cells
        self.diagonal = 0
        self.anti_diagonal = 0

    def move(self, row: int, col: int, player: int) -> int:
        mark = 1 if player == 1 else -1  # the players pull in opposite directions
        self.rows[row] += mark  # a move changes only the lines through its cell
        self.cols[col] += mark
        if row == col:
            self.diagonal += mark
        if row + col == self.n - 1:  # numbered from 0
            self.anti_diagonal += mark
        lines = (self.rows[row], self.cols[col], self.diagonal, self.anti_diagonal)
        return player if self.n in map(abs, lines) else 0  # n equal marks: +n or -n
`;

/** Has the service worker cache Python, now that it was used: see shared/worker.js. */
const keepHeavy = () =>
  navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage(""));

const megabytes = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

export function start() {
  const progress = by("turn-progress", HTMLProgressElement);
  const run = by("turn-run");
  const stop = by("turn-stop");
  const own = by("turn-own");
  const report = by("turn-report");
  /** @type {string | null} */
  let judged = null; // the code of the report
  let isRunning = false;
  let isForeign = false; // whether the code came from a link, and is stored only once edited
  let foreign = "";
  /** @type {Task | null} */
  let task = null;
  /** @type {typeof import("./task.js") | undefined} */
  let tasks;
  let slot = SLOT;
  let skeleton = SKELETON;

  const editor = new Editor(by("turn-plain", HTMLTextAreaElement), {
    changed() {
      setOld(editor.text !== judged);
      if (isForeign && editor.text === foreign) return;
      isForeign = false;
      own.hidden = true;
      write(slot, editor.text);
      if (!read(`${slot}.work`)) write(`${slot}.work`, { attempts: 0, since: Date.now() });
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

  /** @param {number} part */
  const loadingName = (part) =>
    part < 1
      ? t("Loading Python: {loaded} of {size} MB", {
          loaded: megabytes.format(part * SIZE),
          size: SIZE,
        })
      : t("Starting Python…");

  /** Loads Python, unless it is loaded, and says `ready` then. Returns whether it is loaded. */
  async function load(ready = t("Python is ready.")) {
    try {
      await judge.load();
      progress.value = 1;
      if (!isRunning) say(ready);
      keepHeavy();
      return true;
    } catch {
      say(t("Couldn’t load Python. Check your connection and press Run."));
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
      const said = await judge.judge(text, players);
      const found = tasks && task ? tasks.inTask(task, said) : said;
      if (found) await show(found, text);
      else announce(t("Stopped."));
      if (found?.seconds && ["right", "wrong"].includes(found.verdict)) {
        say(`${doingName("measuring")} …`);
        by("turn-costs").append(element("p", { class: "quiet" }, by("turn-doing").textContent));
        const costs = await judge.costs(text, players);
        const hint = found.verdict === "right" ? slowness(costs) : [];
        const goal = task && found.verdict === "right" && compared(costs, task.goal);
        by("turn-costs").replaceChildren(...costs.map(plotted), goal || "", ...hint);
        say(t("Checked in {seconds} s.", { seconds: found.seconds.toFixed(1) }));
      }
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
    const close = element(
      "button",
      { type: "button", class: "slim close", onclick: closeSheet },
      t("Close"),
    );
    report.replaceChildren(close, ...parts.filter((part) => part instanceof Node));
    judged = text;
    import("./handin.js").then(({ noteCheck }) => noteCheck(slot, text, found));
    setOld(editor.text !== text);
    if (found.line)
      editor.mark(found.line, found.counterexample?.answered.slice(1) ?? found.message);
    const solution = document.getElementById("turn-solution");
    if (solution) solution.hidden = !(task?.hints ?? true);
    by("turn").toggleAttribute("data-told", true);
    report.focus({ preventScroll: true });
    if (!isSheet()) report.scrollIntoView({ block: "nearest" });
    announce(`${verdictName(found)}: ${found.message}`);
  }

  /** Whether the report covers the foot of a small window, until it is closed. */
  const isSheet = () => getComputedStyle(report).position === "fixed";

  function closeSheet() {
    by("turn").removeAttribute("data-told");
    run.focus({ preventScroll: true });
  }

  function hint() {
    const hints = [...by("turn-hints").children].filter((one) => one instanceof HTMLElement);
    const next = hints.find((one) => one.hidden);
    if (!next) return;
    next.hidden = false;
    announce(next.textContent ?? "");
    by("turn-hint").hidden = !hints.some((one) => one.hidden);
  }

  function compare() {
    by("turn-solution").after(codeBlock(SOLUTION.trimEnd().split("\n")));
    by("turn-solution").remove();
  }

  by("turn-hint").onclick = hint;
  by("turn-solution").onclick = compare;
  report.onkeydown = ({ key }) => {
    if (key === "Escape" && isSheet()) closeSheet();
  };
  by("turn-players").onchange = () => setOld(true);
  run.onclick = judgeIt;
  run.title = RUN_KEY;
  stop.onclick = () => judge.stop();
  by("turn-reset").onclick = () => {
    editor.text = skeleton;
    write(slot, null);
    write(`${slot}.work`, null);
    if (judge.isThere && !isRunning) say(t("Python is ready."));
  };
  own.onclick = () => {
    isForeign = false;
    own.hidden = true;
    editor.text = stored();
    history.replaceState(null, "", "#turn");
  };
  by("turn-link").onclick = async () => {
    const link = await linkTo(editor.text);
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
    const kept = read(slot);
    return typeof kept === "string" ? kept : skeleton;
  }

  async function beginTask() {
    if (!location.hash.startsWith("#task=") && !read(TASK)) return;
    tasks = await import("./task.js");
    const given = await tasks.readTask();
    if (!given || tasks.slotOf(given) === slot) return;
    if (task) return location.reload(); // it would leave traces
    task = given;
    slot = tasks.slotOf(task);
    skeleton = tasks.skeletonOf(task);
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
    const code = await linked();
    const kept = read(slot);
    if (code === null) return;
    isForeign = true;
    foreign = code;
    own.hidden = typeof kept !== "string" || kept === code;
    editor.text = code;
    by("turn").scrollIntoView();
  }
  addEventListener("hashchange", begin);
  begin();

  // The editor and Python load when the problem first becomes visible.
  new IntersectionObserver(([{ isIntersecting }], observer) => {
    if (!isIntersecting) return;
    observer.disconnect();
    editor.load().catch(() => {}); // the textarea remains
    load();
  }).observe(by("turn-task"));
}
