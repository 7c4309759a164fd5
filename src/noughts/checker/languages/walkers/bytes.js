// Counts the bytes that an object reaches, each object once; null if it may hide something: what
// functions close over, private fields (#board), accessors, weak collections, iterators, promises.
//
// Sizes are about those of V8: cells and properties of 8 and 24 bytes, entries of a Map and Set of
// 32 and 24. An array is counted by its length, holes included, unless it is mostly holes. A string
// of more than one character is counted wherever it is referred to, because strings have no
// identity. Variables around a class are not reached, and a Proxy is taken for what it stands for.
// An exact number would need a heap snapshot (v8.getHeapSnapshot in Node.js, not in Deno): keep the
// object under a name of its own in globalThis, find that edge in the snapshot, and add the
// self_size of every node that it reaches without edges of type "weak" and without nodes of type
// "code" or "hidden"; that takes about 0.1 s per object.

function noughtsBytes(root) {
  const OPEN = ["Object", "Array", "Map", "Set", "Date", "RegExp", "Error", "Number", "String", "Boolean"];
  const GAP = 1024; // V8 stores holes up to here, whatever the array is like
  const seen = new Set(), todo = [root];
  let total = 0;

  // Returns whether nothing is hidden by the classes of an object; what they share is reached.
  const isOpen = object => {
    for (let type = Object.getPrototypeOf(object); type !== null && !seen.has(type); type = Object.getPrototypeOf(type)) {
      const maker = Object.getOwnPropertyDescriptor(type, "constructor")?.value;
      const text = typeof maker === "function" ? Function.prototype.toString.call(maker) : "";
      if (text.includes("[native code]")) break;
      if (/#[\p{ID_Start}$_]/u.test(text)) return false;
      seen.add(type);
      for (const owner of text ? [type, maker] : [type])
        for (const { value } of Object.values(Object.getOwnPropertyDescriptors(owner)))
          if (typeof value === "object" && value !== type) todo.push(value);
    }
    return true;
  };

  while (todo.length > 0) {
    const each = todo.pop();
    if (typeof each === "function") return null;
    if (typeof each === "string" && each.length > 1) total += 16 + each.length * (/[^\0-\xff]/.test(each) ? 2 : 1);
    if (typeof each === "bigint") total += 16 + 8 * Math.ceil(each.toString(16).length / 16);
    if (typeof each !== "object" || each === null || seen.has(each)) continue;
    seen.add(each);
    if (!isOpen(each)) return null;
    if (ArrayBuffer.isView(each)) {
      total += 64;
      todo.push(each.buffer);
    } else if (each instanceof ArrayBuffer || globalThis.SharedArrayBuffer && each instanceof SharedArrayBuffer) {
      total += 32 + each.byteLength;
    } else if (!OPEN.includes(Object.prototype.toString.call(each).slice(8, -1))) {
      return null;
    } else if (Array.isArray(each)) {
      const keys = Object.keys(each);
      total += 32 + (each.length <= GAP || 4 * keys.length >= each.length ? 8 * each.length : 24 * keys.length);
      for (const key of keys) if (typeof each[key] !== "number") todo.push(each[key]);
    } else {
      total += 24;
      if (each instanceof Map) total += 40 + 32 * each.size;
      if (each instanceof Map) for (const [key, value] of each) todo.push(key, value);
      if (each instanceof Set) total += 40 + 24 * each.size;
      if (each instanceof Set) for (const part of each) todo.push(part);
      for (const key of Reflect.ownKeys(each)) {
        const { get, set, value } = Object.getOwnPropertyDescriptor(each, key);
        if (get || set) return null;
        total += 24;
        todo.push(value);
      }
    }
  }
  return total;
}
