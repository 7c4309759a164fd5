// Counts the bytes of everything that an object reaches, each object once; null if it may hide something.

function noughtsBytes(root) {
  const seen = new Set(), todo = [root];
  let total = 0;
  while (todo.length > 0) {
    const each = todo.pop();
    if (typeof each === "function" || each instanceof WeakMap || each instanceof WeakSet) return null; // it may hide anything
    if (typeof each === "string") total += 16 + each.length;
    if (typeof each === "bigint") total += 16 + each.toString(16).length / 2;
    if (typeof each !== "object" || each === null || seen.has(each)) continue;
    seen.add(each);
    if (each instanceof ArrayBuffer) total += 32 + each.byteLength;
    else if (ArrayBuffer.isView(each)) {
      total += 64;
      todo.push(each.buffer);
    } else if (each instanceof Map) {
      total += 64 + 32 * each.size;
      for (const pair of each) todo.push(...pair);
    } else if (each instanceof Set) {
      total += 64 + 24 * each.size;
      for (const part of each) todo.push(part);
    } else if (Array.isArray(each)) {
      const keys = each.length > 1e6 ? Object.keys(each) : null; // it may be sparse
      total += 32 + 8 * (keys ? keys.length : each.length);
      for (const part of keys ? keys.map(key => each[key]) : each) if (typeof part === "object" || typeof part === "string") todo.push(part);
      continue;
    } else if (/#\w+\s*[=;(]/.test(Function.prototype.toString.call(each.constructor ?? Object))) return null; // private fields
    else total += 24;
    for (const key of Reflect.ownKeys(each)) {
      total += 8;
      todo.push(each[key]);
    }
  }
  return Math.round(total);
}
