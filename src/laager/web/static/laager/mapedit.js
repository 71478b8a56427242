// The map editor: a click opens a hex or paints it; every change is kept, and drawn anew.
"use strict";

import { MapView, equip, complain } from "./map.js";

const root = document.querySelector("[data-map]");
const panel = document.querySelector("[data-panel]");
const brush = root.querySelector("[data-brush]");
const undo = root.querySelector("[data-undo]");
const told = root.querySelector("[data-told]");
const refused = document.querySelector("[data-refused]");
const view = new MapView(root);
let from = "";
let queue = Promise.resolve();

equip(view);

function address() {
  const photo = root.querySelector("[data-photo]");
  return photo?.checked ? photo.dataset.photo : root.dataset.svg;
}

function headers() {
  const all = JSON.parse(document.body.getAttribute("hx-headers"));
  return { ...all, Accept: "application/json" };
}

async function send(data) {
  data.set("hex", data.get("hex") ?? view.chosen);
  const answer = await fetch(root.dataset.post, { method: "POST", body: data, headers: headers(), credentials: "same-origin" });
  const kind = answer.headers.get("Content-Type") ?? "";
  if (!kind.startsWith("application/json")) throw new Error(`the change was not taken (${answer.status})`);
  const found = await answer.json();
  refused.innerHTML = found.refused ?? "";
  if (found.refused) {
    refused.scrollIntoView({ block: "nearest" });
    return;
  }
  if (data.get("hex")) panel.innerHTML = found.panel;
  undo.disabled = !found.undo;
  document.querySelector("[data-unknown]").textContent = found.unknown;
  document.querySelector("[data-unknown-card]").hidden = !found.unknown;
  await view.load(address());
}

// One after the other: each change begins from the text that the one before has left.
function change(data) {
  queue = queue.then(() => send(data)).catch((err) => complain(view, err));
  return queue;
}

function written(line) {
  const data = new FormData();
  data.set("do", "changes");
  data.set("changes", line);
  told.textContent = line;
  return change(data);
}

async function open(name) {
  const url = root.dataset.hexUrl.replace("HEX", encodeURIComponent(name));
  const answer = await fetch(url, { credentials: "same-origin", headers: { "HX-Request": "true" } });
  panel.innerHTML = await answer.text();
}

function start(name) {
  from = name;
  view.clear("from");
  if (name) view.mark("from", [name], "hex-from");
}

view.addEventListener("choose", (event) => {
  const { name } = event.detail;
  if (!name) return;
  const word = brush.value;
  if (!word) {
    open(name).catch((err) => complain(view, err));
  } else if (word[0] === ">" || word[0] === "/") {
    if (!from || from === name) {
      start(from === name ? "" : name);
      return;
    }
    const line = `${from}${word[0]}${name}=${word.slice(1)}`;
    start(word[0] === ">" ? name : "");
    written(line);
  } else {
    written(`${name}=${word}`);
  }
});
view.addEventListener("drawn", () => from && view.mark("from", [from], "hex-from"));
brush.addEventListener("change", () => start(""));

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.closest("header")) return;
  if (!form.matches("[data-hex-form]") && !form.querySelector("[data-undo], [name=changes]")) return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  if (form.querySelector("[data-undo]")) data.set("hex", view.chosen);
  change(data);
});

view.load(root.dataset.svg).then(() => {
  const asked = new URLSearchParams(location.search).get("hex");
  if (asked && view.hexes.has(asked)) {
    view.choose(asked);
    view.show(asked);
  }
}).catch((err) => complain(view, err));
