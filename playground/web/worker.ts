// A worker: what takes time, on an instance of the module of its own.
import {
  type Limits, type Run, type Source, type State, Checker, Definition, Engine, Pairs, Play,
  Weighing, faultOf, load, readDefinition, variantsOf,
} from "./api.ts";

/** Megabytes of the transposition table. */
const HASH = 32;

/** Keeps the last result, for equal arguments. */
function latest<A extends unknown[], T>(make: (...args: A) => T): (...args: A) => T {
  let key: string | null = null;
  let value: T;
  return (...args) => {
    const wanted = JSON.stringify(args);
    if (wanted !== key) {
      key = null;
      value = make(...args);
      key = wanted;
    }
    return value;
  };
}

const definition = latest((source: Source): Definition => readDefinition(source));
const engine = latest((source: Source) => new Engine(definition(source), HASH));
const pairs = latest((source: Source, run: Run) =>
  new Pairs(definition(source), JSON.stringify(run)));
const checker = latest((source: Source, seed: number) =>
  new Checker(definition(source), seed));
let weighing: Weighing;
/** Number of the call that runs. */
let current = 0;

const tasks = {
  ready: () => true,
  /** Does whatever the page does with a definition and a game, to see that it works in time. */
  trial(source: Source, start: string, moves: string, pgn?: string) {
    const read = definition(source);
    const play = pgn === undefined ? new Play(read, start) : Play.pgn(read, pgn);
    play.read(moves);
    play.board(false);
    read.sprites();
    read.info();
    read.estimates();
    return JSON.parse(play.state()) as State;
  },
  variants: (text: string) => variantsOf(text),
  fromIni: (text: string, variant: string) => Definition.read(text, "ini", variant).toml(),
  search(source: Source, start: string, uci: string, limits: Limits) {
    const onInfo = (info: string) => postMessage({ id: current, progress: JSON.parse(info) });
    return JSON.parse(engine(source).search(start, uci, JSON.stringify(limits), onInfo));
  },
  perft: (source: Source, depth: number) => checker(source, 1).perft(depth),
  walk: (source: Source, seed: number, games: number) =>
    JSON.parse(checker(source, seed).walk(games)),
  pair: (source: Source, run: Run, pair: number) => pairs(source, run).play(pair),
  weigh(source: Source, run: Run) {
    weighing = new Weighing(definition(source), JSON.stringify(run));
    return weighing.id();
  },
  add(games: Uint8Array[]) {
    for (const pair of games) weighing.add(pair);
    return weighing.games();
  },
  table: () => JSON.parse(weighing.table()),
  page: () => weighing.page(),
  report: () => weighing.report(),
  pgn: () => weighing.pgn(),
};

let loaded: Promise<unknown>;

onmessage = async ({ data }) => {
  if (data.module) {
    loaded = load(data.module);
    return;
  }
  try {
    await loaded;
    current = data.id;
    const task = tasks[data.task as keyof typeof tasks] as (...args: unknown[]) => unknown;
    postMessage({ id: data.id, value: task(...data.args) });
  } catch (error) {
    const fatal = error instanceof WebAssembly.RuntimeError;
    const fault = fatal ? { message: `Assay has failed: ${error.message}` } : faultOf(error);
    postMessage({ id: data.id, fault: { ...fault, message: fault.message }, fatal });
  }
};
