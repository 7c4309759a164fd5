/** Deutsch: the texts for teachers in German, by the English. */

export default {
  "(arrow keys change the screen)": "(Pfeiltasten wechseln den Bildschirm)",
  "A task": "Eine Aufgabe",
  "Checking {file}: {number} of {count}": "{file} wird geprüft: {number} von {count}",
  "Checks (not verified)": "Prüfungen (nicht überprüft)",
  "Code to begin with": "Code zum Anfangen",
  "Copy the table": "Tabelle kopieren",
  "Drop the files here that your class has saved with “Hand in”, or choose them. Anyone can change what such a file says of itself, so each is checked again, and the table shows both.":
    "Zieh die Dateien hierher, die deine Klasse mit „Abgeben“ gespeichert hat, oder wähle sie aus. Was so eine Datei über sich sagt, kann jeder ändern; darum wird jede noch einmal geprüft, und die Tabelle zeigt beides.",
  Files: "Dateien",
  "Handed in as": "Abgegeben als",
  "Hints and a solution": "Tipps und eine Lösung",
  "Make a task of your own, and check what your class hands in. Nothing is stored on a server, and the checks run in this browser.":
    "Stelle eine eigene Aufgabe und prüfe, was deine Klasse abgibt. Auf keinem Server wird etwas gespeichert, und geprüft wird in diesem Browser.",
  "Minutes (not verified)": "Minuten (nicht überprüft)",
  Mistake: "Fehler",
  Name: "Name",
  "On the command line: ": "In der Befehlszeile: ",
  Problem: "Problem",
  Results: "Ergebnisse",
  Text: "Text",
  "Show the lesson on a projector": "Die Lektion am Beamer zeigen",
  "The problem’s own text": "Der Text des Problems",
  "The table is copied; it can be pasted into a spreadsheet.":
    "Die Tabelle ist kopiert; sie lässt sich in eine Tabellenkalkulation einfügen.",
  "This browser does not allow copying here.": "Dieser Browser erlaubt hier kein Kopieren.",
  "This link is too long for a QR code.": "Dieser Link ist zu lang für einen QR-Code.",
  Verdict: "Urteil",
  "Your class opens this link; it contains the whole task:":
    "Diesen Link öffnet deine Klasse; er enthält die ganze Aufgabe:",
  any: "beliebig",
  "{right} of {count} correct": "{right} von {count} richtig",
};
