/** <noughts-link>: an address to pass on, by copying, by the device's own sharing, or as QR code. */

import { qrCode, readPicture } from "../shared/api.js";
import { element } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { explain } from "../shared/messages.js";
import { complain } from "./notices.js";

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
      "aria-label": t("Link"),
    });
    field.addEventListener("focus", () => field.select());
    const copy = element(
      "button",
      { type: "button", class: "primary", onclick: () => this.#copy(field, copy) },
      t("Copy"),
    );
    const share = element("button", { type: "button", onclick: () => this.#share() }, t("Send…"));
    this.replaceChildren(
      element("div", { class: "address" }, field, copy, "share" in navigator ? share : ""),
      LOOPBACK.test(location.host) ? howToLetOthersIn() : this.#code(address),
    );
  }

  /** @param {string} address */
  #code(address) {
    const code = element("img", {
      class: "code",
      alt: t("QR code for the link"),
      width: 164,
      height: 164,
    });
    qrCode(address).then(
      (source) => code.setAttribute("src", source),
      () => code.remove(),
    );
    return code;
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
    button.textContent = t("Copied");
    setTimeout(() => button.replaceChildren(t("Copy")), 2000);
  }

  #share() {
    navigator.share({ url: this.#address }).catch(() => {}); // the person thought better of it
  }
}

/**
 * Has a link to a picture pass it on by the device's own sharing, where there is such; else the
 * link downloads it.
 *
 * @param {HTMLAnchorElement} link
 */
export function sharePicture(link) {
  link.addEventListener("click", async (event) => {
    if (!navigator.canShare?.({ files: [new File([], "noughts.png", { type: "image/png" })] }))
      return;
    event.preventDefault();
    try {
      const picture = await readPicture(link.href);
      const files = [new File([picture], "noughts.png", { type: picture.type })];
      navigator.share({ files }).catch(() => {}); // the person thought better of it
    } catch (error) {
      link.closest("dialog")?.close(); // it covers what went wrong
      complain(explain(error));
    }
  });
}

/** What to do where the address reaches this computer alone, and a QR code would reach nobody. */
function howToLetOthersIn() {
  const code = (/** @type {string} */ text) => element("code", {}, text);
  return element(
    "p",
    { class: "quiet" },
    t("This link only works on this computer. To let others join, start the server with "),
    code("noughts serve --host 0.0.0.0"),
    t(" and open the page at this computer’s network address, such as "),
    code(`http://192.168.1.20:${location.port || 80}/`),
    t(". The link then works for everyone on your network."),
  );
}

customElements.define("noughts-link", Link);
