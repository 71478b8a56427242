// Makes answering pleasant; everything here works without it, by the buttons of the form.
"use strict";

const form = document.getElementById("ask");

// Rows ------------------------------------------------------------------------------------------

function rowsOf(set) {
  return [...set.querySelectorAll(":scope [data-row]")].filter((row) => row.closest("[data-rows]") === set);
}

function bodyOf(set) {
  return [...set.querySelectorAll("[data-body]")].find((one) => one.closest("[data-rows]") === set);
}

function renumber(set) {
  const rows = rowsOf(set);
  rows.forEach((row, i) => {
    const number = row.querySelector("[data-number]");
    if (number) number.textContent = i + 1;
    // Buttons count rows by their place in the form as it will be sent.
    for (const button of row.querySelectorAll(":scope > .row-tools button")) {
      const what = button.hasAttribute("data-copy") ? "copy" : "strike";
      button.value = `${what}:${set.dataset.steps ? set.dataset.steps + "/" : ""}${i}`;
    }
  });
  const none = [...set.querySelectorAll("[data-none]")].find((one) => one.closest("[data-rows]") === set);
  if (none) none.hidden = rows.length > 0;
  const count = set.querySelector(":scope > legend .muted");
  if (count) count.textContent = `(${rows.length})`;
}

function idOf(name) {
  return "f-" + name.replace(/[^A-Za-z0-9_-]/g, "-");
}

function freshKey(set) {
  const keys = rowsOf(set)
    .map((row) => Number(row.dataset.row))
    .filter(Number.isInteger);
  return Math.max(-1, ...keys) + 1;
}

function newRow(set) {
  const blank = set.querySelector(":scope > template[data-blank]");
  const key = freshKey(set);
  const name = set.dataset.rows;
  const steps = set.dataset.steps ? set.dataset.steps + "/" : "";
  const html = blank.innerHTML
    .replaceAll(`${name}.__`, `${name}.${key}`)
    .replaceAll(`${idOf(name)}-__`, `${idOf(name)}-${key}`)
    .replaceAll(`:${steps}__`, `:${steps}${key}`)
    .replaceAll('data-row="__"', `data-row="${key}"`)
    .replaceAll(`name="${name}" value="__"`, `name="${name}" value="${key}"`);
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const row = holder.content.querySelector("[data-row]");
  row.dataset.new = "";
  return row;
}

function changed(set) {
  renumber(set);
  showUse();
  form.dispatchEvent(new Event("rows-changed", { bubbles: true }));
}

function addRow(set) {
  const row = newRow(set);
  bodyOf(set).append(row);
  changed(set);
  row.querySelector("select, input:not([type=hidden])")?.focus();
  return row;
}

function values(row) {
  return [...row.querySelectorAll("input:not([type=hidden]), select, textarea")];
}

function copyRow(set, row) {
  const copy = newRow(set);
  const old = values(row);
  values(copy).forEach((control, i) => {
    if (!old[i]) return;
    if (control.type === "checkbox" || control.type === "radio") {
      const same = old.find(
        (one) => one.value === control.value && one.name.split(".").pop() === control.name.split(".").pop(),
      );
      control.checked = Boolean(same?.checked);
    } else {
      control.value = old[i].value;
    }
  });
  row.after(copy);
  changed(set);
}

function pasteRows(set, row, control, text) {
  // Lines and tabs, as a spreadsheet copies them, fill the rows from here on.
  const lines = text
    .replace(/\r/g, "")
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => line.split("\t"));
  let at = row;
  const firstColumn = values(row)
    .filter((one) => one.type !== "checkbox")
    .indexOf(control);
  for (const cells of lines) {
    if (!at) {
      at = newRow(set);
      bodyOf(set).append(at);
    }
    const controls = values(at).filter((one) => one.type !== "checkbox");
    cells.forEach((cell, i) => {
      const one = controls[firstColumn + i];
      if (!one) return;
      const wanted = cell.trim();
      if (one.tagName === "SELECT") {
        const option = [...one.options].find(
          (o) => o.value === wanted || o.text.toLowerCase() === wanted.toLowerCase(),
        );
        if (option) one.value = option.value;
      } else {
        one.value = wanted;
      }
    });
    const next = at.nextElementSibling;
    at = next && next.hasAttribute("data-row") ? next : null;
  }
  changed(set);
}

// Options ---------------------------------------------------------------------------------------

function filterList(input) {
  const list = document.getElementById(input.dataset.filter);
  const wanted = input.value.trim().toLowerCase();
  for (const item of list.querySelectorAll("li, tbody tr")) {
    item.hidden = wanted !== "" && !item.textContent.toLowerCase().includes(wanted);
  }
}

function countChosen(set) {
  const chosen = set.querySelectorAll("input:checked").length;
  const count = set.querySelector("[data-count]");
  if (count) {
    count.textContent = `(${chosen})`;
    count.classList.toggle("problem", chosen < Number(set.dataset.low) || chosen > Number(set.dataset.high));
  }
}

function showChosen(details) {
  const names = [...details.querySelectorAll("input:checked")].map((one) => one.nextElementSibling.textContent);
  details.querySelector("[data-chosen]").textContent = names.join(", ") || "–";
}

const NONE = "none";
let panel = null;

function closeWords() {
  panel?.remove();
  panel = null;
}

function openWords(input) {
  closeWords();
  const options = document.getElementById(input.dataset.words)?.options;
  if (!options || options.length === 0) return;
  panel = document.createElement("div");
  panel.className = "words-panel";
  panel.dataset.for = input.id;
  for (const option of options) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.value = option.value;
    box.checked = wordsOf(input).includes(option.value);
    box.addEventListener("change", (event) => {
      event.stopPropagation();
      let words = wordsOf(input).filter((word) => word !== option.value);
      // Nothing and something are not chosen together.
      if (box.checked) words = option.value === NONE ? [] : words.filter((word) => word !== NONE);
      if (box.checked) words.push(option.value);
      input.value = words.join(", ");
      for (const one of panel.querySelectorAll("input")) one.checked = words.includes(one.value);
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
    label.append(box, option.textContent || option.value);
    panel.append(label);
  }
  document.body.append(panel);
  const place = input.getBoundingClientRect();
  const left = Math.min(place.left + scrollX, document.documentElement.clientWidth - panel.offsetWidth - 4);
  panel.style.setProperty("left", `${Math.max(0, left)}px`);
  panel.style.setProperty("top", `${place.bottom + scrollY + 2}px`);
}

function wordsOf(input) {
  return input.value
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
}

// Problems --------------------------------------------------------------------------------------

// A new row says what is wrong with it only when somebody has been at it.
function untouched(control) {
  return Boolean(control?.closest("[data-new]"));
}

function showProblems(found) {
  for (const list of form.querySelectorAll("[data-at]")) list.replaceChildren();
  for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
  for (const row of form.querySelectorAll("tr.wrong")) row.classList.remove("wrong");
  for (const [id, sentences] of Object.entries(found)) {
    const control = document.getElementById(id);
    if (untouched(control ?? form.querySelector(`[data-at="${CSS.escape(id)}"]`))) continue;
    let list = form.querySelector(`[data-at="${CSS.escape(id)}"]`);
    if (!list && control) {
      list = document.createElement("ul");
      list.className = "problem field-problems";
      list.dataset.at = id;
      list.id = `${id}-wrong`;
      (control.closest("td, .field, fieldset") || control.parentElement).append(list);
    }
    if (!list) continue;
    list.replaceChildren(
      ...sentences.map((sentence) => {
        const item = document.createElement("li");
        item.textContent = sentence;
        return item;
      }),
    );
    if (control?.matches("input, select, textarea")) {
      control.setAttribute("aria-invalid", "true");
      control.setAttribute("aria-describedby", list.id);
    }
    list.closest("tr")?.classList.add("wrong");
  }
}

// The shop --------------------------------------------------------------------------------------

function controlOf(row, name) {
  return row.querySelector(`[name$=".${CSS.escape(name)}"]`);
}

function rowsWith(set, ware) {
  const wanted = Object.entries(JSON.parse(ware.dataset.ware));
  return rowsOf(set).filter((row) => wanted.every(([name, value]) => controlOf(row, name)?.value === String(value)));
}

function countControl(row) {
  return controlOf(row, "count") ?? controlOf(row, "number");
}

function countOf(row) {
  return Number(countControl(row)?.value ?? 1);
}

function oneMore(set, ware) {
  const row = rowsWith(set, ware).pop();
  const count = row && countControl(row);
  if (count) {
    count.value = countOf(row) + 1;
  } else {
    const added = newRow(set);
    for (const [name, value] of Object.entries(JSON.parse(ware.dataset.ware))) {
      const control = controlOf(added, name);
      if (control) control.value = value;
    }
    bodyOf(set).append(added);
  }
  changed(set);
}

function oneLess(set, ware) {
  const row = rowsWith(set, ware).pop();
  if (!row) return;
  if (countOf(row) > 1) countControl(row).value = countOf(row) - 1;
  else row.remove();
  changed(set);
}

// How many of each are in the cart; and which columns of it mean something for what is in it.
function showUse() {
  for (const ware of form.querySelectorAll("[data-ware]")) {
    const count = rowsWith(ware.closest("[data-rows]"), ware).reduce((sum, row) => sum + countOf(row), 0);
    const shown = ware.querySelector("[data-count]");
    shown.value = count;
    shown.classList.toggle("none", count === 0);
    ware.querySelector("[data-less]").disabled = count === 0;
  }
  for (const set of form.querySelectorAll("[data-rows]")) {
    const used = new Map();
    for (const row of rowsOf(set)) {
      const first = row.querySelector("select, input:not([type=hidden])")?.value;
      for (const cell of row.querySelectorAll(":scope > [data-only]")) {
        const needed = JSON.parse(cell.dataset.only).includes(first);
        cell.classList.toggle("unneeded", !needed);
        used.set(cell.dataset.part, used.get(cell.dataset.part) || needed);
      }
    }
    for (const [part, needed] of used) {
      for (const cell of set.querySelectorAll(`:is(th, td)[data-part="${CSS.escape(part)}"]`)) cell.hidden = !needed;
    }
  }
}

function showOffers(offers) {
  for (const [value, { why, left, wares }] of Object.entries(offers)) {
    const line = form.querySelector(`[data-line-of="${CSS.escape(value)}"]`);
    if (!line) continue;
    line.classList.toggle("barred", why !== "");
    line.querySelector("[data-why]").textContent = why;
    const rest = line.querySelector("[data-left]");
    if (rest) rest.textContent = left ?? "";
    line.querySelectorAll("[data-ware]").forEach((ware, i) => {
      const [price, whyNot] = wares[i];
      const more = ware.querySelector("[data-more]");
      ware.querySelector("[data-price]").textContent = price;
      more.disabled = whyNot !== "";
      more.title = whyNot;
    });
  }
}

function showCosts(costs) {
  for (const set of form.querySelectorAll("[data-rows]")) {
    rowsOf(set).forEach((row, i) => {
      const cell = row.querySelector(":scope > [data-cost]");
      if (cell) cell.textContent = costs[`${set.dataset.path}[${i + 1}]`] ?? "";
    });
  }
}

// Events ----------------------------------------------------------------------------------------

function start() {
  for (const filter of form.querySelectorAll(".filter")) filter.hidden = false;
  for (const set of form.querySelectorAll("[data-several]")) countChosen(set);

  form.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const set = button.closest("[data-rows]");
    const row = button.closest("[data-row]");
    if (button.hasAttribute("data-add")) addRow(set);
    else if (button.hasAttribute("data-clear")) {
      rowsOf(set).forEach((one) => one.remove());
      changed(set);
    } else if (button.hasAttribute("data-more")) oneMore(set, button.closest("[data-ware]"));
    else if (button.hasAttribute("data-less")) oneLess(set, button.closest("[data-ware]"));
    else if (button.hasAttribute("data-copy")) copyRow(set, row);
    else if (button.hasAttribute("data-strike")) {
      row.remove();
      changed(set);
    } else return;
    event.preventDefault();
  });
  showUse();
  form.addEventListener("input", showUse);
  form.addEventListener("change", (event) => {
    showUse();
    const several = event.target.closest("[data-several]");
    if (several) countChosen(several);
    const details = event.target.closest("details.several");
    if (!details) return;
    const none = details.querySelector(`input[value="${NONE}"]`);
    if (none && event.target.checked) {
      for (const one of details.querySelectorAll("input:checked")) {
        if ((one === none) !== (event.target === none)) one.checked = false;
      }
    }
    showChosen(details);
  });
  form.addEventListener("input", (event) => {
    const row = event.target.closest("[data-new]");
    if (row) delete row.dataset.new;
    if (event.target.matches("[data-filter]")) {
      filterList(event.target);
      event.stopPropagation();
    }
  });
  form.addEventListener("keydown", (event) => {
    // Enter goes on to the next field; nothing is given away by a slip of the finger.
    const field = event.target;
    if (
      event.key === "Enter" &&
      field.matches("input:not([type=checkbox]):not([type=radio])") &&
      form.classList.contains("long")
    ) {
      event.preventDefault();
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    if (event.key === "Escape") closeWords();
  });
  form.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") || "";
    const row = event.target.closest("tr[data-row]");
    if (!row || !/[\t\n]./.test(text) || event.target.tagName === "TEXTAREA") return;
    event.preventDefault();
    pasteRows(row.closest("[data-rows]"), row, event.target, text);
  });
  form.addEventListener("focusin", (event) => {
    if (event.target.matches("[data-words]")) openWords(event.target);
    else closeWords();
  });
  document.addEventListener("pointerdown", (event) => {
    if (panel && !panel.contains(event.target) && event.target.id !== panel.dataset.for) closeWords();
    const line = event.target.closest("[data-line]");
    if (line) toLine(Number(line.dataset.line));
  });
  // After the click: what closes under a pointer that is down moves what was to be clicked.
  document.addEventListener("click", (event) => {
    for (const open of form.querySelectorAll("details.several[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const found = event.target.querySelector?.("[data-problems]");
    if (event.target.id !== "check") return;
    for (const old of form.querySelectorAll("#refused")) old.remove();
    showProblems(found ? JSON.parse(found.dataset.problems) : {});
    if (!found) return;
    showCosts(JSON.parse(found.dataset.costs));
    showOffers(JSON.parse(found.dataset.offers));
    if (give) give.textContent = found.dataset.give.trim();
  });
  // What a changed answer gives up is not known before it is checked.
  const give = form.querySelector("button[data-plain]");
  for (const change of ["input", "change", "rows-changed"]) {
    form.addEventListener(change, () => {
      if (give) give.textContent = give.dataset.plain;
    });
  }
}

// A file is read here; only its text is sent, as if it had been typed.
for (const chooser of document.querySelectorAll("input[type=file][data-into]")) {
  chooser.addEventListener("change", async () => {
    const area = document.getElementById(chooser.dataset.into);
    if (!chooser.files.length || !area) return;
    area.value = await chooser.files[0].text();
    area.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

function toLine(number) {
  const area = document.getElementById("answer-text");
  if (!area) return;
  const lines = area.value.split("\n");
  const begin = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(begin, begin + (lines[number - 1] || "").length);
}

// After htmx, which begins when all modules are there: before that a button sends the form, and nothing goes unchecked.
if (form) document.addEventListener("DOMContentLoaded", start);
