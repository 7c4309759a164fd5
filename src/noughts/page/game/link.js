/** <noughts-link>: a URL to copy, to send with the device’s own dialog, or to scan. */

import { readPicture } from "../shared/api.js";
import { element } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { explain } from "../shared/messages.js";
import { complain } from "./notices.js";

const LOOPBACK = /^(localhost|127\.|\[::1\])/;

export class Link extends HTMLElement {
  #url = "";

  /**
   * Shows a URL.
   *
   * @param {string} url
   */
  show(url) {
    if (url === this.#url) return;
    this.#url = url;
    const field = element("input", {
      type: "text",
      readonly: true,
      value: url,
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
      element("div", { class: "url" }, field, copy, "share" in navigator ? share : ""),
    );
    this.append(LOOPBACK.test(location.host) ? howToLetOthersJoin() : codeOf(url));
  }

  /**
   * @param {HTMLInputElement} field
   * @param {HTMLButtonElement} button
   */
  async #copy(field, button) {
    try {
      await navigator.clipboard.writeText(this.#url);
    } catch {
      // Insecure origins have only the old way to write to the clipboard.
      field.select();
      document.execCommand("copy");
    }
    button.textContent = t("Copied");
    setTimeout(() => button.replaceChildren(t("Copy")), 2000);
  }

  #share() {
    navigator.share({ url: this.#url }).catch(() => {}); // the user cancelled
  }
}

/**
 * Makes a link to a picture share it with the device's own dialog, if there is one; otherwise the
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
      navigator.share({ files }).catch(() => {}); // the user cancelled
    } catch (error) {
      link.closest("dialog")?.close(); // it would cover the error
      complain(explain(error));
    }
  });
}

/**
 * Creates a URL's QR code, which is empty until it can be drawn.
 *
 * @param {string} url
 */
function codeOf(url) {
  const code = element("div", {
    class: "code",
    role: "img",
    "aria-label": t("QR code for the link"),
  });
  import("../shared/qr.js")
    .then(({ correction, generate, toSvg }) => {
      const made = generate(url, { minCorrectionLevel: correction.L });
      code.append(toSvg(made, document, { scale: 4 }));
    })
    .catch(() => code.remove()); // the URL is too long
  return code;
}

/** Explains how to let others join when the URL only works on this computer. */
function howToLetOthersJoin() {
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
