// Pieces: what a piece can do, on the board, in words and as a diagram; and the atlas.
import { type Definition, type Mark, faultText, readDefinition } from "./api.ts";
import type { App, Section } from "./app.ts";
import { type BoardUser, type MarkKind, shapeOf, spriteSvg } from "./board.ts";
import { button, field as label, fill, h, pause, s, say, svgOf } from "./dom.ts";
import type { Draft } from "./draft.ts";
import { type Placement, sayPiece, spriteOf } from "./fen.ts";
import { addPiece, atlasList, movesHelp } from "./game.ts";
import { STOPPED } from "./remote.ts";

const LEGEND: [MarkKind, string][] = [
  ["move", "moves and captures"], ["quiet", "only moves"], ["capture", "only captures"],
  ["hop", "jumps over a piece"], ["lame", "can be blocked on the way"],
  ["initial", "first move only"],
];

function kindsOf({ move, capture, hop, lame, initial }: Mark): MarkKind[] {
  const kinds = { move: move && capture, quiet: move && !capture, capture: capture && !move, hop,
    lame, initial };
  return LEGEND.map(([kind]) => kind).filter(kind => kinds[kind as keyof typeof kinds]);
}

/** Makes the section. */
export function piecesSection(app: App, draft: Draft): Section {
  let symbol = "";
  let square = 0;
  /** The game with the moves of the field, which may differ from the game. */
  let tried: Definition;
  const others = new Map<number, "friend" | "enemy">();

  const list = h("div.palette", { role: "group", "aria-label": "Pieces of the game" });
  const field = h("input", { type: "text", spellcheck: false, autocomplete: "off", id: "xbetza" });
  const fault = h("p.error", { role: "alert" });
  const diagram = h("div.diagram");
  const heading = h("h2");
  const use = h("button.primary", { hidden: true });
  const element = h("div", {},
    list, heading,
    h("div.withdiagram", {},
      h("div", {},
        label("Moves in XBetza: try others", field),
        fault,
        h("div.row", {}, use,
          button("Add as a new piece", async () => {
            const added = await addPiece(app, draft, field.value.trim());
            if (added) choose(added);
            paint();
          })),
        movesHelp(),
        h("p.note", {}, "Click squares to put an enemy there, or a friend. Drag the piece."),
        h("ul.legend", {}, ...LEGEND.map(([kind, text]) =>
          h("li", {}, s("svg", { viewBox: "0 0 100 100" }, shapeOf(kind, 0, 0)), text)))),
      diagram),
    h("h2", {}, "Atlas of measured pieces"),
    h("p.note", {}, "On a scale where a knight of chess is worth 3. Click a piece to try it."),
    atlasList(({ movement, name }) => {
      field.value = movement;
      void retry();
      say(name);
      field.focus();
    }));

  const piece = () => app.info.pieces.find(known => known.symbol === symbol)!;
  const filler = () => app.info.pieces.find(({ pawn }) => pawn)?.symbol ?? symbol;

  const board: BoardUser = {
    describe(at) {
      if (at === square) return sayPiece(app.info, symbol);
      return others.get(at) ?? "empty";
    },
    canTake: at => at === square || others.has(at),
    take: at => spriteOf(app.info, placement()[at]!),
    put(from, to) {
      if (from === square) { if (to !== null) square = to; } else {
        const other = others.get(from)!;
        others.delete(from);
        if (to !== null && to !== square) others.set(to, other);
      }
      others.delete(square);
      paint();
    },
    press(at) {
      if (at === square) return;
      const next = { enemy: "friend", friend: undefined, none: "enemy" }[others.get(at) ?? "none"];
      if (next) others.set(at, next as "friend" | "enemy"); else others.delete(at);
      paint();
    },
  };

  function placement(): Placement {
    const squares: Placement = Array(app.info.files * app.info.ranks).fill(null);
    for (const [at, other] of others) {
      squares[at] = other === "friend" ? filler() : filler().toLowerCase();
    }
    squares[square] = symbol;
    return squares;
  }

  function paint(): void {
    app.board.show(app.picture(placement()), board);
    const squares = (kind: string) =>
      Uint8Array.from([...others].filter(([, other]) => other === kind).map(([at]) => at));
    const marks: Mark[] = JSON.parse(
      tried.marks(symbol, square, squares("friend"), squares("enemy")));
    const shown = new Map<number, MarkKind[]>([[square, ["selected"]]]);
    for (const mark of marks) shown.set(mark.square, kindsOf(mark));
    app.board.mark(shown);
  }

  function choose(next: string): void {
    symbol = next;
    tried = app.definition;
    fault.textContent = "";
    field.value = piece().movement;
    fill(list, ...app.info.pieces.map(({ symbol: known, name, sprite }) => h("button", {
      ariaPressed: String(known === symbol), ariaLabel: name, title: name,
      onclick: () => { choose(known); paint(); },
    }, spriteSvg(sprite.white))));
    paintTexts();
  }

  function paintTexts(): void {
    const { name, movement } = piece();
    heading.textContent = `${name} (${symbol})`;
    const changed = field.value.trim() !== movement;
    use.hidden = !changed || fault.textContent !== "";
    use.textContent = `Give the ${name} these moves`;
    try { fill(diagram, svgOf(tried.diagram(symbol))); } catch { fill(diagram); }
  }

  /** Reads the moves of the field. */
  async function retry(): Promise<void> {
    try {
      const text = draft.tryMove(symbol, field.value.trim());
      await app.ask("trial", [{ text }, "", ""]);
      tried = readDefinition({ text });
      fault.textContent = "";
    } catch (error) {
      if (error === STOPPED) return;
      fault.textContent = faultText(error).replace(/^(Line \d+, column \d+: )?[\w.-]+: /, "");
    }
    paintTexts();
    if (app.tab === "pieces") paint();
  }
  field.oninput = pause(200, () => void retry());
  use.onclick = () => draft.changeMove(symbol, field.value.trim());

  app.on("game", () => {
    const { files, ranks, holes, pieces } = app.info;
    square = Math.floor((ranks - 1) / 2) * files + Math.floor((files - 1) / 2);
    if (holes.includes(square)) square++;
    others.clear();
    const kept = pieces.find(known => known.symbol === symbol);
    const first = pieces.find(({ royal, pawn }) => !royal && !pawn) ?? pieces[0]!;
    choose((kept ?? first).symbol);
  });
  return { id: "pieces", title: "Pieces", element, paint: () => { paint(); return true; } };
}
