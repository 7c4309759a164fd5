/** Deutsch: the texts of the lesson in German, by the English. */

export default {
  "A cell on two lines counts twice.": "Ein Feld auf zwei Linien zählt doppelt.",
  "A move can complete only the lines through its own cell: its row, its column and at most two diagonals.":
    "Ein Zug kann nur die Linien durch sein eigenes Feld vollenden: seine Zeile, seine Spalte und höchstens zwei Diagonalen.",
  "A move changes only the lines through its own cell: its row, its column, and up to two diagonals. If you keep one number per line, you need to check only the numbers of these lines. Step through a game, or play on.":
    "Ein Zug ändert nur die Linien durch sein eigenes Feld: seine Zeile, seine Spalte und höchstens zwei Diagonalen. Wer sich zu jeder Linie eine Zahl merkt, muss nur diese ansehen. Geh ein Spiel Zug um Zug durch oder spiel weiter.",
  "A scan may stop at the first cell that is not the player’s. That helps on most lines, but not on one that is nearly complete: it has to read that line to the end.":
    "Man kann beim ersten Feld aufhören, das nicht dem Spieler gehört. Das hilft auf den meisten Linien, aber nicht auf einer fast vollständigen: Die muss man ganz ansehen.",
  "A short game": "Ein kurzes Spiel",
  "A sum of 0 may mean an empty line or one with equal numbers of X and O; two tallies tell them apart. So tallies also show who can still win, at the cost of one extra number per line.":
    "Die Summe 0 kann eine leere Linie bedeuten oder eine mit gleich vielen X und O; zwei Zähler unterscheiden das. Darum wissen Zähler auch, wer noch gewinnen kann, und brauchen dafür eine Zahl mehr je Linie.",
  "Add 1 for player 1 and −1 for player 2 to the sum of the row, of the column and of each diagonal through the cell. The move wins if one of these sums is n or −n.":
    "Zähle zur Summe der Zeile, der Spalte und jeder Diagonale durch das Feld 1 für Spieler 1 und −1 für Spieler 2 hinzu. Der Zug gewinnt, wenn eine dieser Summen n oder −n ist.",
  "An empty board, {board}.": "Ein leeres Brett, {board}.",
  Answers: "Antworten",
  Axis: "Achse",
  "Back to my code": "Zurück zu meinem Code",
  "Before move 1 of {all}.": "Vor Zug 1 von {all}.",
  "Board scan": "Brett absuchen",
  "Board size": "Größe des Bretts",
  "Checker’s verdict": "Urteil des Prüfers",
  Compare: "Vergleichen",
  "Compare with a solution": "Mit einer Lösung vergleichen",
  "Copy a link to this code": "Link zu diesem Code kopieren",
  Curve: "Kurve",
  "Draw again": "Neu zeichnen",
  "Draw on the chart, or use the arrow keys on the slider: left and right choose n, up and down the height.":
    "Zeichne ins Diagramm, oder nimm am Schieberegler die Pfeiltasten: links und rechts wählen n, auf und ab die Höhe.",
  "Each cell is on the board and empty, players are 1 and 2, either may begin, and nobody moves after a win.":
    "Jedes Feld liegt auf dem Brett und ist leer, die Spieler sind 1 und 2, beide können beginnen, und nach einem Sieg zieht niemand mehr.",
  "Fill a row, column or diagonal to win. Play, and watch how many cells a referee checks after each move.":
    "Fülle eine Zeile, Spalte oder Diagonale, um zu gewinnen. Spiel und sieh, wie viele Felder ein Schiedsrichter nach jedem Zug prüft.",
  "First draw it: how much will each referee read per move?":
    "Zeichne erst: Wie viel wird jeder Schiedsrichter je Zug lesen?",
  Forward: "Vor",
  "Four lines at once": "Vier Linien auf einmal",
  "Goal:": "Ziel:",
  "Guaranteed:": "Garantiert:",
  "Guess first": "Erst raten",
  "How does the number grow – and does it have to?": "Wie wächst die Zahl – und muss sie das?",
  "How long a line is, how large the board is, and how cells are numbered":
    "Wie lang eine Linie ist, wie groß das Brett und wie Felder nummeriert sind",
  "How many cells will a referee check now?":
    "Wie viele Felder wird ein Schiedsrichter jetzt prüfen?",
  "How much does a referee read per move as the board grows? These numbers are measured, not computed: on each board from 3×3 to 100×100, a random game is played to the end.":
    "Wie viel liest ein Schiedsrichter je Zug, wenn das Brett wächst? Diese Zahlen sind gemessen, nicht ausgerechnet: Auf jedem Brett von 3×3 bis 100×100 wird ein Spiel mit zufälligen Zügen bis zum Ende gespielt.",
  "I don’t know": "Weiß ich nicht",
  "Keep one number per line. What do you add for player 1, and what for player 2, so that the number shows who has filled the line?":
    "Merk dir eine Zahl je Linie. Was zählst du für Spieler 1 hinzu und was für Spieler 2, damit die Zahl zeigt, wer die Linie gefüllt hat?",
  "Last position": "Letzte Stellung",
  Linear: "Linear",
  Lines: "Linien",
  "Loading Python…": "Python wird geladen …",
  Logarithmic: "Logarithmisch",
  "Make the board larger.": "Mach das Brett größer.",
  Move: "Zug",
  "Move {ply} of {all}: {mark} plays {cell}.": "Zug {ply} von {all}: {mark} auf {cell}.",
  Moves: "Züge",
  "Next: the race": "Weiter: das Rennen",
  "Next: three referees": "Weiter: drei Schiedsrichter",
  "Next: what goes wrong": "Weiter: was schiefgeht",
  "Next: your turn": "Weiter: Du bist am Zug",
  "No moves yet: play one.": "Noch kein Zug: Mach einen.",
  "No winner yet. {mark} to move.": "Noch hat niemand gewonnen. {mark} ist am Zug.",
  "No winner: the board is full.": "Niemand hat gewonnen, und das Brett ist voll.",
  "O(1) per move, however large the board.": "O(1) je Zug, wie groß das Brett auch ist.",
  "On 2×2, player 1 at (0, 1), 2 at (0, 0), 1 at (1, 0): the last call returns 1, because it fills a diagonal.":
    "Auf 2×2: Spieler 1 auf (0, 1), 2 auf (0, 0), 1 auf (1, 0): Der letzte Aufruf ergibt 1, denn er füllt eine Diagonale.",
  "On 3×3, player 1 at (0, 0), 2 at (1, 1), 1 at (0, 1), 2 at (2, 2), 1 at (0, 2): the last call returns 1, the others 0.":
    "Auf 3×3: Spieler 1 auf (0, 0), 2 auf (1, 1), 1 auf (0, 1), 2 auf (2, 2), 1 auf (0, 2): Der letzte Aufruf ergibt 1, die anderen 0.",
  "On an n×n board the scan stores n² marks, the tallies 4n + 4 numbers, and the sums 2n + 2. Storing numbers instead of marks hardly helps on 3×3 but saves a lot on 100×100: 404 or 202 numbers instead of 10,000 marks.":
    "Auf n×n merkt sich die Suche n² Felder; die Zähler sind 4n + 4 Zahlen, die Summen 2n + 2. Auf 3×3 macht das kaum einen Unterschied, auf 100×100 einen großen: 404 oder 202 Zahlen statt 10.000 Feldern.",
  "One sum per line: +1 for each X, −1 for each O. A line has n cells, so it is complete at +n or −n.":
    "Merken sich zu jeder Linie eine Summe: +1 für jedes X, −1 für jedes O. Eine Linie hat n Felder, darum ist sie bei +n oder −n vollständig.",
  "Only lines through the last move can be complete now. So this referee, the board scan, checks every cell on each of them; a cell on two lines is checked twice. It keeps no results and starts again after each move.":
    "Nur Linien durch den letzten Zug können jetzt vollständig sein. Also sucht dieser Schiedsrichter jedes Feld dieser Linien ab; ein Feld auf zwei Linien prüft er zweimal. Er merkt sich nichts und fängt nach jedem Zug von vorn an.",
  "Play new games": "Andere Spiele spielen",
  "Player tallies": "Zähler je Spieler",
  "Programming language": "Programmiersprache",
  "Repeat what I missed": "Nur die falschen wiederholen",
  Replay: "Wiederholen",
  Reset: "Zurücksetzen",
  Run: "Prüfen",
  Sections: "Abschnitte",
  Sharing: "Geteiltes",
  "Show a hint": "Tipp zeigen",
  "Show what is measured": "Messung zeigen",
  "Signed sums": "Summen mit Vorzeichen",
  Sizes: "Größen",
  Start: "Anfangen",
  Stop: "Anhalten",
  "Stores every mark. After a move, it checks every cell on the lines through that move.":
    "Merkt sich jeden Stein und sieht nach einem Zug alle Linien durch sein Feld ganz an.",
  "Tab indents. Escape, then Tab leaves the editor. Ctrl+Enter or ⌘+Enter runs the check.":
    "Tab rückt ein. Escape, dann Tab verlässt den Editor. Strg oder ⌘ und Enter prüft.",
  "Tap them on the board.": "Tippe sie auf dem Brett an.",
  "The board scan reads at least 2n cells, so it reads more on larger boards. Tallies and sums read two to four numbers, each at most twice: once to count and once to compare. The size of the board makes no difference. That is what “constant time”, or O(1), means.":
    "Das Absuchen liest mindestens 2n Felder: je größer das Brett, desto mehr. Zähler und Summen lesen zwei bis vier Zahlen, jede höchstens zweimal: zum Zählen und zum Vergleichen. Ihnen ist gleich, wie groß das Brett ist. Das nennt man „konstante Zeit“ oder O(1).",
  "The checker’s verdict will appear here: whether the class is correct and, if not, the smallest game that shows it.":
    "Hier erscheint das Urteil des Prüfers: ob die Klasse richtig ist, und wenn nicht, das kleinste Spiel, das es zeigt.",
  "The games couldn’t be played. Try “Play new games”.":
    "Die Spiele konnten nicht gespielt werden. Versuch es mit „Andere Spiele spielen“.",
  "The question": "Die Frage",
  "The race": "Das Rennen",
  "There are only a few numbers to keep, but many ways to get them wrong. People really make these mistakes: each is shown with the wrong lines of code, the reason people write them, and the smallest game that exposes it.":
    "Wenige Zahlen und viele Wege, sich dabei zu irren. Diese Fehler werden wirklich gemacht: zu jedem die falschen Zeilen, warum man sie schreibt und das kleinste Spiel, das ihn zeigt.",
  "Three referees": "Drei Schiedsrichter",
  "Two counts per line: how many marks X has on it, and how many O has. A player who reaches n has won.":
    "Merken sich zu jeder Linie, wie viele Steine X auf ihr hat und wie viele O. Wer n hat, hat gewonnen.",
  "Two players mark cells of an n×n board. “move” is called for each mark and returns the player if this mark fills a row, a column or a diagonal, otherwise 0.":
    "Zwei Spieler besetzen Felder eines n×n-Bretts. „move“ wird für jedes Zeichen aufgerufen und ergibt den Spieler, wenn es eine Zeile, eine Spalte oder eine Diagonale füllt, sonst 0.",
  "Up to ten questions about the mistakes you have seen: each shows a wrongly judged game or some wrong code. Pick the mistake that fits.":
    "Bis zu zehn Fragen zu den Fehlern, die du gesehen hast: Jede zeigt ein falsch beurteiltes Spiel oder falschen Code. Wähle den passenden Fehler.",
  "What belongs to one game, and what several games share by mistake":
    "Was zu einem Spiel gehört und was sich Spiele versehentlich teilen",
  "What goes wrong": "Was schiefgeht",
  "What is returned, and when": "Was zurückgegeben wird und wann",
  "Which cells make a line, and which lines a move can complete":
    "Welche Felder eine Linie bilden und welche Linien ein Zug vollenden kann",
  "Which cells must a referee check now?": "Welche Felder muss ein Schiedsrichter jetzt prüfen?",
  "Which one is it?": "Welcher ist es?",
  "Who has won?": "Wer hat gewonnen?",
  "Who has won? · noughts": "Wer hat gewonnen? · noughts",
  "Who the marks belong to": "Wem die Steine gehören",
  "Write a class that reports the winner after every move. It is checked in your browser, by the same code as “noughts check”: nothing is sent anywhere, and your code stays on this device.":
    "Schreib eine Klasse, die nach jedem Zug sagt, wer gewonnen hat. Geprüft wird sie in deinem Browser, mit demselben Code wie bei „noughts check“: Nichts wird irgendwohin gesendet, und dein Code bleibt auf diesem Gerät.",
  "X to move": "X ist am Zug",
  "You guessed {guess}, and it is {count}.": "Geraten {guess}, und es sind {count}.",
  "You guessed {guess}, but it is {count}: each line is checked to its end.":
    "Geraten {guess}, aber es sind {count}: Jede Linie wird bis zum Ende geprüft.",
  "You guessed {guess}, but it is {count}: other lines cannot have changed.":
    "Geraten {guess}, aber es sind {count}: Andere Linien können sich nicht geändert haben.",
  "Your class": "Deine Klasse",
  "Your class, in Python": "Deine Klasse, in Python",
  "Your game from above": "Dein Spiel von oben",
  "Your tests": "Deine Tests",
  "as in the code": "wie im Code",
  "cells checked": "angesehene Felder",
  "cells checked for {mark} at {cell}": "Felder angesehen für {mark} auf {cell}",
  guessed: "geraten",
  "n, the board size": "n, die Größe des Bretts",
  "numbers read per move, on average": "gelesene Zahlen je Zug, im Mittel",
  "numbers stored": "gemerkt",
  reads: "gelesen",
  "reads per move": "gelesen je Zug",
  "since the first move": "seit dem ersten Zug",
  "total reads": "insgesamt gelesen",
  writes: "geschrieben",
  "{board}: board scan {scan}, player tallies {tallies}, signed sums {sums} reads per move":
    "{board}: Absuchen {scan}, Zähler {tallies}, Summen mit Vorzeichen {sums} je Zug gelesen",
  "{count} missed": "{count} übersehen",
  "{count} needless": "{count} unnötig",
  "{count} right": "{count} richtig",
  "{games} games, {moves} moves: {scan} reads by the board scan, {sums} by the signed sums.":
    "{games} Spiele, {moves} Züge: {scan} Zahlen gelesen beim Absuchen, {sums} bei den Summen mit Vorzeichen.",
  "{mark} at {cell}.": "{mark} auf {cell}.",
  "{mark} at {cell}: {count} cells checked. {standing}":
    "{mark} auf {cell}: {count} Felder angesehen. {standing}",
  "{mark} has won: {lines}.": "{mark} hat gewonnen: {lines}.",
  "{referee}: {reads} reads, {writes} writes.": "{referee}: {reads} gelesen, {writes} geschrieben.",
  "For teachers": "Für Lehrkräfte",
  "Show the lesson’s own": "Die der Lektion zeigen",
  "This is your teacher’s task.": "Das ist die Aufgabe deiner Lehrkraft.",
};
