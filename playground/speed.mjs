// Compares the module in Chromium with the programs, one processor each, one after the other:
// `npm run speed [-- FOLDER]`, where FOLDER (../target/release) has `assay` and `assay-tuner`.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const folder = process.argv[2] ?? fileURLToPath(new URL("../target/release", import.meta.url));
const NODES = 2_000_000;
const GAMES = 200;
const ROUNDS = 3;

const server = await serve();
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"],
});
const page = await browser.newPage();
await page.goto(url);

/** Calls a task of a new worker many times. Returns the last progress, and the seconds without
 *  the start. */
const inBrowser = (task, calls) => page.evaluate(async ([name, all]) => {
  const bytes = await (await fetch("assay_playground_bg.wasm")).arrayBuffer();
  const worker = new Worker("worker.js", { type: "module" });
  worker.postMessage({ module: await WebAssembly.compile(bytes) });
  let progress = null;
  const call = (id, task, args) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if ("progress" in data) progress = data.progress;
      else if ("fault" in data) reject(new Error(data.fault.message));
      else resolve(data.value);
    };
    worker.postMessage({ id, task, args });
  });
  await call(0, "ready", []);
  const begin = performance.now();
  for (const [id, args] of all.entries()) await call(id + 1, name, args);
  const seconds = (performance.now() - begin) / 1000;
  worker.terminate();
  return { progress, seconds };
}, [task, calls]);

/** Nodes per second of the engine. */
async function searched(game) {
  const engine = spawn(join(folder, "assay"));
  engine.stdin.write(`setoption name Hash value 32\nsetoption name UCI_Variant value ${game}\nposition startpos\ngo nodes ${NODES}\n`);
  let last = "";
  for await (const line of createInterface(engine.stdout)) {
    if (/^info .* nps/.test(line)) last = line;
    if (line.startsWith("bestmove")) break;
  }
  engine.kill();
  return Number(/ nps (\d+)/.exec(last)[1]);
}

/** Games per second of `validate`, with its start and its end. */
function weighed(game) {
  const work = mkdtempSync(join(tmpdir(), "assay-"));
  const begin = performance.now();
  const words = ["validate", game, "--games", String(GAMES), "--nodes", "400", "--threads", "1"];
  execFileSync(join(folder, "assay-tuner"), words, { cwd: work, stdio: "ignore" });
  rmSync(work, { recursive: true });
  return GAMES / ((performance.now() - begin) / 1000);
}

async function compare(what, theirs, ours) {
  const ratios = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [program, module] = [await theirs(), await ours()];
    ratios.push(module / program);
    console.log(`${what}: program ${program.toFixed(1)}, module ${module.toFixed(1)}, ratio ${(module / program).toFixed(3)}`);
  }
  console.log(`${what}: median ratio ${ratios.sort()[ROUNDS >> 1].toFixed(3)}`);
}

for (const game of ["chess", "gamma2"]) {
  const source = { builtin: game };
  await compare(`${game}, nodes per second`, () => searched(game), async () => {
    const { progress } = await inBrowser("search", [[source, "", [], { nodes: NODES }]]);
    return progress.nodes / (progress.milliseconds / 1000);
  });
  const pairs = Array.from({ length: GAMES / 2 }, (_, pair) => [source, { seed: 1, nodes: 400 }, pair]);
  await compare(`${game}, games per second`, () => weighed(game),
    async () => GAMES / (await inBrowser("pair", pairs)).seconds);
}
await browser.close();
server.close();
