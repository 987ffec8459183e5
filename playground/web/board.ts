// The board: a picture by the module, and over it a grid of buttons and a layer of marks.
import type { Info } from "./api.ts";
import { fill, h, s, svgOf } from "./dom.ts";
import { type Placement, spriteOf } from "./fen.ts";

/** Shapes that mark squares. */
export type MarkKind =
  "selected" | "move" | "quiet" | "capture" | "hop" | "lame" | "initial" | "wall";

/** What a section makes of the board. */
export interface BoardUser {
  /** What stands on a square, for screen readers. */
  describe(square: number): string;
  /** Can a drag begin here? */
  canTake(square: number): boolean;
  /** A drag begins: returns the picture that follows the pointer. */
  take(square: number): string | undefined;
  /** A drag ends, outside the board with null. */
  put(from: number, to: number | null): void;
  /** A click, a tap, Enter or Space. */
  press(square: number): void;
  /** Escape. */
  cancel?(): void;
}

/** What `Board.show` draws. */
export interface BoardPicture {
  /** `Play.board`. */
  markup: string; info: Info; flipped: boolean;
  /** Pieces in place of those of the picture. */
  pieces?: Placement;
}

/** A board on the page. */
export class Board {
  readonly element = h("div.boardbox");
  private readonly picture = h("div.picture", { ariaHidden: "true" });
  private readonly layer = s("svg", { class: "marks", "aria-hidden": "true" });
  private readonly grid = h("div.squares", { role: "grid", "aria-label": "Board" });
  private cells = new Map<number, HTMLButtonElement>();
  private shown: BoardPicture | null = null;
  private current = -1;
  private user: BoardUser | null = null;
  private dragged = false;

  constructor() {
    this.element.append(this.picture, this.layer, this.grid);
    this.grid.onkeydown = event => this.key(event);
    this.grid.onpointerdown = event => this.pointer(event);
    this.grid.onclick = event => {
      const square = this.squareOf(event.target);
      if (square !== null && !this.dragged) this.user?.press(square);
    };
    this.grid.onfocus = () => this.cells.get(this.current)?.focus();
  }

  /** Draws, and gives the squares to a section. */
  show(picture: BoardPicture, user: BoardUser): void {
    const { info, flipped } = picture;
    const same = this.shown?.info === info && this.shown.flipped === flipped;
    this.shown = picture;
    this.user = user;
    const svg = svgOf(picture.markup);
    svg.removeAttribute("role");
    if (picture.pieces) this.replacePieces(svg, picture.pieces);
    fill(this.picture, svg);
    this.layer.setAttribute("viewBox", `0 0 ${info.size.join(" ")}`);
    const [width, height] = info.size;
    const tops = info.corners.map(([, y]) => y);
    style(this.element, { "--ratio": width / height, "--top": Math.min(...tops) / height,
      "--foot": 1 - (Math.max(...tops) + 100) / height });
    if (!same) this.makeCells();
    for (const [square, cell] of this.cells) {
      cell.ariaLabel = `${info.names[square]}, ${user.describe(square)}`;
      cell.classList.toggle("takes", user.canTake(square));
    }
  }

  /** Marks squares, in place of the marks before. */
  mark(marks: Map<number, MarkKind[]>): void {
    const shapes: SVGElement[] = [];
    for (const [square, kinds] of marks) {
      for (const kind of kinds) shapes.push(shapeOf(kind, ...this.corner(square)));
    }
    fill(this.layer, ...shapes);
    for (const [square, cell] of this.cells) {
      const kinds = marks.get(square) ?? [];
      cell.ariaSelected = String(kinds.includes("selected"));
      cell.ariaDescription = kinds.filter(kind => kind !== "selected").join(", ");
    }
  }

  /** Puts the focus on a square. */
  focus(square: number): void {
    this.makeCurrent(square);
    this.cells.get(square)?.focus({ preventScroll: true });
  }

  /** Drags a picture, from a square or a pocket. `begin` gives the picture's id; `put` gets the
   *  square under the pointer. */
  drag(event: PointerEvent, begin: () => string | undefined, put: (to: number | null) => void) {
    const { clientX, clientY, pointerId } = event;
    let ghost: HTMLElement | null = null;
    const controller = new AbortController();
    const { signal } = controller;
    const end = () => {
      controller.abort();
      ghost?.remove();
      // The click that follows is part of the drag.
      setTimeout(() => { this.dragged = false; });
    };
    addEventListener("pointermove", move => {
      if (move.pointerId !== pointerId) return;
      if (!ghost) {
        if (Math.hypot(move.clientX - clientX, move.clientY - clientY) < 6) return;
        this.dragged = true;
        ghost = this.ghost(begin());
      }
      style(ghost, { left: `${move.clientX}px`, top: `${move.clientY}px` });
    }, { signal });
    addEventListener("pointerup", up => {
      if (ghost) put(this.squareAt(up.clientX, up.clientY));
      end();
    }, { signal });
    addEventListener("pointercancel", end, { signal });
  }

  private pointer(event: PointerEvent): void {
    const square = this.squareOf(event.target);
    const { user } = this;
    if (square === null || event.button !== 0 || !user?.canTake(square)) return;
    this.drag(event, () => user.take(square), to => user.put(square, to));
  }

  private ghost(sprite: string | undefined): HTMLElement {
    const size = this.cells.values().next().value!.getBoundingClientRect().width;
    const ghost = h("div.ghost");
    style(ghost, { width: `${size}px`, height: `${size}px` });
    if (sprite) ghost.append(spriteSvg(sprite));
    document.body.append(ghost);
    return ghost;
  }

  private key(event: KeyboardEvent): void {
    const { info, flipped } = this.shown!;
    const turn = flipped ? -1 : 1;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-turn, 0], ArrowRight: [turn, 0], ArrowUp: [0, turn], ArrowDown: [0, -turn],
    };
    const step = steps[event.key];
    if (event.key === "Escape") this.user?.cancel?.();
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { files, ranks } = info;
    let [file, rank] = [this.current % files, Math.floor(this.current / files)];
    do {
      file += step[0];
      rank += step[1];
      if (file < 0 || rank < 0 || file >= files || rank >= ranks) return;
      // Holes are jumped over.
    } while (!this.cells.has(rank * files + file));
    this.focus(rank * files + file);
  }

  private makeCurrent(square: number): void {
    for (const old of [this.current, square]) {
      const cell = this.cells.get(old);
      if (cell) cell.tabIndex = old === square ? 0 : -1;
    }
    this.current = square;
  }

  private makeCells(): void {
    const { info, flipped } = this.shown!;
    this.cells.clear();
    const [width, height] = info.size;
    const total = info.files * info.ranks;
    const cellAt = (place: number) => {
      const square = flipped ? total - 1 - place : place;
      if (info.holes.includes(square)) return null;
      const [x, y] = this.corner(square);
      const cell = h("button", { role: "gridcell", tabIndex: -1 });
      style(cell, { left: `${100 * x / width}%`, top: `${100 * y / height}%`,
        width: `${1e4 / width}%`, height: `${1e4 / height}%` });
      cell.dataset.square = String(square);
      cell.onfocus = () => this.makeCurrent(square);
      this.cells.set(square, cell);
      return cell;
    };
    const rows = Array.from({ length: info.ranks }, (_, row) => h("div", { role: "row" },
      ...Array.from({ length: info.files }, (_, column) =>
        cellAt((info.ranks - 1 - row) * info.files + column))));
    fill(this.grid, ...rows);
    if (!this.cells.has(this.current)) this.current = Math.min(...this.cells.keys());
    this.makeCurrent(this.current);
  }

  /** A board turned by 180 degrees has the corners in reverse. */
  private corner(square: number): [number, number] {
    const { info: { corners }, flipped } = this.shown!;
    return corners[flipped ? corners.length - 1 - square : square]!;
  }

  private replacePieces(svg: SVGSVGElement, pieces: Placement): void {
    const { info } = this.shown!;
    const group = svg.querySelector("g.pieces");
    if (group) fill(group);
    pieces.forEach((symbol, square) => {
      const id = symbol && symbol !== "*" && spriteOf(info, symbol);
      if (!id) return;
      const [x, y] = this.corner(square);
      group?.append(s("use", { href: `#${id}`, x, y, width: 100, height: 100 }));
    });
  }

  private squareOf(target: EventTarget | null): number | null {
    const square = (target as HTMLElement).dataset?.square;
    return square === undefined ? null : Number(square);
  }

  private squareAt(x: number, y: number): number | null {
    const found = document.elementsFromPoint(x, y).find(element => this.grid.contains(element));
    return found ? this.squareOf(found) : null;
  }
}

function style(element: HTMLElement, values: Record<string, string | number>): void {
  for (const [key, value] of Object.entries(values)) element.style.setProperty(key, String(value));
}

/** A piece as an element of the size of its box. */
export function spriteSvg(id: string): SVGElement {
  return s("svg", { viewBox: "0 0 100 100", class: "sprite", "aria-hidden": "true" },
    s("use", { href: `#${id}`, width: 100, height: 100 }));
}

/** Marks differ in shape, not in color alone. */
const SHAPES: Record<MarkKind, string> = {
  selected: "M0 0h100v100h-100z", move: "M35 50a15 15 0 1 0 30 0a15 15 0 1 0 -30 0z",
  quiet: "M34 50a16 16 0 1 0 32 0a16 16 0 1 0 -32 0z",
  capture: "M9 50a41 41 0 1 0 82 0a41 41 0 1 0 -82 0z", hop: "M50 28l22 22l-22 22l-22 -22z",
  lame: "M32 50h36", initial: "M30 74h40", wall: "M30 30h40v40h-40z",
};

/** A mark on the square with this corner. */
export const shapeOf = (kind: MarkKind, x: number, y: number): SVGElement => s("path", {
  class: `mark ${kind}`, d: SHAPES[kind], transform: `translate(${x} ${y})`,
});
