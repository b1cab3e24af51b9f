// The page works without this file. It adds: answers without a reload, a way to cancel, dropped files, sliders that
// act at once, copying, and keys for review. All HTML comes from the server, where inputs are escaped.
"use strict";

const input = document.getElementById("input");
const status = document.getElementById("status");
const cancel = document.getElementById("cancel");
const text = document.getElementById("text");
const files = document.getElementById("files");
let running = null;

input.addEventListener("submit", async (event) => {
  if (event.submitter?.hasAttribute("formaction")) return;  // a collection opens a tab
  event.preventDefault();
  running?.abort();
  const request = (running = new AbortController());
  const began = Date.now();
  const clock = setInterval(() => say(`Working, ${Math.round((Date.now() - began) / 1000)} s`), 1000);
  cancel.hidden = false;
  say("Working");
  try {
    const answer = await fetch(input.action, { method: "POST", body: new FormData(input), signal: request.signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const parts = ["message", "results"].map((id) => page.getElementById(id));
    if (parts.includes(null)) throw new Error(`status ${answer.status}`);
    for (const part of parts) document.getElementById(part.id).replaceWith(document.adoptNode(part));
    enhance();
    say("");
    (document.querySelector("#message .problem") ?? document.getElementById("results-title"))?.scrollIntoView();
    document.getElementById("results-title")?.focus({ preventScroll: true });
  } catch (error) {
    if (request === running) say(error.name === "AbortError" ? "Cancelled" : `No answer from the service: ${error.message}`);
  } finally {
    clearInterval(clock);
    if (request === running) {
      running = null;
      cancel.hidden = true;
    }
  }
});

cancel.addEventListener("click", () => running?.abort());

text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) input.requestSubmit();
});

for (const name of ["dragenter", "dragover"]) {
  document.addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    input.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) input.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  if (!event.dataTransfer?.files.length) return;
  event.preventDefault();
  input.classList.remove("over");
  files.files = event.dataTransfer.files;
  input.requestSubmit();
});

const EXAMPLE = "Rain gardens on school grounds\n\nA rain garden is a shallow basin with plants that takes up storm water from roofs and paths. Two schools dug rain gardens and measured infiltration, drought damage and what pupils learnt about storm water. Sandy soil drained within a day; clay soil needed a layer of gravel.";
const example = document.getElementById("example");
if (example) {
  example.hidden = false;
  example.addEventListener("click", () => {
    text.value = EXAMPLE;
    input.requestSubmit();
  });
}

function say(words) {
  status.textContent = words;
}

// What the results need, after they were replaced as after the page was loaded.
function enhance() {
  const least = document.getElementById("least");
  const precision = document.getElementById("precision");
  least?.addEventListener("input", () => show());
  precision?.addEventListener("input", () => show());
  document.getElementById("show")?.setAttribute("hidden", "");  // the sliders act at once
  const copy = document.getElementById("copy");
  if (copy) {
    copy.hidden = false;
    copy.addEventListener("click", copyPhrases);
  }
  const keys = document.getElementById("keys");
  if (keys) keys.hidden = false;
  for (const list of document.querySelectorAll(".phrases")) list.addEventListener("keydown", review);
  for (const name of ["input", "change"]) {
    document.querySelector("#results form")?.addEventListener(name, (event) => {
      unsaved ||= event.target.matches("[type=radio], .missing textarea");
      count();
    });
  }
  for (const article of document.querySelectorAll("#results article")) offerMarks(article);
  unsaved = false;
  if (least || precision) show();
  count();
}

// Hide what is less probable than both sliders allow: phrases, entries of the list, and marks in the text.
function show() {
  const least = document.getElementById("least");
  const precision = document.getElementById("precision");
  const listed = (name) => precision.dataset[name].trim().split(/\s+/);
  const step = precision ? Number(precision.value) : 0;
  const threshold = Math.max(least ? least.value / 100 : 0, step ? Number(listed("thresholds")[step - 1]) : 0);
  if (least) document.getElementById("least-shown").textContent = `${least.value} %`;
  if (precision) {
    const words = step ? listed("targets")[step - 1] : "none";
    document.getElementById("precision-shown").textContent = words;
    precision.setAttribute("aria-valuetext", words);
  }
  for (const article of document.querySelectorAll("#results article")) {
    const shown = new Set();
    for (const phrase of article.querySelectorAll("[data-rank]")) {
      const probability = phrase.dataset.probability;
      phrase.hidden = probability !== undefined && Number(probability) < threshold;
      if (!phrase.hidden) shown.add(phrase.dataset.rank);
    }
    for (const entry of article.querySelectorAll(".phrases li[value], .where:has([data-rank])")) {
      entry.hidden = !entry.querySelector("[data-rank]:not([hidden])");
    }
    for (const mark of article.querySelectorAll("mark")) {
      mark.classList.toggle("hidden", !mark.dataset.ranks.split(" ").some((rank) => shown.has(rank)));
    }
  }
  drawOverview();
}

// Keep in the chart of common keyphrases only the documents that show them, and hide it where none is left.
function drawOverview() {
  const overview = document.querySelector(".overview");
  if (!overview) return;
  for (const row of overview.querySelectorAll("tr:has(rect)")) {
    let count = 0;
    for (const cell of row.querySelectorAll("rect")) {
      const shown = document.querySelectorAll(`#${cell.dataset.article} [data-rank]:not([hidden])`);
      const isShown = [...shown].some((phrase) => phrase.dataset.phrase === cell.dataset.phrase);
      cell.classList.toggle("hidden", !isShown);
      count += isShown;
    }
    row.querySelector("td").textContent = count;
    row.hidden = count < 2;
  }
  overview.hidden = !overview.querySelector("tr:has(rect):not([hidden])");
}

// What Copy and Save take: phrases that are shown or accepted, minus rejected ones, plus those that were added.
function keptPhrases() {
  const lines = [];
  for (const article of document.querySelectorAll("#results article")) {
    for (const phrase of article.querySelectorAll("[data-rank]")) {
      const decision = phrase.querySelector("[type=radio]:checked")?.value ?? "";
      if (decision !== "reject" && (!phrase.hidden || decision === "accept")) lines.push(phrase.dataset.phrase);
    }
    const listed = [...article.querySelectorAll("[data-rank]")].map((phrase) => phrase.dataset.phrase);
    const added = (article.querySelector(".missing textarea")?.value ?? "").split("\n");
    const written = new Set(added.map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line));
    lines.push(...[...written].filter((line) => !listed.includes(line)));
  }
  return lines;
}

// The number of keyphrases on the buttons that take them.
function count() {
  const number = keptPhrases().length;
  const words = `${number} keyphrase${number === 1 ? "" : "s"}`;
  const copy = document.getElementById("copy");
  const save = document.getElementById("save");
  if (copy) copy.textContent = `Copy ${words}`;
  if (save) save.textContent = `Save ${words}`;
}

async function copyPhrases() {
  const lines = keptPhrases();
  try {
    await navigator.clipboard.writeText(lines.join("\n"));
    say(`${lines.length} copied`);
  } catch {
    say("The browser does not allow copying here");
  }
}

function problem(html) {
  return new DOMParser().parseFromString(html, "text/html").querySelector(".problem strong")?.textContent;
}

// A PDF that is still among the chosen files can be saved with its keyphrases marked: it is sent again.
function offerMarks(article) {
  const name = article.querySelector("h2").textContent;
  const file = [...files.files].find((each) => each.name === name && /\.pdf$/i.test(name));
  if (!file) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "marks";
  button.textContent = "Save PDF with marks";
  button.addEventListener("click", async () => {
    const form = new FormData(article.closest("form"));
    form.append("number", article.id.slice(1));
    form.append("files", file);
    say("Marking");
    try {
      const answer = await fetch("marked", { method: "POST", body: form });
      if (!answer.ok) throw new Error(problem(await answer.text()) ?? `status ${answer.status}`);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(await answer.blob());
      link.download = name.replace(/\.pdf$/i, ".marked.pdf");
      link.click();
      URL.revokeObjectURL(link.href);
      say("");
    } catch (error) {
      say(`The PDF was not marked: ${error.message}`);
    }
  });
  article.querySelector(".facts").after(button);
}

// A review that was not saved is asked about before the page is left.
let unsaved = false;

window.addEventListener("beforeunload", (event) => {
  if (unsaved) event.preventDefault();
});
document.addEventListener("submit", (event) => {
  if (event.target !== input) unsaved = false;
});

const DECISIONS = { a: "accept", r: "reject", u: "" };

function review(event) {
  const phrase = event.target.closest("[data-rank]");
  if (!phrase || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("textarea")) return;
  if (event.key in DECISIONS) {
    phrase.querySelector(`[type=radio][value="${DECISIONS[event.key]}"]`).checked = true;
    unsaved = true;
    count();
  } else if (event.key !== "ArrowDown" && event.key !== "ArrowUp") {
    return;
  }
  event.preventDefault();
  const all = [...document.querySelectorAll("#results [data-rank]:not([hidden])")];
  const step = event.key === "ArrowUp" ? -1 : event.key === "u" ? 0 : 1;
  const next = all[all.indexOf(phrase) + step] ?? phrase;
  (next.querySelector("[type=radio]:checked") ?? next.querySelector("[type=radio]"))?.focus();
}

enhance();
