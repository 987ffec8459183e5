// Finds faults of a page: texts beyond the window or their box, texts of a picture over each other, and serious faults that axe
// finds. The result goes into the page around the frame.
"use strict";
addEventListener("load", async () => {
  const faults = [], width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) faults.push(`page is ${document.documentElement.scrollWidth} pixels wide`);
  const boxOf = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect();
  };
  const isHidden = (element) => element.closest("details:not([open]) > :not(summary), script, style, caption, .list thead");
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const parent = text.parentElement;
    if (!text.data.trim() || isHidden(parent)) continue;
    const box = boxOf(text), name = `"${text.data.trim().slice(0, 60)}" in ${parent.tagName}.${parent.className}`;
    if (box.width === 0) continue;
    if (box.left < -0.5 || box.right > width + 0.5) faults.push(`${name} reaches from ${box.left} to ${box.right} of ${width}`);
    if (parent.closest("svg")) continue;
    const block = parent.closest("p, li, td, th, dd, dt, div, figcaption, h1, h2, h3, pre, summary").getBoundingClientRect();
    if (box.left < block.left - 1 || box.right > block.right + 1) faults.push(`${name} leaves its box`);
    if (parseFloat(getComputedStyle(parent).fontSize) < 11) faults.push(`${name} is small`);
  }
  for (const picture of document.querySelectorAll("svg")) {
    if (picture.parentElement.closest("svg")) continue;
    const texts = [...picture.querySelectorAll("text")].map((text) => [text.textContent, text.getBoundingClientRect()]);
    texts.forEach(([one, a], index) => {
      for (const [other, b] of texts.slice(index + 1))
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
          faults.push(`"${one}" overlaps "${other}"`);
      if (a.height < 11) faults.push(`"${one}" is ${a.height} pixels high`);
    });
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`two elements are #${id}`);
  if (window.axe) {
    const { violations } = await axe.run(document);
    for (const { id, impact, nodes } of violations)
      if (impact === "serious" || impact === "critical")
        faults.push(`axe: ${id}: ${nodes.length} times, first ${nodes[0].html.slice(0, 200)}`);
  }
  const result = parent.document.createElement("pre");
  result.id = "faults";
  result.textContent = JSON.stringify(faults);
  parent.document.body.append(result);
});
