/** A teacher's task, which comes in a link and takes the place of the lesson's own problem. */

import { by, element } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { read, write } from "../shared/storage.js";
import { linked } from "./link.js";
import { SKELETON, SLOT, TASK } from "./turn.js";

/** @import { Cost, Report } from "./judge.js" */

/**
 * @typedef {object} Task
 * @property {string} problem a key of PROBLEMS
 * @property {string} text what is asked, in the teacher's words; empty for the problem's own
 * @property {string} skeleton the code to begin with; empty for the problem's own
 * @property {string} goal the time per move to reach, "O(1)" or "O(n)"; empty if any will do
 * @property {boolean} hints whether hints and a solution are offered
 */

const LONGEST = 20_000; // characters of a text
export const GOALS = ["O(1)", "O(n)"];

/**
 * How the code of each problem begins, and what it asks; by the checker's names.
 *
 * @type {Record<string, { skeleton: string, text: () => string, problem?: string }>}
 */
export const PROBLEMS = {
  TicTacToe: { skeleton: SKELETON, text: () => "" }, // in learn.html
  tictactoe: {
    skeleton: `def tictactoe(moves: list[list[int]]) -> str:
    """Return the result of a game on 3×3: "A", "B", "Draw" or "Pending"."""
    return "Pending"
`,
    text: () =>
      t(
        "“tictactoe” is given the moves of a game on 3×3, each as row and column; A moves first. It returns “A”, “B”, “Draw”, or “Pending” if the game is not over.",
      ),
  },
  check_winner: {
    problem: "winner",
    skeleton: `def check_winner(board: list[list[str]]) -> str | None:
    """Return "X" or "O" if that player has a line on this 3×3 board, otherwise None."""
    return None
`,
    text: () =>
      t(
        "“check_winner” is given a 3×3 board of “X”, “O” and “ ”. It returns who has three in a row, or None.",
      ),
  },
  valid_tic_tac_toe: {
    problem: "possible",
    skeleton: `def valid_tic_tac_toe(board: list[str]) -> bool:
    """Return whether a game can lead to this 3×3 board of "X", "O" and " "; X moves first."""
    return True
`,
    text: () =>
      t(
        "“valid_tic_tac_toe” is given a 3×3 board of “X”, “O” and “ ”. It returns whether a game can lead to it; X moves first, and nobody moves after a win.",
      ),
  },
};

/**
 * Returns a task, or null: links can contain anything.
 *
 * @param {any} given
 * @returns {Task | null}
 */
function checked(given) {
  if (!Object.hasOwn(PROBLEMS, given?.problem)) return null;
  const isClass = given.problem === "TicTacToe";
  const words = (/** @type {unknown} */ text) =>
    typeof text === "string" ? text.slice(0, LONGEST) : "";
  return {
    problem: given.problem,
    text: words(given.text),
    skeleton: words(given.skeleton),
    goal: (isClass && GOALS.find((goal) => goal === given.goal)) || "",
    hints: given.hints === true && isClass, // others have none
  };
}

/** Returns the task in this page's URL, which is kept, or the one that was kept, or null. */
export async function readTask() {
  const text = await linked("task");
  if (text === null) return checked(read(TASK));
  try {
    const task = checked(JSON.parse(text));
    if (task) write(TASK, task);
    return task;
  } catch {
    return null;
  }
}

/** @param {Task} task */
export const skeletonOf = ({ skeleton, problem }) => skeleton || PROBLEMS[problem].skeleton;

/** @param {Task} task whose code is stored in the slot that is returned */
export function slotOf(task) {
  let sum = 0;
  for (const letter of JSON.stringify(task)) sum = (sum * 31 + letter.charCodeAt(0)) | 0;
  return `${SLOT}.${(sum >>> 0).toString(36)}`;
}

/** @param {Task} task shown in place of the lesson's own problem */
export function showTask({ problem, text, goal, hints }) {
  const own = text || PROBLEMS[problem].text();
  const isClass = problem === "TicTacToe";
  if (own)
    by("turn-statement").replaceChildren(
      ...own.split(/\n\s*\n/).map((part) => element("p", {}, part.trim())),
    );
  by("turn-guaranteed").hidden = !isClass;
  by("turn-goal").hidden = !isClass || !goal;
  if (goal === "O(n)") by("turn-goal-order").textContent = t("At most O(n) per move.");
  by("turn-hint").hidden = !hints;
  by("turn-hints").hidden = !hints;
}

/**
 * Returns a report, or why the code is for another problem than the task's.
 *
 * @param {Task} task
 * @param {Report | null} report
 */
export function inTask(task, report) {
  if (!report?.problem || report.verdict === "unusable") return report;
  if (report.problem === (PROBLEMS[task.problem].problem ?? task.problem)) return report;
  const message = `the task asks for ${task.problem}, and this is ${report.what}`;
  return /** @type {Report} */ ({ verdict: "unusable", message });
}

/**
 * Compares the measured time per move with a goal; empty without one.
 *
 * @param {Cost[]} costs
 * @param {string} goal "O(1)", "O(n)" or ""
 */
export function compared(costs, goal) {
  const order = costs.find(({ name }) => name === "time per move")?.order;
  if (!goal || order === undefined) return "";
  if (order === null)
    return t("It is not clear whether moves take {goal}. Run the check again.", { goal });
  return order === "O(1)" || order === goal
    ? t("Goal reached: {order} per move.", { order })
    : t("Goal missed: {order} per move instead of {goal}.", {
        order: order.replace("^2", "²"),
        goal,
      });
}
