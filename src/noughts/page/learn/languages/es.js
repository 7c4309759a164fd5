/** Español: the texts of the lesson in Spanish, by the English. */

export default {
  "A cell on two lines counts twice.": "Una casilla que está en dos líneas cuenta dos veces.",
  "A move can complete only the lines through its own cell: its row, its column and at most two diagonals.":
    "Una jugada solo puede completar las líneas que pasan por su casilla: su fila, su columna y, como mucho, dos diagonales.",
  "A move changes only the lines through its own cell: its row, its column, and up to two diagonals. If you keep one number per line, you need to check only the numbers of these lines. Step through a game, or play on.":
    "Una jugada solo cambia las líneas que pasan por su casilla: su fila, su columna y, como mucho, dos diagonales. Quien guarda un número por línea solo tiene que mirar esos. Recorre una partida paso a paso o sigue jugando.",
  "A scan may stop at the first cell that is not the player’s. That helps on most lines, but not on one that is nearly complete: it has to read that line to the end.":
    "El recorrido puede parar en la primera casilla que no sea del jugador. Eso ayuda en la mayoría de las líneas, pero no en una casi completa: esa hay que mirarla entera.",
  "A short game": "Una partida corta",
  "A sum of 0 may mean an empty line or one with equal numbers of X and O; two tallies tell them apart. So tallies also show who can still win, at the cost of one extra number per line.":
    "Una suma de 0 puede ser una línea vacía o una con tantas X como O; dos contadores las distinguen. Por eso los contadores saben además quién puede ganar todavía, a cambio de un número más por línea.",
  "Add 1 for player 1 and −1 for player 2 to the sum of the row, of the column and of each diagonal through the cell. The move wins if one of these sums is n or −n.":
    "Suma 1 por el jugador 1 y −1 por el jugador 2 a la suma de la fila, de la columna y de cada diagonal que pasa por la casilla. La jugada gana si una de esas sumas es n o −n.",
  "An empty board, {board}.": "Un tablero vacío, {board}.",
  Answers: "Respuestas",
  Axis: "Eje",
  "Back to my code": "Volver a mi código",
  "Before move 1 of {all}.": "Antes de la jugada 1 de {all}.",
  "Board scan": "Recorrido",
  "Board size": "Lado del tablero",
  "Checker’s verdict": "Veredicto del comprobador",
  Compare: "Comparar",
  "Compare with a solution": "Comparar con una solución",
  "Copy a link to this code": "Copiar un enlace a este código",
  Curve: "Curva",
  "Draw again": "Dibujar de nuevo",
  "Draw on the chart, or use the arrow keys on the slider: left and right choose n, up and down the height.":
    "Dibuja en el gráfico o usa las flechas en el control deslizante: izquierda y derecha eligen n; arriba y abajo, la altura.",
  "Each cell is on the board and empty, players are 1 and 2, either may begin, and nobody moves after a win.":
    "Cada casilla está en el tablero y vacía, los jugadores son 1 y 2, cualquiera puede empezar y nadie juega después de una victoria.",
  "Fill a row, column or diagonal to win. Play, and watch how many cells a referee checks after each move.":
    "Llena una fila, columna o diagonal para ganar. Juega y mira cuántas casillas comprueba un árbitro tras cada jugada.",
  "First draw it: how much will each referee read per move?":
    "Primero dibuja: ¿cuánto leerá cada árbitro por jugada?",
  Forward: "Adelante",
  "Four lines at once": "Cuatro líneas a la vez",
  "Goal:": "Objetivo:",
  "Guaranteed:": "Garantizado:",
  "Guess first": "Adivinar antes",
  "How does the number grow – and does it have to?": "¿Cómo crece el número? ¿Y tiene que crecer?",
  "How long a line is, how large the board is, and how cells are numbered":
    "Cuánto mide una línea, cómo es de grande el tablero y cómo se numeran las casillas",
  "How many cells will a referee check now?": "¿Cuántas casillas comprobará ahora un árbitro?",
  "How much does a referee read per move as the board grows? These numbers are measured, not computed: on each board from 3×3 to 100×100, a random game is played to the end.":
    "¿Cuánto lee un árbitro por jugada cuando crece el tablero? Esto está contado, no calculado: en cada tablero de 3×3 a 100×100 se juega al azar una partida hasta el final.",
  "I don’t know": "No lo sé",
  "Keep one number per line. What do you add for player 1, and what for player 2, so that the number shows who has filled the line?":
    "Guarda un número por línea. ¿Qué sumas por el jugador 1 y qué por el jugador 2 para que el número muestre quién ha llenado la línea?",
  "Last position": "Última posición",
  Linear: "Lineal",
  Lines: "Líneas",
  "Loading Python…": "Cargando Python…",
  Logarithmic: "Logarítmico",
  "Make the board larger.": "Agranda el tablero.",
  Move: "Jugada",
  "Move {ply} of {all}: {mark} plays {cell}.": "Jugada {ply} de {all}: {mark} en {cell}.",
  Moves: "Jugadas",
  "Next: the race": "Siguiente: la carrera",
  "Next: three referees": "Siguiente: tres árbitros",
  "Next: what goes wrong": "Siguiente: qué sale mal",
  "Next: your turn": "Siguiente: te toca a ti",
  "No moves yet: play one.": "Aún no hay jugadas: haz una.",
  "No winner yet. {mark} to move.": "Nadie ha ganado todavía. Juega {mark}.",
  "No winner: the board is full.": "Nadie ha ganado y el tablero está lleno.",
  "O(1) per move, however large the board.": "O(1) por jugada, sea cual sea el tamaño del tablero.",
  "On 2×2, player 1 at (0, 1), 2 at (0, 0), 1 at (1, 0): the last call returns 1, because it fills a diagonal.":
    "En 2×2: jugador 1 en (0, 1), 2 en (0, 0), 1 en (1, 0): la última llamada devuelve 1, porque llena una diagonal.",
  "On 3×3, player 1 at (0, 0), 2 at (1, 1), 1 at (0, 1), 2 at (2, 2), 1 at (0, 2): the last call returns 1, the others 0.":
    "En 3×3: jugador 1 en (0, 0), 2 en (1, 1), 1 en (0, 1), 2 en (2, 2), 1 en (0, 2): la última llamada devuelve 1; las demás, 0.",
  "On an n×n board the scan stores n² marks, the tallies 4n + 4 numbers, and the sums 2n + 2. Storing numbers instead of marks hardly helps on 3×3 but saves a lot on 100×100: 404 or 202 numbers instead of 10,000 marks.":
    "Con n filas y columnas la búsqueda guarda n² marcas; los contadores, 4n + 4 números; las sumas, 2n + 2. En 3×3 no se gana nada, en 100×100 mucho: 10 000 frente a 404 y 202.",
  "One sum per line: +1 for each X, −1 for each O. A line has n cells, so it is complete at +n or −n.":
    "Guardan una suma por línea: +1 por cada X, −1 por cada O. Una línea tiene n casillas: con +n o −n está completa.",
  "Only lines through the last move can be complete now. So this referee, the board scan, checks every cell on each of them; a cell on two lines is checked twice. It keeps no results and starts again after each move.":
    "Ahora solo pueden estar completas las líneas que pasan por la última jugada. Por eso este árbitro, el del recorrido, mira todas sus casillas: donde se cruzan dos líneas, dos veces. Olvida lo que ha visto y empieza de nuevo tras la jugada siguiente.",
  "Play new games": "Jugar otras partidas",
  "Player tallies": "Contadores",
  "Programming language": "Lenguaje de programación",
  "Repeat what I missed": "Repetir las que fallé",
  Replay: "Repetir",
  Reset: "Restablecer",
  Run: "Ejecutar",
  Sections: "Secciones",
  Sharing: "Lo compartido",
  "Show a hint": "Mostrar una pista",
  "Show what is measured": "Mostrar lo medido",
  "Signed sums": "Sumas con signo",
  Sizes: "Tamaños",
  Start: "Empezar",
  Stop: "Detener",
  "Stores every mark. After a move, it checks every cell on the lines through that move.":
    "Guarda cada marca. Tras una jugada mira entera cada línea que pasa por ella.",
  "Tab indents. Escape, then Tab leaves the editor. Ctrl+Enter or ⌘+Enter runs the check.":
    "Tab sangra. Escape y luego Tab sale del editor. Ctrl o ⌘ con Intro ejecuta.",
  "Tap them on the board.": "Tócalas en el tablero.",
  "The board scan reads at least 2n cells, so it reads more on larger boards. Tallies and sums read two to four numbers, each at most twice: once to count and once to compare. The size of the board makes no difference. That is what “constant time”, or O(1), means.":
    "El recorrido lee al menos 2n casillas: más, cuanto mayor es el tablero. Los contadores y las sumas leen de dos a cuatro números, cada uno dos veces como mucho: para contar y para comparar. El tamaño del tablero les da igual. Eso significa «tiempo constante», O(1).",
  "The checker’s verdict will appear here: whether the class is correct and, if not, the smallest game that shows it.":
    "Aquí estará lo que dice el verificador: si la clase es correcta y, si no, la partida más corta que lo muestra.",
  "The games couldn’t be played. Try “Play new games”.":
    "No se pudieron jugar las partidas. Prueba con «Jugar otras partidas».",
  "The question": "La pregunta",
  "The race": "La carrera",
  "There are only a few numbers to keep, but many ways to get them wrong. People really make these mistakes: each is shown with the wrong lines of code, the reason people write them, and the smallest game that exposes it.":
    "Pocos números y muchas maneras de equivocarse con ellos. Estos errores se cometen de verdad: cada uno con las líneas de código equivocadas, por qué se escriben y la partida más pequeña que lo muestra.",
  "Three referees": "Tres árbitros",
  "Two counts per line: how many marks X has on it, and how many O has. A player who reaches n has won.":
    "Guardan para cada línea cuántas marcas tiene X en ella y cuántas O. Quien llega a n ha ganado.",
  "Two players mark cells of an n×n board. “move” is called for each mark and returns the player if this mark fills a row, a column or a diagonal, otherwise 0.":
    "Dos jugadores marcan casillas de un tablero n×n. A «move» se la llama por cada marca y devuelve el jugador si la marca llena una fila, una columna o una diagonal; si no, 0.",
  "Up to ten questions about the mistakes you have seen: each shows a wrongly judged game or some wrong code. Pick the mistake that fits.":
    "Hasta diez preguntas sobre los errores que has visto: cada una muestra una partida mal juzgada o código incorrecto. Elige el error que encaja.",
  "What belongs to one game, and what several games share by mistake":
    "Lo que pertenece a una partida y lo que varias comparten por error",
  "What goes wrong": "Qué sale mal",
  "What is returned, and when": "Qué se devuelve y cuándo",
  "Which cells make a line, and which lines a move can complete":
    "Qué casillas forman una línea y qué líneas puede completar una jugada",
  "Which cells must a referee check now?": "¿Qué casillas tiene que comprobar ahora un árbitro?",
  "Which one is it?": "¿Cuál es?",
  "Who has won?": "¿Quién ha ganado?",
  "Who has won? · noughts": "¿Quién ha ganado? · noughts",
  "Who the marks belong to": "De quién son las marcas",
  "Write a class that reports the winner after every move. It is checked in your browser, by the same code as “noughts check”: nothing is sent anywhere, and your code stays on this device.":
    "Escribe una clase que sepa después de cada jugada quién ha ganado. Se juzga aquí, con Python en tu navegador y el mismo código que la orden: no se envía nada a ninguna parte, y lo que escribes se guarda en este dispositivo.",
  "X to move": "Juega X",
  "You guessed {guess}, and it is {count}.": "Dijiste {guess}, y son {count}.",
  "You guessed {guess}, but it is {count}: each line is checked to its end.":
    "Dijiste {guess}, pero son {count}: cada línea se comprueba hasta el final.",
  "You guessed {guess}, but it is {count}: other lines cannot have changed.":
    "Dijiste {guess}, pero son {count}: las demás líneas no pueden haber cambiado.",
  "Your class": "Tu clase",
  "Your class, in Python": "Tu clase, en Python",
  "Your game from above": "Tu partida de arriba",
  "Your tests": "Tus pruebas",
  "as in the code": "como en el código",
  "cells checked": "casillas miradas",
  "cells checked for {mark} at {cell}": "casillas miradas por {mark} en {cell}",
  guessed: "elegida",
  "n, the board size": "n, el lado del tablero",
  "numbers read per move, on average": "números leídos por jugada, de media",
  "numbers stored": "guardados",
  reads: "leídos",
  "reads per move": "lecturas por jugada",
  "since the first move": "desde la primera jugada",
  "total reads": "leídos en total",
  writes: "escritos",
  "{board}: board scan {scan}, player tallies {tallies}, signed sums {sums} reads per move":
    "{board}: recorrido {scan}, contadores {tallies}, sumas con signo {sums} lecturas por jugada",
  "{count} missed": "{count} sin marcar",
  "{count} needless": "{count} de más",
  "{count} right": "{count} bien",
  "{games} games, {moves} moves: {scan} reads by the board scan, {sums} by the signed sums.":
    "{games} partidas, {moves} jugadas: {scan} lecturas del recorrido, {sums} de las sumas con signo.",
  "{mark} at {cell}.": "{mark} en {cell}.",
  "{mark} at {cell}: {count} cells checked. {standing}":
    "{mark} en {cell}: {count} casillas miradas. {standing}",
  "{mark} has won: {lines}.": "{mark} ha ganado: {lines}.",
  "{referee}: {reads} reads, {writes} writes.": "{referee}: {reads} leídos, {writes} escritos.",
  "For teachers": "Para docentes",
  "Show the lesson’s own": "Mostrar la de la lección",
  "This is your teacher’s task.": "Esta es la tarea de tu docente.",
};
