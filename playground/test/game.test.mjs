// Game and Pieces: choose, change by form, board and text, look at pieces, add one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { again, alone, atWidths, button, eventually, fitsWidth, move, moves, square, tab, useBrowser }
  from "./browser.mjs";

useBrowser();

const title = page => page.locator("#title").textContent();
const editor = page => page.locator(".cm-content");

/** Opens a way to change the game. */
async function view(page, name) {
  await tab(page, "Game");
  await button(page, name).click();
}

/** Replaces the definition's text as one types. */
async function type(page, text) {
  await view(page, "Text");
  await editor(page).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

const text = page => page.evaluate(() =>
  [...document.querySelectorAll(".cm-line")].map(line => line.textContent).join("\n"));

test("choose a game by its name", t => atWidths(t, async page => {
  await view(page, "Form");
  await button(page, "Choose a game").click();
  await page.getByLabel("Search games").fill("gamma");
  await eventually(async () => await page.locator(".card:visible img").count() === 1);
  await page.locator(".card:visible").click();
  await eventually(async () => /Gamma2/.test(await title(page)));
  await fitsWidth(page);
  await tab(page, "Play");
  await move(page, "a2", "b3");
  await eventually(async () => (await moves(page)).length === 2);
}));

test("give a piece other moves and a value", t => atWidths(t, async page => {
  await view(page, "Form");
  const moved = page.getByLabel("Moves of knight");
  await moved.fill("NW");
  await moved.press("Enter");
  await eventually(async () => /^My Orthodox/i.test(await title(page)));
  await page.getByLabel("Value of knight").fill("4");
  await page.getByLabel("Value of knight").press("Enter");
  await fitsWidth(page);
  await view(page, "Text");
  await eventually(async () => /base = "chess"/.test(await text(page)) && /"NW"/.test(await text(page)));
  assert.match(await text(page), /value = 4/);
  await tab(page, "Play");
  await alone(page);
  await move(page, "b1", "c3");
  await move(page, "a7", "a6");
  await move(page, "c3", "c4");
  assert.deepEqual(await moves(page), ["Nc3", "a6", "Nc4"]);
}));

test("an error stands at its line and column; the board keeps the last definition", async t => {
  const page = await again(t);
  const definition = move => `name = "x"\ntitle = "X"\nbase = "chess"\n\n[pieces.bishop]\nmove = "${move}"\n`;
  await type(page, definition("mBcpB"));
  await eventually(async () => await title(page) === "X");
  await type(page, definition("mBcpB)"));
  const fault = page.locator("#game .fault");
  await fault.waitFor();
  assert.match(await fault.textContent(), /^Line 6, column \d+: /);
  assert.equal(await page.locator(".cm-lint-marker-error").count(), 1);
  assert.equal(await title(page), "X");
  await button(page, "Show the place").click();
  assert.match(await page.evaluate(() => document.querySelector(".cm-activeLine").textContent), /move/);
  await button(page, "Take back").click();
  await eventually(async () => !await fault.isVisible());
});

test("another size of the board, the start changed by dragging, castling off", async t => {
  const page = await again(t);
  await view(page, "Form");
  await page.getByLabel("Castling").uncheck();
  await eventually(async () => /^My/.test(await title(page)));
  await page.getByLabel("Files").fill("9");
  await page.getByLabel("Files").press("Enter");
  await square(page, "i1").waitFor();
  await button(page, "Start").click();
  await button(page, "white queen").dragTo(square(page, "i1"));
  await eventually(async () => /black queen/.test(await square(page, "i8").getAttribute("aria-label")));
  await square(page, "b1").dragTo(square(page, "b3"));
  await eventually(async () => /white knight/.test(await square(page, "b3").getAttribute("aria-label")));
  await tab(page, "Play");
  await alone(page);
  await move(page, "i1", "i7");
  assert.equal((await moves(page)).length, 1);
});

test("size, start and letters by keyboard", async t => {
  const page = await again(t);
  await view(page, "Form");
  await page.getByLabel("Letter of knight").fill("H");
  await page.getByLabel("Letter of knight").press("Enter");
  await eventually(async () => /^My/.test(await title(page)));
  assert.equal(await page.locator("#game .fault").isVisible(), false);
  await page.getByLabel("Pawns become, on rank 8").evaluate(input => input.value === "QRBH");
  await button(page, "Start").focus();
  await page.keyboard.press("Enter");
  await button(page, "Clear squares").press("Enter");
  await square(page, "d1").focus();
  await page.keyboard.press("Enter");
  await eventually(async () => /empty/.test(await square(page, "d8").getAttribute("aria-label")));
});

test("a piece that is not on the board says so, and can be removed; so can one that is", async t => {
  const page = await again(t);
  await view(page, "Form");
  const row = name => page.getByRole("group", { name, exact: true });
  await button(page, "Remove knight").waitFor();
  assert.equal(await page.getByText("Not on the board").count(), 0);
  await page.getByLabel("Pawns become, on rank 8").fill("QRB");
  await page.getByLabel("Pawns become, on rank 8").press("Enter");
  await eventually(async () => /^My/.test(await title(page)));
  await button(page, "Add a piece").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("hopper");
  await dialog.getByLabel("Moves (XBetza)").fill("NmF");
  await dialog.getByLabel("At the start in place of").selectOption("N");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await row("knight").getByText("Not on the board").waitFor();
  assert.equal(await page.getByText("Not on the board").count(), 1);
  await button(page, "Remove it").click();
  await row("knight").waitFor({ state: "detached" });
  assert.equal(await page.getByText("Not on the board").count(), 0);
  await button(page, "Remove queen").click();
  await eventually(async () => await button(page, "Remove queen").count() === 0);
  assert.equal(await page.locator("#game .fault").isVisible(), false);
  assert.match(await square(page, "d1").getAttribute("aria-label"), /empty/);
});

test("look at a piece, put others beside it, try other moves", t => atWidths(t, async page => {
  await tab(page, "Pieces");
  await page.locator("#pieces .palette").getByRole("button", { name: "rook" }).click();
  const marked = kind => page.locator(`.marks .mark.${kind}`).count();
  assert.equal(await marked("move"), 14);
  await square(page, "d6").click();
  await eventually(async () => await marked("capture") === 1);
  assert.equal(await marked("move"), 11);
  await square(page, "d6").click();
  await eventually(async () => await marked("capture") === 0);
  await page.locator("#xbetza").fill("KN");
  await eventually(async () => await marked("move") === 16);
  await page.locator("#xbetza").fill("KN(");
  await eventually(async () => (await page.locator("#pieces .error").textContent()).length > 5);
  await page.locator("#xbetza").fill("KN");
  await button(page, "Give the rook these moves").click();
  await eventually(async () => /^My/.test(await title(page)));
}));

test("add a piece from the atlas in place of another", t => atWidths(t, async page => {
  await view(page, "Form");
  await button(page, "Add a piece").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Search the atlas").fill("BN");
  await dialog.locator(".atlas button").first().click();
  await dialog.getByLabel("Name").fill("cardinal");
  await dialog.getByLabel("At the start in place of").selectOption("Q");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await eventually(async () => /white cardinal/.test(await square(page, "d1").getAttribute("aria-label")));
  await tab(page, "Play");
  await alone(page);
  await move(page, "d1", "c3");
  assert.deepEqual(await moves(page), ["Cc3"]);
}));

test("files: TOML by choosing, variants.ini by dropping", async t => {
  const page = await again(t);
  await view(page, "Form");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"),
    button(page, "Open a file").click()]);
  const toml = `name = "y"\ntitle = "From a file"\nbase = "chess"\n`;
  await chooser.setFiles({ name: "y.toml", mimeType: "text/plain", buffer: Buffer.from(toml) });
  await eventually(async () => await title(page) === "From a file");
  const ini = "[one:chess]\nstartFen = 4k3/8/8/8/8/8/8/Q3K3 w - - 0 1\n[two:chess]\ncastling = false\n";
  const drop = await page.evaluateHandle(text => {
    const data = new DataTransfer();
    data.items.add(new File([text], "variants.ini"));
    return data;
  }, ini);
  await page.dispatchEvent("body", "drop", { dataTransfer: drop });
  await page.getByRole("dialog").getByRole("button", { name: "one" }).click();
  await eventually(async () => /white queen/.test(await square(page, "a1").getAttribute("aria-label")));
});

test("a piece that cannot be added leaves its dialog open, and the game as it was", async t => {
  const page = await again(t);
  await tab(page, "Pieces");
  await button(page, "Add as a new piece").click();
  const dialog = page.getByRole("dialog");
  const add = async (name, letter, moves) => {
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Letter").fill(letter);
    await dialog.getByLabel("Moves (XBetza)").fill(moves);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
  };
  const said = expected => eventually(async () => expected.test(await dialog.getByRole("alert").textContent()));
  await add("hopper", "Q", "NmF");
  await said(/Q is the letter of the queen/);
  await add("hopper", "H", "N?");
  await said(/pieces.hopper.move|found/);
  await add("  ", "H", "NmF");
  await said(/needs a name/);
  await add("hopper", "H", "NmF");
  await dialog.waitFor({ state: "hidden" });
  await eventually(async () => /^hopper/.test(await page.locator("#pieces h2").first().textContent()));
});

test("every section says that the definition has a fault", async t => {
  const page = await again(t);
  await view(page, "Text");
  await editor(page).click();
  await page.keyboard.type("?");
  await page.locator("#tab-game.faulty").waitFor();
  await tab(page, "Play");
  await page.locator("#tab-game.faulty").waitFor();
});
