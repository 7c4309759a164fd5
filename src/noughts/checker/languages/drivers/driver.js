// Plays the solution above; noughts.checker.isolated describes the protocol. It writes answers as text,
// and returns a function that takes requests as text, or nothing if there is nothing to call.
function noughtsDriver(write, require) {
  const clock = performance.now.bind(performance), stringify = JSON.stringify, places = [], notes = [];
  let out = "", rest = "", calls;
  console.log = console.info = console.debug = console.error; // standard output has the answers

  const send = () => {
    write(out);
    out = "";
  };
  const line = text => (text.length > 200 ? text.slice(0, 200) + "…" : text).replace(/[\x00-\x1f\x7f\u2028\u2029]/g, " ");
  const written = value => {
    if (typeof value === "string") return line(`'$${value}'`);
    if (typeof value === "bigint") return line(`$${value}n`);
    return typeof value === "object" && value !== null ? "an object" : line(String(value));
  };
  const thrown = error => {
    try {
      return line(error instanceof Error ? `!$${error.name}: $${error.message}` : `!$${written(error)} is thrown`);
    } catch {
      return "!Error";
    }
  };
  const create = n => {
    try { return { object: calls.make(n) }; } catch (error) { return { failed: thrown(error) }; }
  };
  const attempt = (place, n, row, col, player, marks) => {
    if (place.failed) return place.failed;
    try {
      const value = calls.move(place.object, n, row, col, player, marks);
      return value === 0 ? "0" : written(value);
    } catch (error) {
      return thrown(error);
    }
  };
  const cells = marks => marks.slice(1).filter((_, at) => at % 3 === 0).map((row, i) => [row, marks[3 * i + 2]]);
  const serve = (verb, game) => {
    if (verb === "o") places[game[0]] = create(game[1]);
    else if (verb === "m") out += attempt(places[game[0]], ...game.slice(1), game) + "\n";
    else if (verb === "p" || verb === "s") {
      const place = create(game[0]), answers = [];
      if ($whole) answers.push(attempt(place, game[0], 0, 0, 0, cells(game)));
      else for (let at = 1; at < game.length; at += 3)
        answers.push(attempt(place, game[0], game[at], game[at + 1], game[at + 2], game));
      if (verb === "s") answers.unshift(noughtsState(place.object) ?? "");
      out += answers.join("\t") + "\n";
    } else {
      const start = clock(), object = calls.make(game[0]), ready = clock();
      for (let at = 1; at < game.length; at += 3) calls.move(object, game[0], game[at], game[at + 1], game[at + 2], game);
      const end = clock();
      out += verb === "t" ? `$${(ready - start) / 1000} $${(end - ready) / 1000}\n` : `$${noughtsBytes(object)}\n`;
    }
  };

  try {
    noughtsSolution(each => calls = each, { exports: {} }, {}, require);
  } catch (error) {
    const note = `its top-level code throws $${thrown(error).slice(1)}`;
    notes.push(note);
    try {
      calls.defined();
    } catch {
      out += `fail unusable $${note}\n`;
      send();
      return;
    }
  }
  out += stringify(notes) + "\n";
  send();
  return text => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const each of lines) each === "" ? send() : serve(each[0], each.slice(2).split(" ").map(Number));
  };
}
