// Where games come from: the built-in ones, and files.
import { type GameInfo, Play, builtinGames, faultText, readDefinition } from "./api.ts";
import type { App } from "./app.ts";
import { ask, button, fill, h, say, tell } from "./dom.ts";

/** Largest file that is read, in bytes. */
const LARGEST_FILE = 1 << 20;

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

/** Opens a file of a game, of several variants, or of a PGN. */
export async function openFile(app: App, file: File): Promise<void> {
  await openOrSay(async () => {
    if (file.size > LARGEST_FILE) throw new Error(`${file.name} is larger than 1 MB.`);
    const text = await file.text();
    if (/\.pgn$/i.test(file.name)) return app.openPgn(text);
    if (!/\.ini$/i.test(file.name)) return void await app.open({ text });
    const names = await app.ask<string[]>("variants", [text]);
    const name = names.length > 1 ? await chooseVariant(names) : names[0];
    if (name) await app.open({ text: await app.ask<string>("fromIni", [text, name]) });
  });
}

function chooseVariant(names: string[]): Promise<string | null> {
  return ask<string>("Choose a variant", close => [h("div.choices", {}, ...names.map(name =>
    button(name, () => close(name))))]);
}

async function openOrSay(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
    say("Opened");
  } catch (error) {
    await tell("This cannot be opened", faultText(error));
  }
}
