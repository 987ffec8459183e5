// Check: what the definition says, and whether both move generators agree on it.
import { type Walk, faultText } from "./api.ts";
import type { App, Section } from "./app.ts";
import { button, fill, h, whole } from "./dom.ts";
import { Remote } from "./remote.ts";

/** Depths that are counted, and games that are played. */
const DEPTH = 4;
const GAMES = 200;
/** Games of one call: then progress is shown. */
const BATCH = 5;

/** Makes the section. */
export function checkSection(app: App): Section {
  const remote = new Remote(app.module);
  const rules = h("ul.rules");
  const suspicions = h("div");
  const counts = h("tbody");
  const bar = h("progress", { max: GAMES, hidden: true, ariaLabel: "Random games" });
  const result = h("p", { role: "status" });
  const report = h("pre");
  const countButton = button("Count moves", () => run(perft));
  const walkButton = button(`Play ${GAMES} random games`, () => run(walk));
  const stop = h("button", { hidden: true, onclick: () => remote.stop() }, "Stop");
  const table = h("table", { hidden: true },
    h("thead", {}, h("tr", {}, ...["Depth", "Positions", "Seconds"]
      .map(text => h("th.number", { scope: "col" }, text)))), counts);
  const element = h("div", {},
    h("h2", {}, "What the rules say"), suspicions, rules,
    h("h3", {}, "Do both move generators agree?"),
    h("p", {}, "Assay has two, written apart. Random games compare their moves, results and keys " +
      "at every position. Counts of positions (perft) can be compared with other programs."),
    h("div.row", {}, walkButton, countButton, stop), bar, result, report, table);

  async function perft(): Promise<void> {
    fill(counts);
    table.hidden = false;
    for (let depth = 1; depth <= DEPTH; depth++) {
      result.textContent = `Counts to depth ${depth}`;
      const begin = performance.now();
      const nodes = await remote.call<number>("perft", [app.source, depth]);
      const seconds = (performance.now() - begin) / 1000;
      counts.append(h("tr", {}, ...[String(depth), whole(nodes), seconds.toFixed(2)]
        .map(text => h("td.number", {}, text))));
    }
    result.textContent = "Counted from the start position, with the engine's generator.";
  }

  async function walk(): Promise<void> {
    const seed = Math.floor(Math.random() * 1e6);
    let walked: Walk = { games: 0, agree: true, text: "" };
    report.textContent = "";
    bar.hidden = false;
    while (walked.games < GAMES && walked.agree) {
      bar.value = walked.games;
      result.textContent = `${walked.games} of ${GAMES} games`;
      walked = await remote.call<Walk>("walk", [app.source, seed, BATCH]);
    }
    result.textContent = walked.agree ? "The generators agree." : "The generators differ.";
    report.textContent = walked.text;
  }

  async function run(work: () => Promise<void>): Promise<void> {
    walkButton.disabled = countButton.disabled = true;
    stop.hidden = false;
    try { await work(); } catch (error) { result.textContent = faultText(error); }
    walkButton.disabled = countButton.disabled = false;
    bar.hidden = stop.hidden = true;
  }

  app.on("game", () => {
    remote.interrupt();
    fill(rules, ...app.info.rules.map(rule => h("li", {}, rule)));
    const found = app.info.suspicions.map(text => h("li", {}, text));
    fill(suspicions, found.length > 0 && h("div.fault", {},
      h("p", {}, "You may not have meant this:"), h("ul", {}, ...found)));
    fill(counts);
    report.textContent = "";
    table.hidden = true;
    result.textContent = "";
  });
  return { id: "check", title: "Check", element };
}
