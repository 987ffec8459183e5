// Bundles the page into `dist/`. `npm run module` has made `pkg/` before.
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = path => new URL(path, import.meta.url);
const digest = (algorithm, data, form) => createHash(algorithm).update(data).digest(form);

// Scripts of report pages, which the frame of a report may run and nothing else.
const SCRIPTS = ["../tuner/src/report/viewer.js"];

const options = {
  bundle: true, minify: true, format: "esm", target: "es2022", outdir: "dist",
  absWorkingDir: here(".").pathname, legalComments: "none",
};

await rm(here("dist"), { recursive: true, force: true });
await mkdir(here("dist"));
await build({ ...options, entryPoints: ["web/main.ts", "web/worker.ts", "web/style.css"] });
await copyFile(here("pkg/assay_playground_bg.wasm"), here("dist/assay_playground_bg.wasm"));
await copyFile(here("web/icon.svg"), here("dist/icon.svg"));
const hashes = await Promise.all(SCRIPTS.map(async path =>
  `'sha256-${digest("sha256", await readFile(here(path)), "base64")}'`));
const html = await readFile(here("web/index.html"), "utf8");
await writeFile(here("dist/index.html"), html.replace("%SCRIPT_HASHES%", hashes.join(" ")));

const files = (await readdir(here("dist"))).sort();
const contents = await Promise.all(files.map(file => readFile(here(`dist/${file}`))));
await build({
  ...options, entryPoints: ["web/sw.ts"],
  define: {
    FILES: JSON.stringify(["./", ...files.filter(file => file !== "index.html")]),
    VERSION: JSON.stringify(`assay-${digest("sha256", Buffer.concat(contents), "hex").slice(0, 16)}`),
  },
});
let total = 0;
for (const [index, file] of files.entries()) {
  const size = gzipSync(contents[index], { level: 9 }).length;
  total += size;
  console.log(`${file.padEnd(30)} ${(size / 1024).toFixed(0).padStart(6)} KB compressed`);
}
console.log(`${"together".padEnd(30)} ${(total / 1024).toFixed(0).padStart(6)} KB compressed`);
