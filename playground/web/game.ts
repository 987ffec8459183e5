// Game: choose a game, and change it as a form, on the board or as text.
import { type AtlasPiece, atlas, faultText } from "./api.ts";
import type { App, Section } from "./app.ts";
import { ask, button, chooseFile, field, fill, h, say, select } from "./dom.ts";
import type { Draft } from "./draft.ts";
import { Editor } from "./editor.ts";
import { addEdits, formOf } from "./form.ts";
import { chooseGame, openFile } from "./games.ts";
import { startEditor } from "./starts.ts";

type View = "form" | "start" | "text";

/** Makes the section. */
export function gameSection(app: App, draft: Draft): Section {
  let view: View = "form";
  const starts = startEditor(app, draft);
  const form = formOf(app, draft, () => void addPiece(app, draft, ""));
  const text = h("div.editor.box");
  const editor = new Editor(text, changed => draft.type(changed));
  const views = { form, start: starts.element, text };
  const state = h("p.note");
  const fault = h("div.fault", { role: "alert", hidden: true });
  const tabs = h("div.segments", { role: "group", "aria-label": "Ways to change the game" },
    ...([["form", "Form"], ["start", "Start"], ["text", "Text"]] as [View, string][])
      .map(([id, title]) => button(title, () => show(id))));

  function show(next: View): void {
    view = next;
    for (const [id, element] of Object.entries(views)) element.hidden = id !== view;
    [...tabs.children].forEach((tab, index) => {
      tab.ariaPressed = String(Object.keys(views)[index] === view);
    });
    document.body.dataset.view = view;
    app.emit("tab");
  }

  draft.on(() => {
    editor.text = draft.text;
    editor.showFault(draft.fault);
    fault.hidden = !draft.fault;
    const { fault: found } = draft;
    if (found) {
      fill(fault, h("p", {}, faultText(found)),
        h("p", {}, "The board keeps the last definition without an error. ",
          button("Show the place", () => { show("text"); editor.goTo(found); }, "link"), " ",
          button("Take back", () => draft.settle(), "link")));
    }
    state.textContent = "builtin" in app.source && draft.text === app.text
      ? "A built-in game. What you change makes a game of your own, based on this one."
      : "Your own game. It stays in this browser; Share makes a link of it.";
  });

  const element = h("div", {},
    h("div.row", {},
      button("Choose a game", () => chooseGame(app), "primary"),
      button("Open a file", async () => {
        const file = await chooseFile(".toml,.ini,.pgn,text/plain");
        if (file) await openFile(app, file);
      })),
    state, tabs, fault, form, starts.element, text);
  show("form");
  return {
    id: "game", title: "Game", element,
    paint: () => {
      if (view === "start") starts.paint();
      return view === "start";
    },
  };
}

/** Asks for a piece and adds it to the game. Resolves to its symbol. */
export async function addPiece(app: App, draft: Draft, move: string): Promise<string | null> {
  const used = new Set(app.info.pieces.map(({ symbol }) => symbol));
  const free = (name: string) => [...name.toUpperCase(), ..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    .find(letter => /[A-Z]/.test(letter) && !used.has(letter)) ?? "";
  type Piece = { name: string; letter: string; move: string; replaced: string };
  const piece = await ask<Piece>("Add a piece", close => {
    const name = h("input", { type: "text", required: true, value: "", autofocus: true });
    const letter = h("input", { type: "text", required: true, maxLength: 1, value: free("") });
    const moves = h("input", { type: "text", required: true, value: move, spellcheck: false });
    name.oninput = () => { letter.value = free(name.value); };
    const replaced = select([["", "no piece"],
      ...app.info.pieces.filter(({ royal, pawn, symbol }) => !royal && !pawn && symbol.length === 1)
        .map(({ symbol, name: other }) => [symbol, `the ${other}`] as [string, string])],
      "", () => {});
    const known = atlasList(entry => {
      moves.value = entry.movement;
      if (!name.value) { name.value = entry.name; name.oninput!(new Event("input") as InputEvent); }
    });
    const trouble = h("p.error", { role: "alert" });
    return [h("form", {
      method: "dialog", onsubmit: async (event: Event) => {
        event.preventDefault();
        const wanted = {
          name: name.value.trim(), letter: letter.value.toUpperCase(), move: moves.value.trim(),
          replaced: replaced.value,
        };
        const holder = app.info.pieces.find(({ symbol }) => symbol === wanted.letter);
        const found = await draft.faultAfter(addEdits(draft.keys, wanted, wanted.replaced));
        trouble.textContent = !wanted.name ? "A piece needs a name."
          : holder ? `${wanted.letter} is the letter of the ${holder.name}.`
          : found ? faultText(found) : "";
        if (!trouble.textContent) close(wanted);
      },
    }, h("div.fields", {}, field("Name", name), field("Letter", letter),
      field("Moves (XBetza)", moves)), field("At the start in place of", replaced),
      movesHelp(), trouble, h("button.primary", { type: "submit" }, "Add")),
    h("h3", {}, "Or take one from the atlas"), known];
  });
  if (!piece) return null;
  await draft.change(addEdits(draft.keys, piece, piece.replaced));
  if (draft.fault) return null;
  say(`The ${piece.name} is in the game`);
  return piece.letter;
}

/** How moves are written, folded. */
export function movesHelp(): HTMLElement {
  const lines: [string, string][] = [
    ["W F D N A", "leaps: W one square, F one diagonally, D two, N as a knight, A two diagonally"],
    ["R B Q K", "rook, bishop, queen and king; R3: at most three squares"],
    ["NB", "two moves in one piece: a knight's and a bishop's"],
    ["m c", "in front: only moves, only captures: mWcF is a pawn in all directions"],
    ["f b s l r", "in front: only forward, backward, sideways, left, right: fR"],
    ["i n p", "in front: only as its first move; can be blocked (nN); hops over a piece (pR)"],
  ];
  return h("details", {}, h("summary", {}, "How moves are written"),
    h("table.moves", {}, ...lines.map(([code, text]) =>
      h("tr", {}, h("th", { scope: "row" }, h("code", {}, code)), h("td", {}, text)))));
}

/** The atlas with a search field; `choose` gets the piece that is clicked. */
export function atlasList(choose: (piece: AtlasPiece) => void): HTMLElement {
  const list = h("div.atlas.box");
  const search = h("input", {
    type: "search", placeholder: "Search by name or moves", ariaLabel: "Search the atlas",
    oninput: () => paint(),
  });
  const pieces = atlas();
  function paint(): void {
    const word = search.value.toLowerCase();
    const found = pieces.filter(({ name, movement }) =>
      name.toLowerCase().includes(word) || movement.toLowerCase() === word);
    fill(list, ...found.map(piece => h("button", { onclick: () => choose(piece) },
      h("span", {}, piece.name, piece.board !== "8x8" &&
        h("span.soft", {}, ` on ${piece.board.replace("x", " × ")}`)), h("code", {}, piece.movement),
      h("span.number", {}, piece.value.toFixed(2)),
      h("small", {}, `${piece.low.toFixed(2)} to ${piece.high.toFixed(2)}`))));
  }
  paint();
  return h("div.group", {}, search, list);
}
