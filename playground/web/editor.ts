// The text of a definition: CodeMirror with TOML, and the fault at its place.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { StreamLanguage, bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import type { Fault } from "./api.ts";

/** An editor for definitions. */
export class Editor {
  private readonly view: EditorView;
  private quiet = false;

  constructor(parent: HTMLElement, onChange: (text: string) => void) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(), history(), bracketMatching(), highlightActiveLine(), lintGutter(),
          StreamLanguage.define(toml), syntaxHighlighting(classHighlighter),
          keymap.of([...defaultKeymap, ...historyKeymap]), EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "Definition of the game (TOML)" }),
          EditorView.updateListener.of(update => {
            if (update.docChanged && !this.quiet) onChange(this.text);
          }),
        ],
      }),
    });
  }

  get text(): string { return this.view.state.doc.toString(); }

  /** Replaces the text, if it is another one. */
  set text(text: string) {
    if (text === this.text) return;
    this.quiet = true;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.quiet = false;
  }

  /** Shows a fault, or that there is none. */
  showFault(fault: Fault | null): void {
    const { doc } = this.view.state;
    const diagnostics = [];
    if (fault) {
      const line = doc.line(Math.max(1, Math.min(fault.line ?? 1, doc.lines)));
      const from = Math.min(line.from + (fault.column ?? 1) - 1, line.to);
      const word = /^[\w+-]+|^./.exec(doc.sliceString(from, line.to));
      diagnostics.push({
        from, to: from + (word?.[0].length ?? 0), severity: "error" as const,
        message: fault.message,
      });
    }
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Moves the cursor to the place of a fault. */
  goTo(fault: Fault): void {
    const { doc } = this.view.state;
    const line = doc.line(Math.max(1, Math.min(fault.line ?? 1, doc.lines)));
    const anchor = Math.min(line.from + (fault.column ?? 1) - 1, line.to);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.view.focus();
  }
}
