// The editor of a text: line numbers, problems at their lines, words to be put in.
"use strict";

const form = document.querySelector("[data-editor]");
const text = form.querySelector("textarea");
const gutter = form.querySelector("[data-gutter]");
const changed = form.querySelector("[data-changed]");
const kept = text.value;

function wrongLines() {
  return new Set([...document.querySelectorAll("#problems [data-line]")].map((one) => Number(one.dataset.line)));
}

function number() {
  const wrong = wrongLines();
  const lines = text.value.split("\n").length;
  const parts = [];
  for (let i = 1; i <= lines; i += 1) {
    const one = document.createElement("span");
    one.textContent = `${i}\n`;
    if (wrong.has(i)) one.className = "wrong";
    parts.push(one);
  }
  gutter.replaceChildren(...parts);
  gutter.scrollTop = text.scrollTop;
}

function goTo(line) {
  const lines = text.value.split("\n");
  const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
  const height = Number.parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max(0, (line - 6) * height);
}

// Through the browser's own editing, so that its undo knows of it.
function put(words) {
  text.focus();
  if (!document.execCommand("insertText", false, words)) {
    text.setRangeText(words, text.selectionStart, text.selectionEnd, "end");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

text.addEventListener("input", () => {
  number();
  changed.hidden = text.value === kept;
});
text.addEventListener("scroll", () => {
  gutter.scrollTop = text.scrollTop;
});
text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.isComposing) return;
  const before = text.value.slice(0, text.selectionStart).split("\n").at(-1);
  const indent = before.match(/^ */)[0] + (/:\s*$/.test(before) ? "  " : "");
  if (!indent) return;
  event.preventDefault();
  put(`\n${indent}`);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  form.requestSubmit();
});
document.addEventListener("click", (event) => {
  const line = event.target.closest("[data-line]");
  if (line && line !== text) {
    event.preventDefault();
    goTo(Number(line.dataset.line));
  }
  const word = event.target.closest("[data-insert]");
  if (word) put(word.dataset.insert.includes(":") ? `${word.dataset.insert}\n` : `${word.dataset.insert}: `);
});
document.body.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "problems") number();
});

let leaving = false;
form.addEventListener("submit", () => {
  leaving = true;
});
window.addEventListener("beforeunload", (event) => {
  if (!leaving && text.value !== kept) event.preventDefault();
});

const find = document.querySelector("[data-find]");
if (find) {
  find.closest("[data-scripted]").hidden = false;
  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLowerCase();
    for (const section of document.querySelectorAll(".words details")) {
      let any = false;
      for (const word of section.querySelectorAll("[data-word]")) {
        word.hidden = wanted !== "" && !word.dataset.word.toLowerCase().includes(wanted);
        any ||= !word.hidden;
      }
      section.hidden = !any;
      if (wanted) section.open = any;
    }
  });
}

number();
if (text.dataset.line) goTo(Number(text.dataset.line));
