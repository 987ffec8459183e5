// The start position, edited on the board.
import { type Keys } from "./api.ts";
import type { App } from "./app.ts";
import { type BoardUser, spriteSvg } from "./board.ts";
import { checkbox, fill, h, select } from "./dom.ts";
import type { Draft } from "./draft.ts";
import {
  type Placement, otherSide, readPlacement, sayPiece, spriteOf, withPlacement,
} from "./fen.ts";

/** The editor of start positions. */
export class StartEditor implements BoardUser {
  readonly element = h("div.starts");
  private squares: Placement = [];
  private start = 0;
  /** Symbol that a press puts, "" to clear a square, null to move pieces. */
  private brush: string | null = null;
  private lifted: number | null = null;
  private mirrored = true;

  constructor(private readonly app: App, private readonly draft: Draft) {
    app.on("game", () => {
      if (this.start >= app.info.starts.length) this.start = 0;
      this.read();
      this.paintPanel();
    });
  }

  /** Draws the board. */
  paint(): void {
    const { app } = this;
    app.board.show(app.picture(this.squares), this);
    app.board.mark(new Map(this.lifted === null ? [] : [[this.lifted, ["selected"]]]));
  }

  describe(square: number): string {
    const symbol = this.squares[square];
    return symbol && symbol !== "*" ? sayPiece(this.app.info, symbol) : "empty";
  }

  canTake(square: number): boolean {
    const symbol = this.squares[square];
    return this.brush === null && symbol !== null && symbol !== "*";
  }

  take(square: number): string | undefined {
    return spriteOf(this.app.info, this.squares[square]!);
  }

  put(from: number, to: number | null): void {
    const symbol = this.squares[from]!;
    if (to === from) return;
    this.assign(from, null);
    if (to !== null) this.assign(to, symbol);
    void this.write();
  }

  press(square: number): void {
    if (this.brush !== null) {
      this.assign(square, this.brush || null);
      void this.write();
    } else if (this.lifted !== null) {
      const from = this.lifted;
      this.lifted = null;
      this.put(from, square);
    } else if (this.canTake(square)) {
      this.lifted = square;
    }
    this.paint();
  }

  cancel(): void {
    this.lifted = this.brush = null;
    this.paintPanel();
    this.paint();
  }

  private get fen(): string { return this.app.info.starts[this.start]?.fen ?? this.app.startFen; }

  private read(): void {
    this.squares = readPlacement(this.fen, this.app.info);
    this.lifted = null;
    // Only a symmetric start is kept symmetric.
    this.mirrored = this.squares.every((symbol, square) => {
      const other = this.squares[this.mirror(square)] ?? null;
      return symbol === null || symbol === "*" ? other === symbol : other === otherSide(symbol);
    });
  }

  /** The square on the other side. */
  private mirror(square: number): number {
    const { files, ranks } = this.app.info;
    return (ranks - 1 - Math.floor(square / files)) * files + square % files;
  }

  private assign(square: number, symbol: string | null): void {
    if (this.squares[square] === "*") return;
    this.squares[square] = symbol;
    if (this.mirrored) this.squares[this.mirror(square)] = symbol && otherSide(symbol);
  }

  private async write(): Promise<void> {
    const { app, draft } = this;
    const fen = withPlacement(this.fen, this.squares, app.info.files);
    const starts = ((draft.keys.starts ?? []) as Keys[])
      .map((start, index) => index === this.start ? { ...start, fen } : start);
    await draft.change([[["starts"], starts]]);
    app.emit("tab");
  }

  private paintPanel(): void {
    const { app } = this;
    const choose = (brush: string | null) => {
      this.brush = brush;
      this.lifted = null;
      this.paintPanel();
      this.paint();
    };
    const symbols = app.info.pieces.flatMap(({ symbol }) => [symbol, symbol.toLowerCase()]);
    const brush = (symbol: string, label: string, content: Node | string) => h("button", {
      ariaLabel: label, ariaPressed: String(this.brush === symbol),
      onclick: () => choose(this.brush === symbol ? null : symbol),
      onpointerdown: (event: PointerEvent) => app.board.drag(event,
        () => spriteOf(app.info, symbol), to => {
          if (to === null) return;
          this.assign(to, symbol || null);
          void this.write();
        }),
    }, content);
    fill(this.element,
      h("p", {}, "Drag pieces on the board, and off it to remove them. " +
        "Or choose a piece here and click squares."),
      app.info.starts.length > 1 && select(
        app.info.starts.map(({ id, title }, index) => [String(index), title || id]),
        String(this.start), value => { this.start = Number(value); this.read(); choose(null); }),
      h("div.palette", { role: "group", "aria-label": "Pieces" },
        ...symbols.map(symbol => brush(symbol, sayPiece(app.info, symbol),
          spriteSvg(spriteOf(app.info, symbol) ?? ""))),
        brush("", "Clear squares", "Clear")),
      checkbox("The same for the other side", this.mirrored, on => { this.mirrored = on; }));
  }
}
