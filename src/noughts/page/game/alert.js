/** The turn alert: it calls whoever looks elsewhere back to the board. */

import { Mute } from "./mute.js";

const TONES = [523.25, 659.25]; // hertz: C5 and E5
const LENGTH = 0.14; // seconds that each sounds
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
    // Browsers let a page sound only once somebody has done something there.
    const unlock = () => {
      this.#audio ??= new AudioContext();
      this.#audio.resume();
    };
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, unlock, { once: true });
    addEventListener("focus", () => this.#call(false));
    document.addEventListener("visibilitychange", () => document.hidden || this.#call(false));
  }

  /**
   * The title of the page, which has a mark while somebody is called; calls them if it has become
   * their turn while they look elsewhere.
   *
   * @param {string} title
   * @param {boolean} isTurn whether it is the turn of whoever plays here
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
