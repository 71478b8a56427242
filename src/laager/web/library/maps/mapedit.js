// The map editor: strokes are seen at once, go to the server one after the other, and can be taken back.
"use strict";

import { MapView, equip, complain } from "../../records/map/map.js";
import { Painting } from "./mappaint.js";
import { Queue } from "./mapqueue.js";
import { Tools, brushOf } from "./mapstrokes.js";

const root = document.querySelector("[data-map]");
const panel = document.querySelector("[data-panel]");
const refused = document.querySelector("[data-refused]");
const find = (name) => root.querySelector(`[data-${name}]`);
const [brush, away, named, told, shown] = ["brush", "away", "named", "told", "shown"].map(find);
const words = root.dataset;
const first = JSON.parse(document.getElementById("painted").textContent);
const view = new MapView(root);
const painting = new Painting(view, first.palette);
const onlySeen = words.onlySeen !== undefined;
let was = words.was;

equip(view);

// What is chosen --------------------------------------------------------------------------------------

function how() {
  return root.querySelector("[data-how]:checked")?.value ?? "drag";
}

function state() {
  return { brush: brushOf(brush.value), how: how(), away: away.checked, name: named.value.trim() };
}

const tools = new Tools(view, painting, state, async (name, by) => {
  const photo = words.photo && ["both", "picture"].includes(shown.value);
  const like = by || (photo ? "colour" : "terrain");
  const alike = words.alike.replace("HEX", encodeURIComponent(name));
  const answer = await fetch(`${alike}?by=${like}`, {
    credentials: "same-origin",
    headers: { Accept: "application/json" },
  });
  if (answer.ok) return (await answer.json()).hexes;
  complain(view, new Error(`${answer.status}`));
  return [];
});
view.tool = tools;

function chosen() {
  const { brush: one } = state();
  tools.start("");
  // What floods woods should not flood the next thing, which may be a Setup Area.
  if (one.kind !== "hex") root.querySelector('[data-how][value="drag"]').checked = true;
  const free = one.kind === "place" && ["setup", "block", "name"].includes(one.word);
  named.closest("label").hidden = !free;
  find("hows").hidden = one.kind === "look" || !tools.shaped(one);
  away.closest("label").hidden = one.kind === "look";
  root.classList.toggle("painting", one.kind !== "look");
  root.classList.toggle("of-blocks", ["block", "no-block"].includes(one.word));
  told.textContent = words[`hint${one.kind[0].toUpperCase()}${one.kind.slice(1)}`] ?? "";
}

function choose(value, name = "") {
  brush.value = value;
  if (name) named.value = name;
  away.checked = false;
  chosen();
}

brush.addEventListener("change", chosen);

// What is shown ---------------------------------------------------------------------------------------

function address() {
  if (shown.value === "finished") return words.svg;
  return words.sheet + (words.photo && shown.value !== "painting" ? "&boards=1" : "");
}

async function show() {
  root.dataset.view = words.photo || shown.value === "finished" ? shown.value : "painting";
  const wanted = address();
  if (view.shows !== wanted || shown.value === "finished") await view.load(wanted);
  view.shows = wanted;
}

view.addEventListener("drawn", () => {
  painting.groups = null;
  painting.attach();
  if (tools.from) view.mark("from", [tools.from], "hex-from");
});
shown.addEventListener("change", () => show().catch((err) => complain(view, err)));

// To the server and back --------------------------------------------------------------------------------

function headers() {
  return { ...JSON.parse(document.body.getAttribute("hx-headers")), Accept: "application/json" };
}

const card = document.querySelector("[data-card]");
document.querySelector("[data-needs-show]")?.setAttribute("hidden", "");
const queue = new Queue(words.post, headers, () => ({ was, hex: view.chosen, card: card?.value ?? "" }));

function parts(found) {
  for (const [name, html] of Object.entries(found.parts ?? {})) {
    const there = document.querySelector(`[data-part="${name}"]`);
    if (there) there.innerHTML = html;
  }
}

// Doubts that are none any more leave the list, or the group that they were in.
function settled(doubts) {
  if (!doubts) return;
  const left = new Set(doubts);
  for (const one of document.querySelectorAll("[data-doubt], [data-leaving]")) {
    const kind = "doubt" in one.dataset ? "doubt" : "leaving";
    const places = one.dataset[kind].split(",").filter((place) => left.has(place));
    if (!places.length) one.remove();
    else if (one.dataset[kind] !== places.join()) {
      one.dataset[kind] = places.join();
      const count = one.querySelector("[data-count]");
      if (count) count.textContent = places.length;
    }
  }
}

queue.addEventListener("answer", (event) => {
  const found = event.detail;
  refused.innerHTML = found.refused ?? "";
  if (found.refused) refused.scrollIntoView({ block: "nearest" });
  if (found.was) {
    was = found.was;
    find("undo").disabled = !found.undo;
    find("redo").disabled = !found.redo;
    document.querySelector("[data-unknown]").textContent = found.unknown;
    document.querySelector("[data-unknown-card]").hidden = !found.unknown;
  }
  parts(found);
  settled(found.doubts);
  if (found.told) complain(view, found.told);
  if (found.panel) panel.innerHTML = found.panel;
  if (found.painted) painting.take(found.painted);
  else if (found.changed) painting.change(found.changed);
  if (shown.value === "finished") show().catch((err) => complain(view, err));
});
queue.addEventListener("state", (event) => {
  const { waiting, trouble } = event.detail;
  find("saved").textContent = trouble ? `${words.unsaved} (${trouble})` : waiting ? words.saving : words.saved;
  find("saved").classList.toggle("wrong", Boolean(trouble));
});

tools.addEventListener("stroke", (event) => {
  const { lines } = event.detail;
  told.textContent =
    lines.at(-1).length > 90 ? `${lines.at(-1).slice(0, 40)}…${lines.at(-1).slice(-40)}` : lines.at(-1);
  painting.foresee(lines);
  queue.push(lines);
});
tools.addEventListener("told", () => {
  told.textContent = words.hintNamed;
  named.focus();
});

async function open(name) {
  const url = words.hexUrl.replace("HEX", encodeURIComponent(name));
  const answer = await fetch(url, { credentials: "same-origin", headers: { "HX-Request": "true" } });
  panel.innerHTML = await answer.text();
}

view.addEventListener("choose", (event) => {
  const { name, how: by } = event.detail;
  if (!name || (by !== "key" && by !== "script" && by !== "search" && state().brush.kind !== "look")) return;
  if (state().brush.kind === "look") open(name).catch((err) => complain(view, err));
});

// Forms and buttons -------------------------------------------------------------------------------------

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.closest("header")) return;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  queue.post(data);
});

document.addEventListener("click", (event) => {
  const wanted = event.target.closest("[data-want]");
  if (!wanted) return;
  choose(wanted.dataset.want, wanted.dataset.name ?? "");
  if (view.hexes.has(wanted.dataset.go)) {
    view.choose(wanted.dataset.go);
    view.show(wanted.dataset.go);
  }
  root.scrollIntoView({ block: "start" });
  view.stage.focus({ preventScroll: true });
});

card?.addEventListener("change", () => {
  const data = new FormData();
  data.set("do", "look");
  queue.post(data);
});

function back(kind) {
  const data = new FormData();
  data.set("do", kind);
  queue.post(data);
}

// Keys, while the map has the focus ----------------------------------------------------------------------

const TURNS = ["both", "painting", "picture"];

function key(event) {
  const { brush: one } = state();
  const low = event.key.toLowerCase();
  if (onlySeen && low !== "v") return false;
  if ((event.ctrlKey || event.metaKey) && ["z", "y"].includes(low)) {
    back(low === "y" || event.shiftKey ? "redo" : "undo");
  } else if (event.ctrlKey || event.altKey || event.metaKey) {
    return false;
  } else if (event.key === "Enter" || event.key === " ") {
    if (!view.chosen || !tools.enter(view.chosen)) return false;
  } else if (/^[1-6]$/.test(event.key) && view.chosen && one.kind === "side") {
    return tools.numbered(view.chosen, Number(event.key));
  } else if (event.key === "Escape" && tools.from) {
    tools.start("");
  } else if (event.key === "Escape" && one.kind !== "look") {
    choose("");
  } else if (low === "v" && words.photo) {
    shown.value = TURNS[(TURNS.indexOf(shown.value) + 1) % TURNS.length];
    shown.dispatchEvent(new Event("change"));
  } else if (low === "x" && one.kind !== "look") {
    away.checked = !away.checked;
  } else if ("drf".includes(low) && low.length === 1 && tools.shaped(one)) {
    root.querySelector(`[data-how][value="${{ d: "drag", r: "rectangle", f: "flood" }[low]}"]`).checked = true;
  } else if (low === "b") {
    brush.focus();
  } else {
    return false;
  }
  return true;
}

view.stage.addEventListener(
  "keydown",
  (event) => {
    if (!view.svg || !key(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

// Beginning ---------------------------------------------------------------------------------------------

painting.take(first.painted);
chosen();
show()
  .then(() => {
    const asked = new URLSearchParams(location.search).get("hex");
    if (asked && view.hexes.has(asked)) {
      view.choose(asked);
      view.show(asked);
    }
    // What an earlier look at this page could not send any more.
    queue.run();
  })
  .catch((err) => complain(view, err));
