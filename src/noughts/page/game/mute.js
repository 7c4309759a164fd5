/** A button that mutes something in all games of this browser. */

import { by } from "../shared/dom.js";
import { read, write } from "../shared/storage.js";

export class Mute {
  /**
   * @param {string} id of the button
   * @param {string} slot of the stored choice
   */
  constructor(id, slot) {
    this.isOn = read(slot) === true;
    const button = by(id);
    const show = () => button.setAttribute("aria-pressed", String(this.isOn));
    button.onclick = () => {
      this.isOn = !this.isOn;
      write(slot, this.isOn || null);
      show();
    };
    show();
  }
}
