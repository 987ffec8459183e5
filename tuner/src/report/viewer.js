// Plays through the games of the page. All data are in the page.
"use strict";
for (const viewer of document.querySelectorAll(".viewer")) {
  const { corners, start, plies } = JSON.parse(viewer.querySelector("script").textContent);
  const board = viewer.querySelector("svg.board"), pieces = board.querySelector(".pieces");
  const slider = viewer.querySelector("input"), now = viewer.querySelector(".now");
  const cursor = viewer.querySelector(".cursor"), moves = [...viewer.querySelectorAll("[data-ply]")];
  const element = (name, attributes) => {
    const made = document.createElementNS(board.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const box = (name, square, attributes) =>
    element(name, { x: corners[square][0], y: corners[square][1], width: 100, height: 100, ...attributes });
  const show = (ply) => {
    const on = new Map(start);
    for (const { changes } of plies.slice(0, ply))
      for (const [square, piece] of changes) piece ? on.set(square, piece) : on.delete(square);
    const last = plies[ply - 1];
    pieces.replaceChildren(
      ...(last ? [last.from, last.to].map((square) => box("rect", square, { fill: "#f2c230", "fill-opacity": 0.55 })) : []),
      ...[...on].map(([square, piece]) => box("use", square, { href: "#" + piece })));
    const evaluation = plies[ply]?.eval;
    now.textContent = (last ? last.label : "Start position") +
      (evaluation == null ? "" : `, evaluation ${evaluation > 0 ? "+" : ""}${evaluation.toFixed(2)}`);
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, (100 * ply) / Math.max(plies.length, 1));
    moves.forEach((move, at) => move.classList.toggle("current", at + 1 === ply));
    slider.value = ply;
    slider.setAttribute("aria-valuetext", now.textContent);
  };
  const steps = { first: () => 0, back: (ply) => ply - 1, next: (ply) => ply + 1, last: () => plies.length };
  viewer.classList.add("live");
  slider.addEventListener("input", () => show(+slider.value));
  for (const button of viewer.querySelectorAll("button"))
    button.addEventListener("click", () =>
      show(Math.min(Math.max(steps[button.dataset.step](+slider.value), 0), plies.length)));
  for (const move of moves) move.addEventListener("click", () => show(+move.dataset.ply));
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => (part.open = true)));
