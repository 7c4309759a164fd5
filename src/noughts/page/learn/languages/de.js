/** Deutsch: the texts of the lesson in German, by the English. */

export default {
  "A move changes only the lines through its own cell: its row, its column, and a diagonal or two. Whoever keeps a number for each line has only those to look at. Step through a game, or play on.":
    "Ein Zug ändert nur die Linien durch sein eigenes Feld: seine Zeile, seine Spalte und höchstens zwei Diagonalen. Wer sich zu jeder Linie eine Zahl merkt, muss nur diese ansehen. Geh ein Spiel Zug um Zug durch oder spiel weiter.",
  "A scan may stop at the first cell that is not the player’s. That helps on most lines, but not on one that is nearly complete: of that it has to look at everything.":
    "Man kann beim ersten Feld aufhören, das nicht dem Spieler gehört. Das hilft auf den meisten Linien, aber nicht auf einer fast vollständigen: Die muss man ganz ansehen.",
  "A short game": "Ein kurzes Spiel",
  "A sum of 0 may be an empty line or one with as many X as O; two tallies tell them apart. So tallies also know who can still win, for one number more a line.":
    "Die Summe 0 kann eine leere Linie bedeuten oder eine mit gleich vielen X und O; zwei Zähler unterscheiden das. Darum wissen Zähler auch, wer noch gewinnen kann, und brauchen dafür eine Zahl mehr je Linie.",
  "A whole row, column or diagonal wins. After every move somebody has to say whether there is one. Play, and watch where one has to look.":
    "Eine ganze Zeile, Spalte oder Diagonale gewinnt. Nach jedem Zug muss jemand sagen, ob es eine gibt. Spiel und sieh zu, wo man dafür hinsehen muss.",
  "An empty board, {board}.": "Ein leeres Brett, {board}.",
  "Another object, made after it, plays first: {board}":
    "Ein anderes Objekt, danach erzeugt, spielt zuerst: {board}",
  Answered: "Geantwortet",
  Answers: "Antworten",
  Axis: "Achse",
  "Before move 1 of {all}.": "Vor Zug 1 von {all}.",
  Begin: "Anfangen",
  "Board scan": "Brett absuchen",
  "Few numbers, and many ways to get them wrong. These mistakes people really make: each with the lines that are wrong, why one writes them, and the smallest game that shows it.":
    "Wenige Zahlen und viele Wege, sich dabei zu irren. Diese Fehler werden wirklich gemacht: zu jedem die falschen Zeilen, warum man sie schreibt und das kleinste Spiel, das ihn zeigt.",
  "First another object: {board}": "Zuerst ein anderes Objekt: {board}",
  Forward: "Vor",
  "Four lines at once": "Vier Linien auf einmal",
  "How long a line is, how large the board, and how cells are numbered":
    "Wie lang eine Linie ist, wie groß das Brett und wie Felder nummeriert sind",
  "How much does a referee read for a move, as the board grows? This is counted, not calculated: on each board from 3×3 to 100×100 a game is played at random to its end.":
    "Wie viel liest ein Schiedsrichter je Zug, wenn das Brett wächst? Das ist gezählt, nicht ausgerechnet: Auf jedem Brett von 3×3 bis 100×100 wird ein Spiel mit zufälligen Zügen bis zum Ende gespielt.",
  "Keeps every mark. After a move it looks at the whole of each line through it.":
    "Merkt sich jeden Stein und sieht nach einem Zug alle Linien durch sein Feld ganz an.",
  "Keeps for each line how many marks X has on it, and how many O. Whoever has n has won.":
    "Merken sich zu jeder Linie, wie viele Steine X auf ihr hat und wie viele O. Wer n hat, hat gewonnen.",
  "Keeps one sum for each line: +1 for each X, −1 for each O. At +n or −n it is complete.":
    "Merken sich zu jeder Linie eine Summe: +1 für jedes X, −1 für jedes O. Bei +n oder −n ist sie vollständig.",
  "Last position": "Letzte Stellung",
  Linear: "Linear",
  Lines: "Linien",
  Logarithmic: "Logarithmisch",
  "Look again": "Noch einmal ansehen",
  "Look again at these:": "Sieh dir diese noch einmal an:",
  "Make the board larger.": "Mach das Brett größer.",
  Move: "Zug",
  "Move {ply} of {all}: {mark} at {cell}.": "Zug {ply} von {all}: {mark} auf {cell}.",
  Moves: "Züge",
  "Next question": "Nächste Frage",
  "Next: the race": "Weiter: das Rennen",
  "Next: three referees": "Weiter: drei Schiedsrichter",
  "Next: what goes wrong": "Weiter: was schiefgeht",
  "Nobody has won yet. {mark} to move.": "Noch hat niemand gewonnen. {mark} ist am Zug.",
  "Nobody has won, and the board is full.": "Niemand hat gewonnen, und das Brett ist voll.",
  "Only lines through the last move can be complete now. So this referee, the board scan, looks at every cell of them: where two lines cross, twice. It forgets what it saw, and begins again after the next move.":
    "Nur Linien durch den letzten Zug können jetzt vollständig sein. Also sucht dieser Schiedsrichter jedes Feld dieser Linien ab: wo sich zwei kreuzen, zweimal. Was er gesehen hat, vergisst er und fängt nach dem nächsten Zug von vorn an.",
  "Play other games": "Andere Spiele spielen",
  "Player tallies": "Zähler je Spieler",
  "Question {number} of {all}": "Frage {number} von {all}",
  Result: "Ergebnis",
  Right: "Richtig",
  "Right is": "Richtig ist",
  "Right.": "Richtig.",
  "Right: {right}. Answered: {answered}.": "Richtig: {right}. Geantwortet: {answered}.",
  Screens: "Abschnitte",
  Sharing: "Geteiltes",
  "Side of the board": "Seite des Bretts",
  "Signed sums": "Summen mit Vorzeichen",
  Sizes: "Größen",
  "Ten others": "Zehn andere",
  "Ten questions: a game that is judged wrongly, or the code that does it. Of four mistakes one fits.":
    "Zehn Fragen: ein falsch beurteiltes Spiel oder der Code, der das tut. Von vier Fehlern passt einer.",
  "That was the last question.": "Das war die letzte Frage.",
  "The board scan reads at least 2n cells: more, the larger the board is. Tallies and sums read two to four numbers, each at most twice: to count, and to compare. They do not care how large the board is. That is what “constant time”, O(1), means.":
    "Das Absuchen liest mindestens 2n Felder: je größer das Brett, desto mehr. Zähler und Summen lesen zwei bis vier Zahlen, jede höchstens zweimal: zum Zählen und zum Vergleichen. Ihnen ist gleich, wie groß das Brett ist. Das heißt „konstante Zeit“, O(1).",
  "The object that is wrong: {board}": "Das Objekt, das sich irrt: {board}",
  "The question": "Die Frage",
  "The race": "Das Rennen",
  "The smallest game that shows it": "Das kleinste Spiel, das ihn zeigt",
  "This game is judged wrongly. By which mistake?":
    "Dieses Spiel wird falsch beurteilt. Durch welchen Fehler?",
  "Three referees": "Drei Schiedsrichter",
  "What belongs to one game, and what several games share by mistake":
    "Was zu einem Spiel gehört und was sich Spiele versehentlich teilen",
  "What goes wrong": "Was schiefgeht",
  "What happens to the number? And must it?": "Was geschieht mit der Zahl? Und muss das sein?",
  "What is not shown is right, and keeps one sum for each line.":
    "Was hier nicht steht, ist richtig und merkt sich zu jeder Linie eine Summe.",
  "What is not shown is right, and looks at the board after each move.":
    "Was hier nicht steht, ist richtig und sieht nach jedem Zug das Brett an.",
  "What is returned, and when": "Was zurückgegeben wird und wann",
  "What is wrong with this code?": "Was ist an diesem Code falsch?",
  "Which cells make a line, and which lines a move can complete":
    "Welche Felder eine Linie bilden und welche Linien ein Zug vollenden kann",
  "Which one is it?": "Welcher ist es?",
  "Who has won?": "Wer hat gewonnen?",
  "Who has won? · noughts": "Wer hat gewonnen? · noughts",
  "Who the marks belong to": "Wem die Steine gehören",
  "Wrong. It is this one:": "Falsch. Es ist dieser:",
  "Wrong:": "Falsch:",
  "X to move": "X ist am Zug",
  "You know all that can go wrong.": "Du kennst alles, was schiefgehen kann.",
  "Your game from above": "Dein Spiel von oben",
  "cells looked at": "angesehene Felder",
  "cells looked at for {mark} at {cell}": "Felder angesehen für {mark} auf {cell}",
  kept: "gemerkt",
  "n, the side of the board": "n, die Seite des Bretts",
  "no answer": "keine Antwort",
  "numbers read for a move, on average": "gelesene Zahlen je Zug, im Mittel",
  read: "gelesen",
  "read in all": "insgesamt gelesen",
  "reads a move": "gelesen je Zug",
  right: "richtig",
  "since the first move": "seit dem ersten Zug",
  written: "geschrieben",
  wrong: "falsch",
  "{board}: board scan {scan}, player tallies {tallies}, signed sums {sums} reads a move":
    "{board}: Absuchen {scan}, Zähler {tallies}, Summen mit Vorzeichen {sums} je Zug gelesen",
  "{count} of {all} right": "{count} von {all} richtig",
  "{count} right": "{count} richtig",
  "{games} games, {moves} moves: {scan} reads by the board scan, {sums} by the signed sums.":
    "{games} Spiele, {moves} Züge: {scan} Zahlen gelesen beim Absuchen, {sums} bei den Summen mit Vorzeichen.",
  "{mark} at {cell}: looked at {count} cells. {standing}":
    "{mark} auf {cell}: {count} Felder angesehen. {standing}",
  "{mark} has won: {lines}.": "{mark} hat gewonnen: {lines}.",
  "{referee}: {reads} read, {writes} written.": "{referee}: {reads} gelesen, {writes} geschrieben.",
};
