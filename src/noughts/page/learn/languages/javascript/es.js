/** Español: the texts about JavaScript in Spanish, by the English. */

export default {
  "JavaScript is ready.": "JavaScript está listo.",
  "Loading JavaScript…": "Cargando JavaScript…",
  "Time and memory are not measured here; “noughts check” measures them.":
    "El tiempo y la memoria no se miden aquí; «noughts check» los mide.",
  "Your class, in JavaScript": "Tu clase, en JavaScript",
};
