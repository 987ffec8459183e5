// Hostile definitions, links, files: nothing is executed, nothing hangs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { again, alone, button, eventually, move, moves, open, pack, square, tab, unfold, useBrowser, visit }
  from "./browser.mjs";

useBrowser();

const XSS = `<img src=x onerror=alert(1)><script>alert(2)</script>"><svg onload=alert(3)>`;
const game = (more, head = "") =>
  `name = "h"\ntitle = ${JSON.stringify(XSS)}\nbase = "chess"\nsource = ${JSON.stringify(XSS)}\n${head}\n${more}\n`;

/** Definitions that are shown, with markup wherever a text may stand. */
const SHOWN = {
  "title and source": game(""),
  "names of pieces": game(`[pieces.knight]\nname = ${JSON.stringify(XSS)}\n`),
  "keys of pieces": game(`[pieces.${JSON.stringify(XSS)}]\nletter = "X"\nmove = "W"\n`),
  "titles of starts": game(`[[starts]]\nid = "1"\ntitle = ${JSON.stringify(XSS)}\n` +
    `fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"\n`),
};

/** Texts that must be refused, or read, in time. */
const TEXTS = {
  "a board of a billion squares": game("[board]\nfiles = 1000000000\nranks = 1000000000\n"),
  "a board of 16 by 16": game("[board]\nfiles = 16\nranks = 16\n"),
  "a negative board": game("[board]\nfiles = -1\nranks = 8\n"),
  "deep nesting of arrays": `x = ${"[".repeat(100_000)}`,
  "deep nesting of tables": `x = ${"{a=".repeat(50_000)}`,
  "deep dotted keys": `${"a.".repeat(50_000)}a = 1`,
  "deep parentheses in moves": game(`[pieces.knight]\nmove = "${"(".repeat(100_000)}"`),
  "deep bent rides": game(`[pieces.knight]\nmove = "${"y".repeat(5000)}aaaaaaaaaaaaaaaaaK"`),
  "many steps": game(`[pieces.knight]\nmove = "${"a".repeat(40)}Q"`),
  "moves of a megabyte": game(`[pieces.knight]\nmove = "${"WFNDAHCZG".repeat(100_000)}"`),
  "a thousand pieces": game([...Array(1000).keys()].map(n => `[pieces.p${n}]\nletter = "X"\nmove = "W"`)
    .join("\n")),
  "itself as its base": `name = "h"\ntitle = "h"\nbase = "h"\n`,
  "control characters": game("[pieces.knight]\nname = \"\\u0000\\u202e\"\n"),
  "an empty text": "",
  "no TOML": "{\"a\": [1, 2]}",
  "a huge number": game("[endings]\nmove-rule = 99999999999999999999999999\n"),
  "a path as its base": `name = "h"\ntitle = "h"\nbase = "../../etc/passwd"\n`,
  "a start with 10,000 pieces in hand": game(`[[starts]]\nid = "1"\ntitle = "t"\n` +
    `fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[${"Q".repeat(10_000)}] w - - 0 1"`),
  "ten thousand starts": game([...Array(10_000).keys()].map(n => `[[starts]]\nid = "${n}"\ntitle = "t"\n` +
    `fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"`).join("\n")),
  "a repeated key": game("[pieces.knight]\nmove = \"W\"\nmove = \"F\"\n"),
  "a title of a megabyte": `name = "h"\ntitle = "${"t".repeat(1_000_000)}"\nbase = "chess"\n`,
  "letters of two bytes": game("[pieces.knight]\nletter = \"\u00c4\"\nmove = \"W\"\n"),
  "lone surrogates": game("[pieces.knight]\nname = \"\\ud800\"\n"),
  "a long FEN": game(`[[starts]]\nid = "1"\ntitle = "t"\nfen = "${"9".repeat(100_000)}"`),
};

const HASHES = {
  "garbage": "#1%%%%",
  "garbage base64": "#1!!!!not-base64!!!!",
  "another version": "#9abc",
  "random bytes": `#1${Buffer.from([...Array(500).keys()].map(n => n * 7 % 256)).toString("base64url")}`,
};

/** What a script says by accident. */
const ACCIDENT = /undefined|null|TypeError|not a function|not iterable|\[object/;

test("markup is text in every section", async t => {
  for (const [name, text] of Object.entries(SHOWN)) {
    const page = await again(t, { text });
    if (await page.getByRole("dialog").isVisible()) await page.keyboard.press("Escape");
    for (const section of ["Play", "Game", "Pieces", "Check", "Weigh", "Share"]) await tab(page, section);
    // Scripts would run now.
    await page.waitForTimeout(100);
    assert.equal(await page.locator("img, main script, [onerror], [onload]").count(), 0, name);
  }
});

test("hostile texts leave the page responsive", async t => {
  const page = await again(t);
  for (const [name, text] of Object.entries(TEXTS)) {
    const hash = await pack({ text });
    const begin = Date.now();
    await page.evaluate(hash => { location.hash = hash; }, hash);
    // Both ends within three seconds: refused with a sentence, or shown.
    await eventually(async () => await page.getByRole("dialog").isVisible() ||
      !/^Orthodox chess$/.test(await page.locator("#title").textContent()), 5000)
      .catch(() => assert.fail(`${name}: no answer`));
    const late = Date.now() - begin;
    assert.ok(late < 3500, `${name}: ${late} ms`);
    if (await page.getByRole("dialog").isVisible()) {
      const said = await page.getByRole("dialog").textContent();
      assert.ok(said.length > 30 && !ACCIDENT.test(said), `${name}: ${said}`);
      await page.keyboard.press("Escape");
    } else {
      await page.evaluate(hash => { location.hash = hash; }, await pack({ game: "chess", tab: name }));
      await eventually(async () => /^Orthodox chess$/.test(await page.locator("#title").textContent()));
      assert.equal(await page.getByRole("dialog").count(), 0, name);
    }
  }
  await alone(page);
  await move(page, "e2", "e4");
  assert.deepEqual(await moves(page), ["e4"]);
});

test("a link of garbage is refused, and chess can be played", async t => {
  const page = await open(t, { hash: HASHES.garbage });
  for (const [name, hash] of Object.entries(HASHES)) {
    if (hash !== HASHES.garbage) await visit(page, hash);
    assert.equal(await page.getByRole("dialog").isVisible(), true, name);
    await page.keyboard.press("Escape");
    await alone(page);
    await button(page, "New game").click();
    await move(page, "e2", "e4");
    assert.deepEqual(await moves(page), ["e4"], name);
  }
});

test("a link that unpacks to a gigabyte is refused at once", async t => {
  // 64 MB of zeros pack to 64 KB; their stream is cut off at the limit.
  const hash = await pack("0".repeat(64 << 20));
  const begin = Date.now();
  const page = await open(t, { hash });
  await page.getByRole("dialog").waitFor();
  assert.match(await page.getByRole("dialog").textContent(), /too long/);
  assert.ok(Date.now() - begin < 5000);
});

test("links whose parts are of wrong types or not legal", async t => {
  const links = [[], null, 5, "x", { text: 5 }, { game: "../../x" }, { game: XSS }, { moves: "e2e5" },
    { start: XSS }, { moves: "e2e4 ".repeat(100_000) }, { at: -5, moves: "e2e4" }, { at: 1e9 },
    { moves: "(".repeat(100_000) }, { moves: ")" }, { moves: "(e2e4)" }, { moves: "e2e4 (e2e5)" },
    { moves: "e2e4 (d2d4 ".repeat(50_000) }, { moves: "e2e4 (d2d4", at: 2 },
    { tab: XSS }, { tab: "__proto__" }, { game: "__proto__" }, { __proto__: { embed: 1 } }];
  const page = await again(t);
  for (const link of links) {
    await visit(page, await pack(link));
    if (await page.getByRole("dialog").isVisible()) {
      assert.doesNotMatch(await page.getByRole("dialog").textContent(), ACCIDENT, JSON.stringify(link).slice(0, 80));
      await page.keyboard.press("Escape");
    }
    await square(page, "e2").waitFor();
  }
});

test("hostile positions", async t => {
  const page = await again(t);
  await alone(page);
  await unfold(page);
  const ranks = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  const fens = [XSS, "9".repeat(100_000), "/".repeat(100_000), `${ranks}[${"q".repeat(10_000)}] w - - 0 1`,
    `${ranks} w KQkq e3 99999999999999999999 1`, `${ranks} x - - 0 1`, "8/8/8/8/8/8/8/8 w - - 0 1",
    "kkkkkkkk/kkkkkkkk/8/8/8/8/KKKKKKKK/KKKKKKKK w - - 0 1", `${ranks} w ${"A".repeat(10_000)} - 0 1`, "\u202e\u0000"];
  for (const fen of fens) {
    await page.getByLabel("Position (FEN)").fill(fen);
    await button(page, "Set position").click();
    await eventually(async () => (await page.locator("#play .error").first().textContent()).length > 10, 3000)
      .catch(() => assert.fail(`${fen.slice(0, 80)}: no error`));
  }
  await move(page, "e2", "e4");
  assert.deepEqual(await moves(page), ["e4"]);
});

test("hostile PGN", async t => {
  const page = await again(t);
  await unfold(page);
  const texts = [XSS, `[White "${XSS.replace(/"/g, "")}"]\n\n1. e4 {${XSS}} e5 *`, "(".repeat(200_000),
    "1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 ".repeat(20_000), "[FEN \"8/8/8\"]\n\n1. e4", "\u0000\u0000",
    `[Event "${XSS.replace(/"/g, "")}"]\n`.repeat(10_000), "[Event".repeat(100_000), "{".repeat(200_000)];
  for (const text of texts) {
    await page.getByLabel("Game (PGN)").evaluate((field, value) => { field.value = value; }, text);
    const begin = Date.now();
    await button(page, "Read game").click();
    await page.waitForTimeout(100);
    await page.evaluate(() => 1);
    assert.ok(Date.now() - begin < 3000, text.slice(0, 80));
    if (await page.getByRole("dialog").isVisible()) await page.keyboard.press("Escape");
  }
});
