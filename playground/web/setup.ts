// Pieces put on the board, moved and removed: start positions, and positions to play from.
import type { App } from "./app.ts";
import { type BoardUser, spriteSvg } from "./board.ts";
import { fill, h } from "./dom.ts";
import {
  type Placement, otherSide, pieceOf, readPlacement, sayPiece, spriteOf, withPlacement,
} from "./fen.ts";

/** A board whose pieces can be put anywhere, and the pieces to put. */
export class BoardEditor implements BoardUser {
  readonly element = h("div.group");
  /** What is done on one side is done on the other. */
  mirrored = false;
  private source = "";
  private squares: Placement = [];
  /** Symbol that a press puts, "" to clear a square, null to move pieces. */
  private brush: string | null = null;
  private lifted: number | null = null;

  /** `changed` is called after each change. */
  constructor(private readonly app: App, private readonly changed: () => void) {}

  /** The position as it is edited. Without a board, it is another. */
  get fen(): string { return withPlacement(this.source, this.squares, this.app.info.files); }

  set fen(fen: string) {
    this.source = fen;
    this.squares = readPlacement(fen, this.app.info);
    const known = !this.brush || pieceOf(this.app.info, this.brush);
    this.choose(known ? this.brush : null);
  }

  /** Is each piece opposite to one of the other side? */
  get symmetric(): boolean {
    return this.squares.every((symbol, square) => {
      const other = this.squares[this.mirror(square)] ?? null;
      return symbol === null || symbol === "*" ? other === symbol : other === otherSide(symbol);
    });
  }

  /** Removes all pieces. */
  clear(): void {
    this.squares = this.squares.map(symbol => symbol === "*" ? "*" : null);
    this.changed();
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
    this.changed();
  }

  press(square: number): void {
    if (this.brush !== null) {
      this.assign(square, this.brush || null);
      this.changed();
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
    this.choose(null);
    this.paint();
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

  private choose(brush: string | null): void {
    const { app } = this;
    this.brush = brush;
    this.lifted = null;
    const symbols = app.info.pieces.flatMap(({ symbol }) => [symbol, symbol.toLowerCase()]);
    const tool = (symbol: string, label: string, content: Node | string) => h("button", {
      ariaLabel: label, ariaPressed: String(brush === symbol),
      onclick: () => { this.choose(brush === symbol ? null : symbol); this.paint(); },
      onpointerdown: (event: PointerEvent) => app.board.drag(event,
        () => spriteOf(app.info, symbol), to => {
          if (to === null) return;
          this.assign(to, symbol || null);
          this.changed();
        }),
    }, content);
    fill(this.element,
      h("p", {}, "Drag pieces on the board, and off it to remove them. " +
        "Or choose a piece here and click squares."),
      h("div.palette", { role: "group", "aria-label": "Pieces" },
        ...symbols.map(symbol => tool(symbol, sayPiece(app.info, symbol),
          spriteSvg(spriteOf(app.info, symbol) ?? ""))),
        tool("", "Clear squares", "Clear")));
  }
}
