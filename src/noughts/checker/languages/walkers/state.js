// Returns a text that is equal only for equal states of an object, or null if it is long, or if the object
// may hide something: what functions close over, private fields, accessors, and anything but objects, arrays,
// maps and sets. Objects as keys or in a set count as hidden, and so does an object of a class without any
// property. Variables of the file and static fields are not included. The order in which maps, sets and
// objects were filled does not matter.
const noughtsState = (() => {
  const { stringify } = JSON, { ownKeys } = Reflect;
  const { is, getPrototypeOf, getOwnPropertyDescriptor, prototype: { toString } } = Object;
  const longest = 10_000; // characters
  const kinds = ["[object Object]", "[object Array]", "[object Map]", "[object Set]"];
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
    let length = 0;
    const counted = part => {
      length += part.length;
      if (length > longest) throw part;
      return part;
    };
    const primitive = value => {
      if (typeof value === "string") return counted(value.length > longest ? value : stringify(value));
      if (typeof value === "bigint") return counted(`${value}n`);
      if (typeof value === "function" || typeof value === "symbol" || typeof value === "object" && value !== null) throw value;
      return counted(is(value, -0) ? "-0" : String(value));
    };
    const text = value => {
      if (typeof value !== "object" || value === null) return primitive(value);
      if (seen.has(value)) return `@${seen.get(value)}`;
      seen.set(value, seen.size);
      const kind = toString.call(value), id = idOf(getPrototypeOf(value));
      if (id === null || !kinds.includes(kind)) throw value;
      const parts = ownKeys(value).map(key => {
        const { get, set, value: part } = getOwnPropertyDescriptor(value, key);
        if (get || set) throw value;
        return [`${primitive(key)}:`, part];
      });
      if (!parts.length && kind === kinds[0] && getPrototypeOf(value) !== Object.prototype) throw value;
      if (value instanceof Map) for (const [key, part] of value) parts.push([`${primitive(key)}>`, part]);
      if (value instanceof Set) for (const part of value) parts.push([`${primitive(part)}>`, true]);
      parts.sort(([one], [other]) => one < other ? -1 : 1); // before what they contain gets its number
      return counted(`${id}{`) + `${parts.map(([key, part]) => key + text(part))}}`;
    };
    try {
      return text(root).replace(/[^ -~]/g, letter => `\\u${letter.charCodeAt().toString(16)}`);
    } catch {
      return null;
    }
  };
})();
