// What every map on a page has: layers, the search for a hex, the full screen, a place for what went wrong.
"use strict";
import { equipFull } from "./full.js";

const KEPT_LAYERS = "laager-map-layers";

export function equip(view) {
  const root = view.root;
  for (const part of root.querySelectorAll("[data-scripted]")) part.hidden = false;
  const boxes = [...root.querySelectorAll("[data-layer]")];
  let off;
  try {
    off = JSON.parse(localStorage.getItem(KEPT_LAYERS) ?? "[]");
  } catch {
    off = [];
  }
  for (const box of boxes) {
    box.checked = !off.includes(box.dataset.layer);
    box.addEventListener("change", () => {
      view.switchLayers();
      try {
        const left = boxes.filter((one) => !one.checked).map((one) => one.dataset.layer);
        localStorage.setItem(KEPT_LAYERS, JSON.stringify(left));
      } catch {
        // A browser that keeps nothing shows all layers next time.
      }
    });
  }
  const photo = root.querySelector("[data-photo]");
  photo?.addEventListener("change", () => {
    view.load(photo.checked ? photo.dataset.photo : root.dataset.svg).catch((err) => complain(view, err));
  });
  equipFull(view);
  const layers = root.querySelector(".map-layers");
  document.addEventListener("pointerdown", (event) => {
    if (layers?.open && !layers.contains(event.target)) layers.open = false;
  });
  const search = root.querySelector(".map-search");
  search?.addEventListener("submit", (event) => {
    const name = view.find(search.elements.hex.value);
    if (!name) return; // The page says what is wrong with it.
    event.preventDefault();
    view.choose(name, "search");
    view.show(name);
  });
  view.addEventListener("drawn", () => {
    const list = root.querySelector("datalist");
    if (!list || list.childElementCount) return;
    for (const name of view.hexes.keys()) list.append(new Option(name));
  });
}

export function complain(view, err) {
  view.tip.textContent = String(err.message ?? err);
  view.tip.hidden = false;
}
