// The engine, in a worker of its own, which is ended to stop a search.
import type { Best, Limits, SearchInfo, Source } from "./api.ts";
import { Remote } from "./remote.ts";

/** One search at a time. */
export class Thinker {
  private readonly remote: Remote;
  private turn = 0;

  constructor(module: WebAssembly.Module) { this.remote = new Remote(module); }

  /** Searches the position after some moves from a start. Null if the search was stopped. */
  async search(source: Source, start: string, uci: string, limits: Limits,
    onInfo: (info: SearchInfo) => void): Promise<Best | null> {
    this.stop();
    const { turn } = this;
    try {
      return await this.remote.call<Best>("search", [source, start, uci, limits], onInfo);
    } catch (error) {
      if (turn === this.turn) throw error;
      return null;
    }
  }

  /** Ends the search. */
  stop(): void {
    this.turn++;
    if (this.remote.busy) this.remote.stop();
  }
}

/** A score for people: "+0.35", "White mates in 3". */
export function scoreText({ score, mate }: SearchInfo): string {
  if (mate !== null) return `${mate < 0 ? "Black" : "White"} mates in ${Math.abs(mate)}`;
  const pawns = (score ?? 0) / 100;
  return (pawns > 0 ? "+" : pawns < 0 ? "−" : "") + Math.abs(pawns).toFixed(2);
}

/** White's share of the evaluation bar, 0 to 1. */
export function scoreShare({ score, mate }: SearchInfo): number {
  if (mate !== null) return mate < 0 ? 0 : 1;
  return 1 / (1 + 10 ** (-(score ?? 0) / 500));
}
