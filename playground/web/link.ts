// Links: `#1` and, after it, base64url of deflated JSON.

/** What a link carries. */
export interface Shared {
  /** Built-in game, or text of a definition. */
  game?: string; text?: string;
  /** FEN, if the game does not begin from the default start. */
  start?: string;
  /** Moves with variations in parentheses, and how many of them are shown. */
  moves?: string; at?: number;
  /** Section, if it is not "play". */
  tab?: string;
  /** 1: the board alone. */
  embed?: 1;
}

/** Most bytes that a link unpacks to. */
const LIMIT = 1 << 20;

/** Address of the page with what is shared. */
export async function linkTo(shared: Shared): Promise<string> {
  const packed = new Blob([JSON.stringify(shared)]).stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const text = Array.from(bytes, byte => String.fromCharCode(byte)).join("");
  const code = btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  return `${location.href.split("#")[0]}#1${code}`;
}

/** What the part after `#` carries. Throws an error with a sentence. */
export async function decodeLink(hash: string): Promise<Shared> {
  if (!hash.startsWith("1")) throw new Error("This link is of another version of the page.");
  if (hash.length > LIMIT) throw new Error("This link is too long.");
  let value: unknown;
  try {
    const text = atob(hash.slice(1).replace(/-/g, "+").replace(/_/g, "/"));
    const bytes = Uint8Array.from(text, character => character.charCodeAt(0));
    value = JSON.parse(await inflate(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new Error("This link is incomplete or damaged.");
  }
  if (!value || typeof value !== "object") throw new Error("This link carries no game.");
  const shared: Record<string, unknown> = {};
  for (const key of ["game", "text", "start", "moves", "tab"]) {
    const part = (value as Record<string, unknown>)[key];
    if (typeof part === "string") shared[key] = part;
  }
  const { at, embed } = value as Shared;
  if (Number.isInteger(at) && at! >= 0) shared.at = at;
  if (embed === 1) shared.embed = 1;
  return shared;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LIMIT) throw new RangeError("What this link carries is too long.");
  }
  return text + decoder.decode();
}
