/** Code as a part of an address: compressed, behind `#`, so that no server is told of it. */

const START = "#turn=";

/**
 * The address of this page with a code.
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

/** The code that this page's address carries; null if it carries none. */
export async function linked() {
  if (!location.hash.startsWith(START)) return null;
  const safe = location.hash.slice(START.length);
  try {
    const letters = atob(safe.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), packed));
  } catch {
    return null; // it was cut off on its way
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
