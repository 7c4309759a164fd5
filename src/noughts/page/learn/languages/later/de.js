/** Deutsch: the texts of the lesson’s later screens in German, by the English. */

export default {
  "A move changes only the sums of the lines through its own cell: X adds 1 to each, O subtracts 1.":
    "Ein Zug ändert nur die Summen der Linien durch sein eigenes Feld: X zählt zu jeder 1 hinzu, O zieht 1 ab.",
  "Ask again": "Noch einmal fragen",
  "Checked in {seconds} s.": "In {seconds} s geprüft.",
  "Checking your class…": "Deine Klasse wird geprüft …",
  Correct: "Richtig",
  "Correct version": "Richtige Fassung",
  "Correct.": "Richtig.",
  "Couldn’t load JavaScript. Check your connection and press Run.":
    "JavaScript konnte nicht geladen werden. Prüfe deine Verbindung und drücke „Prüfen“.",
  "Couldn’t load Python. Check your connection and press Run.":
    "Python konnte nicht geladen werden. Prüfe deine Verbindung und drücke „Prüfen“.",
  "Creating an object": "Ein Objekt anlegen",
  Expected: "Erwartet",
  "Expected: {right}. Answered: {answered}.": "Erwartet: {right}. Geantwortet: {answered}.",
  "First, another object: {board}": "Zuerst ein anderes Objekt: {board}",
  "Go to line {line}": "Zu Zeile {line}",
  "Guess the next move": "Den nächsten Zug raten",
  "It behaves like a class with this mistake:":
    "Sie verhält sich wie eine Klasse mit diesem Fehler:",
  "It cannot be run": "Sie läuft nicht",
  "It crashed": "Sie ist abgestürzt",
  "It is correct, but each move does more work as the board grows: the race shows how much.":
    "Sie ist richtig, aber jeder Zug macht mehr Arbeit, je größer das Brett ist: Das Rennen zeigt, wie viel.",
  "It took too long": "Sie braucht zu lange",
  "It took too much memory": "Sie braucht zu viel Speicher",
  "Link copied.": "Der Link ist kopiert.",
  "Loading Python: {loaded} of {size} MB": "Python wird geladen: {loaded} von {size} MB",
  "Look at three mistakes first: the quiz asks about those you have seen.":
    "Sieh dir erst drei Fehler an: Gefragt wird nach denen, die du gesehen hast.",
  "Meanwhile, on another object: {board}": "Ein anderes Objekt spielt währenddessen: {board}",
  Memory: "Speicher",
  "Next question": "Nächste Frage",
  "Not “{mistake}”: a class with that mistake judges this game correctly.":
    "Nicht „{mistake}“: Eine Klasse mit diesem Fehler beurteilt dieses Spiel richtig.",
  Output: "Ausgegeben",
  "Perfect! You spotted every mistake.": "Perfekt! Du hast jeden Fehler erkannt.",
  "Play the move": "Zug ausführen",
  "Python is ready.": "Python ist bereit.",
  "Question {number} of {all}": "Frage {number} von {all}",
  Result: "Ergebnis",
  "Review these:": "Sieh dir diese noch einmal an:",
  "Starting Python…": "Python startet …",
  "Step back, and guess what a move changes.": "Geh zurück und rate, was ein Zug ändert.",
  "Stopped.": "Angehalten.",
  "Tap it beside the board.": "Tippe sie neben dem Brett an.",
  "Tap the sums below: once for +1, twice for −1.":
    "Tippe unten die Summen an: einmal für +1, zweimal für −1.",
  "That was the last question.": "Das war die letzte Frage.",
  "The link is in the address bar.": "Der Link steht in der Adressleiste.",
  "The object that gives the wrong answer: {board}": "Das Objekt, das sich irrt: {board}",
  "The rest of the class is correct: it keeps one sum per line.":
    "Der Rest der Klasse ist richtig: Er merkt sich zu jeder Linie eine Summe.",
  "The rest of the class is correct: it scans the board after each move.":
    "Der Rest der Klasse ist richtig: Er sucht nach jedem Zug das Brett ab.",
  "The smallest game that shows it": "Das kleinste Spiel, das ihn zeigt",
  "This game is judged wrongly. Which mistake causes it?":
    "Dieses Spiel wird falsch beurteilt. Durch welchen Fehler?",
  "This is what was measured.": "Das wurde gemessen.",
  "Time per move": "Zeit pro Zug",
  "What is wrong with this code?": "Was ist an diesem Code falsch?",
  "What will this class answer to the last move?":
    "Was antwortet diese Klasse auf den letzten Zug?",
  "Which line is wrong? Tap it.": "Welche Zeile ist falsch? Tippe sie an.",
  "With your choice, the code would have:": "Bei deiner Wahl stünde im Code:",
  Wrong: "Falsch",
  "Wrong. The answer is:": "Falsch. Es ist dieser:",
  "Wrong:": "Falsch:",
  Answered: "Geantwortet",
  "Your curves are dashed.": "Deine Kurven sind gestrichelt.",
  "Your guess": "Geraten",
  "Your guess:": "Geraten:",
  "an error": "ein Fehler",
  correct: "richtig",
  "guessed: {guess}": "geraten: {guess}",
  "looking for the mistake": "sucht den Fehler",
  "looking for the smallest failing game": "sucht das kürzeste Spiel, das es zeigt",
  "measuring how time and memory grow": "misst, wie Zeit und Speicher wachsen",
  "n = {n}, {referee}: {count} reads": "n = {n}, {referee}: {count} gelesen",
  "no answer": "keine Antwort",
  "not guessed": "nicht geraten",
  "playing every game on small boards": "spielt jedes Spiel auf kleinen Brettern",
  "playing on {board}": "spielt auf {board}",
  "reads per move, as drawn / as measured": "gelesen je Zug: gezeichnet / gemessen",
  wrong: "falsch",
  "{count} correct": "{count} richtig",
  "{count} of {all} correct": "{count} von {all} richtig",
  "{mark} plays {cell} next and wins. Which sum will show it?":
    "Als Nächstes zieht {mark} auf {cell} und gewinnt. Welche Summe wird es zeigen?",
  "{mark} plays {cell} next. Which sums will change, and by how much?":
    "Als Nächstes zieht {mark} auf {cell}. Welche Summen ändern sich, und wie?",
  "{referee}: close. At n = {n} you drew {guess}, and it reads {count}.":
    "{referee}: gut getroffen. Bei n = {n} hast du {guess} gezeichnet, gelesen werden {count}.",
  "{referee}: flat too early. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}: zu früh flach. Bei n = {n} hast du {guess} gezeichnet, gelesen werden {count}.",
  "{referee}: too high. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}: zu hoch. Bei n = {n} hast du {guess} gezeichnet, gelesen werden {count}.",
  "{referee}: too low. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}: zu niedrig. Bei n = {n} hast du {guess} gezeichnet, gelesen werden {count}.",
  "{referee}: too steep. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}: zu steil. Bei n = {n} hast du {guess} gezeichnet, gelesen werden {count}.",
  "{right} of {all} guessed": "{right} von {all} richtig geraten",
  "{sum}, your guess: {guess}": "{sum}, geraten: {guess}",
  "Contains the code that was checked, and in comments your name, the verdict, the number of checks and the time since your first change. Nothing is sent from here.":
    "Enthält den geprüften Code und in Kommentaren deinen Namen, das Urteil, die Zahl der Prüfungen und die Zeit seit deiner ersten Änderung. Von hier wird nichts gesendet.",
  "Copy a link": "Link kopieren",
  "Goal missed: {order} per move instead of {goal}.":
    "Ziel verfehlt: {order} pro Zug statt {goal}.",
  "Goal reached: {order} per move.": "Ziel erreicht: {order} pro Zug.",
  "Hand in": "Abgeben",
  "It is not clear whether moves take {goal}. Run the check again.":
    "Es ist nicht klar, ob Züge {goal} dauern. Prüfe noch einmal.",
  "Save a file": "Datei speichern",
  "Saved as {file}.": "Gespeichert als {file}.",
  "At most O(n) per move.": "Höchstens O(n) pro Zug.",
  "“check_winner” is given a 3×3 board of “X”, “O” and “ ”. It returns who has three in a row, or None.":
    "„check_winner“ bekommt ein 3×3-Brett aus „X“, „O“ und „ “. Es ergibt, wer drei in einer Reihe hat, oder None.",
  "“tictactoe” is given the moves of a game on 3×3, each as row and column; A moves first. It returns “A”, “B”, “Draw”, or “Pending” if the game is not over.":
    "„tictactoe“ bekommt die Züge einer Partie auf 3×3, jeden als Zeile und Spalte; A beginnt. Es ergibt „A“, „B“, „Draw“ oder, wenn die Partie nicht zu Ende ist, „Pending“.",
  "“valid_tic_tac_toe” is given a 3×3 board of “X”, “O” and “ ”. It returns whether a game can lead to it; X moves first, and nobody moves after a win.":
    "„valid_tic_tac_toe“ bekommt ein 3×3-Brett aus „X“, „O“ und „ “. Es ergibt, ob eine Partie dorthin führen kann; X beginnt, und nach einem Sieg zieht niemand mehr.",
};
