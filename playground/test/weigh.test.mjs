// Check, Weigh and Share.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { WIDTHS, again, alone, atWidths, button, eventually, fitsWidth, move, moves, open, square, tab, useBrowser }
  from "./browser.mjs";

useBrowser();

const progress = page => page.locator("#weigh p[role=status]").textContent();
const played = async page => Number(/^([\d,]+) of/.exec(await progress(page))?.[1].replace(/,/g, "") ?? 0);
/** Opens Weigh and sets a number of games, of 20 nodes a move. */
async function settings(page, games) {
  await tab(page, "Weigh");
  await page.getByLabel("Games", { exact: true }).fill(String(games));
  await page.locator("#weigh details").first().evaluate(details => { details.open = true; });
  await page.getByLabel("Nodes for each move").fill("20");
}
const values = page => page.locator("#weigh table.values").first().locator("tbody tr").allTextContents();

test("check: sentences, perft, random games and stop", t => atWidths(t, async page => {
  await tab(page, "Check");
  assert.ok(await page.locator("#check .rules li").count() > 4);
  await button(page, "Count moves").click();
  await eventually(async () => /197,281/.test(await page.locator("#check table").textContent()));
  await button(page, "Play 200 random games").click();
  await button(page, "Stop").click();
  await eventually(async () => /Stopped/.test(await page.locator("#check p[role=status]").textContent()));
}));

test("weigh: estimate, games, table; a report opens, its script runs, and cannot reach the page", async t => {
  const page = await again(t);
  const fits = async () => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await fitsWidth(page);
    }
  };
  await settings(page, 60);
  await page.keyboard.press("Tab");
  await page.getByText("Estimate from the moves").waitFor();
  await fits();
  await button(page, "Play 60 games").click();
  await eventually(async () => await played(page) === 60 && (await values(page)).length > 4, 60_000);
  await button(page, "Report").waitFor();
  await fits();
  await button(page, "Report").click();
  const frame = page.frameLocator("iframe");
  await frame.locator("h1").waitFor();
  const reached = await frame.locator("body").evaluate(() => {
    try { return String(parent.document.title); } catch { return "no"; }
  });
  assert.equal(reached, "no");
  await page.keyboard.press("Escape");
});

test("weigh: reload in the middle loses nothing, and gives the same values", async t => {
  const page = await open(t);
  await settings(page, 120);
  await page.keyboard.press("Tab");
  await button(page, "Play 120 games").click();
  await eventually(async () => await played(page) >= 20, 60_000);
  const before = await played(page);
  await page.reload();
  await eventually(async () => await played(page) >= before);
  await button(page, "Continue").click();
  await eventually(async () => await played(page) === 120, 60_000);
  await eventually(async () => /120 games/.test(await page.locator("#weigh h3").first().textContent()));
  const resumed = await values(page);
  await button(page, "Begin anew").click();
  await button(page, "Play 120 games").click();
  await eventually(async () => await played(page) === 120, 60_000);
  await eventually(async () => /120 games/.test(await page.locator("#weigh h3").first().textContent()));
  assert.deepEqual(await values(page), resumed);
});

/** The program, as the tests of the workspace have built it. */
const TUNER = process.env.ASSAY_TUNER ?? fileURLToPath(new URL("../../target/debug/assay-tuner", import.meta.url));

/** Games that are compared; 2,000 before a release. */
const GAMES = Number(process.env.ASSAY_GAMES ?? 200);
const COUNT = GAMES.toLocaleString("en");

test(`weigh: ${COUNT} games give the text that the command prints`, { skip: !existsSync(TUNER) && `no ${TUNER}` }, async t => {
  const page = await open(t);
  await settings(page, GAMES);
  await page.keyboard.press("Tab");
  await button(page, `Play ${COUNT} games`).click();
  await eventually(async () => await played(page) === GAMES, 600_000);
  await button(page, "Report").click();
  const [saved] = await Promise.all([page.waitForEvent("download"), button(page, "Save text").click()]);
  const text = readFileSync(await saved.path(), "utf8").trim();
  const folder = mkdtempSync(join(tmpdir(), "assay-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const words = ["validate", "chess", "--games", String(GAMES), "--nodes", "20", "--seed", "1"];
  const printed = execFileSync(TUNER, words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  assert.ok(text.split("\n").length > 8, text);
  assert.equal(printed.slice(0, text.length), text);
});

test("weigh: a click right after a setting has been changed plays", async t => {
  const page = await open(t);
  await settings(page, 40);
  await button(page, "Play 40 games").click();
  await eventually(async () => await played(page) === 40, 60_000);
});

test("weigh: one piece by its moves, stopped in the middle", async t => {
  const page = await open(t);
  await settings(page, 2000);
  await page.getByLabel("What to weigh").selectOption("piece");
  await page.getByLabel("Its moves (XBetza)").fill("WD");
  await page.keyboard.press("Tab");
  await button(page, "Play 2,000 games").click();
  await eventually(async () => await played(page) >= 4, 60_000);
  await button(page, "Stop").click();
  await button(page, "Continue").waitFor();
});

test("share: a game of one's own by link", async t => {
  const text = `name = "z"\ntitle = "Shared chess"\nbase = "chess"\n[pieces.knight]\nmove = "NW"\n`;
  let link = "";
  await atWidths(t, async page => {
    assert.deepEqual(await moves(page), ["Nc3", "a6", "Nc4"]);
    await alone(page);
    await move(page, "a6", "a5");
    await tab(page, "Share");
    await button(page, "Copy link").click();
    link = await page.evaluate(() => navigator.clipboard.readText());
  }, { text, moves: "b1c3 a7a6 c3c4" });
  const other = await open(t, { hash: link.slice(link.indexOf("#")) });
  assert.deepEqual(await moves(other), ["Nc3", "a6", "Nc4", "a5"]);
  assert.equal(await other.locator("#title").textContent(), "Shared chess");
});

test("share: files and the embedded board", async t => {
  const page = await again(t, { moves: "e2e4" });
  await tab(page, "Share");
  const [png] = await Promise.all([page.waitForEvent("download"), page.locator(".copies", { hasText: "PNG" })
    .getByRole("button", { name: "Save" }).click()]);
  assert.equal(png.suggestedFilename(), "chess.png");
  await page.locator(".copies", { hasText: "FEN" }).getByRole("button", { name: "Copy" }).click();
  await eventually(async () => /4P3/.test(await page.evaluate(() => navigator.clipboard.readText())));
  await button(page, "Copy HTML").click();
  await eventually(async () => /<iframe/.test(await page.evaluate(() => navigator.clipboard.readText())));
  const html = await page.evaluate(() => navigator.clipboard.readText());
  const hash = /src="[^"#]*(#[^"]*)"/.exec(html)[1];
  const embedded = await open(t, { width: 400, hash });
  assert.equal(await embedded.getByRole("tab").count(), 0);
  assert.match(await square(embedded, "e4").getAttribute("aria-label"), /white pawn/);
  await button(embedded, "Back one move").click();
  assert.match(await square(embedded, "e4").getAttribute("aria-label"), /empty/);
});
