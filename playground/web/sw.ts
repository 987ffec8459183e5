// Service worker: the page works without a network after it has been loaded once.

// `build.mjs` fills these in: the files of the page, and a digest of them.
declare const FILES: string[];
declare const VERSION: string;

// Without the library of workers, which has other globals than that of pages.
interface Lasting extends Event { waitUntil(work: Promise<unknown>): void }
interface Fetching extends Event { request: Request; respondWith(answer: Promise<Response>): void }
const scope = self as unknown as {
  clients: { claim(): Promise<void> };
  addEventListener(name: string, listener: (event: never) => void): void;
};

scope.addEventListener("install", (event: Lasting) => {
  event.waitUntil(caches.open(VERSION).then(cache => cache.addAll(FILES)));
});

scope.addEventListener("activate", (event: Lasting) => {
  const tidy = async () => {
    for (const key of await caches.keys()) {
      if (key.startsWith("assay-") && key !== VERSION) await caches.delete(key);
    }
    await scope.clients.claim();
  };
  event.waitUntil(tidy());
});

scope.addEventListener("fetch", (event: Fetching) => {
  if (event.request.method !== "GET") return;
  const answer = async () => {
    const cache = await caches.open(VERSION);
    return await cache.match(event.request, { ignoreSearch: true }) ?? fetch(event.request);
  };
  event.respondWith(answer());
});
