// How a person moves on the board: select, drag, drop, choose, put walls.
import type { LegalMove, Side } from "./api.ts";
import type { App } from "./app.ts";
import { type BoardUser, type MarkKind, spriteSvg } from "./board.ts";
import { ask, count, fill, h, say } from "./dom.ts";
import { readPlacement, sayPiece, spriteOf, type Placement } from "./fen.ts";

/** Moves on the board that is played on. */
export class MoveInput implements BoardUser {
  /** Pockets of the side at the top and at the bottom. */
  readonly pockets = { top: h("div.pocket"), bottom: h("div.pocket") };
  /** The person may move now. */
  allowed: () => boolean = () => true;
  private placement: Placement = [];
  private square: number | null = null;
  private drop: string | null = null;
  /** Moves that differ in their wall alone. */
  private walls: LegalMove[] = [];

  constructor(private readonly app: App) {
    app.on("position", () => this.clear());
  }

  /** Draws the board. */
  paint(): void {
    const { app } = this;
    this.placement = readPlacement(app.state.fen, app.info);
    app.board.show(app.picture(), this);
    this.paintPockets();
    this.mark();
  }

  describe(square: number): string {
    const symbol = this.placement[square];
    return symbol === "*" ? "wall" : symbol ? sayPiece(this.app.info, symbol) : "empty";
  }

  canTake(square: number): boolean { return this.from(square).length > 0; }

  take(square: number): string | undefined {
    this.square = square;
    this.drop = null;
    this.mark();
    return spriteOf(this.app.info, this.placement[square] ?? "");
  }

  put(_from: number, to: number | null): void {
    if (to !== null && to !== this.square) void this.moveTo(to);
  }

  press(square: number): void {
    if (this.walls.length) {
      const move = this.walls.find(({ wall }) => wall === square);
      if (move) this.app.make(move.uci); else this.cancel();
    } else if (this.targets().some(({ to }) => to === square)) {
      void this.moveTo(square);
    } else if (this.square !== square && this.canTake(square)) {
      this.take(square);
    } else {
      this.cancel();
    }
  }

  cancel(): void {
    this.clear();
    this.mark();
    this.paintPockets();
  }

  /** The pass, if it is legal. */
  pass(): LegalMove | undefined {
    return this.app.state.legal.find(({ to, drop }) => to === null && drop === null);
  }

  private clear(): void {
    this.square = this.drop = null;
    this.walls = [];
  }

  private legal(): LegalMove[] { return this.allowed() ? this.app.state.legal : []; }

  private from(square: number): LegalMove[] {
    return this.legal().filter(({ from, to }) => from === square && to !== null);
  }

  private targets(): LegalMove[] {
    if (this.drop !== null) return this.legal().filter(({ drop }) => drop === this.drop);
    return this.square === null ? [] : this.from(this.square);
  }

  private async moveTo(square: number): Promise<void> {
    let moves = this.targets().filter(({ to }) => to === square);
    const choices = [...new Set(moves.map(({ choice }) => choice))];
    if (choices.length > 1) {
      const chosen = await this.choose(choices);
      if (chosen === null) return this.cancel();
      moves = moves.filter(({ choice }) => (choice ?? "") === chosen);
    }
    if (!moves.length) return this.cancel();
    if (moves.length === 1) return this.app.make(moves[0]!.uci);
    this.walls = moves.filter(({ wall }) => wall !== null);
    say("Now click the square that is to be blocked");
    this.mark();
  }

  private choose(choices: (string | null)[]): Promise<string | null> {
    const { info, state } = this.app;
    return ask<string>("Choose", close => [h("div.choices", {}, ...choices.map((choice, index) => {
      const piece = info.pieces.find(({ name }) => choice?.split(" ").pop() === name);
      return h("button", { autofocus: index === 0, onclick: () => close(choice ?? "") },
        piece && spriteSvg(piece.sprite[state.turn]), choice ?? "just move");
    }))], "small");
  }

  private mark(): void {
    const marks = new Map<number, MarkKind[]>();
    if (this.square !== null) marks.set(this.square, ["selected"]);
    if (this.walls.length) {
      for (const { wall } of this.walls) marks.set(wall!, ["wall"]);
    } else {
      for (const { to } of this.targets()) {
        if (to !== null) marks.set(to, [this.placement[to] ? "capture" : "move"]);
      }
    }
    this.app.board.mark(marks);
  }

  private paintPockets(): void {
    const { state, flipped } = this.app;
    for (const side of ["white", "black"] as Side[]) {
      const box = this.pockets[(side === "white") === flipped ? "top" : "bottom"];
      const held = [...new Set(state.pockets[side])];
      box.hidden = !state.pockets.white.length && !state.pockets.black.length;
      fill(box, ...held.map(symbol => this.pocketButton(symbol, side)));
    }
  }

  private pocketButton(symbol: string, side: Side): HTMLElement {
    const { app } = this;
    const sprite = spriteOf(app.info, symbol);
    const number = app.state.pockets[side].filter(held => held === symbol).length;
    const droppable = side === app.state.turn && this.legal().some(({ drop }) => drop === symbol);
    const select = () => {
      this.clear();
      this.drop = symbol;
      this.mark();
    };
    return h("button", {
      disabled: !droppable, ariaPressed: String(this.drop === symbol),
      ariaLabel: `${sayPiece(app.info, symbol)} in hand, ${count(number, "piece")}`,
      onclick: () => {
        if (this.drop === symbol) this.clear(); else select();
        this.mark();
        this.paintPockets();
      },
      onpointerdown: (event: PointerEvent) => {
        if (droppable) app.board.drag(event, () => { select(); return sprite; },
          to => { if (to !== null) void this.moveTo(to); });
      },
    }, sprite && spriteSvg(sprite), number > 1 && h("span", {}, number));
  }
}
