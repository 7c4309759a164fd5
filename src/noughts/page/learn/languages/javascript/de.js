/** Deutsch: the texts about JavaScript in German, by the English. */

export default {
  "JavaScript is ready.": "JavaScript ist bereit.",
  "Loading JavaScript…": "JavaScript wird geladen …",
  "Time and memory are not measured here; “noughts check” measures them.":
    "Zeit und Speicher werden hier nicht gemessen; „noughts check“ misst sie.",
  "Your class, in JavaScript": "Deine Klasse, in JavaScript",
};
