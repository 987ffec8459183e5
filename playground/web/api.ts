// The typed face of the WebAssembly module (`playground/src/`). Structures pass as JSON strings; a
// call that fails throws a string, JSON of `Fault`. Squares are numbers: rank * files + file.
// Symbols are what FEN writes for pieces: `N`, `n`, `+P`.
import init, * as module from "../pkg/assay_playground.js";

export { Checker, Definition, Engine, Pairs, Play, Weighing } from "../pkg/assay_playground.js";

/** What is wrong with a text. Line and column count from 1. */
export interface Fault { message: string; line?: number; column?: number; key?: string }
export interface GameInfo { name: string; title: string; files: number; ranks: number }

/** A definition: a built-in game by name, or the text of a TOML file. */
export type Source = { builtin: string } | { text: string };

export interface Info {
  name: string; title: string; files: number; ranks: number;
  /** Names of all squares of the box: "e4". */
  names: string[];
  /** Squares of the box that are not on the board. */
  holes: number[];
  /** Upper left corners of the squares in `Play.board`, White at the bottom. They are 100 wide. */
  corners: [number, number][];
  /** Width and height of the picture of `Play.board`. */
  size: [number, number];
  pieces: PieceInfo[];
  starts: { id: string; title: string; fen: string }[];
  rules: string[];
  suspicions: string[];
}

export interface PieceInfo {
  name: string; symbol: string;
  /** XBetza. */
  movement: string;
  /** Published value in the definition's unit. */
  value: number | null;
  royal: boolean; pawn: boolean;
  /** A start has one, or another piece becomes one. */
  occurs: boolean;
  /** Ids of `<symbol>` elements in `Definition.sprites`. */
  sprite: { white: string; black: string };
}

export interface Mark {
  square: number; move: boolean; capture: boolean; hop: boolean; lame: boolean; initial: boolean;
  slide: boolean;
}
export interface Estimate { piece: string; value: number; low: number; high: number; unit: string }
export interface AtlasPiece {
  name: string; movement: string; board: string; value: number; low: number; high: number;
}

export type Side = "white" | "black";

export interface State {
  fen: string; turn: Side; ply: number; check: boolean;
  /** FEN of the game's start. */
  start: string;
  /** The moves up to `ply`, separated by spaces. */
  uci: string;
  /** SAN of all moves of the line, those after `ply` included, and what stands before each: "1.",
   *  "1...". */
  moves: string[]; numbers: string[];
  /** All moves, in the order of PGN, and the parentheses of variations. */
  tree: ("(" | ")" | { id: number; number: string; san: string; shown: boolean })[];
  /** The same in UCI notation. */
  text: string;
  /** Number of moves of `text` up to the one that is shown; null at the end of the main line. */
  at: number | null;
  legal: LegalMove[];
  outcome: { result: string; text: string } | null;
  /** Symbols in hand. */
  pockets: { white: string[]; black: string[] };
}

export interface LegalMove {
  uci: string; san: string;
  /** Null for a drop or a pass. */
  from: number | null;
  /** Null for a pass. */
  to: number | null;
  /** Symbol that is dropped. */
  drop: string | null;
  /** What tells apart moves with equal from and to: "queen", "gate elephant". */
  choice: string | null;
  /** Square of the wall that is put. */
  wall: number | null;
}

export interface Limits {
  movetime?: number; nodes?: number; depth?: number; elo?: number; lines?: number;
}
export interface SearchInfo {
  depth: number;
  /** Rank in a search of several lines, from 1. */
  line: number;
  /** From White's point of view: centipawns, or moves to mate (negative: Black mates). */
  score: number | null; mate: number | null;
  nodes: number; milliseconds: number; uci: string[]; san: string[];
}
export interface Best { uci: string | null; san: string | null }
/** All random games so far; `text` is what `assay-perft check` says of them. */
export interface Walk { games: number; agree: boolean; text: string }
export interface Run { seed: number; nodes: number; evaluation?: "linear" | "network" }

export interface Table {
  /** What the scale of the values is: "a pawn is worth 1". */
  unit: string;
  rows: {
    piece: string; symbol: string; value: number; low: number | null; high: number | null;
    published: number | null; verdict: string;
  }[];
  games: number;
  /** Largest half-width in percent of the army. */
  percent: number | null;
  answer: string;
  remarks: string[];
}

/** Keys of a definition: tables are objects. */
export type Keys = { [key: string]: KeyValue };
export type KeyValue = string | number | boolean | KeyValue[] | Keys;

/** Compiles the module, or takes it compiled, and makes the exports of this file usable. */
export async function load(compiled?: WebAssembly.Module): Promise<WebAssembly.Module> {
  const ready = compiled ?? await compile();
  await init({ module_or_path: ready });
  return ready;
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL("assay_playground_bg.wasm", import.meta.url));
  if (!response.ok) throw new Error(`assay_playground_bg.wasm: ${response.status}`);
  // Hosts that do not know the type of the file cannot stream it.
  const typed = response.headers.get("content-type")?.startsWith("application/wasm");
  return typed ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

/** Reads a definition. Throws what `faultOf` understands. */
export function readDefinition(source: Source): module.Definition {
  return "builtin" in source ? module.Definition.builtin(source.builtin)
    : module.Definition.read(source.text, "toml", undefined);
}

/** The built-in games. */
export const builtinGames = (): GameInfo[] => JSON.parse(module.games());
/** The pieces of the atlas with their values. */
export const atlas = (): AtlasPiece[] => JSON.parse(module.atlas());
/** All keys of a definition, those of its base included. */
export const keysOf = (text: string): Keys =>
  JSON.parse(module.keys(text), (_, value) => value ?? undefined);
/** Names of the variants in a `variants.ini`. */
export const variantsOf = (text: string): string[] => JSON.parse(module.variants(text));
/** Text of a game that weighs pieces given in XBetza. */
export const weighingText = (pieces: string[], board: string): string =>
  module.weighing(JSON.stringify(pieces), board);
/** The text with one key set, or removed without a value; comments stay. */
export const editKey = (text: string, path: string[], value?: KeyValue): string =>
  module.edit(text, JSON.stringify(path), value === undefined ? "" : JSON.stringify(value));
/** Lowest and highest strength of the engine. */
export const eloRange = (): [number, number] => JSON.parse(module.Engine.eloRange());

/** What an exception says. */
export function faultOf(error: unknown): Fault {
  if (typeof error === "string") {
    try { return JSON.parse(error); } catch { return { message: error }; }
  }
  if (error && typeof error === "object" && "message" in error) return error as Fault;
  return { message: String(error) };
}

/** One line about a fault, with its place. */
export function faultText(error: unknown): string {
  const { message, line, column } = faultOf(error);
  return line ? `Line ${line}, column ${column ?? 1}: ${message}` : message;
}
