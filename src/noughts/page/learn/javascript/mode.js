/** JavaScript for CodeMirror: its grammar, and how its lines are indented. */

import { delimitedIndent, indentNodeProp, LRLanguage } from "../codemirror.js";
import { parser } from "./grammar.js";

const braces = delimitedIndent({ closing: "}" });
const indents = indentNodeProp.add({
  Block: braces,
  ClassBody: braces,
  ObjectExpression: braces,
  SwitchBody: braces,
  ArrayExpression: delimitedIndent({ closing: "]" }),
  ArgList: delimitedIndent({ closing: ")" }),
});

export const javascriptLanguage = LRLanguage.define({
  parser: parser.configure({ props: [indents] }),
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    indentOnInput: /^\s*[\])}]$/,
  },
});
