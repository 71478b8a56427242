// Charts as grids: cells are pasted, filled down, completed, checked as they are typed, reached with the keyboard.
"use strict";

const form = document.querySelector("[data-grid]");
const tables = [...form.querySelectorAll("table.cells")];
const news = form.querySelector("[data-paste-news]");
const help = form.querySelector("[data-cell-help]");
const report = document.getElementById("grid-report");
const undo = form.querySelector("[data-undo]");
const changed = form.querySelector("[data-changed]");
const MOST_ROWS = 400;
const firstHelp = help.textContent;

const plain = (text) => text.trim().replace(/\*$/, "").toLowerCase();
const headingsOf = (table) => [...table.querySelectorAll("thead th")];
const rowsOf = (table) => table.tBodies[0].rows;
const grows = (table) => "grows" in table.dataset;
const tableOf = (cell) => cell.closest("table");
const cellFrom = (event) => event.target.closest("table.cells :is(input, select)");

function cellsOf(row) {
  return [...row.querySelectorAll("input, select")];
}

function allCells() {
  return tables.flatMap((table) => [...rowsOf(table)].flatMap(cellsOf));
}

function placeOf(cell) {
  const [row, column] = cell.name
    .match(/r(\d+)\.(\d+)$/)
    .slice(1)
    .map(Number);
  return { table: tableOf(cell), row, column };
}

function cellAt(table, row, column) {
  return form.elements[`${table.dataset.prefix}r${row}.${column}`] ?? null;
}

function addRow(table) {
  const rows = rowsOf(table);
  const number = rows.length;
  const row = rows[number - 1].cloneNode(true);
  row.querySelector("th").textContent = String(number + 1);
  cellsOf(row).forEach((cell, column) => {
    cell.name = `${table.dataset.prefix}r${number}.${column}`;
    cell.id = cell.name;
    cell.setAttribute("aria-label", `${number + 1}, ${plainHeading(table, column)}`);
    cell.removeAttribute("aria-invalid");
    cell.dataset.hint = "";
    cell.closest("td").removeAttribute("class");
    put(cell, "");
  });
  table.tBodies[0].append(row);
}

function plainHeading(table, column) {
  return headingsOf(table)[column].textContent.trim().replace(/\*$/, "");
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
// Of a PDF several spaces stand between columns.
function parsed(copied) {
  const lines = copied.trimEnd().split("\n");
  const spaced =
    lines.length > 1 &&
    !copied.includes("\t") &&
    lines.filter((one) => /\S {2,}\S/.test(one)).length * 2 >= lines.length;
  const text = spaced ? lines.map((one) => one.trim().replace(/ {2,}/g, "\t")).join("\n") : copied;
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

function remember() {
  before = new Map(allCells().map((one) => [one.name, one.value]));
  undo.hidden = false;
}

// Lines that have more or fewer cells than most: what was copied may have lost a column there.
function unevenLines(rows) {
  const lengths = rows.map((one) => one.length);
  const usual = [...lengths].sort(
    (a, b) => lengths.filter((n) => n === b).length - lengths.filter((n) => n === a).length,
  )[0];
  return lengths.flatMap((n, i) => (n === usual ? [] : [i + 1]));
}

function paste(start, text) {
  if (text.length > Number(form.dataset.most)) {
    tell(form.dataset.tooLong, { LENGTH: text.length, MOST: form.dataset.most });
    return;
  }
  let rows = parsed(text);
  const { table, row, column } = placeOf(start);
  const headings = headingsOf(table);
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
  const most = grows(table) ? MOST_ROWS : rowsOf(table).length;
  if (row + rows.length > most) {
    tell(form.dataset.tooMany, { LINES: rows.length });
    return;
  }
  remember();
  while (rowsOf(table).length < row + rows.length) addRow(table);
  rows.forEach((cells, i) => cells.forEach((one, j) => put(cellAt(table, row + i, column + j), one)));
  const uneven = unevenLines(rows);
  const { pasted, uneven: look } = form.dataset;
  tell(uneven.length ? `${pasted} ${look}` : pasted, { LINES: rows.length, NUMBERS: uneven.join(", ") });
  touched();
}

form.addEventListener("paste", (event) => {
  const cell = cellFrom(event);
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!cell) return;
  // A single text goes in where the cursor is, as everywhere; in a blank it takes the place of the question mark.
  const single = !/[\t\n]/.test(text.trimEnd()) && text.length <= 400;
  if (single && cell.tagName !== "SELECT" && cell.value !== "?") return;
  event.preventDefault();
  paste(cell, text);
});

undo.addEventListener("click", () => {
  for (const cell of allCells()) put(cell, before.get(cell.name) ?? "");
  undo.hidden = true;
  tell("");
  touched();
});

for (const more of form.querySelectorAll("[data-more]")) {
  more.hidden = false;
  more.addEventListener("click", () => {
    const table = tables.find((one) => one.dataset.prefix === more.dataset.more);
    const from = rowsOf(table).length;
    for (let i = 0; i < 5 && rowsOf(table).length < MOST_ROWS; i += 1) addRow(table);
    cellAt(table, from, 0)?.focus();
  });
}

// Filling down -------------------------------------------------------------------------------------

let current = null;
let last = null;

function marked() {
  return [...form.querySelectorAll("td.marked :is(input, select)")];
}

function unmark() {
  for (const cell of marked()) cell.closest("td").classList.remove("marked");
  last = null;
}

// Mark the cells of a column from the current one to `cell`.
function markTo(cell) {
  if (!current || !cell || tableOf(cell) !== tableOf(current)) return;
  const from = placeOf(current);
  const to = placeOf(cell);
  if (from.column !== to.column) return;
  unmark();
  const [top, bottom] = [from.row, to.row].sort((a, b) => a - b);
  for (let row = top; row <= bottom; row += 1) {
    cellAt(from.table, row, from.column).closest("td").classList.add("marked");
  }
  last = cell;
}

// The marked cells get the text of the first. Without a mark: those below that are empty, in lines with something.
function fillDown() {
  if (!current) return;
  const { table, row, column } = placeOf(current);
  let cells = marked();
  if (cells.length < 2) {
    const below = [...rowsOf(table)].slice(row + 1).filter((line) => cellsOf(line).some((one) => one.value !== ""));
    cells = [
      current,
      ...below.map((line) => cellsOf(line)[column]).filter((one) => one.value === "" || one.value === "?"),
    ];
  }
  remember();
  for (const cell of cells.slice(1)) put(cell, cells[0].value);
  tell(form.dataset.filled, { CELLS: cells.length - 1 });
  unmark();
  current.focus();
  touched();
}

const fill = form.querySelector("[data-fill]");
fill.hidden = false;
fill.addEventListener("click", fillDown);
form.addEventListener("mousedown", (event) => {
  const cell = cellFrom(event);
  if (!cell) return;
  if (event.shiftKey && current && cell !== current) {
    event.preventDefault();
    markTo(cell);
  } else {
    unmark();
  }
});

// Completing ---------------------------------------------------------------------------------------

// One squad less, which is what most groups have when they are Depleted.
function lessOne(text) {
  const [, count, unit] = text.match(/^(\d+)x ([^,]+)$/) ?? [];
  return Number(count) > 2 ? `${count - 1}x ${unit}` : Number(count) === 2 ? unit : "";
}

// What a cell most likely gets: what stands above it in its column and begins like it, or a word that is known there.
function proposal(cell) {
  if (cell.tagName === "SELECT") return "";
  const { table, row, column } = placeOf(cell);
  if (cell.value === "" || cell.value === "?") {
    const full = headingsOf(table)[column].dataset.key === "depleted" && cellAt(table, row, column - 1);
    return full ? lessOne(full.value) : "";
  }
  const above = [...rowsOf(table)].slice(0, row).map((line) => cellsOf(line)[column].value);
  const list = cell.list ?? document.getElementById(cell.dataset.parts ?? "");
  const known = [...(list?.options ?? [])].map((one) => one.value);
  const fits = (typed) => (text) =>
    text.length > typed.length + 1 && text.toLowerCase().startsWith(typed.toLowerCase());
  const whole = [...above.reverse(), ...("parts" in cell.dataset ? [] : known)].find(fits(cell.value));
  if (whole || !("parts" in cell.dataset)) return whole ?? "";
  // Of several words the last one is completed.
  const part = cell.value.split(/[,;]\s*/).at(-1);
  const word = part && known.find(fits(part));
  return word ? cell.value.slice(0, cell.value.length - part.length) + word : "";
}

function propose(cell) {
  for (const td of form.querySelectorAll("td[data-proposal]")) td.removeAttribute("data-proposal");
  const text = cell ? proposal(cell) : "";
  if (text) cell.closest("td").dataset.proposal = text;
}

// The right arrow key at the end of a cell takes what is proposed for it.
function takeProposal(cell) {
  const text = cell.closest("td").dataset.proposal;
  const { selectionStart: start, selectionEnd: end, value } = cell;
  if (!text || (value !== "?" && (start !== end || end !== value.length))) return false;
  put(cell, text);
  propose(null);
  touched();
  return true;
}

// Keys, help ---------------------------------------------------------------------------------------

form.addEventListener("keydown", (event) => {
  const cell = cellFrom(event);
  if (!cell || event.altKey || event.isComposing) return;
  const { table, row, column } = placeOf(cell);
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "d" || event.shiftKey) return;
    event.preventDefault();
    if (marked().length < 2 && row > 0) markTo(cellAt(table, row - 1, column));
    if (marked().length > 1) fillDown();
    return;
  }
  if (event.key === "ArrowRight" && !event.shiftKey && takeProposal(cell)) {
    event.preventDefault();
    return;
  }
  const arrow = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
  if (event.shiftKey && arrow) {
    event.preventDefault();
    markTo(cellAt(table, placeOf(last ?? cell).row + arrow, column));
    return;
  }
  const choosing = cell.tagName === "SELECT" || cell.list;
  const step = event.key === "Enter" ? (event.shiftKey ? -1 : 1) : choosing ? 0 : arrow;
  if (!step) return;
  event.preventDefault();
  if (step > 0 && row + 1 === rowsOf(table).length && grows(table) && row + 1 < MOST_ROWS) addRow(table);
  const next = cellAt(table, row + step, column);
  next?.focus();
  next?.select?.();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit(form.querySelector("button[value='save']"));
});

function tellHelp(cell) {
  const { table, column } = placeOf(cell);
  const parts = [`${plainHeading(table, column)}: ${headingsOf(table)[column].title}`];
  if (cell.dataset.hint) parts.push(`? ${cell.dataset.hint}`);
  if (cell.getAttribute("aria-invalid")) parts.push(`→ ${cell.title}`);
  const { proposal: text } = cell.closest("td").dataset;
  if (text) parts.push(form.dataset.takes.replace("PROPOSAL", text));
  help.textContent = parts.join(" ");
}

form.addEventListener("focusin", (event) => {
  const cell = cellFrom(event);
  if (!cell) return;
  if (cell !== current) unmark();
  current = cell;
  propose(cell);
  tellHelp(cell);
});
form.addEventListener("focusout", (event) => {
  if (!cellFrom(event)) return;
  propose(null);
  help.textContent = firstHelp;
});

form.addEventListener("input", (event) => {
  const cell = cellFrom(event);
  if (!cell) return;
  cell.closest("td").classList.toggle("blank", cell.value === "?");
  propose(event.inputType?.startsWith("delete") ? null : cell);
  tellHelp(cell);
  touched();
});

// What the check found stands at its cell.
function mark() {
  for (const cell of form.querySelectorAll("[aria-invalid]")) {
    cell.removeAttribute("aria-invalid");
    cell.removeAttribute("title");
  }
  for (const cell of form.querySelectorAll("td.doubtful")) cell.classList.remove("doubtful");
  for (const one of report.querySelectorAll("[data-cell]")) {
    const cell = form.elements[one.dataset.cell];
    if (!cell) continue;
    if ("doubtful" in one.dataset) {
      cell.closest("td").classList.add("doubtful");
      continue;
    }
    cell.setAttribute("aria-invalid", "true");
    cell.title = one.querySelector("span").textContent;
  }
}

mark();
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target === report) mark();
});
report.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (!link) return;
  event.preventDefault();
  form.elements[link.hash.slice(1)]?.focus();
});

let leaving = false;
form.addEventListener("submit", () => {
  leaving = true;
  // What is kept may no longer have the charts of this page.
  clearTimeout(timer);
  htmx.trigger(report, "htmx:abort");
});
window.addEventListener("beforeunload", (event) => {
  if (!leaving && waiting) event.preventDefault();
});
