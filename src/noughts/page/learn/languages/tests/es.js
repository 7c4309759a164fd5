/** Español: the texts about the reader’s tests in Spanish, by the English. */

export default {
  "A correct class fails your tests": "Una clase correcta no pasa tus pruebas",
  "Add this test": "Añadir esta prueba",
  Added: "Añadida",
  "Catches {caught} of {count} known mistakes": "Detecta {caught} de {count} errores conocidos",
  "Fix this first. Your tests then run with each mistake.":
    "Corrige esto primero: después se prueban los errores.",
  "No known mistake gets past your tests.": "Ningún error conocido se escapa de tus pruebas.",
  "No test catches these. Open one to see the smallest test that does.":
    "Ninguna prueba detecta estos errores. Abre uno para ver la prueba más pequeña que lo detecta.",
  "Running your tests with correct classes…": "Ejecutando tus pruebas con clases correctas…",
  "Show the mistake": "Ver el error",
  "Tests are functions named test_… that use assert, or unittest classes; pytest is not available in a browser. They may import the class from any module.":
    "Las pruebas son funciones llamadas test_… que usan assert, o clases de unittest; pytest no está disponible en un navegador. Pueden importar la clase de cualquier módulo.",
  "The mistakes that your tests miss will appear here, each with a test that catches it.":
    "Aquí aparecerán los errores que se escapan de tus pruebas, cada uno con una prueba que lo detecta.",
  "Trying mistake {number} of {count}…": "Probando el error {number} de {count}…",
  "What your tests catch": "Qué detectan tus pruebas",
  "Write tests for such a class. They run with correct classes, which must pass, and with each mistake from “What goes wrong”, which should fail at least one test.":
    "Escribe pruebas para una clase así. Se ejecutan con clases correctas, que deben pasarlas, y con cada error de «Qué sale mal», con el que debe fallar al menos una prueba.",
  "Your tests cannot be run": "Tus pruebas no se pueden ejecutar",
  "Your tests did not finish": "Tus pruebas no terminaron",
  "Your tests, in Python": "Tus pruebas, en Python",
  "{test} fails with a correct class: {why}": "{test} falla con una clase correcta: {why}",
};
