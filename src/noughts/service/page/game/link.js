/** <noughts-link>: an address to pass on, by copying, by the device's own sharing, or as QR code. */

import { qrCode } from "../shared/api.js";
import { element } from "../shared/dom.js";

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

export class Link extends HTMLElement {
  #address = "";

  /**
   * Shows an address; the QR code follows when the server has drawn it.
   *
   * @param {string} address
   */
  show(address) {
    if (address === this.#address) return;
    this.#address = address;
    const field = element("input", {
      type: "text",
      readonly: true,
      value: address,
      "aria-label": "Link",
    });
    field.addEventListener("focus", () => field.select());
    const copy = element(
      "button",
      { type: "button", class: "primary", onclick: () => this.#copy(field, copy) },
      "Copy",
    );
    const share = element("button", { type: "button", onclick: () => this.#share() }, "Send…");
    const code = element("img", {
      class: "code",
      alt: "QR code of the link",
      width: 164,
      height: 164,
    });
    this.replaceChildren(
      element("div", { class: "address" }, field, copy, "share" in navigator ? share : ""),
      code,
      LOOPBACK.test(location.host)
        ? element("p", { class: "quiet" }, "This address reaches this computer only.")
        : "",
    );
    qrCode(address).then(
      (source) => code.setAttribute("src", source),
      () => code.remove(),
    );
  }

  /**
   * @param {HTMLInputElement} field
   * @param {HTMLButtonElement} button
   */
  async #copy(field, button) {
    try {
      await navigator.clipboard.writeText(this.#address);
    } catch {
      // Without a secure origin there is no clipboard to write to but the old one.
      field.select();
      document.execCommand("copy");
    }
    button.textContent = "Copied";
    setTimeout(() => button.replaceChildren("Copy"), 2000);
  }

  #share() {
    navigator.share({ url: this.#address }).catch(() => {}); // the person thought better of it
  }
}

customElements.define("noughts-link", Link);
