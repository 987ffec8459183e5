// What all sections share: the game, the position, and who listens to changes.
import {
  type Definition, type Info, type Source, type State, Play, readDefinition,
} from "./api.ts";
import { Board, type BoardPicture } from "./board.ts";
import { announce } from "./dom.ts";
import type { Placement } from "./fen.ts";
import type { Shared } from "./link.ts";
import { Remote } from "./remote.ts";

/** Milliseconds that reading a definition or a game may take. */
const PATIENCE = 2000;
const LATE = "This takes longer than two seconds to read, so it was given up.";

/** A tab with its panel. */
export interface Section {
  id: string; title: string; element: HTMLElement;
  /** The tab is opened or left. */
  open?(): void; close?(): void;
  /** Draws the board. With false, the board is the game that is played. */
  paint?(): boolean;
}

/** Where a game begins, and its moves. */
export interface Line { start?: string; moves?: string[]; ply?: number }

type Event = "game" | "position" | "tab";

/** The state of the page. */
export class App {
  readonly board = new Board();
  source: Source = { builtin: "chess" };
  /** The last definition without an error, and a game of it. */
  definition!: Definition;
  info!: Info;
  play!: Play;
  state!: State;
  /** All moves of the game, in UCI notation. */
  private moves: string[] = [];
  /** FEN of the default start. */
  startFen = "";
  flipped = false;
  tab = "play";
  embedded = false;
  /** The game was opened, not played: Assay waits until it is asked, or somebody moves. */
  opened = false;
  private readonly listeners: Record<Event, (() => void)[]> = { game: [], position: [], tab: [] };
  private readonly trial: Remote;
  private readonly asked: Remote;
  private opening = 0;

  constructor(readonly module: WebAssembly.Module) {
    this.trial = new Remote(module);
    this.asked = new Remote(module);
  }

  /** Calls a function after each change. */
  on(event: Event, listener: () => void): void { this.listeners[event].push(listener); }

  /** Tells about a change. */
  emit(event: Event): void { for (const listener of this.listeners[event]) listener(); }

  /** Text of the definition. */
  get text(): string { return this.definition.text(); }

  /** Makes a definition that of the page. Throws what is wrong with it; then nothing changes.
   *  Returns false if a later call has overtaken this one. */
  async open(source: Source, line: Line = {}): Promise<boolean> {
    const turn = ++this.opening;
    const { start = "", moves = [], ply } = line;
    const known = "builtin" in source && !start && !moves.length;
    if (!known && !await this.tried(turn, [source, start, moves])) return false;
    const definition = readDefinition(source);
    const play = new Play(definition, start);
    for (const move of moves) play.make(move);
    this.source = source;
    this.definition = definition;
    this.info = JSON.parse(definition.info());
    // Promoted copies look like their kinds.
    this.info.pieces = this.info.pieces.filter(({ symbol }, index, all) =>
      all.findIndex(piece => piece.symbol === symbol) === index);
    this.startFen = (JSON.parse(new Play(definition, "").state()) as State).start;
    this.opened = start !== "" || moves.length > 0;
    this.setPlay(play, true);
    if (ply !== undefined) this.go(ply);
    return true;
  }

  /** Reads the first game of a PGN. Throws what is wrong with it. */
  async openPgn(text: string): Promise<void> {
    if (await this.tried(++this.opening, [this.source, "", [], text])) {
      const play = Play.pgn(this.definition, text);
      this.opened = true;
      this.setPlay(play);
    }
  }

  /** Begins a game from a FEN or the id of a start. Throws what is wrong with it. */
  begin(start: string): void {
    const play = new Play(this.definition, start);
    this.opened = false;
    this.setPlay(play);
  }

  /** Plays a move. */
  make(uci: string): void {
    this.play.make(uci);
    this.opened = false;
    this.moves = [...this.moves.slice(0, this.state.ply), uci];
    this.refresh();
    const { moves, numbers, ply, outcome } = this.state;
    announce([`${numbers[ply - 1]} ${moves[ply - 1]}`, outcome?.text].filter(Boolean).join(". "));
  }

  /** Takes back moves. */
  undo(count: number): void {
    for (let left = count; left > 0; left--) this.play.undo();
    this.moves.length = this.state.ply - count;
    this.refresh();
  }

  /** Shows the position after so many moves. */
  go(ply: number): void {
    this.play.go(Math.max(0, Math.min(ply, this.state.moves.length)));
    this.refresh();
    if (this.state.ply) announce(this.state.moves[this.state.ply - 1]!);
  }

  /** The board as it is shown. With other pieces, it has no last move. */
  picture(pieces?: Placement): BoardPicture {
    const { play, info, flipped, state: { ply } } = this;
    if (pieces) play.go(0);
    const markup = play.board(flipped);
    if (pieces) play.go(ply);
    return { markup, info, flipped, pieces };
  }

  /** What a link to this says. */
  shared(): Shared {
    const { start, ply } = this.state;
    const { source } = this;
    const shared: Shared = "builtin" in source ? { game: source.builtin } : { text: this.text };
    if (start !== this.startFen) shared.start = start;
    if (this.moves.length) shared.moves = this.moves.join(" ");
    if (ply !== this.moves.length) shared.ply = ply;
    return shared;
  }

  private setPlay(play: Play, game = false): void {
    this.play = play;
    this.state = JSON.parse(play.state());
    this.moves = this.state.uci.split(" ").filter(Boolean);
    if (game) this.emit("game");
    this.emit("position");
  }

  private refresh(): void {
    this.state = JSON.parse(this.play.state());
    this.emit("position");
  }

  /** Runs a task of a worker that must be over in two seconds. It stops the task before. */
  ask<T>(task: string, args: unknown[], remote = this.asked): Promise<T> {
    if (remote.busy) remote.stop();
    return remote.callWithin<T>(PATIENCE, LATE, task, args);
  }

  /** Tries something in a worker first, so that it cannot stop the page. */
  private async tried(turn: number, args: unknown[]): Promise<boolean> {
    try {
      await this.ask("trial", args, this.trial);
    } catch (error) {
      if (turn === this.opening) throw error;
    }
    return turn === this.opening;
  }
}
