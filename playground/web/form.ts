// The form: what people change most in a definition. Each change is a change of the text.
import type { Keys } from "./api.ts";
import type { App } from "./app.ts";
import { spriteSvg } from "./board.ts";
import { button, checkbox, field, fill, h, iconButton, select } from "./dom.ts";
import type { Draft, Edit } from "./draft.ts";
import { type Size, readPlacement, resized, withPlacement } from "./fen.ts";

interface Start { id: string; title: string; fen: string }

const startsOf = (keys: Keys) => (keys.starts ?? []) as unknown as Start[];
const tableOf = (keys: Keys, name: string) => (keys[name] ?? {}) as Keys;
const sizeOf = (keys: Keys): Size => {
  const { files, ranks } = tableOf(keys, "board");
  return { files: Number(files), ranks: Number(ranks) };
};
const asStarts = (starts: Start[]): Edit => [["starts"], starts as unknown as Keys[]];

/** Makes the form. It is drawn again with each definition. `add` asks for a new piece. */
export function formOf(app: App, draft: Draft, add: () => void): HTMLElement {
  const element = h("div.form");
  app.on("game", () => {
    // What is typed into stays where it is.
    const focus = document.activeElement?.id;
    fill(element, ...parts(app, draft, add));
    const kept = [...element.querySelectorAll("input")].find(({ id }) => id && id === focus);
    kept?.focus();
  });
  return element;
}

type Changed<T> = (value: T) => unknown;

const text = (id: string, value: unknown, change: Changed<string>, more = {}) => h("input", {
  id, type: "text", value: String(value ?? ""), spellcheck: false, autocomplete: "off", ...more,
  onchange: ({ target }: Event) => change((target as HTMLInputElement).value.trim()),
});

/** An empty field is no number. */
const number = (id: string, value: unknown, change: Changed<number | undefined>, more = {}) =>
  text(id, value, given => change(given === "" ? undefined : Number(given)),
    { type: "number", ...more });

function parts(app: App, draft: Draft, add: () => void): HTMLElement[] {
  const { keys } = draft;
  const size = sizeOf(keys);
  const resize = (to: Partial<Size>) => draft.change(resizeEdits(keys, size, { ...size, ...to }));
  const pieces = Object.entries(tableOf(keys, "pieces")) as [string, Keys][];
  return [
    h("div.fields", {},
      h("label.field.wide", {}, h("span", {}, "Name of the game"),
        text("f-title", keys.title, value => draft.change([[["title"], value.trim() || "Untitled"]]))),
      field("Files", number("f-files", size.files, (files = size.files) => resize({ files }),
        { min: "3", max: "16" })),
      field("Ranks", number("f-ranks", size.ranks, (ranks = size.ranks) => resize({ ranks }),
        { min: "4", max: "16" }))),
    h("h2", {}, "Pieces"),
    h("div", {},
      h("div.piece.head", { ariaHidden: "true" }, h("span"),
        ...["Name", "Letter", "Moves (XBetza)", "Value"].map(name => h("span", {}, name))),
      ...pieces.map(([key, piece]) => pieceRow(app, draft, keys, key, piece))),
    h("div.row", {}, button("Add a piece", add)),
    h("h2", {}, "Rules"),
    h("div.fields", {}, ...ruleFields(draft, keys)),
  ];
}

function pieceRow(app: App, draft: Draft, keys: Keys, key: string, piece: Keys): HTMLElement {
  const letter = String(piece.letter ?? "");
  const info = app.info.pieces.find(({ symbol }) => symbol === letter);
  const path = (name: string) => ["pieces", key, name];
  const name = String(piece.name ?? key);
  const label = (what: string) => ({ ariaLabel: `${what} of ${name}` });
  const remove = () => void draft.changeWhole(removeEdits(keys, key, letter));
  return h("div.piece", { role: "group", "aria-label": name },
    info ? spriteSvg(info.sprite.white) : h("span"),
    text(`f-name-${key}`, name, value => draft.change([[path("name"), value]]), label("Name")),
    text(`f-letter-${key}`, letter, value => draft.change(letterEdits(keys, key, letter, value)),
      { ...label("Letter"), maxLength: 2 }),
    text(`f-move-${key}`, piece.move, value => draft.change([[path("move"), value || undefined]]),
      label("Moves")),
    number(`f-value-${key}`, piece.value, value => draft.change([[path("value"), value]]),
      { ...label("Value"), min: "0", step: "any" }),
    piece.class !== "king" && iconButton("remove", `Remove ${name}`, remove, "quiet"),
    info && !info.occurs && h("small", {}, "Not on the board, and no pawn becomes one. ",
      button("Remove it", remove, "link")));
}

function ruleFields(draft: Draft, keys: Keys): HTMLElement[] {
  const endings = tableOf(keys, "endings");
  const [kingKey, king] = Object.entries(tableOf(keys, "pieces"))
    .find(([, piece]) => (piece as Keys).class === "king") as [string, Keys] ?? ["", {}];
  const castles = /O\d/.test(String(king.move ?? ""));
  const promotion = tableOf(keys, "promotion") as Record<string, Keys>;
  const goal = endings.goal as Keys | undefined;
  const set = (name: string, value?: Keys[string]) => draft.change([[["endings", name], value]]);
  return [
    ...Object.entries(promotion).map(([rank, { to }]) => field(`Pawns become, on rank ${rank}`,
      text(`f-promotion-${rank}`, to, value => draft.change([[["promotion"],
        { ...promotion, [rank]: { ...promotion[rank], to: value } }]])))),
    field("Stalemate", select([["1", "wins"], ["0.75", "is worth 0.75"], ["0.5", "is a draw"],
      ["0.25", "is worth 0.25"], ["0", "loses"]], String(endings.stalemate ?? 0.5),
      value => set("stalemate", Number(value))), "for the side that gives it"),
    field("Draw by repetition after", number("f-repetitions", endings.repetitions,
      value => set("repetitions", value), { min: "2", max: "10" }), "equal positions"),
    field("Draw without progress after", number("f-move-rule", endings["move-rule"],
      value => set("move-rule", value), { min: "1" }), "moves of each side"),
    field("Checks that win", number("f-checks", endings.checks, value => set("checks", value),
      { min: "1", max: "9", placeholder: "never" })),
    h("div.checks", {},
      ...kingKey ? [checkbox("Castling", castles, on => draft.change(
        castlingEdits(keys, kingKey, String(king.move), on)))] : [],
      checkbox("A bare king loses", endings["bare-king-loses"] === true,
        on => set("bare-king-loses", on || undefined)),
      ...kingKey ? [checkbox("A king in the centre wins", goal !== undefined, on => set("goal",
        on ? { piece: String(king.letter), squares: centreOf(sizeOf(keys)) } : undefined))] : []),
  ];
}

/** The one, two or four squares in the middle. */
function centreOf({ files, ranks }: Size): string {
  const middle = (length: number) =>
    [...new Set([Math.ceil(length / 2), Math.floor(length / 2) + 1])];
  return middle(files).flatMap(file =>
    middle(ranks).map(rank => String.fromCharCode(96 + file) + rank)).join(" ");
}

/** Castling on: the king gets the move, the corners the rights. */
function castlingEdits(keys: Keys, king: string, move: string, on: boolean): Edit[] {
  // Other rights than those of castling stay: gating has some.
  const rights = (fen: string) => fen.split(" ").map((part, index) => index !== 2 ? part
    : (on ? "KQkq" : "") + part.replace(/[KQkq-]/g, "") || "-").join(" ");
  const edits: Edit[] = [
    [["pieces", king, "move"], on ? `${move}isO2` : move.replace(/i?s?O\d+/g, "")],
    asStarts(startsOf(keys).map(start => ({ ...start, fen: rights(start.fen) }))),
  ];
  return on && !keys.castling ? [[["castling", "partner"], "R"], ...edits] : edits;
}

/** Another size of the board: starts and promotions follow. */
function resizeEdits(keys: Keys, from: Size, to: Size): Edit[] {
  const promotion = Object.entries(tableOf(keys, "promotion"))
    .map(([rank, entry]) => [String(Number(rank) + to.ranks - from.ranks), entry]);
  return [
    [["board", "files"], to.files], [["board", "ranks"], to.ranks],
    ...promotion.length && to.ranks !== from.ranks
      ? [[["promotion"], Object.fromEntries(promotion)] as Edit] : [],
    asStarts(startsOf(keys).map(start => ({ ...start, fen: resized(start.fen, from, to) }))),
  ];
}

/** Keys whose texts are letters of pieces. */
const LETTERS: [string, string][] = [
  ["castling", "partner"], ["gating", "pocket"], ["gating", "movers"], ["drops", "kinds"],
  ["endings", "insufficient-material"], ["walls", "petrified"], ["explosions", "immune"],
];

/** Edits of everything that names a letter. `change` maps texts of letters. */
function letterTexts(keys: Keys, change: (letters: string) => string): Edit[] {
  const edits: Edit[] = [];
  for (const [table, key] of LETTERS) {
    const value = tableOf(keys, table)[key];
    const changed = Array.isArray(value) ? value.map(item => change(String(item)))
      : typeof value === "string" ? change(value) : value;
    if (JSON.stringify(changed) !== JSON.stringify(value)) edits.push([[table, key], changed]);
  }
  return [...edits, ...promotionEdits(keys, change)];
}

/** Edits of what pawns become. */
function promotionEdits(keys: Keys, change: (letters: string) => string): Edit[] {
  const promotion = tableOf(keys, "promotion") as Record<string, Keys>;
  const changed = Object.fromEntries(Object.entries(promotion)
    .map(([rank, entry]) => [rank, { ...entry, to: change(String(entry.to ?? "")) }]));
  return JSON.stringify(changed) === JSON.stringify(promotion) ? [] : [[["promotion"], changed]];
}

function placements(keys: Keys, change: (symbol: string) => string | null): Edit {
  const size = sizeOf(keys);
  return asStarts(startsOf(keys).map(start => {
    const squares = readPlacement(start.fen, size).map(symbol => symbol && change(symbol));
    return { ...start, fen: withPlacement(start.fen, squares, size.files) };
  }));
}

/** Puts one piece in place of another in the starts. */
const replacePiece = (keys: Keys, from: string, to: string) => placements(keys, symbol =>
  symbol.toUpperCase() !== from ? symbol : symbol === from ? to : to.toLowerCase());

function letterEdits(keys: Keys, key: string, from: string, to: string): Edit[] {
  const swap = (text: string) => text.split(from).join(to);
  return [
    [["pieces", key, "letter"], to], ...letterTexts(keys, swap), replacePiece(keys, from, to),
  ];
}

function removeEdits(keys: Keys, key: string, letter: string): Edit[] {
  return [
    [["pieces", key]], ...letterTexts(keys, letters => letters.split(letter).join("")),
    placements(keys, symbol => symbol.toUpperCase() === letter ? null : symbol),
  ];
}

/** Edits that add a piece, which pawns may become, in place of the piece with a letter. */
export function addEdits(keys: Keys, piece: { name: string; letter: string; move: string },
  replaced: string): Edit[] {
  const { name, letter, move } = piece;
  const key = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "piece";
  return [
    [["pieces", key], { letter, move, ...name !== key && { name } }],
    ...promotionEdits(keys, letters => letters + letter),
    ...replaced ? [replacePiece(keys, replaced, letter)] : [],
  ];
}
