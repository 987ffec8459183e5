// The start positions of a game, edited on the board.
import { type Keys } from "./api.ts";
import type { App } from "./app.ts";
import { checkbox, fill, h, select } from "./dom.ts";
import type { Draft } from "./draft.ts";
import { BoardEditor } from "./setup.ts";

/** The editor of start positions. */
export class StartEditor {
  readonly element = h("div.starts");
  private readonly editor: BoardEditor;
  private start = 0;

  constructor(private readonly app: App, private readonly draft: Draft) {
    this.editor = new BoardEditor(app, () => void this.write());
    app.on("game", () => {
      if (this.start >= app.info.starts.length) this.start = 0;
      this.read();
    });
  }

  /** Draws the board. */
  paint(): void { this.editor.paint(); }

  private read(): void {
    const { app, editor } = this;
    editor.fen = app.info.starts[this.start]?.fen ?? app.startFen;
    // Only a symmetric start is kept symmetric.
    editor.mirrored = editor.symmetric;
    fill(this.element,
      app.info.starts.length > 1 && select(
        app.info.starts.map(({ id, title }, index) => [String(index), title || id]),
        String(this.start), value => { this.start = Number(value); this.read(); this.paint(); }),
      editor.element,
      checkbox("The same for the other side", editor.mirrored, on => { editor.mirrored = on; }));
  }

  private async write(): Promise<void> {
    const { app, draft } = this;
    const starts = ((draft.keys.starts ?? []) as Keys[]).map((start, index) =>
      index === this.start ? { ...start, fen: this.editor.fen } : start);
    await draft.change([[["starts"], starts]]);
    app.emit("tab");
  }
}
