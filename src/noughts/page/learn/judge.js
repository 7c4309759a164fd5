/** The checker, as Python in a worker: it is loaded, judges, and can be stopped at any time. */

const PATIENCE = 30_000; // milliseconds without a word after which it is stopped

/**
 * What `judged` in `noughts.checker.browser` says; of a solution that was stopped, its first fields.
 *
 * @typedef {{
 *   verdict: "right" | "wrong" | "crashed" | "timeout" | "memory" | "unreadable",
 *   message: string,
 *   what?: string,
 *   counterexample?: Shown | null,
 *   before?: import("./counterexample.js").Told["before"],
 *   diagnosis?: string | null,
 *   mistake?: { does: string, why: string } | null,
 *   found?: string[],
 *   notes?: string[],
 *   output?: string,
 *   line?: number | null,
 *   seconds?: number,
 * }} Report
 */

/** @typedef {import("./counterexample.js").Told & { message: string }} Shown */

/** @typedef {{ name: string, words: string, points: [number, number][] }} Cost */

export class Judge {
  /** @type {Worker | undefined} */
  #worker;
  /** @type {Promise<void> | undefined} */
  #ready;
  /** @type {(said: null) => void} */
  #end = () => {};

  /**
   * @param {{ loaded: (part: number) => void, doing: (what: string) => void }} told which part of
   *   Python has come, from 0 to 1; and what the checker does
   */
  constructor(told) {
    this.told = told;
  }

  /**
   * Loads Python, unless it is there.
   *
   * @throws {Error} It did not come.
   */
  load() {
    this.#ready ??= new Promise((ready, fail) => {
      const worker = new Worker("/page/learn/python.js", { type: "module" });
      this.#worker = worker;
      worker.onmessage = ({ data }) => {
        if ("loaded" in data) this.told.loaded(data.loaded);
        else if (data.ready) ready();
      };
      worker.onerror = (event) => {
        this.#leave();
        fail(new Error(event.message || "Python did not come"));
      };
    });
    return this.#ready;
  }

  /**
   * Judges a text: its report, or null if it was stopped.
   *
   * @param {string} text
   * @returns {Promise<Report | null>}
   * @throws {Error} Python did not come.
   */
  async judge(text) {
    await this.load();
    const said = await this.#ask({ judge: text });
    const report = said && (said.report ?? { verdict: said.verdict, message: said.message });
    if (!report || !["right", "wrong", "unreadable"].includes(report.verdict)) this.#leave();
    return report;
  }

  /**
   * Measures how the costs of a text grow that was judged: none, if it was stopped.
   *
   * @param {string} text
   * @returns {Promise<Cost[]>}
   */
  async costs(text) {
    const said = await this.#ask({ measure: text });
    if (!said?.costs) this.#leave();
    return said?.costs ?? [];
  }

  /**
   * Asks Python: what it answers at last, why it does not, or null if it was stopped.
   *
   * @param {{ judge: string } | { measure: string }} asked
   * @returns {Promise<any>}
   */
  #ask(asked) {
    const worker = /** @type {Worker} */ (this.#worker);
    return new Promise((end) => {
      this.#end = end;
      const late = { verdict: "timeout", message: `it did not answer within ${PATIENCE / 1000} s` };
      let limit = setTimeout(end, PATIENCE, late);
      worker.onmessage = ({ data }) => {
        clearTimeout(limit);
        if (data.failed) end({ verdict: "crashed", message: `Python stopped: ${data.failed}` });
        else if (!data.doing) end(data);
        else {
          limit = setTimeout(end, PATIENCE, late);
          this.told.doing(data.doing);
        }
      };
      worker.postMessage(asked);
    });
  }

  /** Whether Python is there, or is coming: it goes with what was stopped, or took too much. */
  get isThere() {
    return Boolean(this.#worker);
  }

  /** Ends what is being judged, at once. */
  stop() {
    this.#end(null);
  }

  #leave() {
    this.#worker?.terminate();
    this.#worker = this.#ready = undefined;
  }
}
