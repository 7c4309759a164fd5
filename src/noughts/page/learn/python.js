/**
 * Python in a worker: Pyodide, running the same checker as the server.
 *
 * | message | answers |
 * |---|---|
 * | `{}` or `{ snapshot }` first | `{ loaded }`, a fraction; `{ ready, snapshot }`, see `load` |
 * | `{ judge, players }`, texts | `{ doing }`; `{ report }` |
 * | `{ measure, players }` | `{ doing }`; `{ costs }` |
 * | `{ test, games }` | `{ doing }`; `{ tried }` |
 * | `{ language: "javascript", files }` | `{ prepared }`; with `judge` its `{ report }` |
 * | any | `{ failed }`, if Python fails |
 */

const PYODIDE = "ADDRESS"; // the server inserts the URL
const CHECKER = "/page/learn/checker.zip";
const WHOLE = 12.37e6; // uncompressed bytes to load, rounded down
const MOST = 1 << 30; // bytes of memory, the limit of `noughts check`
const PAGE = 1 << 16; // bytes per page of memory

// Access to the network and to stored data, removed because a solution may come from a link.
const EXITS = [
  ...["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "importScripts"],
  ...["caches", "indexedDB", "cookieStore", "navigator", "BroadcastChannel", "Worker"],
];

/** Reports the progress of everything that is fetched. */
function reportProgress() {
  const get = fetch;
  let bytes = 0;
  self.fetch = async (...what) => {
    const answer = await get(...what);
    const counted = new TransformStream({
      transform(chunk, sink) {
        bytes += chunk.length;
        postMessage({ loaded: Math.min(bytes / WHOLE, 1) });
        sink.enqueue(chunk);
      },
    });
    return new Response(answer.body?.pipeThrough(counted), answer);
  };
}

/** Limits the memory; Python reports the error. */
function limitMemory() {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE > MOST) throw new RangeError("too much memory");
    return grow.call(this, pages);
  };
}

function closeExits() {
  for (let at = self; at; at = Object.getPrototypeOf(at)) {
    for (const exit of EXITS) Reflect.deleteProperty(at, exit);
  }
}

/**
 * Returns the Python functions that check a class and measure its costs, and a snapshot of Python’s
 * memory; or starts from such a snapshot, in 0.3 s instead of 4.
 *
 * @param {Uint8Array | undefined} snapshot
 */
async function load(snapshot) {
  reportProgress();
  limitMemory();
  const [{ loadPyodide }, checker] = await Promise.all([
    import(`${PYODIDE}pyodide.mjs`),
    fetch(CHECKER).then((answer) => answer.arrayBuffer()),
  ]);
  const unheard = () => {}; // the report contains what a solution prints
  const python = await loadPyodide({
    jsglobals: {},
    stdout: unheard,
    stderr: unheard,
    _loadSnapshot: snapshot,
    _makeSnapshot: !snapshot,
  });
  python.unpackArchive(checker, "zip", { extractDir: "/checker" });
  python.runPython(`
    import sys
    sys.path.insert(0, "/checker")
    from noughts.checker.browser import costs, judged, tried
  `);
  const made = snapshot ? undefined : python.makeMemorySnapshot();
  const functions = python.runPython("judged, costs, tried");
  closeExits();
  return [functions, made];
}

/** @type {ReturnType<typeof import("./javascript/judging.js").load> | undefined} */
let loading;

/**
 * Starts what reads and runs JavaScript, unless it runs, and returns it for one check.
 *
 * @param {Uint8Array<ArrayBuffer>[]} files
 */
async function javascript(files) {
  loading ??= import("./javascript/judging.js").then(({ load }) => load(files));
  return (await loading)();
}

let judged, costs, tried, snapshot;
try {
  const first = new Promise((begin) => {
    self.onmessage = ({ data }) => begin(data.snapshot);
  });
  [[judged, costs, tried], snapshot] = await load(await first);
} catch (error) {
  postMessage({ failed: String(error) });
  throw error;
}
const progress = (/** @type {string} */ doing) => postMessage({ doing });
self.onmessage = async ({
  data: { judge, measure, test, games, players = [], language, files },
}) => {
  try {
    const page = language === "javascript" ? await javascript(files) : undefined;
    if (measure !== undefined)
      postMessage({ costs: JSON.parse(costs.callKwargs(measure, players, { progress })) });
    else if (judge !== undefined)
      postMessage({ report: JSON.parse(judged.callKwargs(judge, players, { page, progress })) });
    else if (test !== undefined)
      postMessage({ tried: JSON.parse(tried.callKwargs(test, games, { progress })) });
    else postMessage({ prepared: true });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
postMessage({ ready: true, snapshot });
snapshot = undefined;

export {}; // makes this a module, which allows await
