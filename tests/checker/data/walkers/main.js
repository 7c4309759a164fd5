class Shared {
  static board;
}
class Hidden {
  #board = [];
}
class Derived extends Hidden {}
class Held {
  constructor(n) {
    this.board = new Array(n).fill(0);
    this[Symbol("n")] = 0;
  }
}

const build = (kind, n) => {
  const each = Array.from({ length: n }, (_, i) => i);
  switch (kind) {
    case "ints": return new Array(n).fill(0);
    case "typed": return new Int32Array(n);
    case "views": return [new Int32Array(n)].flatMap(one => [one, one.subarray(1)]);
    case "held": return new Held(n);
    case "grid": return each.map(() => new Array(n).fill(0));
    case "twice": return ((one) => [one, one])(new Array(n).fill(0));
    case "list":
    case "ring": {
      const last = { value: 0, next: null };
      let first = last;
      for (let i = 1; i < n; i++) first = { value: 0, next: first };
      if (kind === "ring") last.next = first;
      return first;
    }
    case "map": return new Map(each.map(i => [i, i]));
    case "set": return new Set(each);
    case "keys": return Object.fromEntries(each.map(i => [`${i},${i}`, 1]));
    case "sparse": return ((cells) => (each.forEach(i => cells[5000 * i] = 1), cells))([]);
    case "bits": return 1n << BigInt(8 * n - 1);
    case "boxed": return each.map(i => ({ i }));
    case "same": return ((one) => each.map(() => one))({});
    case "text": return "x".repeat(n);
    case "static": return (Shared.board = new Array(n).fill(0), new Shared());
    case "closure": return { move: () => each[0]++ };
    case "accessor": return { get board() { return each; } };
    case "private": return new Derived();
    case "nested": return [[new Hidden()]];
    case "weak": return new WeakMap();
    case "iterator": return { left: each.values() };
  }
  throw new Error(kind);
};

const kinds = KINDS; // replaced by the test: Deno's and Node's own arguments differ
for (const n of [8, 64, 512]) for (const kind of kinds) console.log(`${kind} ${n} ${noughtsBytes(build(kind, n)) ?? -1}`);
for (let i = 0; i < 5; i++) {
  const board = build("grid", 512), start = performance.now();
  noughtsBytes(board);
  console.log(`time 512 ${Math.round(1000 * (performance.now() - start))}`);
}
