// Helpers for elements, dialogs and files. Text from outside only becomes text nodes.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

/** Makes an element: `h("button.primary", { onclick }, "Text")`. Keys in camel case are properties,
 *  others attributes. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K | `${K}.${string}`, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag) as HTMLElementTagNameMap[K];
  if (classes.length) element.className = classes.join(" ");
  if (element instanceof HTMLButtonElement) element.type = "button";
  for (const [key, value] of Object.entries(attributes)) {
    if (key in element) Object.assign(element, { [key]: value });
    else element.setAttribute(key, String(value));
  }
  element.append(...nodes(children));
  return element;
}

/** Makes an SVG element. */
export function s(name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...nodes(children));
  return element;
}

function nodes(children: Child[]): (Node | string)[] {
  return children.filter(child => child !== null && child !== undefined && child !== false)
    .map(child => typeof child === "number" ? String(child) : child as Node | string);
}

/** Replaces the children of an element. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...nodes(children));
}

/** Markup of the module as an SVG element. XML has no scripts that run when it is adopted. */
export function svgOf(markup: string): SVGSVGElement {
  const namespace = "http://www.w3.org/2000/svg";
  const named = markup.includes(`xmlns="${namespace}"`) ? markup
    : markup.replace("<svg", `<svg xmlns="${namespace}"`);
  const parsed = new DOMParser().parseFromString(named, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") throw new Error("The picture cannot be drawn.");
  return document.importNode(parsed, true) as unknown as SVGSVGElement;
}

const ICONS = {
  first: "M15 5l-7 7 7 7M6 5v14", back: "M15 5l-7 7 7 7", forward: "M9 5l7 7-7 7",
  last: "M9 5l7 7-7 7M18 5v14", remove: "M7 7l10 10M17 7L7 17",
};

/** A button with a text. */
export const button = (text: string, onclick: () => unknown, kind = "") =>
  h("button", { className: kind, onclick }, text);

/** A button with a picture; its name is for screen readers and as a tip. */
export function iconButton(icon: keyof typeof ICONS, name: string, onclick: () => void, kind = "") {
  return h("button", { className: kind, ariaLabel: name, title: name, onclick },
    s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
      s("path", { d: ICONS[icon], "stroke-linecap": "round", "stroke-linejoin": "round" })));
}

/** A labelled control. */
export function field(label: string, control: HTMLElement, note?: string): HTMLLabelElement {
  return h("label.field", {}, h("span", {}, label), control, note && h("small", {}, note));
}

/** A choice among values. */
export function select(
  options: [value: string, text: string][], value: string, onchange: (value: string) => void,
): HTMLSelectElement {
  const element = h("select", { onchange: () => onchange(element.value) },
    ...options.map(([key, text]) => h("option", { value: key }, text)));
  element.value = value;
  return element;
}

/** A box to tick. */
export function checkbox(
  label: string, checked: boolean, onchange: (checked: boolean) => void,
): HTMLLabelElement {
  const box = h("input", { type: "checkbox", checked, onchange: () => onchange(box.checked) });
  return h("label.check", {}, box, label);
}

/** Opens a dialog, whose content calls `close` with the answer. Escape answers null. */
export function ask<T>(title: string, content: (close: (answer: T) => void) => Child[],
  kind = ""): Promise<T | null> {
  return new Promise(resolve => {
    let answer: T | null = null;
    const dialog = h("dialog", { className: kind, "aria-label": title });
    const close = (given: T) => { answer = given; dialog.close(); };
    const cancel = button("Close", () => dialog.close());
    dialog.append(h("header", {}, h("h2", {}, title), cancel),
      h("div.content", {}, ...content(close)));
    dialog.onclick = event => { if (event.target === dialog) dialog.close(); };
    dialog.onclose = () => { dialog.remove(); resolve(answer); };
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[autofocus]")?.focus();
  });
}

/** Opens a dialog with a sentence about what went wrong. */
export const tell = (title: string, text: string) =>
  ask<never>(title, () => [h("p.error", {}, text)], "small");

/** Says something for a few seconds, aloud too. */
export function say(text: string): void {
  document.getElementById("toast")!.textContent = text;
  silence();
}

const silence = pause(4000, () => { document.getElementById("toast")!.textContent = ""; });

/** Says something to screen readers only. */
export function announce(text: string): void {
  document.getElementById("live")!.textContent = text;
}

/** Copies text, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
  } catch {
    await ask<never>(`${what}, to copy`, () => [h("textarea", { value: text, rows: 8 })]);
  }
}

/** Saves a file. */
export function download(name: string, contents: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([contents], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Lets the user choose a file. */
export function chooseFile(accept: string): Promise<File | null> {
  return new Promise(resolve => {
    const input = h("input", { type: "file", accept });
    input.onchange = () => resolve(input.files?.[0] ?? null);
    input.oncancel = () => resolve(null);
    input.click();
  });
}

/** A function that runs once after calls have paused. */
export function pause<A extends unknown[]>(milliseconds: number, run: (...args: A) => void) {
  let timer = 0;
  return (...args: A) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => run(...args), milliseconds);
  };
}

/** A whole number with separators. */
export const whole = (value: number): string => Math.round(value).toLocaleString("en");

/** A count with its noun: "1 game", "2,000 games". */
export const count = (value: number, noun: string): string =>
  `${whole(value)} ${noun}${value === 1 ? "" : "s"}`;
