// Plays a solution in JavaScript; see noughts.checker.running for what it is asked.
// It is run as: node --expose-gc harness.js FILE NAME REQUESTS ANSWERS

const fs = require("fs");
const v8 = require("v8");
const vm = require("vm");

const [path, wanted, requests, channel] = process.argv.slice(2);
const read = fs.readSync, write = fs.writeSync, leave = process.reallyExit.bind(process);
const memory = process.memoryUsage, collect = globalThis.gc;
const clock = process.hrtime.bigint, processor = process.cpuUsage;

function send(text) {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length;) sent += write(+channel, bytes, sent);
}

function fail(why) {
  send(`fail ${why}\n`);
  leave(0);
}

const buffer = Buffer.alloc(1 << 16);
let unread = [], rest = "";

function next() {
  while (unread.length === 0) {
    const count = read(+requests, buffer, 0, buffer.length, null);
    if (count === 0) leave(0);
    unread = (rest + buffer.latin1Slice(0, count)).split("\n");
    rest = unread.pop();
    unread.reverse();
  }
  return unread.pop();
}

function find() {
  const source = fs.readFileSync(path, "utf8").replace(/^\uFEFF|^#!.*/, "")
    .replace(/^[ \t]*export\s+default\s+(class|function)\s*(?=[({])/gm, "var TicTacToe = $1 ")
    .replace(/^[ \t]*export\s+(?:default\s+)?(?=\w)/gm, "")
    .replace(/^[ \t]*export\s*\{[^}]*\}[^\n]*/gm, "");
  const notes = [];
  globalThis.module = { exports: {} };
  globalThis.exports = globalThis.module.exports;
  globalThis.require = require;
  try {
    vm.runInThisContext(source, { filename: path });
  } catch (error) {
    if (error instanceof SyntaxError) return fail(`unreadable it is no JavaScript: ${said(error).slice(1)}`);
    notes.push(`its own code stops with ${said(error).slice(1)}`);
  }
  const found = {};
  const declared = source.matchAll(/\b(?:class|function|var|let|const)\s+([A-Za-z_$][\w$]*)/g);
  for (const [, name] of declared) {
    try {
      found[name] = vm.runInThisContext(name);
    } catch { /* of an inner scope, or never reached */ }
  }
  const given = globalThis.module.exports;
  if (typeof given === "function") found[given.name || "TicTacToe"] = given;
  else Object.assign(found, given);
  const moves = of => typeof of === "function" && typeof of.prototype?.move === "function";
  const likely = name => /tic_?tac_?toe/i.test(name);
  const names = Object.keys(found).filter(name => typeof found[name] === "function"
    && (wanted ? name === wanted : moves(found[name]) || likely(name)));
  const rank = name => name === "TicTacToe" ? 0 : name === "tictactoe" ? 1 : likely(name) ? 2 : 3;
  names.sort((one, other) => rank(one) - rank(other));
  if (!names.length) {
    return fail(notes.length ? `unreadable ${notes[0]}`
      : `unreadable ${wanted || "no class with a method move"} is ${wanted ? "not defined" : "found"}`);
  }
  if (rank(names[0]) === 3 && names.length > 1 && !wanted) {
    return fail(`unreadable several classes have a method move: ${names.join(", ")}; choose with --name`);
  }
  if (names.length > 1) notes.push(`${names.slice(1).join(" and ")} could be judged too, with --name`);
  const whole = names[0] === "tictactoe";
  const what = `${whole ? "function" : "class"} ${names[0]}`;
  send(JSON.stringify({ what, problem: whole ? "tictactoe" : "TicTacToe", notes }) + "\n");
  return [found[names[0]], whole];
}

function said(error) {
  if (!(error instanceof Error)) return line(`!${written(error)} is thrown`);
  return line(`!${error.name}: ${error.message}`);
}

function line(text) {
  return (text.length > 200 ? text.slice(0, 200) + "…" : text).replace(/[\x00-\x1f\x7f\u2028\u2029]/g, " ");
}

function written(value) {
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return line(`'${value}'`);
  if (typeof value === "bigint") return line(`${value}n`);
  if (typeof value === "object" && value !== null) return "an object";
  return line(String(value));
}

function attempt(call) {
  try {
    const value = call();
    return value === 0 ? "0" : value === 1 ? "1" : value === 2 ? "2" : written(value);
  } catch (error) {
    try {
      return said(error);
    } catch {
      return "!Error";
    }
  }
}

function* calls(script) {
  const sides = script[0], one = sides === 1;
  for (let i = sides + 1; i < script.length; i += one ? 3 : 4) {
    const j = one ? i : i + 1;
    yield [one ? 0 : script[i], script[j], script[j + 1], script[j + 2]];
  }
}

function pairs(script) {
  const moves = [];
  for (let i = 2; i < script.length; i += 3) moves.push([script[i], script[i + 1]]);
  return moves;
}

function play(solution, whole, script, states) {
  const answers = states ? ["-"] : [];
  if (whole) answers.push(attempt(() => solution(pairs(script))));
  else {
    const objects = [], unmade = [];
    for (const n of script.slice(1, script[0] + 1)) {
      unmade.push(attempt(() => { objects.push(new solution(n)); }));
      objects.length = unmade.length;
    }
    for (const [which, row, col, player] of calls(script)) {
      const object = objects[which];
      answers.push(object ? attempt(() => object.move(row, col, player)) : unmade[which]);
    }
  }
  return answers.join("\t");
}

// The nanoseconds that a call takes. The processor's clock leaves out what else a busy machine does,
// but counts whole microseconds.
function nanoseconds(call) {
  const before = processor(), start = clock();
  call();
  const passed = Number(clock() - start), { user, system } = processor(before);
  return Math.min(passed, (user + system + 1) * 1000);
}

function time(solution, whole, script, repeats) {
  // Compiled anew while it is timed, a move would seem to take longer on some boards than on others.
  v8.setFlagsFromString("--no-opt");
  let make = Infinity, move = Infinity;
  const moves = pairs(script);
  for (let i = 0; i < repeats; i++) {
    let object = null;
    if (!whole) make = Math.min(make, nanoseconds(() => { object = new solution(script[1]); }));
    move = Math.min(move, nanoseconds(() => {
      if (whole) solution(moves);
      else for (let j = 2; j < script.length; j += 3) object.move(script[j], script[j + 1], script[j + 2]);
    }));
  }
  return `${whole ? 0 : make * 1e-9} ${move * 1e-9}`;
}

function used() {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = memory();
  return heapUsed + arrayBuffers;
}

function filled(solution, script) {
  const object = new solution(script[1]);
  for (let j = 2; j < script.length; j += 3) object.move(script[j], script[j + 1], script[j + 2]);
  return object;
}

function size(solution, script) {
  // So many that what else happens is little, and few enough for boards of n × n, and slow moves.
  const one = nanoseconds(() => filled(solution, script));
  const half = Math.max(1, Math.floor(Math.min(1000, 1e6 / script[1] ** 2, 1e8 / one)));
  const copies = new Array(2 * half).fill(null);
  let before = 0;
  for (let i = 0; i < copies.length; i++) {
    if (i === half) before = used();
    copies[i] = filled(solution, script);
  }
  const after = used();
  return copies[0] ? Math.round((after - before) / half) : 0;
}

function sizes(solution, whole, script) {
  if (whole) return "None";
  // The compiler takes memory too, now and then.
  const all = [1, 2, 3].map(() => size(solution, script));
  return String(Math.max(0, Math.min(...all)));
}

function serve([solution, whole]) {
  const numbers = () => next().split(" ").map(Number);
  for (;;) {
    const [verb, first, second] = next().split(" ");
    if (verb === "play") {
      const lines = [];
      for (let i = 0; i < +first; i++) lines.push(play(solution, whole, numbers(), second === "1"));
      send(lines.join("\n") + "\n");
    } else send((verb === "time" ? time(solution, whole, numbers(), +first) : sizes(solution, whole, numbers())) + "\n");
  }
}

try {
  serve(find());
} catch (error) {
  fail(`crashed it stopped with ${said(error).slice(1)}`);
}
