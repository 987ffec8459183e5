// What the browser tests share: a server, Chromium, pages of several widths.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "../serve.mjs";

/** Phone, tablet, desktop. */
export const WIDTHS = [390, 900, 1500];

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

let server;
let browser;

/** Starts the server under a path, and Chromium, for the tests of a file. */
export function useBrowser(base = "/assay/") {
  before(async () => {
    server = await serve(0, base);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    useBrowser.url = `http://127.0.0.1:${server.address().port}${base}`;
  });
  after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });
}

const sizeOf = width => ({ width, height: width < 500 ? 844 : 950 });

/** A context that notes errors of scripts, and requests to other hosts, as troubles. */
async function newContext({ width = 1500, touch = false }, troubles) {
  const context = await browser.newContext({
    viewport: sizeOf(width), hasTouch: touch, isMobile: touch,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(20_000);
  context.on("weberror", error => troubles.push(String(error.error())));
  context.on("console", message => {
    if (message.type() === "error") troubles.push(message.text());
  });
  context.on("request", request => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== new URL(useBrowser.url).origin) {
      troubles.push(`request to ${request.url()}`);
    }
  });
  context.on("dialog", dialog => {
    troubles.push(`a script has opened a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return context;
}

async function load(context, hash) {
  const page = await context.newPage();
  await page.goto(useBrowser.url + hash);
  await eventually(() => page.evaluate(() => history.state !== null), 60_000);
  return page;
}

/** Opens the page. Troubles fail the test at its end. */
export async function open(t, { hash = "", ...options } = {}) {
  const troubles = [];
  const context = await newContext(options, troubles);
  t.after(async () => {
    await context.close();
    assert.deepEqual(troubles, []);
  });
  return load(context, hash);
}

let reused = null;
let visits = 0;

/** The page of the tests before, with their settings but another game, which takes a tenth of the
 *  time that loading it takes. */
export async function again(t, shared = { game: "chess" }, width = 1500) {
  if (!reused) {
    const troubles = [];
    const context = await newContext({ width }, troubles);
    reused = { troubles, page: await load(context, "") };
  }
  const { page, troubles } = reused;
  t.after(() => assert.deepEqual(troubles.splice(0), []));
  await page.setViewportSize(sizeOf(width));
  await visit(page, await pack({ ...shared, visit: ++visits }));
  return page;
}

/** Does the same at each width, and looks whether it fits. */
export async function atWidths(t, check, shared) {
  for (const width of WIDTHS) {
    await t.test(`${width} px`, async t => {
      const page = await again(t, shared, width);
      await check(page);
      await fitsWidth(page);
    });
  }
}

/** Opens a link in a page, and waits until it is opened or refused. */
export async function visit(page, hash) {
  await page.evaluate(hash => { location.hash = hash; }, hash);
  await eventually(() => page.evaluate(() => history.state !== null));
}

/** The part of a link that a value is packed into, as the page does. */
export async function pack(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  return `#1${bytes.toString("base64url")}`;
}

/** Opens a section. */
export const tab = (page, name) => page.getByRole("tab", { name, exact: true }).click();

/** A square of the board. */
export const square = (page, name) => page.locator(`.squares [aria-label^="${name}, "]`);

/** A button by its whole name. */
export const button = (page, name) => page.getByRole("button", { name, exact: true });

/** Clicks a move on the board. */
export async function move(page, from, to) {
  await square(page, from).click();
  await square(page, to).click();
}

/** Nobody but the test plays. */
export async function alone(page) {
  await page.getByLabel("Assay plays").selectOption("none");
}

/** Unfolds position and game as text. */
export const unfold = page => page.locator("#play details").evaluate(details => { details.open = true; });

/** The moves in the list. */
export const moves = page => page.locator(".movelist button").allTextContents();

/** Waits until a function of the page gives true. */
export async function eventually(check, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    if (await check()) return;
    if (Date.now() > end) throw new Error(`not within ${milliseconds} ms: ${check}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** Nothing must be scrolled sideways. */
export async function fitsWidth(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the page is ${over} pixels too wide`);
}
