/** The page about the API, made from the server's own description of it. */

import { apiDescription } from "../shared/api.js";
import { by, element } from "../shared/dom.js";

/** @import { Child } from "../shared/dom.js" */

/** @import { Answer, Operation, Schema } from "./openapi.js" */

const LARGEST = 2 ** 31 - 1; // bounds beyond are the machine's: nobody needs to know them

async function start() {
  const origin = location.origin;
  by("example").textContent = [
    `curl -s ${origin}/api/games -H 'Content-Type: application/json' \\`,
    `     -d '{"n": 3, "opponent": "computer"}'`,
    `curl -s ${origin}/api/games/ID/moves -H 'Content-Type: application/json' \\`,
    `     -H 'Authorization: Bearer TOKEN' -d '{"cell": [1, 1], "seq": SEQ, "key": "first"}'`,
    `curl -N ${origin}/api/games/ID/events`,
  ].join("\n");
  let api;
  try {
    api = await apiDescription();
  } catch {
    by("operations").replaceChildren(
      element("p", {}, "The description could not be read; please reload."),
    );
    return;
  }
  /** @type {Operation[]} */
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, its]) => ({ path, method, ...its })),
  );
  /** @type {[string, Schema][]} */
  const schemas = Object.entries(api.components.schemas);
  by("operations").replaceChildren(...operations.map(operation));
  by("schemas").replaceChildren(...schemas.map(([name, schema]) => object(name, schema)));
  by("contents").replaceChildren(
    ...operations.map(({ path, method }) =>
      entry(anchor(path, method), method, path.replace("/api", "")),
    ),
    entry("events", null, "Events"),
    entry("errors", null, "Errors"),
    ...schemas.map(([name]) => entry(name, null, name)),
  );
  // The page was empty when the browser looked for the part that the address names.
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

/** @type {(path: string, method: string) => string} */
const anchor = (path, method) => `${method}${path.replace(/[^a-z.]+/g, "-")}`;

/** @type {(id: string, method: string | null, text: string) => HTMLElement} */
const entry = (id, method, text) =>
  element(
    "li",
    {},
    element("a", { class: "cut", href: `#${id}` }, method ? verb(method) : "", " ", text),
  );

/** @type {(method: string) => HTMLElement} */
const verb = (method) => element("span", { class: `method ${method}` }, method.toUpperCase());

/** @param {Operation} operation */
function operation({ path, method, description, parameters, requestBody, responses }) {
  const body = requestBody?.content?.["application/json"]?.schema;
  return element(
    "section",
    { class: "operation", id: anchor(path, method) },
    element("h2", {}, verb(method), " ", path),
    element("p", {}, description),
    parameters.length
      ? table(
          "Parameters",
          parameters.map((one) => [one.name, kind(one.schema), one.description]),
        )
      : "",
    body ? element("p", {}, "Takes ", kind(body), ".") : "",
    table("Answers", answers(responses)),
  );
}

/**
 * What may come back: each success, and the refusals, which are all alike, in one row.
 *
 * @param {Record<string, Answer>} responses
 */
function answers(responses) {
  const statuses = Object.keys(responses);
  const refusals = statuses.filter((status) => status >= "400");
  const rows = statuses
    .filter((status) => status < "400")
    .map((status) => [status, content(responses[status])]);
  if (refusals.length) rows.push([refusals.join(" "), content(responses[refusals[0]])]);
  return rows;
}

/** @param {Answer} answer */
function content({ content: kinds = {} }) {
  const [type, { schema } = {}] = Object.entries(kinds)[0] ?? [];
  return type === "application/json" && schema ? kind(schema) : (type ?? "");
}

/**
 * @param {string} name
 * @param {Schema} schema
 */
function object(name, schema) {
  const required = new Set(schema.required);
  const rows = Object.entries(schema.properties ?? {}).map(([field, its]) => {
    const about = [
      its.description,
      "default" in its ? `By default ${JSON.stringify(its.default)}.` : "",
    ];
    return [required.has(field) ? field : `${field}?`, kind(its), about.filter(Boolean).join(" ")];
  });
  return element(
    "section",
    { class: "schema", id: name },
    element("h3", {}, name),
    schema.description ? element("p", {}, schema.description) : "",
    rows.length ? table(`Fields of ${name}; a question mark: may be left out`, rows) : kind(schema),
  );
}

/** @type {(caption: string, rows: Child[][]) => HTMLElement} */
const table = (caption, rows) =>
  element(
    "table",
    { class: "rows" },
    element("caption", {}, caption),
    element(
      "tbody",
      {},
      ...rows.map(([name, type, about]) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, name),
          element("td", {}, type),
          element("td", {}, about ?? ""),
        ),
      ),
    ),
  );

/**
 * A schema in a few words, with a link where it has a name.
 *
 * @param {Schema} schema
 * @returns {HTMLElement}
 */
function kind(schema = {}) {
  const words = element("span");
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    words.append(element("a", { href: `#${name}` }, element("code", {}, name)));
  } else if (schema.anyOf) {
    words.append(...schema.anyOf.flatMap((one, index) => [index ? " or " : "", kind(one)]));
  } else if (schema.enum) {
    words.append(schema.enum.map((value) => JSON.stringify(value)).join(", "));
  } else if (schema.type === "array") {
    const items = schema.prefixItems ?? [schema.items];
    words.append(
      "[",
      ...items.flatMap((one, index) => [index ? ", " : "", kind(one)]),
      schema.prefixItems ? "]" : ", …]",
    );
  } else words.append(`${schema.type ?? "anything"}${range(schema)}`);
  return words;
}

/**
 * The bounds of a number or of a string's length.
 *
 * @param {Schema} schema
 */
function range({ minimum, maximum, minLength, maxLength }) {
  const shown = (bound = Infinity) => (Math.abs(bound) < LARGEST ? bound : undefined);
  const [low, high] = [shown(minimum ?? minLength), shown(maximum ?? maxLength)];
  if (low === undefined && high === undefined) return "";
  const of = maxLength === undefined ? "" : " characters";
  if (high === undefined) return ` from ${low}`;
  return low === undefined ? ` up to ${high}${of}` : ` ${low} to ${high}${of}`;
}

start();
