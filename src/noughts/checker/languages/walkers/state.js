// Returns a text that is equal only for equal states of an object, or null if it may hide something: what
// functions close over, private fields, accessors, and anything but plain objects, arrays, maps and sets.
// The order in which maps, sets and objects were filled does not matter.
const noughtsState = (() => {
  const { stringify } = JSON, { ownKeys } = Reflect;
  const { is, getPrototypeOf, getOwnPropertyDescriptor, prototype: { toString } } = Object;
  const ids = new Map(); // of prototypes; null if their objects may hide something
  const idOf = type => {
    if (!ids.has(type)) {
      let hides = false;
      for (let each = type; each !== null; each = getPrototypeOf(each)) {
        const maker = getOwnPropertyDescriptor(each, "constructor")?.value;
        const text = typeof maker === "function" ? Function.prototype.toString.call(maker) : "";
        hides ||= /#[\p{ID_Start}$_]/u.test(text);
      }
      ids.set(type, hides ? null : ids.size);
    }
    return ids.get(type);
  };

  return root => {
    const seen = new Map();
    const text = value => {
      if (typeof value === "string") return stringify(value);
      if (typeof value === "bigint") return `${value}n`;
      if (typeof value === "function" || typeof value === "symbol") throw value;
      if (typeof value !== "object" || value === null) return is(value, -0) ? "-0" : String(value);
      if (seen.has(value)) return `@${seen.get(value)}`;
      seen.set(value, seen.size);
      const kind = toString.call(value), id = idOf(getPrototypeOf(value));
      if (id === null || !["[object Object]", "[object Array]", "[object Map]", "[object Set]"].includes(kind)) throw value;
      const parts = ownKeys(value).map(key => {
        const { get, set, value: part } = getOwnPropertyDescriptor(value, key);
        if (get || set) throw value;
        return `${text(key)}:${text(part)}`;
      });
      if (value instanceof Map) for (const [key, part] of value) parts.push(`${text(key)}>${text(part)}`);
      if (value instanceof Set) for (const part of value) parts.push(text(part));
      return `${id}{${parts.sort()}}`;
    };
    try {
      return text(root).replace(/[^ -~]/g, letter => `\\u${letter.charCodeAt().toString(16)}`);
    } catch {
      return null;
    }
  };
})();
