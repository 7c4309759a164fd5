/** Español: the texts for teachers in Spanish, by the English. */

export default {
  "(arrow keys change the screen)": "(las flechas cambian de pantalla)",
  "A task": "Una tarea",
  "Checking {file}: {number} of {count}": "Comprobando {file}: {number} de {count}",
  "Checks (not verified)": "Comprobaciones (sin verificar)",
  "Code to begin with": "Código inicial",
  "Copy the table": "Copiar la tabla",
  "Drop the files here that your class has saved with “Hand in”, or choose them. Anyone can change what such a file says of itself, so each is checked again, and the table shows both.":
    "Arrastra aquí los archivos que tu clase ha guardado con «Entregar», o elígelos. Cualquiera puede cambiar lo que un archivo dice de sí mismo, así que cada uno se comprueba de nuevo y la tabla muestra ambas cosas.",
  Files: "Archivos",
  "Handed in as": "Entregado como",
  "Hints and a solution": "Pistas y una solución",
  "Make a task of your own, and check what your class hands in. Nothing is stored on a server, and the checks run in this browser.":
    "Crea una tarea propia y comprueba lo que entrega tu clase. No se guarda nada en ningún servidor y las comprobaciones se hacen en este navegador.",
  "Minutes (not verified)": "Minutos (sin verificar)",
  Mistake: "Error",
  Name: "Nombre",
  "On the command line: ": "En la línea de comandos: ",
  Problem: "Problema",
  Results: "Resultados",
  Text: "Texto",
  "Show the lesson on a projector": "Mostrar la lección en un proyector",
  "The problem’s own text": "El texto del problema",
  "The table is copied; it can be pasted into a spreadsheet.":
    "La tabla está copiada; se puede pegar en una hoja de cálculo.",
  "This browser does not allow copying here.": "Este navegador no permite copiar aquí.",
  "This link is too long for a QR code.": "Este enlace es demasiado largo para un código QR.",
  Verdict: "Veredicto",
  "Your class opens this link; it contains the whole task:":
    "Tu clase abre este enlace, que contiene toda la tarea:",
  any: "cualquiera",
  "{right} of {count} correct": "{right} de {count} correctas",
};
