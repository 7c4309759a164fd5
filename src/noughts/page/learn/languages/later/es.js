/** Español: the texts of the lesson’s later screens in Spanish, by the English. */

export default {
  "A move changes only the sums of the lines through its own cell: X adds 1 to each, O subtracts 1.":
    "Una jugada solo cambia las sumas de las líneas que pasan por su casilla: X suma 1 a cada una y O resta 1.",
  "Ask again": "Preguntar de nuevo",
  "Checked in {seconds} s.": "Juzgada en {seconds} s.",
  "Checking your class…": "Comprobando tu clase…",
  Correct: "Correcto",
  "Correct version": "Versión correcta",
  "Correct.": "Correcto.",
  "Couldn’t load JavaScript. Check your connection and press Run.":
    "No se pudo cargar JavaScript. Revisa tu conexión y pulsa «Ejecutar».",
  "Couldn’t load Python. Check your connection and press Run.":
    "No se pudo cargar Python. Revisa tu conexión y pulsa «Ejecutar».",
  "Creating an object": "Crear un objeto",
  Expected: "Esperado",
  "Expected: {right}. Answered: {answered}.": "Se esperaba: {right}. Respuesta: {answered}.",
  "First, another object: {board}": "Primero otro objeto: {board}",
  "Go to line {line}": "Ir a la línea {line}",
  "Guess the next move": "Adivinar la jugada siguiente",
  "It behaves like a class with this mistake:": "Responde como una clase que comete este error:",
  "It cannot be run": "No se puede ejecutar",
  "It crashed": "Falló",
  "It is correct, but each move does more work as the board grows: the race shows how much.":
    "Es correcta. Pero una jugada mira más cuanto mayor es el tablero: la carrera muestra cuánto.",
  "It took too long": "Tarda demasiado",
  "It took too much memory": "Usa demasiada memoria",
  "Link copied.": "El enlace está copiado.",
  "Loading Python: {loaded} of {size} MB": "Cargando Python: {loaded} de {size} MB",
  "Look at three mistakes first: the quiz asks about those you have seen.":
    "Mira antes tres errores: se pregunta por los que hayas visto.",
  "Meanwhile, on another object: {board}": "Mientras tanto juega otro objeto: {board}",
  Memory: "Memoria",
  "Next question": "Siguiente pregunta",
  "Not “{mistake}”: a class with that mistake judges this game correctly.":
    "No es «{mistake}»: una clase con ese error juzga bien esta partida.",
  Output: "Impreso",
  "Perfect! You spotted every mistake.": "¡Perfecto! Has encontrado todos los errores.",
  "Play the move": "Hacer la jugada",
  "Python is ready.": "Python está listo.",
  "Question {number} of {all}": "Pregunta {number} de {all}",
  Result: "Resultado",
  "Review these:": "Vuelve a mirar estos:",
  "Starting Python…": "Python se inicia …",
  "Step back, and guess what a move changes.": "Retrocede y adivina qué cambia una jugada.",
  "Stopped.": "Detenida.",
  "Tap it beside the board.": "Tócala junto al tablero.",
  "Tap the sums below: once for +1, twice for −1.":
    "Toca abajo las sumas: una vez para +1, dos para −1.",
  "That was the last question.": "Esa era la última pregunta.",
  "The link is in the address bar.": "El enlace está en la barra de direcciones.",
  "The object that gives the wrong answer: {board}": "El objeto que se equivoca: {board}",
  "The rest of the class is correct: it keeps one sum per line.":
    "Lo que no se muestra es correcto y guarda una suma por línea.",
  "The rest of the class is correct: it scans the board after each move.":
    "Lo que no se muestra es correcto y mira el tablero tras cada jugada.",
  "The smallest game that shows it": "La partida más pequeña que lo muestra",
  "This game is judged wrongly. Which mistake causes it?":
    "Esta partida se juzga mal. ¿Por qué error?",
  "This is what was measured.": "Esto es lo medido.",
  "Time per move": "Tiempo de una jugada",
  "What is wrong with this code?": "¿Qué está mal en este código?",
  "What will this class answer to the last move?": "¿Qué responderá esta clase a la última jugada?",
  "Which line is wrong? Tap it.": "¿Qué línea está mal? Tócala.",
  "With your choice, the code would have:": "Con tu elección, el código tendría:",
  Wrong: "Incorrecto",
  "Wrong. The answer is:": "Incorrecto. Es este:",
  "Wrong:": "Mal:",
  Answered: "Respuesta",
  "Your curves are dashed.": "Tus curvas son las discontinuas.",
  "Your guess": "Tu predicción",
  "Your guess:": "Tu predicción:",
  "an error": "un error",
  correct: "correcta",
  "guessed: {guess}": "dijiste: {guess}",
  "looking for the mistake": "busca el error",
  "looking for the smallest failing game": "busca la partida más corta que lo muestra",
  "measuring how time and memory grow": "mide cómo crecen el tiempo y la memoria",
  "n = {n}, {referee}: {count} reads": "n = {n}, {referee}: {count} lecturas",
  "no answer": "sin respuesta",
  "not guessed": "no lo dijiste",
  "playing every game on small boards": "juega todas las partidas en tableros pequeños",
  "playing on {board}": "juega en {board}",
  "reads per move, as drawn / as measured": "lecturas por jugada: dibujadas / medidas",
  wrong: "incorrecta",
  "{count} correct": "{count} correctas",
  "{count} of {all} correct": "{count} de {all} correctas",
  "{mark} plays {cell} next and wins. Which sum will show it?":
    "Ahora {mark} juega en {cell} y gana. ¿Qué suma lo mostrará?",
  "{mark} plays {cell} next. Which sums will change, and by how much?":
    "Ahora {mark} juega en {cell}. ¿Qué sumas cambiarán, y en cuánto?",
  "{referee}: close. At n = {n} you drew {guess}, and it reads {count}.":
    "{referee}: muy cerca. En n = {n} dibujaste {guess}, y lee {count}.",
  "{referee}: flat too early. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}: se aplana demasiado pronto. En n = {n} dibujaste {guess}, pero lee {count}.",
  "{referee}: too high. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}: demasiado alta. En n = {n} dibujaste {guess}, pero lee {count}.",
  "{referee}: too low. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}: demasiado baja. En n = {n} dibujaste {guess}, pero lee {count}.",
  "{referee}: too steep. At n = {n} you drew {guess}, but it reads {count}.":
    "{referee}: demasiado empinada. En n = {n} dibujaste {guess}, pero lee {count}.",
  "{right} of {all} guessed": "{right} de {all} acertadas",
  "{sum}, your guess: {guess}": "{sum}, tu respuesta: {guess}",
  "Contains the code that was checked, and in comments your name, the verdict, the number of checks and the time since your first change. Nothing is sent from here.":
    "Contiene el código comprobado y, en comentarios, tu nombre, el veredicto, el número de comprobaciones y el tiempo desde tu primer cambio. Desde aquí no se envía nada.",
  "Copy a link": "Copiar un enlace",
  "Goal missed: {order} per move instead of {goal}.":
    "Objetivo no alcanzado: {order} por jugada en vez de {goal}.",
  "Goal reached: {order} per move.": "Objetivo alcanzado: {order} por jugada.",
  "Hand in": "Entregar",
  "It is not clear whether moves take {goal}. Run the check again.":
    "No está claro si las jugadas tardan {goal}. Vuelve a comprobarla.",
  "Save a file": "Guardar un archivo",
  "Saved as {file}.": "Guardado como {file}.",
  "At most O(n) per move.": "Como máximo O(n) por jugada.",
  "“check_winner” is given a 3×3 board of “X”, “O” and “ ”. It returns who has three in a row, or None.":
    "«check_winner» recibe un tablero 3×3 de «X», «O» y « ». Devuelve quién tiene tres en raya, o None.",
  "“tictactoe” is given the moves of a game on 3×3, each as row and column; A moves first. It returns “A”, “B”, “Draw”, or “Pending” if the game is not over.":
    "«tictactoe» recibe las jugadas de una partida en 3×3, cada una como fila y columna; empieza A. Devuelve «A», «B», «Draw» o, si la partida no ha terminado, «Pending».",
  "“valid_tic_tac_toe” is given a 3×3 board of “X”, “O” and “ ”. It returns whether a game can lead to it; X moves first, and nobody moves after a win.":
    "«valid_tic_tac_toe» recibe un tablero 3×3 de «X», «O» y « ». Devuelve si una partida puede llegar a él; empieza X y nadie juega tras una victoria.",
};
