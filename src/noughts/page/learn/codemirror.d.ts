/**
 * The parts of CodeMirror that the editor uses. script/page/bundle makes codemirror.js of this
 * file, which also gives its types.
 */

export {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
} from "@codemirror/commands";
export { pythonLanguage } from "@codemirror/lang-python";
export {
  bracketMatching,
  delimitedIndent,
  HighlightStyle,
  indentNodeProp,
  indentOnInput,
  indentUnit,
  LRLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { Compartment, EditorState } from "@codemirror/state";
export { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
export { styleTags, tags } from "@lezer/highlight";
export { ContextTracker, ExternalTokenizer, LocalTokenGroup, LRParser } from "@lezer/lr";
