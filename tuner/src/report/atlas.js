// Sorts and searches the rows of an atlas.
"use strict";
for (const atlas of document.querySelectorAll(".atlas")) {
  const [search, order] = atlas.querySelectorAll("input, select");
  const figure = atlas.querySelector("figure"), axis = figure.querySelector(".axis");
  const rows = [...figure.querySelectorAll(".row:not(.axis)")];
  const name = (row) => row.querySelector(".name").textContent;
  const show = () => {
    const wanted = search.value.toLowerCase(), sorted = [...rows];
    if (order.value === "name") sorted.sort((one, other) => name(one).localeCompare(name(other)));
    for (const row of sorted) row.style.display = row.textContent.toLowerCase().includes(wanted) ? "" : "none";
    figure.replaceChildren(...sorted, axis);
  };
  for (const control of [search, order]) control.addEventListener("input", show);
}
