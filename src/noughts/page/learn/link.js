/** Texts in this page's URL, compressed and after `#`, so that they are never sent to a server. */

/**
 * Returns the URL of this page with a text.
 *
 * @param {string} text
 * @param {string} kind what the text is: "turn" or "turn-js" for code, "task" for a task
 */
export async function linkTo(text, kind = "turn") {
  const packed = await through(
    new CompressionStream("deflate-raw"),
    new TextEncoder().encode(text),
  );
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  const safe = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.href.split("#")[0]}#${kind}=${safe}`;
}

/**
 * Returns the text of this kind in this page's URL, or null if there is none.
 *
 * @param {string} kind
 */
export async function linked(kind = "turn") {
  const start = `#${kind}=`;
  if (!location.hash.startsWith(start)) return null;
  const safe = location.hash.slice(start.length);
  try {
    const letters = atob(safe.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), packed));
  } catch {
    return null; // the link was cut off
  }
}

/**
 * @param {GenericTransformStream} stream
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function through(stream, bytes) {
  const out = new Blob([bytes]).stream().pipeThrough(/** @type {any} */ (stream));
  return new Uint8Array(await new Response(out).arrayBuffer());
}
