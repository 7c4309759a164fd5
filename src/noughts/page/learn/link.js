/** Code in a URL, compressed and after `#`, so that it is never sent to a server. */

const START = "#turn=";

/**
 * Returns the URL of this page with some code.
 *
 * @param {string} code
 */
export async function linkTo(code) {
  const packed = await through(
    new CompressionStream("deflate-raw"),
    new TextEncoder().encode(code),
  );
  const letters = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  const safe = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.href.split("#")[0]}${START}${safe}`;
}

/** Returns the code in this page's URL, or null if there is none. */
export async function linked() {
  if (!location.hash.startsWith(START)) return null;
  const safe = location.hash.slice(START.length);
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
