// Plays a JavaScript solution; noughts.checker.isolated describes the protocol.
// Usage: node --expose-gc harness.js FILE

const fs = require("fs");
const v8 = require("v8");
const vm = require("vm");

const [path] = process.argv.slice(2), requests = 3, channel = 4;
const read = fs.readSync, write = fs.writeSync, leave = process.reallyExit.bind(process);
const memory = process.memoryUsage, collect = globalThis.gc;
const clock = process.hrtime.bigint, processor = process.cpuUsage;

function send(text) {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length;) sent += write(channel, bytes, sent);
}

function fail(why) {
  send(`fail ${why}\n`);
  leave(0);
}

const buffer = Buffer.alloc(1 << 16);
let unread = [], rest = "";

function next() {
  while (unread.length === 0) {
    const count = read(requests, buffer, 0, buffer.length, null);
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
    if (error instanceof SyntaxError) return fail(`unreadable it is not valid JavaScript: ${said(error).slice(1)}`);
    notes.push(`its top-level code throws ${said(error).slice(1)}`);
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
  const likely = name => typeof found[name] === "function" && /tic_?tac_?toe/i.test(name);
  const names = Object.keys(found).filter(name => moves(found[name]) || likely(name));
  const problems = names.map(name => [name, name === "tictactoe" ? "tictactoe" : "TicTacToe"]);
  send(JSON.stringify({ found: Object.fromEntries(problems), notes }) + "\n");
  const name = next();
  return [found[name], name === "tictactoe"];
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

function pairs(game) {
  const moves = [];
  for (let at = 1; at < game.length; at += 3) moves.push([game[at], game[at + 1]]);
  return moves;
}

function play(solution, whole, games) {
  if (whole) return games.map(game => attempt(() => solution(pairs(game))));
  const objects = [], unmade = [];
  for (const [n] of games) {
    unmade.push(attempt(() => { objects.push(new solution(n)); }));
    objects.length = unmade.length;
  }
  const answers = games.map(() => []), longest = Math.max(...games.map(game => game.length));
  for (let at = 1; at < longest; at += 3) {
    games.forEach((game, i) => {
      const object = objects[i];
      if (at < game.length) answers[i].push(object
        ? attempt(() => object.move(game[at], game[at + 1], game[at + 2])) : unmade[i]);
    });
  }
  return answers.map(each => each.join("\t"));
}

// Returns the nanoseconds that a call takes. The processor's clock excludes other work on the machine
// but counts whole microseconds.
function nanoseconds(call) {
  const before = processor(), start = clock();
  call();
  const passed = Number(clock() - start), { user, system } = processor(before);
  return Math.min(passed, (user + system + 1) * 1000);
}

function filled(solution, game) {
  const object = new solution(game[0]);
  move(object, game);
  return object;
}

function move(object, game) {
  for (let at = 1; at < game.length; at += 3) object.move(game[at], game[at + 1], game[at + 2]);
}

function time(solution, game, repeats) {
  // Optimising during the measurement would make some board sizes seem slower than others.
  v8.setFlagsFromString("--no-opt");
  let made = Infinity, moved = Infinity;
  for (let i = 0; i < repeats; i++) {
    let object = null;
    made = Math.min(made, nanoseconds(() => { object = new solution(game[0]); }));
    moved = Math.min(moved, nanoseconds(() => move(object, game)));
  }
  return `${made * 1e-9} ${moved * 1e-9}`;
}

function used() {
  collect();
  collect();
  const { heapUsed, arrayBuffers } = memory();
  return heapUsed + arrayBuffers;
}

function size(solution, game, one) {
  // Enough copies to outweigh other allocations, few enough for n × n boards and slow moves.
  const half = Math.max(1, Math.floor(Math.min(1000, 1e6 / game[0] ** 2, 1e8 / one)));
  const copies = new Array(2 * half).fill(null);
  let before = 0;
  for (let i = 0; i < copies.length; i++) {
    if (i === half) before = used();
    copies[i] = filled(solution, game);
  }
  const after = used();
  return copies[0] ? Math.round((after - before) / half) : 0;
}

// Repeats each measurement, because the compiler also uses memory and other work takes time.
function smallest(solution, game) {
  const least = (what) => Math.min(...[1, 2, 3].map(what));
  const one = least(() => nanoseconds(() => filled(solution, game)));
  return Math.max(0, least(() => size(solution, game, one)));
}

function serve([solution, whole]) {
  for (;;) {
    const [verb, count] = next().split(" ");
    const games = Array.from({ length: verb === "time" ? 1 : +count }, () => next().split(" ").map(Number));
    if (verb === "play") send(games.flatMap(game => play(solution, whole, [game])).join("\n") + "\n");
    else if (verb === "together") send(play(solution, whole, games).join("\n") + "\n");
    else if (verb === "time") send(`${time(solution, games[0], +count)}\n`);
    else send(`${smallest(solution, games[0])}\n`);
  }
}

try {
  serve(find());
} catch (error) {
  fail(`crashed it stopped with ${said(error).slice(1)}`);
}
