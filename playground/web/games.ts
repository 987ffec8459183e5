// Where games come from: the built-in ones, and files.
import { type GameInfo, Play, builtinGames, faultText, readDefinition } from "./api.ts";
import type { App } from "./app.ts";
import { ask, button, fill, h, tell, whole } from "./dom.ts";

/** Largest file that is read, in bytes. */
const LARGEST_FILE = 1 << 20;

/** Most games of a PGN that are listed. */
const LONGEST_LIST = 1000;

/** Lets the user choose a built-in game. */
export async function chooseGame(app: App): Promise<void> {
  const name = await ask<string>("Choose a game", close => {
    const cards = builtinGames().map(game => ({ game, card: gameCard(game, close) }));
    const none = h("p.note", { hidden: true }, "No game has this name.");
    const search = h("input", {
      type: "search", placeholder: "Search games", ariaLabel: "Search games", autofocus: true,
      oninput: () => {
        const words = search.value.toLowerCase().split(/\s+/);
        for (const { game, card } of cards) {
          const text = `${game.name} ${game.title} ${game.files}x${game.ranks}`.toLowerCase();
          card.hidden = !words.every(word => text.includes(word));
        }
        none.hidden = cards.some(({ card }) => !card.hidden);
      },
    });
    return [search, none, h("div.cards", {}, ...cards.map(({ card }) => card))];
  }, "large");
  if (name !== null) await openOrSay(() => app.open({ builtin: name }));
}

function gameCard(game: GameInfo, close: (name: string) => void): HTMLElement {
  const picture = h("div.picture");
  const card = h("button.card", { onclick: () => close(game.name) }, picture,
    h("b", {}, game.title), h("small", {}, `${game.files} × ${game.ranks}`));
  // A hundred boards take a second: each is drawn when it is seen.
  const observer = new IntersectionObserver(([entry]) => {
    if (!entry!.isIntersecting) return;
    observer.disconnect();
    const svg = new Play(readDefinition({ builtin: game.name }), "").svg(false);
    const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
    fill(picture, h("img", { src: url, alt: "", onload: () => URL.revokeObjectURL(url) }));
  });
  observer.observe(card);
  return card;
}

/** The text of a file. */
export async function textOf(file: File): Promise<string> {
  if (file.size > LARGEST_FILE) throw new Error(`${file.name} is larger than 1 MB.`);
  return file.text();
}

/** Opens a file of a game, of several variants, or of a PGN. */
export async function openFile(app: App, file: File): Promise<void> {
  await openOrSay(async () => {
    const text = await textOf(file);
    if (/\.pgn$/i.test(file.name)) return openPgn(app, text);
    if (!/\.ini$/i.test(file.name)) return app.open({ text });
    const names = await app.ask<string[]>("variants", [text]);
    const name = names.length < 2 ? names[0] : await ask<string>("Choose a variant", close =>
      [h("div.choices", {}, ...names.map(known => button(known, () => close(known))))]);
    if (name) await app.open({ text: await app.ask<string>("fromIni", [text, name]) });
  });
}

/** Opens the game of a PGN; of several, which begin with their events, the one that is chosen. */
export async function openPgn(app: App, text: string): Promise<void> {
  const begins = [...text.matchAll(/^[ \t]*\[Event[ \t]*"/gm)].map(({ index }) => index);
  const games = begins.map((at, index) => text.slice(at, begins[index + 1]));
  const chosen = games.length < 2 ? 0 : await ask<number>("Choose a game", close =>
    [games.length > LONGEST_LIST && h("p.note", {}, `The first of ${whole(games.length)}.`),
    h("div.group", {}, ...games.slice(0, LONGEST_LIST).map((game, index) =>
      h("button.card", { onclick: () => close(index) },
        h("b", {}, `${tagOf(game, "White")} – ${tagOf(game, "Black")}`),
        h("small", {}, `${tagOf(game, "Result")}, ${tagOf(game, "Event")}`))))]);
  if (chosen === null) return;
  // The lines before the game stay, empty, because faults have the numbers of their lines.
  const blank = (before: string) => before.replace(/.+/g, "");
  await app.openPgn(games.length < 2 ? text : blank(text.slice(0, begins[chosen])) + games[chosen]);
}

function tagOf(game: string, name: string): string {
  const value = new RegExp(`^[ \\t]*\\[${name}[ \\t]*"(.*)"`, "m").exec(game)?.[1] ?? "?";
  return value.replace(/\\(.)/g, "$1");
}

async function openOrSay(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    await tell("This cannot be opened", faultText(error));
  }
}
