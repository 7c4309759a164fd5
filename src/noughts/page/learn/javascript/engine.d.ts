/**
 * What reads and runs JavaScript for the checker. script/page/bundle bundles engine.js from this
 * file, which also gives its types.
 */

export { default as variant } from "@jitl/quickjs-wasmfile-release-sync";
export {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSContextResult,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
export { Language, type Node, Parser, Query } from "web-tree-sitter";
