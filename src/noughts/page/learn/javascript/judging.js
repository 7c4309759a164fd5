/**
 * JavaScript for the checker: tree-sitter reads it and QuickJS runs it, both as WebAssembly.
 *
 * The reader's own engine would give foreign code this origin, and could not be interrupted. QuickJS
 * has only what is given to it here: no network, no storage, no page.
 */

import * as engine from "./engine.js";

const FIRST = 1 << 24; // bytes of memory to begin with
const MOST = 1 << 29; // bytes of memory, as many as `noughts check` gives to the objects of Node.js
const PAGE = 1 << 16; // bytes per page of memory
const STACK = 1 << 17; // bytes of calls within calls
const PRINTED = 1 << 16; // characters of its printed output to keep
const FLOOD = 1 << 26; // characters, far more than its answers have

// What Node.js has and QuickJS lacks, as far as the driver and honest solutions need it.
const GLOBALS = `(now, print) => {
  const shown = (value) => {
    if (typeof value !== "object" || value === null || value instanceof Error) return String(value);
    try { return JSON.stringify(value); } catch { return "an object"; }
  };
  let left = ${PRINTED};
  const error = (...values) => {
    if (left <= 0) return;
    const text = (values.map(shown).join(" ") + "\\n").slice(0, left);
    left -= text.length;
    print(text);
  };
  globalThis.console = { error, warn: error, trace: error, table: error, dir: error };
  globalThis.performance = { now };
}`;

/** @typedef {import("./engine.js").QuickJSHandle} Handle */

/**
 * Starts tree-sitter and QuickJS.
 *
 * @param {Uint8Array<ArrayBuffer>[]} files
 */
export async function load([quickjs, sitter, grammar]) {
  await engine.Parser.init({ wasmBinary: sitter });
  const language = await engine.Language.load(grammar);
  const wasmModule = await WebAssembly.compile(quickjs);
  const parser = new engine.Parser().setLanguage(language);

  /** An interpreter of its own for one check: its memory ends with it. */
  async function renewed() {
    const wasmMemory = new WebAssembly.Memory({ initial: FIRST / PAGE, maximum: MOST / PAGE });
    const variant = engine.newVariant(engine.variant, {
      wasmModule,
      wasmMemory,
      emscriptenModule: /** @type {any} */ ({ printErr() {} }), // it would print on the console
    });
    const module = await engine.newQuickJSWASMModuleFromVariant(variant);
    return {
      parse: (/** @type {string} */ text, /** @type {string} */ query) =>
        parsed(parser, new engine.Query(language, query), text),
      start: (/** @type {string} */ script) => new Interpreter(module, wasmMemory, script),
    };
  }
  return renewed;
}

/**
 * Returns as JSON all nodes of a text, and the name and node of each capture of a query. A node is
 * its parent, where it starts and ends, its first and last line, and whether it is an error, missing,
 * or has an error.
 *
 * @param {import("./engine.js").Parser} parser
 * @param {import("./engine.js").Query} query
 * @param {string} text
 */
function parsed(parser, query, text) {
  const tree = parser.parse(text);
  if (!tree) throw new Error("it cannot be read");
  /** @type {number[][]} */
  const rows = [];
  const places = new Map();
  const cursor = tree.walk();
  const path = [-1];
  for (let deeper = true; path.length; ) {
    if (deeper) {
      const node = cursor.currentNode;
      const parent = path[path.length - 1];
      places.set(node.id, rows.length);
      path.push(rows.length);
      rows.push([
        ...[parent, node.startIndex, node.endIndex, node.startPosition.row, node.endPosition.row],
        ...[node.isError, node.isMissing, node.hasError].map(Number),
      ]);
    }
    if (deeper && cursor.gotoFirstChild()) continue;
    path.pop();
    deeper = cursor.gotoNextSibling();
    if (!deeper && !cursor.gotoParent()) break;
  }
  const found = query.captures(tree.rootNode).map(({ name, node }) => [name, places.get(node.id)]);
  cursor.delete();
  tree.delete();
  query.delete();
  return JSON.stringify([rows, found]);
}

/** A solution that QuickJS runs. */
class Interpreter {
  printed = "";
  #said = "";
  #until = 0;
  #isFull = false; // it needed more memory, or wrote too much
  #isBroken = false; // it needed more stack than the browser has
  /** @type {Handle | undefined} */
  #receive;

  /**
   * @param {import("./engine.js").QuickJSWASMModule} module
   * @param {WebAssembly.Memory} memory
   * @param {string} script that defines `noughtsDriver`
   */
  constructor(module, memory, script) {
    this.script = script;
    memory.grow = (pages) => {
      try {
        return WebAssembly.Memory.prototype.grow.call(memory, pages);
      } catch (error) {
        this.#isFull = true;
        throw error;
      }
    };
    this.context = module.newContext();
    this.context.runtime.setMaxStackSize(STACK);
    // What this ends cannot be caught.
    this.context.runtime.setInterruptHandler(() => this.#isFull || performance.now() > this.#until);
  }

  /**
   * Gives a text to the driver. Returns what it writes, and how it failed: "timeout", "memory",
   * "stack", "error" or nothing.
   *
   * @param {string} text
   * @param {number} seconds until it is stopped
   */
  request(text, seconds) {
    this.#until = performance.now() + seconds * 1000;
    this.#said = "";
    let isDone = false;
    try {
      isDone = this.#receive ? this.#call(text) : this.#begin();
    } catch {
      this.#isBroken = true;
    }
    if (this.#isFull) return [this.#said, "memory"]; // even if it has caught the error
    if (isDone) return [this.#said, ""];
    if (this.#isBroken) return [this.#said, "stack"];
    return [this.#said, performance.now() > this.#until ? "timeout" : "error"];
  }

  /** Runs the script, and returns whether its driver takes requests. */
  #begin() {
    const { context } = this;
    const write = context.newFunction("write", (text) => {
      this.#said += context.getString(text);
      if (this.#said.length > FLOOD) this.#isFull = true;
    });
    const print = context.newFunction("print", (text) => {
      if (this.printed.length < PRINTED) this.printed += context.getString(text).slice(0, PRINTED);
    });
    const now = context.newFunction("now", () => context.newNumber(performance.now()));
    const begun = this.#called(context.evalCode(GLOBALS), now, print);
    if (begun) {
      begun.dispose();
      const driver = context.evalCode(`${this.script}; noughtsDriver`, "solution.js");
      this.#receive = this.#called(driver, write, context.undefined);
    }
    for (const each of [write, print, now]) each.dispose();
    return Boolean(this.#receive);
  }

  /** @param {string} text */
  #call(text) {
    const receive = /** @type {Handle} */ (this.#receive);
    const given = this.context.newString(text);
    const answer = this.#called({ value: receive.dup() }, given);
    given.dispose();
    answer?.dispose();
    return Boolean(answer);
  }

  /**
   * Calls a function and returns its result, or prints the error and returns nothing.
   *
   * @param {{ value: Handle, error?: undefined } | { error: Handle }} found the function
   * @param {Handle[]} values
   */
  #called(found, ...values) {
    const { context } = this;
    const said = found.error ? found : context.callFunction(found.value, context.undefined, values);
    if (!found.error) found.value.dispose();
    if (!said.error) return /** @type {Handle} */ (said.value);
    const { name, message } = context.dump(said.error) ?? {};
    this.printed += `${name}: ${message}\n`.slice(0, PRINTED);
    said.error.dispose();
    return undefined;
  }

  /** Frees its memory as far as possible; the rest ends with the check. */
  close() {
    if (this.#isBroken) return;
    try {
      this.#receive?.dispose();
      this.context.dispose();
    } catch {} // an interrupted solution may keep objects
  }
}
