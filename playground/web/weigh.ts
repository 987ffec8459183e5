// Weigh: what pieces are worth, by games that the page plays.
import {
  type Estimate, type Run, type Source, type Table, faultText, readDefinition, weighingText,
} from "./api.ts";
import type { App, Section } from "./app.ts";
import { ask, button, count, download, field, fill, h, s, select, whole } from "./dom.ts";
import { remember, remembered } from "./store.ts";
import { Weigher } from "./weigher.ts";

/** What stays when the page is closed. */
const DEFAULTS = { what: "game", moves: "BN", board: "8x8", games: 2000, nodes: 400, seed: 1 };

const BOARDS = ["8x8", "10x8", "10x10", "12x10"].map(board =>
  [board, board.replace("x", " × ")] as [string, string]);

/** A row of the chart: an interval with its middle, and the inventor's number. */
type Bar = Pick<Table["rows"][0], "piece" | "value" | "low" | "high"> &
  { published?: number | null; verdict?: string };

/** Makes the section. */
export function weighSection(app: App): Section {
  let weigher: Weigher | null = null;
  let turn = 0;
  let asked = false;
  const set = { ...DEFAULTS, ...remembered<typeof DEFAULTS>("weigh") };
  const keep = (changes: Partial<typeof DEFAULTS>) => {
    remember("weigh", Object.assign(set, changes));
    piece.hidden = set.what === "game";
    if ("games" in changes) paint(); else void renew();
  };
  const what = select([["game", "all pieces of this game"], ["piece", "one piece, by its moves"]],
    set.what, value => keep({ what: value }));
  const moves = h("input", {
    type: "text", value: set.moves, spellcheck: false,
    onchange: () => keep({ moves: moves.value.trim() }),
  });
  const board = select(BOARDS, set.board, value => keep({ board: value }));
  const piece = h("div.fields", { hidden: set.what === "game" }, field("Its moves (XBetza)", moves),
    field("Board", board));
  const numeric = (key: "games" | "nodes" | "seed", min: number, max: number) => h("input", {
    type: "number", value: String(set[key]), min: String(min), max: String(max),
    [key === "games" ? "oninput" : "onchange"]: ({ target }: Event) => {
      const { value } = target as HTMLInputElement;
      const number = value === "" ? DEFAULTS[key] : Math.round(Number(value));
      keep({ [key]: Math.max(min, Math.min(max, number)) });
    },
  });
  const games = numeric("games", 2, 1_000_000);
  const setGames = (number: number) => {
    games.value = String(number);
    keep({ games: number });
  };
  const start = button("", () => {
    // A click that ends the change of a field comes before the run of the new settings is ready.
    if (!weigher) asked = true;
    else if (weigher.running) void weigher.stop(); else void weigher.start(wanted());
  }, "primary");
  const more = button("", () => {
    setGames(weigher!.target * 2);
    void weigher!.start(wanted());
  }, "primary");
  const forget = button("Begin anew", async () => { await weigher?.forget(); await renew(); });
  const report = button("Report", () => void showReport());
  const save = async (ending: string, task: "pgn" | "page" | "report", type = "text/plain") => {
    if (weigher) download(`${app.info.name}-weighed.${ending}`, await weigher.text(task), type);
  };
  const pgn = button("Save games", () => save("pgn", "pgn"));
  const bar = h("progress", { max: 1, ariaLabel: "Progress" });
  const progress = h("p.note", { role: "status" });
  const fault = h("p.error", { role: "alert" });
  const result = h("div.group");
  const guess = h("div");
  const estimate = h("details", {}, h("summary", {}, "Estimate from the moves"),
    h("p", {}, "No game has been played for it. It is often wrong by a quarter."), guess);
  const element = h("div", {},
    h("h2", {}, "What is it worth?"),
    h("p", {}, "Assay plays games against itself with unequal armies, and sees which pieces " +
      "decide them. The intervals hold with 95% confidence."),
    h("div.fields.two", {}, field("What to weigh", what), field("Games", games)), piece,
    h("details", {}, h("summary", {}, "More settings"), h("div.fields", {},
      field("Nodes for each move", numeric("nodes", 1, 1_000_000), "more: stronger play, slower"),
      field("Seed", numeric("seed", 0, 2 ** 32), "the same seed gives the same games"))),
    h("div.row", {}, start, more, report, pgn, forget), bar, progress, fault, result, estimate);

  const wanted = () => 2 * Math.ceil(set.games / 2);
  const source = (): Source => set.what === "game" ? app.source
    : { text: weighingText([set.moves], set.board) };

  /** Looks at another game or with other settings: first at what is kept. */
  async function renew(): Promise<void> {
    const current = ++turn;
    weigher?.close();
    weigher = null;
    fault.textContent = "";
    fill(result);
    estimate.hidden = true;
    paint();
    try {
      const given = source();
      const run: Run = { seed: set.seed, nodes: set.nodes };
      if (set.what === "piece") await app.ask("trial", [given, "", ""]);
      if (current !== turn) return;
      const definition = set.what === "game" ? app.definition : readDefinition(given);
      paintEstimates(JSON.parse(definition.estimates()));
      const made = new Weigher(app.module, given, run, () => { if (weigher === made) paint(); });
      await made.restore();
      if (current !== turn) return made.close();
      weigher = made;
      if (asked) void made.start(wanted()); else if (made.target) setGames(made.target);
    } catch (error) {
      if (current !== turn) return;
      fault.textContent = faultText(error);
    }
    asked = false;
    paint();
  }

  function paint(): void {
    const played = weigher?.games ?? 0;
    const running = weigher?.running ?? false;
    const target = running ? weigher!.target : wanted();
    start.hidden = !running && played >= target;
    start.textContent = running ? "Stop" : played ? "Continue" : `Play ${count(target, "game")}`;
    more.hidden = running || !played || played < target;
    more.textContent = `Play ${whole(2 * target)} in all`;
    report.hidden = pgn.hidden = forget.hidden = running || !played;
    bar.hidden = !played && !running;
    bar.value = Math.min(1, played / target);
    progress.textContent = !played && !running ? "" : [
      `${whole(played)} of ${count(target, "game")}`,
      running && weigher!.rate > 0 && `${weigher!.rate.toFixed(1)} games a second`,
      running && weigher!.rate > 0 && left((target - played) / weigher!.rate),
      !running && played < target && "kept in this browser",
    ].filter(Boolean).join(", ");
    if (weigher) fault.textContent = running ? "" : weigher.message;
    if (weigher?.table) paintTable(weigher.table);
  }

  function paintEstimates(estimates: Estimate[]): void {
    estimate.hidden = !estimates.length;
    estimate.open = true;
    if (estimates.length) fill(guess, chart(estimates, estimates[0]!.unit));
  }

  function paintTable(table: Table): void {
    if (!result.firstChild) estimate.open = false;
    fill(result, h("h3", {}, `Measured from ${count(table.games, "game")}`),
      h("p", {}, table.answer), chart(table.rows, table.unit),
      ...table.remarks.map(text => h("p", {}, text)));
  }

  async function showReport(): Promise<void> {
    if (!weigher) return;
    const { games: of } = weigher;
    const frame = h("iframe", { title: "Report" });
    // The report's own script runs, without access to this page.
    frame.setAttribute("sandbox", "allow-scripts");
    frame.srcdoc = await weigher.text("page");
    await ask<never>(`Report of ${count(of, "game")}`, () => [h("div.row", {},
      button("Save page", () => save("html", "page", "text/html")),
      button("Save text", () => save("txt", "report"))), frame], "report");
  }

  let stale = true;
  const renewIfShown = () => {
    if (stale && app.tab === "weigh") {
      stale = false;
      void renew();
    }
  };
  app.on("game", () => { stale = true; renewIfShown(); });
  paint();
  return { id: "weigh", title: "Weigh", element, open: renewIfShown };
}

function left(seconds: number): string {
  const [number, unit] = seconds < 90 ? [seconds, "second"] : [seconds / 60, "minute"];
  return `${count(Math.ceil(number), unit)} left`;
}

const numberText = (value: number): string => value >= 1000 ? whole(value) : value.toFixed(2);

/** A table whose rows have bars. */
function chart(bars: Bar[], unit: string): HTMLElement {
  const top = Math.max(...bars.flatMap(({ value, high, published }) =>
    [Math.min(high ?? value, 2 * value), published ?? 0])) * 1.05;
  const x = (value: number) => Math.max(0, Math.min(100, value / top * 100));
  const published = bars.some(bar => typeof bar.published === "number");
  const row = (bar: Bar) => {
    const { low, high, value } = bar;
    const error = low !== null && high !== null ? ` ± ${numberText((high - low) / 2)}` : "";
    const line = (kind: string, from: number, to: number, y: number) => s("line", {
      class: kind, x1: `${x(from)}%`, x2: `${x(to)}%`, y1: 14 - y, y2: 14 + y,
    });
    const picture = s("svg", { class: "interval", "aria-hidden": "true" }, line("axis", 0, top, 0),
      low !== null && high !== null && line("range", low, high, 0),
      s("circle", { class: "dot", cx: `${x(value)}%`, cy: 14, r: 5 }),
      typeof bar.published === "number" && line("published", bar.published, bar.published, 10));
    return h("tr", {}, h("th", { scope: "row" }, bar.piece),
      published && h("td.number.published", {}, bar.published ? numberText(bar.published) : ""),
      h("td.number", {}, h("b", {}, numberText(value)), h("span.soft", {}, error)),
      h("td.chart", {}, picture), bar.verdict && h("td.verdict", {}, bar.verdict));
  };
  return h("div.group", {}, h("table.values", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Piece"),
      published && h("th.number", { scope: "col" }, "Published"),
      h("th.number", { scope: "col" }, "Value"),
      h("th", { scope: "col" }, "Interval ", published && h("span.key", {}, "published")),
      bars.some(({ verdict }) => verdict) && h("th", { scope: "col" }, "Verdict"))),
    h("tbody", {}, ...bars.map(row))), h("p.note", {}, `Scale: ${unit}.`));
}
