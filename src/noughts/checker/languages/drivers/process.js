// Connects the driver above to standard input and output, in Node.js or Deno.
(() => {
  const deno = globalThis.Deno, fs = deno ? null : require("fs");
  const read = deno ? bytes => deno.stdin.readSync(bytes) ?? 0 : bytes => fs.readSync(0, bytes, 0, bytes.length, null);
  const write = deno ? bytes => deno.stdout.writeSync(bytes) : bytes => fs.writeSync(1, bytes);
  const buffer = new Uint8Array(1 << 16), decoder = new TextDecoder(), encoder = new TextEncoder();
  const receive = noughtsDriver(text => {
    const bytes = encoder.encode(text);
    for (let sent = 0; sent < bytes.length;) sent += write(bytes.subarray(sent));
  }, deno ? undefined : require);
  for (let count; receive && (count = read(buffer)) > 0;)
    receive(decoder.decode(buffer.subarray(0, count), { stream: true }));
})();
