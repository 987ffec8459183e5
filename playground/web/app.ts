// What all sections share: the game, the position, and who listens to changes.
import {
  type Definition, type Info, type Source, type State, Play, readDefinition,
} from "./api.ts";
import { Board, type BoardPicture } from "./board.ts";
import { announce, say } from "./dom.ts";
import type { Placement } from "./fen.ts";
import type { Shared } from "./link.ts";
import { Remote, STOPPED } from "./remote.ts";

/** Milliseconds that reading a definition or a game may take. */
const PATIENCE = 2000;
const LATE = { message: "This takes longer than two seconds to read, so it was given up." };

/** A tab with its panel. */
export interface Section {
  id: string; title: string; element: HTMLElement;
  /** The tab is opened or left. */
  open?(): void; close?(): void;
  /** Draws the board. With false, the board is the game that is played. */
  paint?(): boolean;
}

/** Where a game begins, its moves as in `State.text`, and how many of them are shown. */
export interface Line { start?: string; moves?: string; at?: number }

/** A game, and its definition if it is another. */
type Replacement = Pick<App, "play" | "opened"> &
  Partial<Pick<App, "source" | "definition" | "info" | "startFen" | "former">>;

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
  /** FEN of the default start. */
  startFen = "";
  flipped = false;
  tab = "play";
  embedded = false;
  /** The game was opened, not played: Assay waits until it is asked, or somebody moves. */
  opened = false;
  /** Brings back the game that this one has replaced. */
  former: (() => void) | null = null;
  private readonly listeners: Record<Event, (() => void)[]> = { game: [], position: [], tab: [] };
  private readonly trial: Remote;
  private readonly asked: Remote;

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

  /** Makes a definition that of the page. Throws what is wrong with it; then nothing changes. A
   *  later call overtakes this one. After an edit of the definition, no former game comes back. */
  async open(source: Source, { start = "", moves = "", at }: Line = {}, edit = false) {
    const known = "builtin" in source && !start && !moves;
    if (!await this.tried(known ? null : [source, start, moves])) return;
    const definition = readDefinition(source);
    const play = new Play(definition, start);
    play.read(moves, at);
    const info: Info = JSON.parse(definition.info());
    // Promoted copies look like their kinds.
    info.pieces = info.pieces.filter(({ symbol }, index, all) =>
      all.findIndex(piece => piece.symbol === symbol) === index);
    const startFen = (JSON.parse(new Play(definition, "").state()) as State).start;
    this.replace({
      source, definition, info, startFen, play, opened: start !== "" || moves !== "",
      ...edit && { former: null },
    });
  }

  /** Reads the first game of a PGN. Throws what is wrong with it. */
  async openPgn(text: string): Promise<void> {
    if (!await this.tried([this.source, "", "", text])) return;
    const play = Play.pgn(this.definition, text);
    const cut = play.cut();
    this.replace({ play, opened: true },
      cut > 0 && `Variations end before what is no legal move: ${cut}`);
  }

  /** Begins a game from a FEN or the id of a start. Throws what is wrong with it. */
  begin(start: string): void {
    this.replace({ play: new Play(this.definition, start), opened: false });
  }

  /** Plays a move. */
  make(uci: string): void {
    this.play.make(uci);
    this.opened = false;
    this.refresh();
    const { moves, numbers, ply, outcome } = this.state;
    announce([`${numbers[ply - 1]} ${moves[ply - 1]}`, outcome?.text].filter(Boolean).join(". "));
  }

  /** Takes back moves. */
  undo(count: number): void {
    for (let left = count; left > 0; left--) this.play.undo();
    this.refresh();
  }

  /** Makes the variation that is shown the main line, or the line around it. */
  promote(): void {
    this.play.promote();
    this.refresh();
  }

  /** Shows the position after so many moves of the line. */
  go(ply: number): void {
    this.play.go(Math.max(0, Math.min(ply, this.state.moves.length)));
    this.stepped();
  }

  /** Shows the position after a move of `State.tree`. */
  show(id: number): void {
    this.play.show(id);
    this.stepped();
  }

  private stepped(): void {
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
    const { source, state: { start, text, at } } = this;
    const shared: Shared = "builtin" in source ? { game: source.builtin } : { text: this.text };
    if (start !== this.startFen) shared.start = start;
    if (text) shared.moves = text;
    if (at !== null) shared.at = at;
    return shared;
  }

  /** Puts a game in the place of the present one, which is kept if it has moves, or a definition
   *  of the user's own would be lost with it. */
  private replace(next: Replacement, note: string | false = false): void {
    const { source, definition, info, startFen, play, state, opened, former } = this;
    const tell = () => {
      if (next.definition) this.emit("game");
      this.emit("position");
    };
    const kept = next.former !== null &&
      (Boolean(state?.text) || next.definition !== undefined && "text" in source);
    if (kept) {
      this.former = () => {
        Object.assign(this, { source, definition, info, startFen, play, state, opened, former });
        tell();
      };
    }
    Object.assign(this, next);
    this.state = JSON.parse(this.play.state());
    tell();
    say([note, kept && "Undo in Play brings the former game back"].filter(Boolean).join(". "));
  }

  private refresh(): void {
    this.state = JSON.parse(this.play.state());
    this.emit("position");
  }

  /** Runs a task of a worker that must be over in two seconds. It stops the task before. */
  async ask<T>(task: string, args: unknown[], remote = this.asked): Promise<T> {
    remote.interrupt();
    // The time begins when the worker is ready, which is no fault of the task.
    await remote.call("ready", []);
    const timer = setTimeout(() => remote.stop(LATE), PATIENCE);
    try { return await remote.call<T>(task, args); } finally { clearTimeout(timer); }
  }

  /** Tries something in a worker first, so that it cannot stop the page. False if a later call has
   *  overtaken this one. */
  private async tried(args: unknown[] | null): Promise<boolean> {
    this.trial.interrupt();
    try {
      if (args) await this.ask("trial", args, this.trial);
      return true;
    } catch (error) {
      if (error !== STOPPED) throw error;
      return false;
    }
  }
}
