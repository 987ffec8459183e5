// The definition while it is changed. Its text may have a fault; the page keeps the last good one.
import {
  type Fault, type Keys, type KeyValue, editKey, faultOf, keysOf,
} from "./api.ts";
import type { App } from "./app.ts";
import { pause } from "./dom.ts";

/** A key of a definition, and its new value; without one, the key is removed. */
export type Edit = [path: string[], value?: KeyValue];

/** Milliseconds without typing after which a text is read. */
const PAUSE = 200;

function withoutRight(keys: Keys, right: string): Keys[] {
  return (keys.starts as Keys[]).map(start => ({
    ...start, fen: String(start.fen).split(" ").map((part, index) =>
      index === 2 ? part.replace(right, "") || "-" : part).join(" "),
  }));
}

/** The text that the editor and the form change. */
export class Draft {
  text = "";
  fault: Fault | null = null;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly app: App) {
    app.on("game", () => this.settle());
  }

  /** Calls a function when the text or its fault has changed. */
  on(listener: () => void): void { this.listeners.push(listener); }

  /** Keys of the last definition without a fault. */
  get keys(): Keys { return keysOf(this.app.text); }

  /** The definition with other moves of a piece. */
  tryMove(symbol: string, move: string): string {
    return editKey(this.app.text, this.moveKey(symbol), move);
  }

  /** Gives a piece other moves. */
  changeMove(symbol: string, move: string): Promise<void> {
    return this.change([[this.moveKey(symbol), move]]);
  }

  private moveKey(symbol: string): string[] {
    const tables = Object.entries(this.keys.pieces as Record<string, Keys>);
    return ["pieces", tables.find(([, { letter }]) => letter === symbol)?.[0] ?? "", "move"];
  }

  /** The editor has another text. */
  type(text: string): void {
    this.text = text;
    this.readLater();
  }

  private readonly readLater = pause(PAUSE, () => void this.read());

  /** Changes keys. A built-in game becomes one of the user's own. */
  async change(edits: Edit[]): Promise<void> {
    try {
      this.text = this.edited(edits);
    } catch (error) {
      return this.settle(this.text, faultOf(error));
    }
    await this.read();
    // Rights belong to pieces that may have left their squares, or the board.
    const right = /right `(.)` ignored/.exec(this.fault?.message ?? "")?.[1];
    if (right) await this.change([[["starts"], withoutRight(keysOf(this.text), right)]]);
  }

  /** What would be wrong after these changes. */
  async faultAfter(edits: Edit[]): Promise<Fault | null> {
    try {
      await this.app.ask("trial", [{ text: this.edited(edits) }, "", ""]);
      return null;
    } catch (error) {
      return faultOf(error);
    }
  }

  /** As `change`, in a text without a base, so that pieces of the base can be removed. */
  async changeWhole(edits: Edit[]): Promise<void> {
    const { app } = this;
    this.text = app.definition.toml();
    const names: Edit[] = [[["name"], `my-${app.info.name}`], [["title"], `My ${app.info.title}`]];
    await this.change("builtin" in app.source ? [...names, ...edits] : edits);
  }

  private edited(edits: Edit[]): string {
    return edits.reduce((text, [path, value]) => editKey(text, path, value), this.own());
  }

  /** The text of the user's own game: "chess, but ...". */
  private own(): string {
    const { app, keys } = this;
    if (!("builtin" in app.source) || this.text !== app.text) return this.text;
    const name = JSON.stringify(`my-${app.info.name}`);
    const title = JSON.stringify(`My ${app.info.title}`);
    const base = `base = "${app.source.builtin}"\nsource = "made with Assay's playground"\n`;
    let text = `name = ${name}\ntitle = ${title}\n${base}`;
    // A base gives no published values: they are of another game.
    for (const [piece, { value }] of Object.entries(keys.pieces as Record<string, Keys>)) {
      if (value !== undefined) text = editKey(text, ["pieces", piece, "value"], value);
    }
    return text;
  }

  private async read(): Promise<void> {
    const { text } = this;
    if (text === this.app.text) return this.settle();
    try {
      await this.app.open({ text }, {}, true);
    } catch (error) {
      if (text === this.text) this.settle(text, faultOf(error));
    }
  }

  /** Takes a text, or back what has been changed since the last one without a fault. */
  settle(text = this.app.text, fault: Fault | null = null): void {
    this.text = text;
    this.fault = fault;
    for (const listener of this.listeners) listener();
  }
}
