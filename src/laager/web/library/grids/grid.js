// A chart as a grid: cells are pasted from a spreadsheet, checked as they are typed, reached with the keyboard.
"use strict";

const form = document.querySelector("[data-grid]");
const body = form.querySelector("tbody");
const news = form.querySelector("[data-paste-news]");
const help = form.querySelector("[data-cell-help]");
const report = document.getElementById("grid-report");
const undo = form.querySelector("[data-undo]");
const more = form.querySelector("[data-more]");
const changed = form.querySelector("[data-changed]");
const MOST_ROWS = 400;
const firstHelp = help.textContent;

const headings = [...form.querySelectorAll("thead th")];
const meanings = headings.map((one) => one.title);
const plain = (text) => text.trim().replace(/\*$/, "").toLowerCase();

function cellsOf(row) {
  return [...row.querySelectorAll("input, select")];
}

function placeOf(cell) {
  const [row, column] = cell.name.slice(1).split(".").map(Number);
  return { row, column };
}

function cellAt(row, column) {
  return form.elements[`r${row}.${column}`] ?? null;
}

function addRow() {
  const last = body.rows[body.rows.length - 1];
  const row = last.cloneNode(true);
  const number = body.rows.length;
  row.querySelector("th").textContent = String(number + 1);
  cellsOf(row).forEach((cell, column) => {
    cell.name = `r${number}.${column}`;
    cell.id = cell.name;
    cell.setAttribute("aria-label", `${number + 1}, ${plainHeading(column)}`);
    cell.removeAttribute("aria-invalid");
    cell.dataset.hint = "";
    cell.closest("td").classList.remove("blank");
    put(cell, "");
  });
  body.append(row);
}

function plainHeading(column) {
  return headings[column].textContent.trim().replace(/\*$/, "");
}

// A list to choose from takes what it knows; anything else is shown, and the check says what is wrong with it.
function put(cell, text) {
  if (cell.tagName !== "SELECT") {
    cell.value = text;
  } else {
    const known = [...cell.options].find((one) => one.value.toLowerCase() === text.toLowerCase());
    if (!known) cell.add(new Option(text, text));
    cell.value = known ? known.value : text;
  }
  cell.closest("td").classList.toggle("blank", text === "?");
}

function touched() {
  changed.hidden = false;
  waiting = true;
  clearTimeout(timer);
  timer = setTimeout(() => htmx.trigger(report, "cells"), 600);
}
let timer = 0;
let waiting = false;

// Pasting ------------------------------------------------------------------------------------------

// What a spreadsheet copies: tabs between cells, quotes around cells with tabs, quotes or line ends.
function parsed(text) {
  const rows = [[]];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else if (c === '"') {
        quoted = false;
      } else {
        cell += c;
      }
    } else if (c === '"' && cell === "") {
      quoted = true;
    } else if (c === "\t" || c === "\n") {
      rows.at(-1).push(cell.trim());
      cell = "";
      if (c === "\n") rows.push([]);
    } else if (c !== "\r") {
      cell += c;
    }
  }
  rows.at(-1).push(cell.trim());
  return rows.filter((row) => row.some((one) => one !== ""));
}

function tell(text, values = {}) {
  news.textContent = Object.entries(values).reduce((told, [name, value]) => told.replace(name, value), text);
}

let before = null;

function paste(start, text) {
  if (text.length > Number(form.dataset.most)) {
    tell(form.dataset.tooLong, { LENGTH: text.length, MOST: form.dataset.most });
    return;
  }
  let rows = parsed(text);
  const { row, column } = placeOf(start);
  const named = rows[0]?.filter(
    (one, i) => headings[column + i] && plain(one) === plain(headings[column + i].textContent),
  ).length;
  if (rows.length > 1 && named > 1 && named === rows[0].filter(Boolean).length) rows = rows.slice(1);
  const room = headings.length - column;
  const wide = rows.findIndex((one) => one.length > room);
  if (wide >= 0) {
    tell(form.dataset.noRoom, { LINE: wide + 1, CELLS: rows[wide].length, ROOM: room });
    return;
  }
  const most = "grows" in form.dataset ? MOST_ROWS : body.rows.length;
  if (row + rows.length > most) {
    tell(form.dataset.tooMany, { LINES: rows.length });
    return;
  }
  before = [...form.elements].filter((one) => /^r\d+\.\d+$/.test(one.name)).map((one) => [one.name, one.value]);
  while (body.rows.length < row + rows.length) addRow();
  rows.forEach((cells, i) => cells.forEach((one, j) => put(cellAt(row + i, column + j), one)));
  undo.hidden = false;
  tell(form.dataset.pasted, { LINES: rows.length });
  touched();
}

body.addEventListener("paste", (event) => {
  const cell = event.target.closest("input, select");
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!cell) return;
  // A single text goes in where the cursor is, as everywhere; in a blank it takes the place of the question mark.
  const single = !/[\t\n]/.test(text.trimEnd()) && text.length <= 400;
  if (single && cell.tagName !== "SELECT" && cell.value !== "?") return;
  event.preventDefault();
  paste(cell, text);
});

undo.addEventListener("click", () => {
  const kept = new Map(before);
  for (const row of body.rows) for (const cell of cellsOf(row)) put(cell, kept.get(cell.name) ?? "");
  undo.hidden = true;
  tell("");
  touched();
});

more.hidden = !("grows" in form.dataset);
more.addEventListener("click", () => {
  const from = body.rows.length;
  for (let i = 0; i < 5 && body.rows.length < MOST_ROWS; i += 1) addRow();
  cellAt(from, 0)?.focus();
});

// Keys, help ---------------------------------------------------------------------------------------

body.addEventListener("keydown", (event) => {
  const cell = event.target.closest("input, select");
  if (!cell || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { row, column } = placeOf(cell);
  const choosing = cell.tagName === "SELECT" || cell.list;
  const step =
    event.key === "Enter" ? (event.shiftKey ? -1 : 1) : choosing ? 0 : ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0);
  if (!step) return;
  event.preventDefault();
  if (step > 0 && row + 1 === body.rows.length && "grows" in form.dataset && row + 1 < MOST_ROWS) addRow();
  const next = cellAt(row + step, column);
  next?.focus();
  next?.select?.();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit(form.querySelector("button[value='save']"));
});

body.addEventListener("focusin", (event) => {
  const cell = event.target.closest("input, select");
  if (!cell) return;
  const { column } = placeOf(cell);
  const parts = [`${plainHeading(column)}: ${meanings[column]}`];
  if (cell.dataset.hint) parts.push(`? ${cell.dataset.hint}`);
  if (cell.getAttribute("aria-invalid")) parts.push(`→ ${cell.title}`);
  help.textContent = parts.join(" ");
});
body.addEventListener("focusout", () => {
  help.textContent = firstHelp;
});

body.addEventListener("input", (event) => {
  event.target.closest("td")?.classList.toggle("blank", event.target.value === "?");
  touched();
});

// What the check found stands at its cell.
function mark() {
  for (const cell of body.querySelectorAll("[aria-invalid]")) {
    cell.removeAttribute("aria-invalid");
    cell.removeAttribute("title");
  }
  for (const one of report.querySelectorAll("[data-cell]")) {
    const cell = form.elements[one.dataset.cell];
    if (!cell) continue;
    cell.setAttribute("aria-invalid", "true");
    cell.title = one.querySelector("span").textContent;
  }
}

document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target === report) mark();
});
report.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#r']");
  if (!link) return;
  event.preventDefault();
  form.elements[link.hash.slice(1)]?.focus();
});

let leaving = false;
form.addEventListener("submit", () => {
  leaving = true;
});
window.addEventListener("beforeunload", (event) => {
  if (!leaving && waiting) event.preventDefault();
});
