/** Elements without a parser: text stays text, and the content security policy has nothing to forbid. */

import { ICONS } from "./icons.js";

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: `element("a", { href: "/" }, "Home")`; `onclick` and the like are listeners. */
export function element(tag, attributes = {}, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, tag), attributes, children);
}

/** One of the symbols in icons.js, which says nothing to a screen reader. */
export function icon(name) {
  return svg(
    "svg",
    { class: "icon", "aria-hidden": "true", viewBox: "0 0 24 24" },
    svg("path", { d: ICONS[name] }),
  );
}

function dressed(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child != null && child !== false));
  return node;
}
