/** Español: the texts of the lesson in Spanish, by the English. */

export default {
  "A move changes only the lines through its own cell: its row, its column, and a diagonal or two. Whoever keeps a number for each line has only those to look at. Step through a game, or play on.":
    "Una jugada solo cambia las líneas que pasan por su casilla: su fila, su columna y, como mucho, dos diagonales. Quien guarda un número por línea solo tiene que mirar esos. Recorre una partida paso a paso o sigue jugando.",
  "A scan may stop at the first cell that is not the player’s. That helps on most lines, but not on one that is nearly complete: of that it has to look at everything.":
    "El recorrido puede parar en la primera casilla que no sea del jugador. Eso ayuda en la mayoría de las líneas, pero no en una casi completa: esa hay que mirarla entera.",
  "A short game": "Una partida corta",
  "A sum of 0 may be an empty line or one with as many X as O; two tallies tell them apart. So tallies also know who can still win, for one number more a line.":
    "Una suma de 0 puede ser una línea vacía o una con tantas X como O; dos contadores las distinguen. Por eso los contadores saben además quién puede ganar todavía, a cambio de un número más por línea.",
  "A whole row, column or diagonal wins. After every move somebody has to say whether there is one. Play, and watch where one has to look.":
    "Gana una fila, columna o diagonal entera. Después de cada jugada alguien tiene que decir si la hay. Juega y observa dónde hay que mirar.",
  "An empty board, {board}.": "Un tablero vacío, {board}.",
  "Another object, made after it, plays first: {board}":
    "Otro objeto, creado después, juega primero: {board}",
  Answered: "Respondido",
  Answers: "Respuestas",
  Axis: "Eje",
  "Before move 1 of {all}.": "Antes de la jugada 1 de {all}.",
  Begin: "Empezar",
  "Board scan": "Recorrido",
  "Few numbers, and many ways to get them wrong. These mistakes people really make: each with the lines that are wrong, why one writes them, and the smallest game that shows it.":
    "Pocos números y muchas maneras de equivocarse con ellos. Estos errores se cometen de verdad: cada uno con las líneas de código equivocadas, por qué se escriben y la partida más pequeña que lo muestra.",
  "First another object: {board}": "Primero otro objeto: {board}",
  Forward: "Adelante",
  "Four lines at once": "Cuatro líneas a la vez",
  "How long a line is, how large the board, and how cells are numbered":
    "Cuánto mide una línea, cómo es de grande el tablero y cómo se numeran las casillas",
  "How much does a referee read for a move, as the board grows? This is counted, not calculated: on each board from 3×3 to 100×100 a game is played at random to its end.":
    "¿Cuánto lee un árbitro por jugada cuando crece el tablero? Esto está contado, no calculado: en cada tablero de 3×3 a 100×100 se juega al azar una partida hasta el final.",
  "Keeps every mark. After a move it looks at the whole of each line through it.":
    "Guarda cada marca. Tras una jugada mira entera cada línea que pasa por ella.",
  "Keeps for each line how many marks X has on it, and how many O. Whoever has n has won.":
    "Guardan para cada línea cuántas marcas tiene X en ella y cuántas O. Quien llega a n ha ganado.",
  "Keeps one sum for each line: +1 for each X, −1 for each O. At +n or −n it is complete.":
    "Guardan una suma por línea: +1 por cada X, −1 por cada O. Con +n o −n está completa.",
  "Last position": "Última posición",
  Linear: "Lineal",
  Lines: "Líneas",
  Logarithmic: "Logarítmico",
  "Look again": "Mirar otra vez",
  "Look again at these:": "Vuelve a mirar estos:",
  "Make the board larger.": "Agranda el tablero.",
  Move: "Jugada",
  "Move {ply} of {all}: {mark} at {cell}.": "Jugada {ply} de {all}: {mark} en {cell}.",
  Moves: "Jugadas",
  "Next question": "Siguiente pregunta",
  "Next: the race": "Siguiente: la carrera",
  "Next: three referees": "Siguiente: tres árbitros",
  "Next: what goes wrong": "Siguiente: qué sale mal",
  "Nobody has won yet. {mark} to move.": "Nadie ha ganado todavía. Juega {mark}.",
  "Nobody has won, and the board is full.": "Nadie ha ganado y el tablero está lleno.",
  "Only lines through the last move can be complete now. So this referee, the board scan, looks at every cell of them: where two lines cross, twice. It forgets what it saw, and begins again after the next move.":
    "Ahora solo pueden estar completas las líneas que pasan por la última jugada. Por eso este árbitro, el del recorrido, mira todas sus casillas: donde se cruzan dos líneas, dos veces. Olvida lo que ha visto y empieza de nuevo tras la jugada siguiente.",
  "Play other games": "Jugar otras partidas",
  "Player tallies": "Contadores",
  "Question {number} of {all}": "Pregunta {number} de {all}",
  Result: "Resultado",
  Right: "Correcto",
  "Right is": "Lo correcto es",
  "Right.": "Correcto.",
  "Right: {right}. Answered: {answered}.": "Correcto: {right}. Respondido: {answered}.",
  Screens: "Secciones",
  Sharing: "Lo compartido",
  "Side of the board": "Lado del tablero",
  "Signed sums": "Sumas con signo",
  Sizes: "Tamaños",
  "Ten others": "Otras diez",
  "Ten questions: a game that is judged wrongly, or the code that does it. Of four mistakes one fits.":
    "Diez preguntas: una partida mal juzgada o el código que la juzga mal. De cuatro errores, uno encaja.",
  "That was the last question.": "Esa era la última pregunta.",
  "The board scan reads at least 2n cells: more, the larger the board is. Tallies and sums read two to four numbers, each at most twice: to count, and to compare. They do not care how large the board is. That is what “constant time”, O(1), means.":
    "El recorrido lee al menos 2n casillas: más, cuanto mayor es el tablero. Los contadores y las sumas leen de dos a cuatro números, cada uno dos veces como mucho: para contar y para comparar. El tamaño del tablero les da igual. Eso significa «tiempo constante», O(1).",
  "The object that is wrong: {board}": "El objeto que se equivoca: {board}",
  "The question": "La pregunta",
  "The race": "La carrera",
  "The smallest game that shows it": "La partida más pequeña que lo muestra",
  "This game is judged wrongly. By which mistake?": "Esta partida se juzga mal. ¿Por qué error?",
  "Three referees": "Tres árbitros",
  "What belongs to one game, and what several games share by mistake":
    "Lo que pertenece a una partida y lo que varias comparten por error",
  "What goes wrong": "Qué sale mal",
  "What happens to the number? And must it?": "¿Qué pasa con el número? ¿Y tiene que ser así?",
  "What is not shown is right, and keeps one sum for each line.":
    "Lo que no se muestra es correcto y guarda una suma por línea.",
  "What is not shown is right, and looks at the board after each move.":
    "Lo que no se muestra es correcto y mira el tablero tras cada jugada.",
  "What is returned, and when": "Qué se devuelve y cuándo",
  "What is wrong with this code?": "¿Qué está mal en este código?",
  "Which cells make a line, and which lines a move can complete":
    "Qué casillas forman una línea y qué líneas puede completar una jugada",
  "Which one is it?": "¿Cuál es?",
  "Who has won?": "¿Quién ha ganado?",
  "Who has won? · noughts": "¿Quién ha ganado? · noughts",
  "Who the marks belong to": "De quién son las marcas",
  "Wrong. It is this one:": "Incorrecto. Es este:",
  "Wrong:": "Mal:",
  "X to move": "Juega X",
  "You know all that can go wrong.": "Conoces todo lo que puede salir mal.",
  "Your game from above": "Tu partida de arriba",
  "cells looked at": "casillas miradas",
  "cells looked at for {mark} at {cell}": "casillas miradas por {mark} en {cell}",
  kept: "guardados",
  "n, the side of the board": "n, el lado del tablero",
  "no answer": "sin respuesta",
  "numbers read for a move, on average": "números leídos por jugada, de media",
  read: "leídos",
  "read in all": "leídos en total",
  "reads a move": "lecturas por jugada",
  right: "correcta",
  "since the first move": "desde la primera jugada",
  written: "escritos",
  wrong: "incorrecta",
  "{board}: board scan {scan}, player tallies {tallies}, signed sums {sums} reads a move":
    "{board}: recorrido {scan}, contadores {tallies}, sumas con signo {sums} lecturas por jugada",
  "{count} of {all} right": "{count} de {all} correctas",
  "{count} right": "{count} correctas",
  "{games} games, {moves} moves: {scan} reads by the board scan, {sums} by the signed sums.":
    "{games} partidas, {moves} jugadas: {scan} lecturas del recorrido, {sums} de las sumas con signo.",
  "{mark} at {cell}: looked at {count} cells. {standing}":
    "{mark} en {cell}: {count} casillas miradas. {standing}",
  "{mark} has won: {lines}.": "{mark} ha ganado: {lines}.",
  "{referee}: {reads} read, {writes} written.": "{referee}: {reads} leídos, {writes} escritos.",
};
