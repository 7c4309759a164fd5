/** The WebAssembly of QuickJS, tree-sitter and its grammar. */

const NAMES = ["quickjs", "tree-sitter", "tree-sitter-javascript"];

/**
 * Gives the files to the worker, in which foreign code may have run: it cannot fetch any.
 *
 * @param {(request: object) => Promise<any>} ask sends a request to the worker
 */
export async function prepare(ask) {
  const files = NAMES.map(async (name) => {
    const answer = await fetch(`/page/learn/javascript/${name}.wasm`);
    if (!answer.ok) throw new Error(`${name} cannot be loaded`);
    return new Uint8Array(await answer.arrayBuffer());
  });
  return ask({ language: "javascript", files: await Promise.all(files) });
}
