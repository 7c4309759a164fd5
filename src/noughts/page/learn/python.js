/**
 * Python, in a worker: Pyodide, and in it the checker as the server has it.
 *
 * It says `{ loaded }`, the part that has come, then `{ ready }`. Asked to `{ judge }` a text it says
 * what it is `{ doing }`, and at last the `{ report }`; asked to `{ measure }` one, its `{ costs }`. Or
 * it says that Python has `{ failed }`.
 */

const PYODIDE = "ADDRESS"; // the server puts the address here
const CHECKER = "/page/learn/checker.zip";
const WHOLE = 12.37e6; // bytes of what is fetched, not compressed; a bit less than it is
const MOST = 1 << 30; // bytes of memory, as the command gives a solution
const PAGE = 1 << 16; // bytes in which memory grows

// Ways out of here, and to what other pages keep. A solution, which may have come by a link, needs none.
const DOORS = [
  ...["fetch", "XMLHttpRequest", "WebSocket", "WebTransport", "EventSource", "importScripts"],
  ...["caches", "indexedDB", "cookieStore", "navigator", "BroadcastChannel", "Worker"],
];

/** Tells how much of what is fetched has come. */
function tellWhatComes() {
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

/** Refuses more memory than there may be, which Python then says. */
function limitMemory() {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * PAGE > MOST) throw new RangeError("too much memory");
    return grow.call(this, pages);
  };
}

function closeDoors() {
  for (let at = self; at; at = Object.getPrototypeOf(at)) {
    for (const door of DOORS) Reflect.deleteProperty(at, door);
  }
}

/** The functions in Python that judge a text, and measure what it costs. */
async function load() {
  tellWhatComes();
  limitMemory();
  const [{ loadPyodide }, checker] = await Promise.all([
    import(`${PYODIDE}pyodide.mjs`),
    fetch(CHECKER).then((answer) => answer.arrayBuffer()),
  ]);
  const unheard = () => {}; // what is printed while a solution is judged its report has
  const python = await loadPyodide({ jsglobals: {}, stdout: unheard, stderr: unheard });
  python.FS.writeFile("/checker.zip", new Uint8Array(checker));
  const functions = python.runPython(`
    import sys
    sys.path.insert(0, "/checker.zip")
    from noughts.checker.browser import costs, judged
    judged, costs
  `);
  closeDoors();
  return functions;
}

let judged, costs;
try {
  [judged, costs] = await load();
} catch (error) {
  postMessage({ failed: String(error) });
  throw error;
}
const progress = (/** @type {string} */ doing) => postMessage({ doing });
self.onmessage = ({ data: { judge, measure } }) => {
  try {
    if (judge === undefined) postMessage({ costs: JSON.parse(costs(measure)) });
    else postMessage({ report: JSON.parse(judged.callKwargs(judge, { progress })) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
postMessage({ ready: true });

export {}; // a module, so that it can wait
