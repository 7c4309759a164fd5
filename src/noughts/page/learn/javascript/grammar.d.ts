/**
 * The grammar of JavaScript for the editor. script/page/bundle bundles grammar.js from this file, which
 * also gives its types; the rest of the editor is in ../codemirror.js.
 */

export { parser } from "@lezer/javascript";
