/** Builds elements without parsing HTML, so text stays text and the content security policy holds. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, unknown>} Attributes Functions are listeners; false and null are left out. */

/** @typedef {Node | string | number | boolean | null | undefined} Child false, null and undefined are left out */

/**
 * Returns the element with an id.
 *
 * @template {Element} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind] its class, if not HTMLElement
 * @throws {TypeError} if no element of that class has the id
 */
export function by(id, kind) {
  const node = document.getElementById(id);
  if (!(node instanceof (kind ?? HTMLElement))) throw new TypeError(`no element #${id}`);
  return /** @type {T} */ (/** @type {Element} */ (node));
}

/**
 * Creates an HTML element: `element("a", { href: "/" }, "Home")`. Attributes such as `onclick` add
 * listeners.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function element(tag, attributes = {}, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

/**
 * Creates an SVG element in the same way.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {Element} T
 * @param {T} node
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function dressed(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child != null && child !== false) {
      node.append(child instanceof Node ? child : String(child));
    }
  }
  return node;
}

/**
 * Gives a list one child per key, in this order. Existing children are kept as they are.
 *
 * @param {HTMLElement} list
 * @param {Map<string, () => HTMLElement>} wanted functions that create the children, by key
 */
export function refill(list, wanted) {
  const children = /** @type {HTMLElement[]} */ ([...list.children]);
  const kept = children.filter((child) => wanted.has(child.dataset.key ?? "") || child.remove());
  let next = kept.shift();
  for (const [key, make] of wanted) {
    if (next?.dataset.key === key) next = kept.shift();
    else {
      const child = make();
      child.dataset.key = key;
      list.insertBefore(child, next ?? null);
    }
  }
}

/**
 * Runs work after the next frame has been drawn, so that it does not delay the frame.
 *
 * @param {() => void} work
 */
export const afterFrame = (work) => requestAnimationFrame(() => setTimeout(work));
