/** The checker, which runs as Python in a worker and can be stopped at any time. */

const PATIENCE = 30_000; // milliseconds without a message after which the worker is stopped

/**
 * The report of `judged` in `noughts.checker.browser`; only the first two fields if it was stopped.
 *
 * @typedef {{
 *   verdict: "right" | "wrong" | "crashed" | "timeout" | "memory" | "unusable",
 *   message: string,
 *   what?: string,
 *   problem?: string,
 *   counterexample?: Shown | null,
 *   before?: import("./counterexample.js").Example["before"],
 *   diagnosis?: string | null,
 *   mistake?: { does: string, why: string } | null,
 *   found?: string[],
 *   notes?: string[],
 *   output?: string,
 *   line?: number | null,
 *   claim?: { verdict: Report["verdict"], name: string, attempts: number | null, seconds: number | null },
 *   seconds?: number,
 * }} Report
 */

/** @typedef {import("./counterexample.js").Example & { message: string }} Shown */

/** @typedef {{ name: string, words: string, order: string | null, points: [number, number][] }} Cost */

/**
 * Returns the last line of a traceback, which has the reason.
 *
 * @param {string} failed
 */
const reason = (failed) => failed.trim().split("\n").at(-1);

/** @type {Uint8Array | undefined} for the next worker */
let snapshot;

export class Judge {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Promise<void> | undefined} */
  #ready;
  /** @type {Promise<any> | undefined} */
  #prepared;
  /** @type {(said: null) => void} */
  #end = () => {};

  /**
   * @param {{ loaded: (part: number) => void, doing: (what: string) => void }} handlers are called
   *   with the loaded fraction of Python, from 0 to 1, and with the current step of the checker
   */
  constructor(handlers) {
    this.handlers = handlers;
  }

  /**
   * Loads Python, and what a language needs, unless they are loaded. Returns false if stopped.
   *
   * @param {string} language
   * @throws {Error} if something cannot be loaded, by its name
   */
  async load(language) {
    await this.#load();
    if (language !== "javascript") return true;
    this.#prepared ??= import("./javascript/files.js").then(({ prepare }) =>
      prepare((request) => this.ask(request)),
    );
    const said = await this.#prepared.catch(() => ({}));
    if (said?.prepared) return true;
    this.leave(); // it may still be loading
    if (said) throw new Error("JavaScript");
    return false;
  }

  #load() {
    this.#ready ??= new Promise((ready, fail) => {
      const worker = new Worker("/page/learn/python.js", { type: "module" });
      this.#worker = worker;
      worker.onmessage = ({ data }) => {
        if ("loaded" in data) this.handlers.loaded(data.loaded);
        else if (data.ready) {
          snapshot ??= data.snapshot;
          worker.onerror = () => this.leave();
          ready();
        }
      };
      worker.onerror = (event) => {
        this.leave();
        if (!snapshot) return fail(new Error(event.message || "Python"));
        snapshot = undefined;
        ready(this.#load());
      };
      worker.postMessage({ snapshot });
    });
    return this.#ready;
  }

  /**
   * Checks a class and returns its report, or null if it was stopped.
   *
   * @param {string} text
   * @param {string[]} players the values of the players; none if the code tells them
   * @param {string} language
   * @returns {Promise<Report | null>}
   * @throws {Error} if Python or what the language needs cannot be loaded
   */
  async judge(text, players, language = "python") {
    if (!(await this.load(language))) return null;
    const said = await this.ask({ judge: text, players, language });
    const report = said && (said.report ?? { verdict: said.verdict, message: said.message });
    if (!report || !["right", "wrong", "unusable"].includes(report.verdict)) this.leave();
    return report;
  }

  /**
   * Measures how the costs of a checked class grow. Returns none if it was stopped.
   *
   * @param {string} text
   * @param {string[]} players as for `judge`
   * @returns {Promise<Cost[]>}
   */
  async costs(text, players) {
    const said = await this.ask({ measure: text, players });
    if (!said?.costs) this.leave();
    return said?.costs ?? [];
  }

  /**
   * Sends a request to Python and returns its answer or its error, or null if it was stopped.
   *
   * @param {object} request as python.js takes it
   * @returns {Promise<any>}
   */
  ask(request) {
    const worker = /** @type {Worker} */ (this.#worker);
    return new Promise((end) => {
      this.#end = end;
      const late = { verdict: "timeout", message: `it did not answer within ${PATIENCE / 1000} s` };
      let limit = setTimeout(end, PATIENCE, late);
      worker.onmessage = ({ data }) => {
        clearTimeout(limit);
        if (data.failed)
          end({ verdict: "crashed", message: `Python stopped: ${reason(data.failed)}` });
        else if (!data.doing) end(data);
        else {
          limit = setTimeout(end, PATIENCE, late);
          this.handlers.doing(data.doing);
        }
      };
      worker.postMessage(request);
    });
  }

  /** Whether Python is loaded or loading; stopping it, or running out of a limit, unloads it. */
  get isThere() {
    return Boolean(this.#worker);
  }

  /** Whether what JavaScript needs is loaded or loading. */
  get isPrepared() {
    return Boolean(this.#prepared);
  }

  /** Stops the check at once. */
  stop() {
    this.#end(null);
  }

  /** Ends the worker; the next check starts another. */
  leave() {
    this.#worker?.terminate();
    this.#worker = this.#ready = this.#prepared = undefined;
  }
}
