// The start positions of a game, edited on the board.
import { type Keys } from "./api.ts";
import type { App } from "./app.ts";
import { checkbox, fill, h, select } from "./dom.ts";
import type { Draft } from "./draft.ts";
import { BoardEditor } from "./setup.ts";

/** The editor of start positions. `paint` draws the board. */
export function startEditor(app: App, draft: Draft) {
  const element = h("div.starts");
  let shown = 0;
  const editor = new BoardEditor(app, async () => {
    const starts = ((draft.keys.starts ?? []) as Keys[]).map((start, index) =>
      index === shown ? { ...start, fen: editor.fen } : start);
    await draft.change([[["starts"], starts]]);
    app.emit("tab");
  });

  function read(index: number): void {
    const { starts } = app.info;
    shown = index < starts.length ? index : 0;
    editor.fen = starts[shown]?.fen ?? app.startFen;
    // Only a symmetric start is kept symmetric.
    editor.mirrored = editor.symmetric;
    fill(element,
      starts.length > 1 && select(starts.map(({ id, title }, at) => [String(at), title || id]),
        String(shown), value => { read(Number(value)); editor.paint(); }),
      editor.element,
      checkbox("The same for the other side", editor.mirrored, on => { editor.mirrored = on; }));
  }
  app.on("game", () => read(shown));
  return { element, paint: () => editor.paint() };
}
