// The map over the whole screen, and hexes that a finger can hit.
"use strict";

export const FINGER = 40; // Pixels that a hex should have at least where it is touched.

export const touched = () => window.matchMedia("(pointer: coarse)").matches;

export function fillScreen(view, on = !view.root.classList.contains("full")) {
  view.root.classList.toggle("full", on);
  document.body.classList.toggle("map-over-all", on);
  for (const button of view.root.querySelectorAll("[data-do=full]")) button.setAttribute("aria-pressed", String(on));
  if (on) view.stage.focus({ preventScroll: true });
}

// On a narrow screen the legend is folded: it stands below the map there.
export function foldLegend() {
  if (!window.matchMedia("(max-width: 62rem)").matches) return;
  for (const legend of document.querySelectorAll(".map-legend")) legend.open = false;
}

// Buttons of the toolbar and Escape.
export function equipFull(view) {
  for (const button of view.root.querySelectorAll("[data-do=full]")) {
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => fillScreen(view));
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !view.root.classList.contains("full")) return;
    fillScreen(view, false);
    event.preventDefault();
  });
}
