// The page: sections as tabs beside one board.
import { faultText, load } from "./api.ts";
import { App, type Section } from "./app.ts";
import { checkSection } from "./check.ts";
import { fill, h, iconButton, say, svgOf, tell } from "./dom.ts";
import { Draft } from "./draft.ts";
import { gameSection } from "./game.ts";
import { chooseGame, openFile } from "./games.ts";
import { type Shared, decodeLink, linkTo, sourceOf } from "./link.ts";
import { MoveInput } from "./moves.ts";
import { piecesSection } from "./pieces.ts";
import { playSection } from "./play.ts";
import { shareSection } from "./share.ts";
import { remember, remembered } from "./store.ts";
import { weighSection } from "./weigh.ts";

const element = (id: string) => document.getElementById(id)!;

async function begin(): Promise<void> {
  const app = new App(await load());
  const draft = new Draft(app);
  const input = new MoveInput(app);
  const play = playSection(app, input);
  const sections: Section[] = [play, gameSection(app, draft), piecesSection(app, draft),
    checkSection(app), weighSection(app), shareSection(app)];
  fill(element("boardside"), input.pockets.top,
    h("div.boardrow", {}, play.bar, app.board.element), input.pockets.bottom);

  const current = () => sections.find(({ id }) => id === app.tab) ?? play;
  const paint = () => { if (!current().paint?.()) input.paint(); };
  const show = tabsOf(app, sections, paint);

  app.on("game", () => {
    fill(element("sprites"), svgOf(app.definition.sprites()));
    element("title").textContent = app.info.title;
    document.title = `${app.info.title} · Assay`;
  });
  app.on("position", () => {
    paint();
    if (app.embedded) return;
    remember("game", app.shared());
    // What is on the board is no longer what the link said.
    if (opened) history.replaceState(null, "", location.pathname + location.search);
  });
  app.on("tab", paint);
  draft.on(() => {
    const tab = element("tab-game");
    tab.classList.toggle("faulty", draft.fault !== null);
    tab.title = draft.fault ? "The definition has a fault" : "";
  });
  element("title").onclick = () => void chooseGame(app);
  acceptFiles(app);

  let opened = false;
  const openLink = async () => {
    opened = false;
    const fault = await open(app, await wish());
    if (app.embedded) embed(app);
    show(app.tab);
    opened = true;
    if (fault) await tell("This link cannot be opened", fault);
  };
  window.onhashchange = () => void openLink();
  await openLink();
  performance.mark("playable");
}

/** What shall be opened: a link, or the game of the last visit. */
async function wish(): Promise<Shared | Error> {
  const hash = location.hash.slice(1);
  if (!hash) return { ...remembered<Shared>("game"), tab: remembered<string>("tab") ?? "play" };
  try { return await decodeLink(hash); } catch (error) { return error as Error; }
}

/** Opens what can be opened. Returns a sentence about what cannot. */
async function open(app: App, wished: Shared | Error): Promise<string | null> {
  try {
    if (wished instanceof Error) throw wished;
    const { start, moves, ply, tab = "play", embed } = wished;
    app.embedded = embed === 1;
    app.tab = tab;
    await app.open(sourceOf(wished), { start, moves: moves?.split(" ").filter(Boolean), ply });
    return null;
  } catch (error) {
    if (!app.play) await app.open({ builtin: "chess" });
    return location.hash ? faultText(error) : null;
  }
}

function tabsOf(app: App, sections: Section[], paint: () => void): (id: string) => void {
  let opened: Section | null = null;
  const tabs = sections.map(({ id, title }) => h("button", {
    id: `tab-${id}`, role: "tab", "aria-controls": id, onclick: () => show(id),
  }, title));
  const panels = sections.map(({ id, element: content }) =>
    h("section", { id, role: "tabpanel", "aria-labelledby": `tab-${id}` }, content));
  const list = document.querySelector<HTMLElement>("[role=tablist]")!;
  fill(list, ...tabs);
  fill(element("panels"), ...panels);
  list.onkeydown = event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const next = (sections.indexOf(opened!) + step + sections.length) % sections.length;
    show(sections[next]!.id);
    tabs[next]!.focus();
  };
  function show(wanted: string): void {
    const next = sections.find(({ id }) => id === wanted) ?? sections[0]!;
    app.tab = next.id;
    document.body.dataset.tab = next.id;
    sections.forEach((section, index) => {
      const on = section === next;
      tabs[index]!.ariaSelected = String(on);
      tabs[index]!.tabIndex = on ? 0 : -1;
      panels[index]!.hidden = !on;
    });
    if (opened !== next) {
      opened?.close?.();
      opened = next;
      next.open?.();
    }
    if (!app.embedded) remember("tab", next.id);
    paint();
  }
  return show;
}

/** The board alone, with its moves, for a frame in another page. */
function embed(app: App): void {
  document.body.classList.add("embed");
  const link = h("a", { target: "_blank", rel: "noopener" }, app.info.title);
  void linkTo(app.shared()).then(href => { link.href = href; });
  fill(element("panels"), h("div.row", {},
    iconButton("back", "Back one move", () => app.go(app.state.ply - 1)),
    iconButton("forward", "Forward one move", () => app.go(app.state.ply + 1)), link));
}

function acceptFiles(app: App): void {
  document.ondragover = event => event.preventDefault();
  document.ondrop = event => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void openFile(app, file);
  };
}

begin().catch(error => {
  const text = `Assay cannot start: ${faultText(error)}`;
  fill(element("panels"), h("p.error", { role: "alert" }, text));
});

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("sw.js").catch(() => say("This page will not work offline."));
}
