// The placement of a FEN: enough to label and edit squares. Its rules are the module's.
import type { Info } from "./api.ts";

/** Size of the box of a board. */
export interface Size { files: number; ranks: number }

/** What stands on each square: a symbol, "*" for a wall or hole, or null. */
export type Placement = (string | null)[];

/** Reads the placement of a FEN of a board with so many files and ranks. */
export function readPlacement(fen: string, { files, ranks }: Size) {
  const squares: Placement = Array(files * ranks).fill(null);
  const rows = fen.split(" ", 1)[0]!.replace(/\[.*/, "").split("/");
  rows.slice(0, ranks).forEach((row, index) => {
    let file = 0;
    for (const [item] of row.matchAll(/\d+|\+?[^\d+]~?/g)) {
      if (/\d/.test(item)) file += Number(item);
      else if (file < files) squares[(ranks - 1 - index) * files + file++] = item;
    }
  });
  return squares;
}

/** The FEN with another placement. */
export function withPlacement(fen: string, squares: Placement, files: number): string {
  const rows: string[] = [];
  for (let start = squares.length - files; start >= 0; start -= files) {
    const row = squares.slice(start, start + files).map(symbol => symbol ?? "1").join("");
    rows.push(row.replace(/1+/g, ones => String(ones.length)));
  }
  const [board = "", ...rest] = fen.split(" ");
  return [rows.join("/") + (/\[.*$/.exec(board)?.[0] ?? ""), ...rest].join(" ");
}

/** The FEN on a board of another size: files are added or cut at the right, ranks in the middle. */
export function resized(fen: string, from: Size, to: Size): string {
  const old = readPlacement(fen, from);
  const below = Math.ceil(Math.min(from.ranks, to.ranks) / 2);
  const squares: Placement = [];
  for (let rank = 0; rank < to.ranks; rank++) {
    const above = to.ranks - rank;
    const source = rank < below ? rank : from.ranks - above;
    for (let file = 0; file < to.files; file++) {
      const known = file < from.files && source >= 0 && (rank < below || source >= below);
      squares.push(known ? old[source * from.files + file]! : null);
    }
  }
  return withPlacement(fen, squares, to.files);
}

/** Is this the symbol of a black piece? */
const isBlack = (symbol: string): boolean => symbol === symbol.toLowerCase();

/** The symbol for the other side. */
export const otherSide = (symbol: string): string =>
  isBlack(symbol) ? symbol.toUpperCase() : symbol.toLowerCase();

/** The piece of a symbol. */
export const pieceOf = (info: Info, symbol: string) =>
  info.pieces.find(piece => piece.symbol === symbol.replace("~", "").toUpperCase());

/** Id of the picture of a symbol. */
export const spriteOf = (info: Info, symbol: string): string | undefined =>
  pieceOf(info, symbol)?.sprite[isBlack(symbol) ? "black" : "white"];

/** "white knight". */
export function sayPiece(info: Info, symbol: string): string {
  return `${isBlack(symbol) ? "black" : "white"} ${pieceOf(info, symbol)?.name ?? symbol}`;
}
