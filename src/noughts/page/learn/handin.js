/** Handing in: the code as a file or link that says in comments what the browser found. */

import { announce } from "../game/notices.js";
import { by, element } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { read, write } from "../shared/storage.js";
import { linkTo } from "./link.js";

/** @import { Report } from "./judge.js" */

const NAME = "noughts.name";
const CLAIM =
  /^(?:#|\/\/) Handed in with noughts, not verified:\n(?:(?:#|\/\/) (?:name|verdict|attempts|seconds): .*\n)*/;
const PYTHON = { mark: "#", suffix: "py", type: "text/x-python" };
const JAVASCRIPT = { mark: "//", suffix: "js", type: "text/javascript" };

/**
 * Returns code without the comments of an earlier handing in.
 *
 * @param {string} code
 */
const withoutClaim = (code) => code.replace(CLAIM, "");

/**
 * Counts a check of the code in a slot, and offers to hand it in.
 *
 * @param {string} slot
 * @param {string} code
 * @param {Report} report
 * @param {boolean} isScript whether the code is in JavaScript, or else Python
 */
export function noteCheck(slot, code, report, isScript) {
  const kept = read(`${slot}.work`);
  const attempts = Number.isInteger(kept?.attempts) ? kept.attempts : 0;
  const since = Number.isInteger(kept?.since) ? kept.since : Date.now();
  write(`${slot}.work`, { attempts: attempts + 1, since });
  const seconds = Math.round((Date.now() - since) / 1000);
  offer(
    withoutClaim(code),
    [
      ["verdict", report.verdict],
      ["attempts", attempts + 1],
      ["seconds", seconds],
    ],
    isScript ? JAVASCRIPT : PYTHON,
  );
}

/**
 * Shows how to hand in some code.
 *
 * @param {string} code
 * @param {[string, string | number][]} claims
 * @param {typeof PYTHON} language
 */
function offer(code, claims, { mark, suffix, type }) {
  const place = by("turn-hand-in");
  const kept = read(NAME);
  const name = element("input", {
    type: "text",
    maxlength: 80,
    autocomplete: "name",
    value: typeof kept === "string" ? kept : "",
    onchange: () => write(NAME, name.value.trim() || null),
  });
  const written = () => {
    const called = name.value.replace(/\s+/g, " ").trim();
    write(NAME, called || null);
    const fields = /** @type {[string, string | number][]} */ ([
      ...(called ? [["name", called]] : []),
      ...claims,
    ]);
    const lines = fields.map(([field, value]) => `${mark} ${field}: ${value}\n`);
    return `${mark} Handed in with noughts, not verified:\n${lines.join("")}${code}`;
  };
  const done = element("span", { class: "quiet" });
  const say = (/** @type {string} */ said) => {
    done.textContent = said;
    announce(said);
  };
  const save = () => {
    const file = URL.createObjectURL(new Blob([written()], { type }));
    const fileName = `${name.value.match(/[\p{L}\p{N}]+/gu)?.join("_") ?? "solution"}.${suffix}`;
    element("a", { href: file, download: fileName }).click();
    setTimeout(() => URL.revokeObjectURL(file));
    say(t("Saved as {file}.", { file: fileName }));
  };
  const copy = async () => {
    const link = await linkTo(written(), suffix === "js" ? "turn-js" : "turn");
    try {
      await navigator.clipboard.writeText(link);
      say(t("Link copied."));
    } catch {
      history.replaceState(null, "", link); // not allowed, or not a secure origin
      say(t("The link is in the address bar."));
    }
  };
  place.replaceChildren(
    element("summary", {}, t("Hand in")),
    element(
      "div",
      {},
      element("label", {}, t("Your name"), " ", name),
      element(
        "div",
        { class: "buttons" },
        element("button", { type: "button", onclick: save }, t("Save a file")),
        element("button", { type: "button", onclick: copy }, t("Copy a link")),
      ),
      element(
        "p",
        { class: "quiet" },
        t(
          "Contains the code that was checked, and in comments your name, the verdict, the number of checks and the time since your first change. Nothing is sent from here.",
        ),
      ),
      done,
    ),
  );
  place.hidden = false;
}
