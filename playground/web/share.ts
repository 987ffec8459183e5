// Share: links, and the game in other forms.
import { faultText } from "./api.ts";
import type { App, Section } from "./app.ts";
import { button, checkbox, copy, download, h } from "./dom.ts";
import { linkTo } from "./link.ts";

/** Width of the PNG in pixels. */
const PNG_WIDTH = 1200;

/** Makes the section. */
export function shareSection(app: App): Section {
  let withMoves = true;
  const link = h("textarea", {
    readOnly: true, rows: 3, ariaLabel: "Link", onfocus: () => link.select(),
  });
  const size = h("p.note");
  const fault = h("p.error", { role: "alert" });
  const attempt = (text: string, action: () => unknown) => button(text, async () => {
    fault.textContent = "";
    try { await action(); } catch (error) { fault.textContent = faultText(error); }
  });
  const file = (ending: string) => `${app.info.name}.${ending}`;
  const row = (name: string, ending: string, text: () => string, type = "text/plain") =>
    h("div.copies", {}, h("span", {}, name), attempt("Copy", () => copy(text(), name)),
      attempt("Save", () => download(file(ending), text(), type)));

  /** The address of the page with what is shared. */
  function address(embed: boolean): Promise<string> {
    const { start, moves, at, ...game } = app.shared();
    return linkTo({ ...game, ...withMoves && { start, moves, at }, ...embed && { embed: 1 } });
  }

  async function snippet(): Promise<string> {
    const frame = h("iframe", {
      src: await address(true), title: app.info.title, width: "400", height: "460",
    });
    frame.setAttribute("style", "border:0");
    return frame.outerHTML;
  }

  async function png(): Promise<void> {
    const svg = new Blob([app.play.svg(app.flipped)], { type: "image/svg+xml" });
    const url = URL.createObjectURL(svg);
    try {
      const image = new Image();
      image.src = url;
      await image.decode();
      const height = Math.round(PNG_WIDTH * image.naturalHeight / image.naturalWidth);
      const canvas = h("canvas", { width: PNG_WIDTH, height });
      canvas.getContext("2d")!.drawImage(image, 0, 0, PNG_WIDTH, height);
      const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve));
      if (blob) download(file("png"), blob, "image/png");
    } finally {
      URL.revokeObjectURL(url);
    }
  }

  async function paint(): Promise<void> {
    if (app.tab !== "share") return;
    link.value = await address(false);
    size.textContent = link.value.length > 8000
      ? "This link is long; some programs cut it off. Send the definition as a file instead."
      : "The link carries the whole game. Nothing is stored on a server.";
  }

  const element = h("div", {},
    h("h2", {}, "Send a link"), link,
    checkbox("With the position and moves of the board", true,
      on => { withMoves = on; void paint(); }),
    h("div.row", {}, button("Copy link", () => copy(link.value, "Link"), "primary")), size,
    h("h2", {}, "Copy or save"), fault,
    row("Definition (TOML)", "toml", () => app.text),
    row("Definition for Fairy-Stockfish (variants.ini)", "ini", () => app.definition.ini()),
    row("Game (PGN)", "pgn", () => app.play.toPgn("White", "Black")),
    row("Position (FEN)", "fen", () => app.state.fen),
    row("Board (SVG)", "svg", () => app.play.svg(app.flipped), "image/svg+xml"),
    h("div.copies", {}, h("span", {}, "Board (PNG)"), h("span"), attempt("Save", png)),
    h("h2", {}, "Put the board into a page"),
    h("p", {}, "This HTML shows the board with its moves. A click opens the game here."),
    h("div.row", {}, attempt("Copy HTML", async () => copy(await snippet(), "HTML"))));
  app.on("position", () => void paint());
  return { id: "share", title: "Share", element, open: () => void paint() };
}
