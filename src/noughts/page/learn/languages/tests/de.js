/** Deutsch: the texts about the reader’s tests in German, by the English. */

export default {
  "A correct class fails your tests": "Eine richtige Klasse besteht deine Tests nicht",
  "Add this test": "Diesen Test hinzufügen",
  Added: "Hinzugefügt",
  "Catches {caught} of {count} known mistakes": "Bemerkt {caught} von {count} bekannten Fehlern",
  "Fix this first. Your tests then run with each mistake.":
    "Behebe das zuerst: Danach werden die Fehler ausprobiert.",
  "No known mistake gets past your tests.": "Kein bekannter Fehler kommt an deinen Tests vorbei.",
  "No test catches these. Open one to see the smallest test that does.":
    "Diese bemerkt kein Test. Klapp einen auf, um den kleinsten Test zu sehen, der ihn bemerkt.",
  "Running your tests with correct classes…": "Deine Tests laufen mit richtigen Klassen …",
  "Show the mistake": "Den Fehler zeigen",
  "Tests are functions named test_… that use assert, or unittest classes; pytest is not available in a browser. They may import the class from any module.":
    "Tests sind Funktionen namens test_… mit assert oder Klassen von unittest; pytest gibt es im Browser nicht. Die Klasse dürfen sie aus jedem Modul importieren.",
  "The mistakes that your tests miss will appear here, each with a test that catches it.":
    "Hier erscheinen die Fehler, die deine Tests übersehen, jeder mit einem Test, der ihn bemerkt.",
  "Trying mistake {number} of {count}…": "Fehler {number} von {count} wird ausprobiert …",
  "What your tests catch": "Was deine Tests bemerken",
  "Write tests for such a class. They run with correct classes, which must pass, and with each mistake from “What goes wrong”, which should fail at least one test.":
    "Schreib Tests für so eine Klasse. Sie laufen mit richtigen Klassen, die bestehen müssen, und mit jedem Fehler aus „Was schiefgeht“, bei dem mindestens ein Test scheitern sollte.",
  "Your tests cannot be run": "Deine Tests lassen sich nicht ausführen",
  "Your tests did not finish": "Deine Tests sind nicht fertig geworden",
  "Your tests, in Python": "Deine Tests, in Python",
  "{test} fails with a correct class: {why}": "{test} scheitert an einer richtigen Klasse: {why}",
};
