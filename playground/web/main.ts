// The page: sections as tabs beside one board.
import { faultText, load } from "./api.ts";
import { App, type Section } from "./app.ts";
import { checkSection } from "./check.ts";
import { fill, h, iconButton, say, svgOf, tell } from "./dom.ts";
import { Draft } from "./draft.ts";
import { gameSection } from "./game.ts";
import { chooseGame, openFile } from "./games.ts";
import { type Shared, decodeLink, linkTo } from "./link.ts";
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
  app.board.element.append(play.bar);
  fill(element("boardside"), input.pockets.top, app.board.element, input.pockets.bottom);

  const paint = () => {
    if (!sections.find(({ id }) => id === app.tab)?.paint?.()) input.paint();
  };
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
    if (opened) note("");
  });
  app.on("tab", paint);
  draft.on(() => {
    const tab = element("tab-game");
    tab.classList.toggle("faulty", draft.fault !== null);
    tab.title = draft.fault ? "The definition has a fault" : "";
  });
  element("title").onclick = () => void chooseGame(app);
  document.ondragover = event => event.preventDefault();
  document.ondrop = event => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void openFile(app, file);
  };

  let opened = false;
  /** The last link, and what the address shows of it. */
  let link = "", hash = "";
  /** An entry of the history is a section. All have the address of what is on the board. */
  const note = (shown: string) => {
    hash = shown;
    history.replaceState({ tab: app.tab }, "", location.pathname + location.search + hash);
  };
  const openLink = async () => {
    opened = false;
    link = location.hash;
    const fault = await open(app);
    if (app.embedded) embed(app);
    show(app.tab);
    note(link);
    opened = true;
    if (fault) await tell("This link cannot be opened", fault);
  };
  window.onpopstate = ({ state }) => {
    if (!state || location.hash && location.hash !== link) return void openLink();
    show(state.tab);
    note(hash);
  };
  await openLink();
  performance.mark("playable");
}

/** Opens a link, or the game of the last visit. Returns a sentence about a link that cannot be
 *  opened. */
async function open(app: App): Promise<string> {
  const hash = location.hash.slice(1);
  try {
    const wished: Shared = hash ? await decodeLink(hash)
      : { ...remembered<Shared>("game"), tab: remembered<string>("tab") ?? "play" };
    const { game = "chess", text, start, moves, at, tab = "play", embed } = wished;
    app.embedded = embed === 1;
    // A reload stays in its section.
    app.tab = history.state?.tab ?? tab;
    await app.open(text === undefined ? { builtin: game } : { text },
      { start, moves, at });
    return "";
  } catch (error) {
    if (!app.play) await app.open({ builtin: "chess" });
    return hash && faultText(error);
  }
}

function tabsOf(app: App, sections: Section[], paint: () => void): (id: string) => void {
  let opened: Section | null = null;
  const tabs = sections.map(({ id, title }) => h("button", {
    id: `tab-${id}`, role: "tab", "aria-controls": id, onclick: () => go(id),
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
    go(sections[next]!.id);
    tabs[next]!.focus();
  };
  const go = (id: string) => {
    if (id !== app.tab) history.pushState({ tab: id }, "");
    show(id);
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

begin().catch(error => {
  const text = `Assay cannot start: ${faultText(error)}`;
  fill(element("panels"), h("p.error", { role: "alert" }, text));
});

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("sw.js").catch(() => say("This page will not work offline."));
}
