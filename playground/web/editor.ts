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
    const { from, word } = this.place(fault ?? {});
    this.view.dispatch(setDiagnostics(this.view.state, fault ? [{
      from, to: from + word.length, severity: "error", message: fault.message,
    }] : []));
  }

  /** Moves the cursor to the place of a fault. */
  goTo(fault: Fault): void {
    this.view.dispatch({ selection: { anchor: this.place(fault).from }, scrollIntoView: true });
    this.view.focus();
  }

  private place({ line: number = 1, column = 1 }: Partial<Fault>) {
    const { doc } = this.view.state;
    const line = doc.line(Math.max(1, Math.min(number, doc.lines)));
    const from = Math.min(line.from + column - 1, line.to);
    return { from, word: /^[\w+-]+|^.|^/.exec(doc.sliceString(from, line.to))![0] };
  }
}
