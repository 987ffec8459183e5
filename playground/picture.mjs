// Makes picture.png, the picture of the page in README.md: `npm run picture`.
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const server = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"],
});
const page = await browser.newPage({ viewport: { width: 1200, height: 940 } });
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.locator("#title").click();
await page.getByLabel("Search games").fill("gamma2");
await page.getByRole("button", { name: /^Gamma2 Chess/ }).first().click();
await page.getByRole("tab", { name: "Weigh" }).click();
await page.getByRole("button", { name: "Play 2,000 games" }).click();
await page.getByText("Measured from 2,000 games").waitFor({ timeout: 1_800_000 });
await page.getByRole("button", { name: "Report" }).waitFor();
await page.screenshot({ path: fileURLToPath(new URL("picture.png", import.meta.url)) });
await browser.close();
server.close();
