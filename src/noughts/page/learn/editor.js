/** The editor: a textarea, replaced by CodeMirror once that has loaded. */

import { t } from "../shared/language.js";

/** @typedef {{ changed: () => void, run: () => void | Promise<void> }} Heard */

const MAC = /Mac|iP(hone|ad)/.test(navigator.platform);

export const RUN_KEY = MAC ? "⌘↵" : "Ctrl+Enter";

export class Editor {
  /** @type {typeof import("./codemirror.js") | undefined} */
  #code;
  /** @type {import("./codemirror.js").EditorView | undefined} */
  #view;
  /** @type {typeof import("./javascript/writing.js") | undefined} */
  #script;
  /** @type {import("./codemirror.js").EditorState | undefined} */
  #other; // of the other language

  /**
   * @param {HTMLTextAreaElement} plain
   * @param {Heard} heard
   */
  constructor(plain, heard) {
    this.plain = plain;
    this.heard = heard;
    plain.oninput = heard.changed;
    plain.onkeydown = (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      heard.run();
    };
  }

  get text() {
    return this.#view ? this.#view.state.doc.toString() : this.plain.value;
  }

  /** Replaces the whole text, as one step that can be undone. */
  set text(text) {
    this.plain.value = text;
    this.#view?.dispatch({
      changes: { from: 0, to: this.#view.state.doc.length, insert: text },
      annotations: this.#code?.isolateHistory.of("full"), // one undo step
    });
  }

  /**
   * Shows a text in another language, which has its own history of changes.
   *
   * @param {typeof import("./javascript/writing.js") | undefined} script JavaScript, or else Python
   * @param {string} text
   */
  async show(script, text) {
    this.#script = script;
    this.plain.value = text;
    this.plain.setAttribute("aria-label", script?.label ?? t("Your class, in Python"));
    if (!this.#view || !this.#code) return;
    const { state } = this.#view;
    const next = this.#other ?? (await this.#begun(this.#code));
    if (this.#script !== script) return;
    this.#other = state;
    this.#view.setState(next);
    if (this.text !== text) this.text = text;
  }

  /**
   * Returns the state in which CodeMirror begins.
   *
   * @param {typeof import("./codemirror.js")} code
   */
  async #begun(code) {
    const mode = (await this.#script?.loadMode())?.javascriptLanguage ?? code.pythonLanguage;
    const extensions = this.#extensions(code, mode);
    return code.EditorState.create({ doc: this.plain.value, extensions });
  }

  /** Replaces the textarea with CodeMirror, keeping its text and selection. */
  async load() {
    if (this.#view) return;
    this.#code = await import("./codemirror.js");
    const { EditorView } = this.#code;
    const { plain } = this;
    const place = document.createElement("div");
    place.id = plain.id.replace("plain", "editor");
    place.className = "editor coming";
    // In a shadow root, CodeMirror uses style sheets instead of elements, which the policy forbids.
    const root = place.attachShadow({ mode: "open", delegatesFocus: true });
    plain.after(place);
    const script = this.#script;
    const view = new EditorView({ parent: root, root, state: await this.#begun(this.#code) });
    // Until CodeMirror has measured its lines, the line numbers are misplaced.
    await new Promise((write) => view.requestMeasure({ read() {}, write }));
    this.#view = view;
    if (script !== this.#script) view.setState(await this.#begun(this.#code)); // chosen since
    if (plain.value !== view.state.doc.toString()) this.text = plain.value;
    view.dispatch({ selection: { anchor: plain.selectionStart, head: plain.selectionEnd } });
    const wasActive = document.activeElement === plain;
    plain.remove();
    place.className = "editor";
    if (wasActive) view.focus();
  }

  /**
   * @param {typeof import("./codemirror.js")} code
   * @param {import("./codemirror.js").LRLanguage} mode
   */
  #extensions(code, mode) {
    const { EditorState, EditorView, keymap, syntaxHighlighting } = code;
    const run = () => {
      this.heard.run();
      return true;
    };
    return [
      code.lineNumbers(),
      code.lintGutter(),
      code.history(),
      code.indentOnInput(),
      code.bracketMatching(),
      code.highlightActiveLine(),
      mode,
      code.indentUnit.of(this.#script ? "  " : "    "),
      EditorState.tabSize.of(4),
      syntaxHighlighting(colours(code)),
      keymap.of([
        { key: "Mod-Enter", run },
        ...code.defaultKeymap,
        ...code.historyKeymap,
        code.indentWithTab,
      ]),
      EditorView.contentAttributes.of({
        "aria-label": this.plain.getAttribute("aria-label") ?? "",
        autocapitalize: "off",
        tabindex: "0",
        spellcheck: "false",
      }),
      EditorView.domEventHandlers({ beforeinput: replaceSelected }),
      EditorView.updateListener.of(({ docChanged }) => docChanged && this.heard.changed()),
      theme(code),
    ];
  }

  /**
   * Marks a line as wrong, or clears the mark for null.
   *
   * @param {number | null} line counted from 1
   * @param {string} message
   */
  mark(line, message = "") {
    if (!this.#view || !this.#code) return;
    const { state } = this.#view;
    const { from, to, text } = state.doc.line(Math.min(line ?? 1, state.doc.lines));
    const start = from + text.length - text.trimStart().length;
    const found = /** @type {const} */ ({ from: start, to, severity: "error", message });
    this.#view.dispatch(this.#code.setDiagnostics(state, line ? [found] : []));
  }

  /**
   * Moves the cursor to a line.
   *
   * @param {number} line counted from 1
   */
  goTo(line) {
    if (!this.#view) return;
    const { from } = this.#view.state.doc.line(Math.min(line, this.#view.state.doc.lines));
    this.#view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
    this.#view.focus();
  }
}

/**
 * Types over the selection; browsers would insert styles, which the policy forbids.
 *
 * @param {InputEvent} event
 * @param {import("./codemirror.js").EditorView} view
 */
function replaceSelected({ inputType, data }, { state, composing, dispatch }) {
  if (inputType !== "insertText" || !data || state.selection.main.empty || composing) return false;
  dispatch(state.replaceSelection(data), { userEvent: "input.type" });
  return true;
}

/** @param {typeof import("./codemirror.js")} code */
const colours = ({ HighlightStyle, tags }) =>
  HighlightStyle.define([
    { tag: [tags.keyword, tags.operatorKeyword, tags.bool, tags.null], color: "var(--p1)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
    { tag: tags.number, color: "var(--p2)" },
    { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
    { tag: tags.definition(tags.variableName), fontWeight: "600" },
    { tag: tags.function(tags.definition(tags.variableName)), fontWeight: "600" },
    { tag: tags.definition(tags.className), fontWeight: "600" },
  ]);

/** @param {typeof import("./codemirror.js")} code */
const theme = ({ EditorView }) =>
  EditorView.theme({
    "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent" },
    "&.cm-focused": { outline: "none" }, // the element around it shows the focus
    ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
    ".cm-content": { caretColor: "var(--ink)", padding: "0.6rem 0" },
    ".cm-cursor": { borderLeftColor: "var(--ink)" },
    ".cm-gutters": { backgroundColor: "var(--paper)", color: "var(--soft)", border: "none" },
    ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--edge) 12%, transparent)" },
    "&.cm-focused .cm-selectionBackground, .cm-selectionBackground, ::selection": {
      backgroundColor: "color-mix(in srgb, var(--p1) 28%, transparent)",
    },
    ".cm-tooltip": {
      border: "1px solid var(--edge)",
      borderRadius: "0.4rem",
      backgroundColor: "var(--paper)",
      color: "var(--ink)",
      fontFamily: "var(--sans)",
    },
  });
