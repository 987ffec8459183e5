// A server of `dist/` for trying the page: `node serve.mjs [PORT]`.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css",
  ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

/** Serves `dist/` under a path. Resolves to the server. */
export function serve(port = 0, base = "/") {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname.startsWith(base) ? pathname.slice(base.length) || "index.html" : "";
    try {
      // Names have no slashes: nothing outside the folder can be asked for.
      if (!/^[\w.-]+$/.test(name)) throw new Error(name);
      const data = await readFile(new URL(`dist/${name}`, import.meta.url));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" });
      response.end(data);
    } catch {
      response.writeHead(404).end("Not found");
    }
  });
  return new Promise(resolve => server.listen(port, "127.0.0.1", () => resolve(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8000));
  console.log(`http://localhost:${server.address().port}/`);
}
