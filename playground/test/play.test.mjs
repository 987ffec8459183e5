// Play: as a person does, by mouse, touch and keyboard.
import assert from "node:assert/strict";
import { test } from "node:test";
import { WIDTHS, again, alone, atWidths, button, eventually, fitsWidth, move, moves, open, pack, square, tab, unfold,
  useBrowser, visit } from "./browser.mjs";

useBrowser();

test("a first move is answered", t => atWidths(t, async page => {
  await move(page, "e2", "e4");
  await eventually(async () => (await moves(page)).length === 2);
  assert.equal((await moves(page))[0], "e4");
}));

test("a game that was opened waits until Assay is asked, or somebody moves", async t => {
  const page = await open(t, { hash: await pack({ moves: "e2e4" }) });
  await page.getByLabel("Time for a move").selectOption("0.2");
  await page.waitForTimeout(500);
  assert.deepEqual(await moves(page), ["e4"]);
  await button(page, "Let Assay move").click();
  await eventually(async () => (await moves(page)).length === 2);
  await button(page, "Let Assay move").waitFor({ state: "hidden" });
  await move(page, "a2", "a3");
  await eventually(async () => (await moves(page)).length === 4);
});

test("drag, undo, new game, flip", async t => {
  const page = await open(t);
  await alone(page);
  await square(page, "g1").dragTo(square(page, "f3"));
  assert.deepEqual(await moves(page), ["Nf3"]);
  await square(page, "g8").dragTo(square(page, "g5"));
  assert.deepEqual(await moves(page), ["Nf3"]);
  assert.equal(await page.locator("#toast").textContent(), "");
  await button(page, "Undo").click();
  assert.deepEqual(await moves(page), []);
  const before = await square(page, "a1").boundingBox();
  await button(page, "Flip board").click();
  assert.ok((await square(page, "a1").boundingBox()).y < before.y);
  await move(page, "e2", "e4");
  assert.deepEqual(await moves(page), ["e4"]);
  await button(page, "New game").click();
  assert.deepEqual(await moves(page), []);
});

test("touch", async t => {
  const page = await open(t, { width: 390, touch: true });
  await square(page, "d2").tap();
  await square(page, "d4").tap();
  await eventually(async () => (await moves(page)).length === 2);
});

test("keyboard alone", async t => {
  const page = await open(t);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "tab");
  await page.keyboard.press("Tab");
  const label = () => page.evaluate(() => document.activeElement.ariaLabel);
  assert.match(await label(), /^a1, white rook/);
  for (const key of ["ArrowRight", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  assert.match(await label(), /^b2, white pawn/);
  for (const key of ["ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await eventually(async () => (await moves(page)).length === 2);
  assert.equal((await moves(page))[0], "b4");
  assert.match(await label(), /^b4, white pawn/);
  assert.match(await page.locator("#live").textContent(), /^1/);
});

test("arrow keys in the list of moves", async t => {
  const page = await again(t);
  await alone(page);
  await move(page, "e2", "e4");
  await move(page, "e7", "e5");
  await page.locator(".movelist").focus();
  await page.keyboard.press("ArrowLeft");
  assert.match(await square(page, "e5").getAttribute("aria-label"),
    /empty/);
  await page.keyboard.press("End");
  assert.match(await square(page, "e5").getAttribute("aria-label"), /black pawn/);
});

test("promotion by a dialog, mate with its result", async t => {
  const page = await again(t, { start: "k7/3P4/1K6/8/8/8/8/8 w - - 0 1" });
  await alone(page);
  await move(page, "d7", "d8");
  await page.getByRole("dialog").getByRole("button", { name: "rook" }).click();
  await eventually(async () => (await page.locator(".status").textContent()).startsWith("1-0"));
  assert.match(await page.locator(".status").textContent(), /mate/i);
});

test("FEN and PGN in and out", async t => {
  const page = await again(t);
  await alone(page);
  await unfold(page);
  await page.getByLabel("Game (PGN)").fill("1. e4 e5 2. Nf3 Nc6 *");
  await button(page, "Read game").click();
  await eventually(async () => (await moves(page)).length === 4);
  await button(page, "Copy PGN").click();
  await eventually(async () =>
    /2\. Nf3 Nc6/.test(await page.evaluate(() => navigator.clipboard.readText())));
  await page.getByLabel("Position (FEN)").fill("nonsense");
  await button(page, "Set position").click();
  await eventually(async () => (await page.locator("#play .error").first().textContent()).length > 10);
  await page.getByLabel("Position (FEN)").fill("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  await button(page, "Set position").click();
  await move(page, "e1", "g1");
  assert.deepEqual(await moves(page), ["O-O"]);
});

test("a position is set up on the board", t => atWidths(t, async page => {
  await alone(page);
  await unfold(page);
  await button(page, "Set up on the board").click();
  // A queen away, castling away with the rook, and a knight for Black.
  await square(page, "d1").dragTo(page.locator("#title"));
  await button(page, "Clear squares").click();
  await square(page, "h1").click();
  await page.getByRole("button", { name: "black knight" }).click();
  await square(page, "d4").click();
  await page.getByLabel("To move").selectOption("b");
  await fitsWidth(page);
  assert.equal(await page.getByLabel("FEN", { exact: true }).inputValue(),
    "rnbqkbnr/pppppppp/8/8/3n4/8/PPPPPPPP/RNB1KBN1 b Qkq - 0 1");
  await button(page, "Play from here").click();
  await move(page, "d4", "c2");
  assert.deepEqual(await moves(page), ["Nxc2+"]);
  // Without kings there is no position.
  await button(page, "Set up on the board").click();
  await button(page, "Empty board").click();
  await button(page, "Play from here").click();
  assert.match(await page.locator("#play [role=alert]").allTextContents().then(texts => texts.join()), /king/);
  await button(page, "Cancel").click();
  assert.equal((await moves(page)).length, 1);
}));

test("evaluation with several lines; the engine is stopped in the middle", async t => {
  const page = await open(t);
  await page.getByLabel("Show evaluation").check();
  await page.getByLabel("Best lines").selectOption("3");
  await eventually(async () => await page.locator(".lines li").count() === 3);
  await page.getByLabel("Time for a move").selectOption("30");
  await page.getByLabel(/^Strength/).press("End");
  await move(page, "e2", "e4");
  await button(page, "Move now").waitFor();
  // The page answers while the engine thinks.
  await button(page, "Flip board").click();
  const begin = Date.now();
  await button(page, "Move now").click();
  await eventually(async () => (await moves(page)).length === 2);
  assert.ok(Date.now() - begin < 2000);
  await move(page, "g1", "f3");
  await button(page, "Undo").click();
  await eventually(async () => (await moves(page)).length < 3);
});

test("drops from the pocket, by click and by drag", async t => {
  const start = "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Pq] w KQkq - 0 1";
  const page = await again(t, { game: "crazyhouse", start });
  await alone(page);
  await page.getByRole("button", { name: /^white pawn in hand/ }).click();
  await square(page, "e4").click();
  await page.getByRole("button", { name: /^black queen in hand/ }).dragTo(square(page, "d5"));
  assert.deepEqual(await moves(page), ["P@e4", "Q@d5"]);
});

test("a random start of many", async t => {
  const page = await again(t, { game: "fischerandom" });
  await alone(page);
  const starts = new Set();
  for (let draw = 0; draw < 4; draw++) {
    await button(page, "Random start").click();
    starts.add(await page.getByLabel("Start position").inputValue());
  }
  assert.ok(starts.size > 1);
  assert.equal(await page.getByLabel("Start position").locator("option").count(), 960);
});

test("gating by a dialog, walls by a second click", async t => {
  const page = await again(t, { game: "seirawan" });
  await alone(page);
  await move(page, "b1", "c3");
  await page.getByRole("dialog").getByRole("button", { name: /hawk/ }).click();
  await eventually(async () => (await moves(page)).length === 1);
  assert.match(await square(page, "b1").getAttribute("aria-label"), /white hawk/);
  await visit(page, await pack({ game: "duck" }));
  await move(page, "e2", "e4");
  assert.deepEqual(await moves(page), []);
  await square(page, "e5").click();
  assert.equal((await moves(page)).length, 1);
  assert.match(await square(page, "e5").getAttribute("aria-label"), /wall/);
});

test("the page begins within a second and works offline afterwards", async t => {
  const page = await open(t);
  const start = await page.evaluate(() => performance.getEntriesByName("playable")[0].startTime);
  t.diagnostic(`${Math.round(start)} ms from opening the page to the first legal move`);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await eventually(() => page.evaluate(() => navigator.serviceWorker.controller !== null));
  await page.context().setOffline(true);
  await page.reload();
  await square(page, "e2").waitFor();
  await tab(page, "Share");
  await page.context().setOffline(false);
});

test("Undo brings back the game that another took the place of", async t => {
  const page = await open(t);
  await alone(page);
  await unfold(page);
  const restored = async expected => {
    await button(page, "Undo new game").click();
    assert.deepEqual(await moves(page), expected);
  };
  await button(page, "New game").click();
  assert.equal(await button(page, "Undo").isDisabled(), true);
  await move(page, "e2", "e4");
  await button(page, "New game").click();
  assert.deepEqual(await moves(page), []);
  assert.match(await page.locator("#toast").textContent(), /Undo/);
  await restored(["e4"]);
  await page.getByLabel("Position (FEN)").fill("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
  await button(page, "Set position").click();
  // One after the other: moves, then the games before.
  await move(page, "h1", "h7");
  await page.getByLabel("Game (PGN)").fill("1. d4 d5 *");
  await button(page, "Read game").click();
  await eventually(async () => (await moves(page)).length === 2);
  await restored(["Rh7"]);
  await button(page, "Undo").click();
  await restored(["e4"]);
  await button(page, "Undo").click();
  assert.equal(await button(page, "Undo").isDisabled(), true);
  await move(page, "d2", "d4");
  await page.locator("#title").click();
  await page.getByLabel("Search games").fill("fischerandom");
  await page.locator(".card:visible").click();
  await button(page, "Random start").click();
  await restored(["d4"]);
  assert.match(await page.locator("#title").textContent(), /^Orthodox/);
  assert.equal(await page.getByLabel("Start position").isVisible(), false);
  // Assay's first move is none of one's own.
  await page.getByLabel("Assay plays").selectOption("white");
  await button(page, "New game").click();
  await eventually(async () => (await moves(page)).length === 1);
  await restored(["d4"]);
});

test("the browser goes back to the section before, and a reload stays; the link stays", async t => {
  const hash = await pack({ moves: "e2e4" });
  const page = await open(t, { hash });
  const at = async (section, part) => {
    await page.locator(`#tab-${section}[aria-selected=true]`).waitFor();
    assert.equal(new URL(page.url()).hash, part);
  };
  for (const section of ["Game", "Weigh", "Weigh"]) await tab(page, section);
  await page.reload();
  await at("weigh", hash);
  await page.goBack();
  await at("game", hash);
  await page.goBack();
  await at("play", hash);
  await page.goForward();
  await at("game", hash);
  await tab(page, "Play");
  await alone(page);
  await move(page, "e7", "e5");
  await at("play", "");
  // What has been played since stays on the board, whatever the address was.
  await page.goBack();
  await at("game", "");
  await page.goForward();
  await at("play", "");
  assert.deepEqual(await moves(page), ["e4", "e5"]);
  const other = await pack({ moves: "d2d4", tab: "share" });
  await visit(page, other);
  await at("share", other);
  await page.goBack();
  await at("play", other);
});

test("the evaluation bar is as tall as the squares", async t => {
  const page = await again(t);
  await page.getByLabel("Show evaluation").check();
  const boxes = squares => page.evaluate(names => [".bar", ...names.map(name => `.squares [aria-label^="${name}, "]`)]
    .map(selector => document.querySelector(selector).getBoundingClientRect().toJSON()), squares);
  for (const [game, first, last] of [["chess", "a1", "a8"], ["xiangqi", "a1", "a10"], ["gamma2", "a1", "a8"],
    ["courier", "a1", "a8"], ["omicron", "a1", "a10"]]) {
    await visit(page, await pack({ game }));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await fitsWidth(page);
      const [bar, low, high] = await boxes([first, last]);
      assert.ok(Math.abs(bar.top - high.top) < 2 && Math.abs(bar.bottom - low.bottom) < 2 && bar.left >= 0 &&
        bar.right < low.left, `${game}, ${width}: ${JSON.stringify([bar, low, high])}`);
    }
  }
  await page.getByLabel("Show evaluation").uncheck();
});

test("one game of a PGN of several", async t => {
  const page = await again(t);
  await alone(page);
  await unfold(page);
  const game = (white, result, text) =>
    `[Event "Cup \\"A\\""]\n[White "${white}"]\n[Black "Z"]\n[Result "${result}"]\n\n${text} ${result}\n\n`;
  const games = [game("X", "1-0", "1. e4 {one (of two)} e5"), game("Y", "0-1", "1. d4 (1. c4 --) d5"),
    game("W", "*", "1. e4 e6 2. Ke3")];
  const choose = async name => {
    await page.getByLabel("Game (PGN)").fill(games.join(""));
    await button(page, "Read game").click();
    await page.getByRole("dialog").getByRole("button", { name }).click();
  };
  await choose('X – Z 1-0, Cup "A"');
  await eventually(async () => (await moves(page)).join() === "e4,e5");
  assert.equal(await page.locator("#toast").textContent(), "");
  await choose('Y – Z 0-1, Cup "A"');
  await eventually(async () => (await moves(page)).join() === "d4,c4,d5");
  assert.match(await page.locator("#toast").textContent(), /no legal move: 1/);
  await choose('W – Z *, Cup "A"');
  await eventually(async () => /^Line 20/.test(await page.locator("#play .error").nth(1).textContent()));
});

test("variations", async t => {
  const page = await again(t);
  await alone(page);
  await unfold(page);
  await page.getByLabel("Game (PGN)").fill("1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 2. Nf3 *");
  await button(page, "Read game").click();
  const shown = () => page.locator(".movelist [aria-current]").allTextContents();
  const text = () => page.locator(".movelist").textContent();
  await eventually(async () => /1\.e4.*1\.d4.*d5.*1\.\.\.Nf6.*2\.c4.*2\.c4.*1\.\.\.e5.*2\.Nf3/.test(await text()));
  assert.deepEqual(await shown(), ["Nf3"]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await fitsWidth(page);
  }
  // Another move in the middle begins a variation, and its end is taken back alone.
  await button(page, "e5").click();
  assert.equal(await button(page, "Make main line").isVisible(), false);
  await move(page, "f2", "f4");
  await move(page, "e5", "f4");
  assert.deepEqual(await shown(), ["exf4"]);
  await button(page, "Undo").click();
  assert.deepEqual([await shown(), (await moves(page)).length], [["f4"], 9]);
  await page.locator(".movelist").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await shown(), ["e4"]);
  // A variation of a variation comes to the top step by step.
  await button(page, "Nf6").click();
  await button(page, "Make main line").click();
  await button(page, "Make main line").click();
  assert.equal(await button(page, "Make main line").isVisible(), false);
  await button(page, "Copy PGN").click();
  const pgn = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(pgn.replace(/\s+/g, " "),
    /1\. d4 \(1\. e4 e5 2\. Nf3 \(2\. f4\)\) 1\.\.\. Nf6 \(1\.\.\. d5 2\. c4\) 2\. c4 \*/);
  // A link has all of it.
  await tab(page, "Share");
  const link = page.getByLabel("Link", { exact: true });
  await eventually(async () => (await link.inputValue()).includes("#1"));
  await visit(page, new URL(await link.inputValue()).hash);
  await tab(page, "Play");
  assert.deepEqual([await shown(), (await moves(page)).length], [["Nf6"], 9]);
});
