// What stays when the page is closed: games of weighing (IndexedDB), the game (localStorage).

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("assay", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("runs");
      request.result.createObjectStore("pairs");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function transact<T>(mode: IDBTransactionMode, work: (stores: {
  runs: IDBObjectStore; pairs: IDBObjectStore;
}) => IDBRequest<T> | void): Promise<T> {
  const transaction = (await database()).transaction(["runs", "pairs"], mode);
  const request = work({
    runs: transaction.objectStore("runs"), pairs: transaction.objectStore("pairs"),
  });
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request?.result as T);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

const ofRun = (key: string) => IDBKeyRange.bound([key, 0], [key, Infinity]);

/** Notes how many games a run shall have. */
export const keepRun = (key: string, target: number) =>
  transact("readwrite", ({ runs }) => { runs.put(target, key); });

/** Keeps the games of some pairs. */
export const keepPairs = (key: string, games: [pair: number, bytes: Uint8Array][]) =>
  transact("readwrite", ({ pairs }) => {
    for (const [pair, bytes] of games) pairs.put(bytes, [key, pair]);
  });

/** How many games a run shall have, and those of it that are kept, by their pairs. */
export async function keptRun(key: string) {
  const target = await transact<number | undefined>("readonly", ({ runs }) => runs.get(key));
  if (target === undefined) return null;
  const keys = await transact("readonly", ({ pairs }) => pairs.getAllKeys(ofRun(key)));
  const values = await transact("readonly", ({ pairs }) => pairs.getAll(ofRun(key)));
  const pairs = new Map<number, Uint8Array>(
    keys.map((pair, index) => [(pair as [string, number])[1], values[index]]));
  return { target, pairs };
}

/** Forgets a run. */
export const forgetRun = (key: string) =>
  transact("readwrite", ({ runs, pairs }) => { runs.delete(key); pairs.delete(ofRun(key)); });

/** A value that stays, or null. Browsers may forbid this. */
export function remembered<T>(key: string): T | null {
  try { return JSON.parse(localStorage.getItem(`assay.${key}`) ?? "null"); } catch { return null; }
}

/** Makes a value stay. */
export function remember(key: string, value: unknown): void {
  try { localStorage.setItem(`assay.${key}`, JSON.stringify(value)); } catch { /* Not allowed. */ }
}
