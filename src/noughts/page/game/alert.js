/** The turn alert, which calls a player back from another tab or window. */

import { Mute } from "./mute.js";

const TONES = [523.25, 659.25]; // hertz: C5 and E5
const LENGTH = 0.14; // seconds per tone
const LOUDNESS = 0.06;
const PULSE = 60; // milliseconds of vibration

export class TurnAlert {
  #mute = new Mute("mute", "noughts.alert.muted");
  /** @type {boolean | null} */
  #wasTurn = null;
  #isCalling = false;
  /** @type {AudioContext | null} */
  #audio = null;

  constructor() {
    // Browsers allow sound only after the user has interacted with the page.
    const unlock = () => {
      this.#audio ??= new AudioContext();
      this.#audio.resume();
    };
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, unlock, { once: true });
    addEventListener("focus", () => this.#call(false));
    document.addEventListener("visibilitychange", () => document.hidden || this.#call(false));
  }

  /**
   * Returns the title of the page, marked while the alert is on. Starts the alert if it became the
   * player's turn while the page was not in focus.
   *
   * @param {string} title
   * @param {boolean} isTurn whether it is the turn of the player at this screen
   */
  titled(title, isTurn) {
    if (isTurn && this.#wasTurn === false && (document.hidden || !document.hasFocus())) {
      this.#call(true);
      if (!this.#mute.isOn) this.#sound();
    }
    if (!isTurn) this.#call(false);
    this.#wasTurn = isTurn;
    return this.#isCalling ? `● ${title}` : title;
  }

  #sound() {
    navigator.vibrate?.(PULSE);
    const audio = this.#audio;
    if (!audio) return;
    for (const [number, frequency] of TONES.entries()) {
      const start = audio.currentTime + number * LENGTH;
      const tone = new OscillatorNode(audio, { frequency });
      const volume = new GainNode(audio, { gain: 0 });
      volume.gain.linearRampToValueAtTime(LOUDNESS, start + LENGTH / 4);
      volume.gain.linearRampToValueAtTime(0, start + 2 * LENGTH);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 2 * LENGTH);
    }
  }

  /** @param {boolean} isCalling */
  #call(isCalling) {
    if (isCalling === this.#isCalling) return;
    this.#isCalling = isCalling;
    const icon = document.querySelector('link[rel="icon"]');
    icon?.setAttribute("href", `/page/shared/${isCalling ? "turn" : "favicon"}.svg`);
    if (!isCalling) document.title = document.title.replace(/^● /, "");
  }
}
