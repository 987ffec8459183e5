// Plays the games of a run in workers, keeps them, and hands them to the one that weighs.
import { type Run, type Source, type Table, faultOf } from "./api.ts";
import { Remote } from "./remote.ts";
import { forgetRun, keepPairs, keepRun, keptRun } from "./store.ts";

/** Milliseconds between two looks at new games. */
const PULSE = 500;

/** A run: its games and what they say. */
export class Weigher {
  /** Games that shall be played, and that have been. */
  target = 0;
  games = 0;
  running = false;
  /** Games a second, of this session. */
  rate = 0;
  table: Table | null = null;
  /** Why there is no table, or why playing has stopped. */
  message = "";
  private readonly scale: Remote;
  private readonly players: Remote[] = [];
  /** Identifies the games of the run, of this version of Assay. */
  private key = "";
  private readonly done = new Set<number>();
  private fresh: [number, Uint8Array][] = [];
  private next = 0;
  private tableGames = 0;
  private session = 0;

  constructor(private readonly module: WebAssembly.Module, private readonly source: Source,
    private readonly run: Run, private readonly changed: () => void) {
    this.scale = new Remote(module);
  }

  /** Reads the games that are kept. */
  async restore(): Promise<void> {
    this.key = await this.scale.call<string>("weigh", [this.source, this.run]);
    const kept = await keptRun(this.key).catch(() => null);
    if (!kept) return;
    this.target = kept.target;
    this.games = await this.scale.call<number>("add", [[...kept.pairs.values()]]);
    for (const pair of kept.pairs.keys()) this.done.add(pair);
    await this.weigh();
  }

  /** Plays until there are so many games. */
  async start(target: number): Promise<void> {
    this.target = target;
    this.running = true;
    this.message = "";
    const session = ++this.session;
    this.next = 0;
    void keepRun(this.key, target).catch(() => {});
    const begin = performance.now();
    const before = this.done.size;
    const workers = Math.max(1, Math.min(8, navigator.hardwareConcurrency || 2));
    while (this.players.length < workers) this.players.push(new Remote(this.module));
    const players = this.players.map(player => this.playOn(player, session));
    const pulse = setInterval(() => {
      this.rate = (this.done.size - before) * 2000 / (performance.now() - begin);
      void this.take();
    }, PULSE);
    this.changed();
    try {
      await Promise.all(players);
      await this.take(true);
    } catch (error) {
      if (session === this.session) this.message = faultOf(error).message;
    }
    clearInterval(pulse);
    if (session === this.session) this.halt();
  }

  /** Stops playing. Pairs that are not finished will be played anew. */
  async stop(): Promise<void> {
    this.halt();
    await this.take(true).catch(() => {});
  }

  /** Forgets all games. */
  async forget(): Promise<void> {
    this.halt();
    await forgetRun(this.key);
  }

  /** A text of the games: "pgn", "report" or "page". */
  text(task: "pgn" | "report" | "page"): Promise<string> { return this.scale.call(task, []); }

  /** Ends the workers for good. */
  close(): void {
    this.halt();
    this.scale.stop();
  }

  private halt(): void {
    this.session++;
    this.running = false;
    for (const player of this.players) player.stop();
    this.changed();
  }

  private async playOn(player: Remote, session: number): Promise<void> {
    for (;;) {
      while (this.done.has(this.next)) this.next++;
      const pair = this.next++;
      if (pair * 2 >= this.target || session !== this.session) return;
      const games = await player.call<Uint8Array>("pair", [this.source, this.run, pair]);
      if (session !== this.session) return;
      this.done.add(pair);
      this.fresh.push([pair, games]);
    }
  }

  private taking: Promise<void> = Promise.resolve();

  /** Keeps and weighs what has been played. One call after the other. */
  private take(all = false): Promise<void> {
    const work = async () => {
      const { fresh } = this;
      this.fresh = [];
      if (fresh.length) {
        await keepPairs(this.key, fresh).catch(() => {});
        this.games = await this.scale.call<number>("add", [fresh.map(([, games]) => games)]);
      }
      // A table takes longer with more games, and says little new after few more.
      if (this.games > this.tableGames * (all ? 1 : 1.1)) await this.weigh();
      this.changed();
    };
    this.taking = this.taking.catch(() => {}).then(work);
    return this.taking;
  }

  private async weigh(): Promise<void> {
    this.tableGames = this.games;
    if (!this.games) return this.changed();
    try {
      this.table = await this.scale.call<Table>("table", []);
      this.message = "";
    } catch (error) {
      this.message = faultOf(error).message;
    }
    this.changed();
  }
}
