// The list of doubts about a map: keys settle one after the other, and each is shown on the map.
"use strict";

const card = document.querySelector("[data-doubts]");
const world = document.querySelector("[data-world]");
const search = document.querySelector(".map-search");

function current() {
  return card.querySelector("li[aria-current]") ?? card.querySelector("li");
}

function pick(one, focus) {
  card.querySelector("li[aria-current]")?.removeAttribute("aria-current");
  if (!one) return;
  one.setAttribute("aria-current", "true");
  if (focus) one.querySelector("button")?.focus({ preventScroll: true });
  one.scrollIntoView({ block: "nearest" });
  if (search && search.elements.hex.value !== one.dataset.hex) {
    search.elements.hex.value = one.dataset.hex;
    search.requestSubmit();
    if (focus) one.querySelector("button")?.focus({ preventScroll: true });
  }
  outline();
}

// Keys count while the list has the focus: elsewhere they mean other things.
card.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("select")) return;
  const one = current();
  const key = event.key.toLowerCase();
  if (!one || !/^[yn1-9]$/.test(key)) return;
  event.preventDefault();
  if (key === "n") {
    pick(one.nextElementSibling ?? card.querySelector("li"), true);
    return;
  }
  one.querySelector(`[aria-keyshortcuts="${key.toUpperCase()}"]`)?.click();
});
card.addEventListener("focusin", (event) => {
  const one = event.target.closest("li");
  if (one && !one.hasAttribute("aria-current")) pick(one, false);
});

// The line that two hexes share, by their corners that lie together; both hexes where they share none.
function between(one, other) {
  const corners = (d) => [...d.matchAll(/(-?[\d.]+)[ ,]+(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const theirs = corners(other);
  const near = ([x, y]) => theirs.some(([a, b]) => Math.hypot(a - x, b - y) < 1.5);
  const shared = corners(one).filter(near);
  return shared.length === 2 ? `M${shared[0]}L${shared[1]}` : one + other;
}

function drawingOf(place, drawings) {
  const lines = place.split("/").map((name) => drawings.get(name));
  if (lines.includes(undefined)) return "";
  return lines.length === 2 ? between(...lines) : lines[0];
}

// Each of them is outlined on the map, the current one stronger, with all hexes of its group.
function outline() {
  const drawn = world?.querySelector(".map-top");
  if (!drawn) return;
  drawn.querySelector("#layer-doubts")?.remove();
  const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
  layer.id = "layer-doubts";
  const drawings = new Map();
  for (const hex of drawn.querySelectorAll("[data-hex]")) drawings.set(hex.dataset.hex, hex.getAttribute("d"));
  const now = card.querySelector("li[aria-current]");
  for (const one of card.querySelectorAll("li")) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute(
      "d",
      one.dataset.doubt
        .split(",")
        .map((place) => drawingOf(place, drawings))
        .join(""),
    );
    path.setAttribute("class", one === now ? "hex-doubt hex-doubt-now" : "hex-doubt");
    layer.append(path);
  }
  drawn.append(layer);
}

// What is settled leaves the list; then the next one is current, and the keys go on.
new MutationObserver((changes) => {
  const gone = changes.flatMap((change) => [...change.removedNodes]).filter((node) => node.matches?.("li"));
  if (!gone.length) return;
  const next = card.querySelector("li");
  if (gone.some((node) => node.hasAttribute("aria-current"))) pick(next, true);
  else outline();
  if (!next) location.reload();
}).observe(card.querySelector("ol"), { childList: true });
if (world) new MutationObserver(outline).observe(world, { childList: true });
outline();
