"use strict";
// Rows are [text, documents, expected, low, high, mentions, cluster, forms, examples]; examples are indices of documents.
const { rows, clusters, documents } = JSON.parse(document.getElementById("data").textContent);
const STEP = 200;
const body = document.querySelector("#phrases tbody");
const box = document.getElementById("search");
const more = document.getElementById("more");
const state = document.getElementById("found");
let shown = STEP;

function make(name, text, parent) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

function makeDetails(row, cell) {
  const details = make("details", undefined, cell);
  make("summary", `${row[8].length < row[1] ? "some documents" : "documents"}${row[7].length > 1 ? ", forms" : ""}`, details);
  details.addEventListener("toggle", () => {
    if (details.childElementCount > 1) return;
    if (row[7].length > 1) make("div", `Forms: ${row[7].join(", ")}`, details);
    const list = make("ul", undefined, details);
    for (const index of row[8]) {
      const [id, title, address] = documents[index];
      const item = make("li", undefined, list);
      const name = make(address ? "a" : "bdi", title || id, item);
      if (address) { name.href = address; name.rel = "noreferrer"; }
      if (title) item.title = id;
    }
  });
}

function draw() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = rows.filter(row => {
    const text = `${row[7].join(" ")} ${row[0]} ${row[6] === null ? "" : clusters[row[6]]}`.toLowerCase();
    return words.every(word => text.includes(word));
  });
  body.replaceChildren(...matches.slice(0, shown).map(row => {
    const line = make("tr");
    const cell = make("td", undefined, line);
    make("bdi", row[0], cell);
    makeDetails(row, cell);
    for (const [text, kind] of [[row[1].toLocaleString("en"), "n"], [row[2].toFixed(1), "n"], [`${row[3]}–${row[4]}`, "n few"],
      [row[5].toLocaleString("en"), "n few"], [row[6] === null ? "" : clusters[row[6]], "few"]]) {
      make("td", text, line).className = kind;
    }
    return line;
  }));
  const count = Math.min(shown, matches.length);
  state.textContent = `${count.toLocaleString("en")} of ${matches.length.toLocaleString("en")} phrases shown`;
  more.hidden = matches.length <= shown;
}

document.querySelector(".search").hidden = false;
box.addEventListener("input", () => { shown = STEP; draw(); });
more.addEventListener("click", () => { shown += STEP; draw(); });
draw();
