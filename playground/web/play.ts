// Play: against the engine or another person, with the game's moves and the engine's opinion.
import { type Best, type SearchInfo, type State, Play, eloRange, faultText } from "./api.ts";
import type { App, Section } from "./app.ts";
import {
  button, checkbox, chooseFile, copy, download, field, fill, h, iconButton, say, select,
} from "./dom.ts";
import { openPgn, textOf } from "./games.ts";
import { MoveInput } from "./moves.ts";
import { Remote, STOPPED } from "./remote.ts";
import { BoardEditor } from "./setup.ts";
import { remember, remembered } from "./store.ts";

interface Settings { side: "white" | "black" | "both" | "none"; elo: number; seconds: number }

/** Milliseconds for the evaluation of a position. */
const ANALYSIS = 30_000;

/** Makes the section. `input` moves on the board. */
export function playSection(app: App, input: MoveInput): Section & { bar: HTMLElement } {
  const [lowest, highest] = eloRange();
  const settings: Settings = {
    side: "black", elo: Math.min(1000, highest), seconds: 1, ...remembered<Settings>("engine"),
  };
  const thinker = new Remote(app.module);
  let evaluating = false;
  let thinking = false;
  let found: SearchInfo[] = [];

  const white = h("div");
  const bar = h("div.bar", { role: "img", hidden: true }, white);
  const status = h("p.status");
  const opinion = h("ol.lines", { hidden: true });
  const list = h("div.movelist.box", { role: "group", "aria-label": "Moves", tabIndex: 0 });
  const moveNow = button("Move now", () => {
    thinker.interrupt();
    thinking = false;
    const first = found[0]?.uci[0] ?? app.state.legal[0]?.uci;
    if (first) app.make(first);
  });
  const reply = button("Let Assay move", () => { app.opened = false; app.emit("position"); });
  const promote = button("Make main line", () => app.promote());
  const pass = button("Pass", () => { const move = input.pass(); if (move) app.make(move.uci); });
  const undo = button("Undo", () => {
    if (untouched()) app.former!(); else app.undo(Math.min(app.state.ply, undone()));
  });
  /** Plies that are taken back: a move of Assay with one's own. */
  const undone = () => ["white", "black"].includes(settings.side) && !enginesTurn() ? 2 : 1;
  /** Nothing has been played since this game took the place of another. */
  const untouched = () =>
    app.former !== null && (app.opened || app.state.moves.length < undone());
  const start = select([], "", value => app.begin(value));
  start.ariaLabel = "Start position";
  const startOf = (position: string) => app.info.starts.find(({ fen }) => fen === position)?.id;
  const shuffled = button("Random start", () => {
    const { starts } = app.info;
    start.value = starts[Math.floor(Math.random() * starts.length)]!.id;
    app.begin(start.value);
  });

  const strength = h("input", {
    type: "range", min: String(lowest), max: String(highest + 10), step: "10",
    oninput: () => { settings.elo = Number(strength.value); settingsChanged(); },
  });
  strength.value = String(settings.elo);
  const strengthText = h("b");
  const side = select([["black", "Black"], ["white", "White"], ["both", "both sides"],
    ["none", "neither side"]], settings.side, value => {
    settings.side = value as Settings["side"];
    if (value === "white" || value === "black") app.flipped = value === "white";
    app.opened = false;
    settingsChanged();
    app.emit("position");
  });
  const times = [0.2, 1, 3, 10, 30].map(time => [String(time), `${time} s`] as [string, string]);
  const time = select(times, String(settings.seconds), value => {
    settings.seconds = Number(value);
    settingsChanged();
  });
  const lineCount = select([["1", "1 line"], ["2", "2 lines"], ["3", "3 lines"]], "1",
    () => void positionChanged());
  lineCount.ariaLabel = "Best lines";
  lineCount.hidden = true;

  const fen = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
  const pgn = h("textarea", { rows: 4, spellcheck: false });
  /** Of the position and of the game. */
  const troubles = [h("p.error", { role: "alert" }), h("p.error", { role: "alert" })] as const;
  const attempt = async (of: 0 | 1, action: () => unknown) => {
    for (const trouble of troubles) trouble.textContent = "";
    try { await action(); } catch (error) { troubles[of].textContent = faultText(error); }
  };
  const setup = setupOf(app, () => show(false));
  const setting = () => !setup.element.hidden;
  const show = (on: boolean) => {
    setup.element.hidden = !on;
    playing.hidden = on;
    if (on) setup.begin(); else void positionChanged();
    app.emit("tab");
  };
  const toPgn = () => app.play.toPgn(name("white"), name("black"));
  const name = (who: string) => [who, "both"].includes(settings.side) ? "Assay" : "Player";

  const playing = h("div.group", {},
    status,
    h("div.row", {}, moveNow, reply, pass, undo, button("New game", () => app.begin(start.value)),
      button("Flip board", () => { app.flipped = !app.flipped; app.emit("position"); }), start, shuffled, promote),
    opinion,
    list,
    h("div.row.steps", {},
      iconButton("first", "First position", () => app.go(0)),
      iconButton("back", "Back one move", () => app.go(app.state.ply - 1)),
      iconButton("forward", "Forward one move", () => app.go(app.state.ply + 1)),
      iconButton("last", "Last position", () => app.go(app.state.moves.length))),
    h("h2", {}, "Opponent"),
    h("div.fields", {}, field("Assay plays", side), field("Time for a move", time),
      h("label.field.wide", {}, h("span", {}, "Strength (Elo of chess) ", strengthText), strength)),
    h("div.row", {}, checkbox("Show evaluation", false, checked => {
      evaluating = checked;
      lineCount.hidden = opinion.hidden = bar.hidden = !checked;
      positionChanged();
    }), lineCount),
    h("details", {}, h("summary", {}, "Position and game as text"),
      field("Position (FEN)", fen),
      h("div.row", {}, button("Set position", () => attempt(0, () => app.begin(fen.value.trim()))),
        button("Copy FEN", () => copy(app.state.fen, "FEN")),
        button("Set up on the board", () => show(true))),
      troubles[0],
      field("Game (PGN)", pgn),
      h("div.row", {}, button("Read game", () => attempt(1, () => openPgn(app, pgn.value))),
        button("Open file", async () => {
          const file = await chooseFile(".pgn,text/plain");
          if (file) void attempt(1, async () => openPgn(app, await textOf(file)));
        }),
        button("Copy PGN", () => copy(toPgn(), "PGN")),
        button("Save PGN", () => download(`${app.info.name}.pgn`, toPgn(), "text/plain"))),
      troubles[1]));

  list.onkeydown = event => {
    const { ply, moves } = app.state;
    const target = {
      ArrowLeft: ply - 1, ArrowUp: ply - 2, ArrowRight: ply + 1, ArrowDown: ply + 2, Home: 0,
      End: moves.length,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    app.go(target);
  };

  const enginesTurn = () => settings.side === "both" || settings.side === app.state.turn;
  const atEnd = () => app.state.ply === app.state.moves.length;
  const called = () => enginesTurn() && atEnd() && !app.state.outcome;
  const replying = () => called() && !app.opened && app.tab === "play" && !app.embedded &&
    !setting();
  input.allowed = () => !app.state.outcome && !replying();

  function settingsChanged(): void {
    strengthText.textContent = settings.elo > highest ? "full" : String(settings.elo);
    remember("engine", settings);
  }

  function paintOpinion(): void {
    fill(opinion, ...found.filter(Boolean).map(info => h("li", {},
      h("b", {}, scoreText(info)), ` ${info.san.slice(0, 12).join(" ")} `,
      h("small", {}, `depth ${info.depth}`))));
    const [best] = found;
    if (!best) return;
    white.style.height = `${scoreShare(best) * 100}%`;
    bar.ariaLabel = `Evaluation: ${scoreText(best)}`;
  }

  function paintStatus(): void {
    const { outcome, turn, check } = app.state;
    const mover = turn === "white" ? "White" : "Black";
    status.textContent = outcome ? `${outcome.result}: ${outcome.text}`
      : thinking ? `Assay thinks for ${mover}`
      : `${mover} to move${check ? ", in check" : ""}`;
    status.classList.toggle("over", outcome !== null);
    moveNow.hidden = !thinking;
    reply.hidden = !called() || !app.opened;
    pass.hidden = !input.pass() || !input.allowed();
    undo.textContent = untouched() ? "Undo new game" : "Undo";
    undo.disabled = !untouched() && !app.state.ply;
  }

  function paintMoves(): void {
    const { tree } = app.state;
    // Variations are boxes in one another; at the end of a line, White's moves alone have numbers.
    const open = [h("span")];
    let numbered = true;
    for (const part of tree) {
      if (part === "(") open.push(h("span.variation"));
      else if (part === ")") { const closed = open.pop()!; open.at(-1)!.append(closed); }
      else {
        const { id, number, san, shown } = part;
        open.at(-1)!.append(h("span.ply", {},
          (numbered || !number.endsWith("...")) && h("small", {}, number),
          h("button", {
            tabIndex: -1, onclick: () => app.show(id), ariaCurrent: shown ? "true" : null,
          }, san)), " ");
      }
      numbered = typeof part === "string";
    }
    fill(list, open[0]!,
      !tree.length && h("p.note", {}, "Move a piece: drag it, or click it and then a square."));
    promote.hidden = !list.querySelector(".variation [aria-current]");
    const current = list.querySelector<HTMLElement>("[aria-current]");
    list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : 0;
  }

  async function positionChanged(): Promise<void> {
    if (app.tab !== "play" || app.embedded || setting()) return;
    found = [];
    thinker.interrupt();
    thinking = replying();
    paintStatus();
    if (app.state.outcome || !thinking && !evaluating) return;
    const { source, state: { start, uci } } = app;
    const full = settings.elo > highest;
    const limits = thinking
      ? { movetime: settings.seconds * 1000, ...full ? {} : { elo: settings.elo } }
      : { movetime: ANALYSIS, lines: Number(lineCount.value) };
    try {
      const args = [source, start, uci, limits];
      const best = await thinker.call<Best>("search", args, (info: SearchInfo) => {
        found[info.line - 1] = info;
        // What a weak player thinks is no evaluation.
        if (full || !thinking) paintOpinion();
      });
      if (!thinking) return;
      thinking = false;
      if (best.uci) app.make(best.uci); else paintStatus();
    } catch (error) {
      if (error === STOPPED) return;
      thinking = false;
      paintStatus();
      say(faultText(error));
    }
  }

  app.on("game", () => {
    if (setting()) show(false);
    fill(start, ...app.info.starts.map(({ id, title }) => h("option", { value: id }, title || id)));
    start.hidden = shuffled.hidden = app.info.starts.length < 2;
    start.value = startOf(app.startFen) ?? "";
  });
  app.on("position", () => {
    start.value = startOf(app.state.start) ?? start.value;
    fen.value = app.state.fen;
    pgn.value = app.state.moves.length ? toPgn() : "";
    paintMoves();
    void positionChanged();
    paintStatus();
  });
  settingsChanged();

  return {
    id: "play", title: "Play", element: h("div", {}, playing, setup.element), bar,
    paint: () => {
      if (setting()) setup.editor.paint();
      return setting();
    },
    open: () => { void positionChanged(); },
    close: () => { thinker.interrupt(); thinking = false; },
  };
}

/** A score for people: "+0.35", "White mates in 3". */
function scoreText({ score, mate }: SearchInfo): string {
  if (mate !== null) return `${mate < 0 ? "Black" : "White"} mates in ${Math.abs(mate)}`;
  const pawns = (score ?? 0) / 100;
  return (pawns > 0 ? "+" : pawns < 0 ? "−" : "") + Math.abs(pawns).toFixed(2);
}

/** White's share of the evaluation bar, 0 to 1. */
function scoreShare({ score, mate }: SearchInfo): number {
  if (mate !== null) return mate < 0 ? 0 : 1;
  return 1 / (1 + 10 ** (-(score ?? 0) / 500));
}

/** The panel that sets up a position. `close` is called at its end. */
function setupOf(app: App, close: () => void) {
  const editor = new BoardEditor(app, () => take(editor.fen));
  const fen = h("input", { type: "text", spellcheck: false, autocomplete: "off" });
  const trouble = h("p.error", { role: "alert" });
  const turn = select([["w", "White"], ["b", "Black"]], "w", value => {
    const [board, , ...rest] = fen.value.split(" ");
    take([board, value, ...rest].join(" "));
  });

  /** Takes a position. If it is one, it is written as the game writes it: without castling where
   *  the pieces for it are gone. */
  function take(text: string): void {
    trouble.textContent = "";
    let known = text;
    try {
      known = (JSON.parse(new Play(app.definition, text).state()) as State).fen;
    } catch (error) {
      trouble.textContent = faultText(error);
    }
    editor.fen = fen.value = known;
    turn.value = known.split(" ")[1] ?? "w";
    app.emit("tab");
  }

  fen.onchange = () => take(fen.value.trim());
  const element = h("div.group", { hidden: true },
    editor.element,
    h("div.fields", {}, field("To move", turn), field("FEN", fen)),
    trouble,
    h("div.row", {}, button("Play from here", () => {
      if (trouble.textContent) return;
      app.begin(fen.value);
      close();
    }, "primary"), button("Empty board", () => editor.clear()), button("Cancel", close)));
  return { element, editor, begin: () => { editor.cancel(); take(app.state.fen); } };
}
