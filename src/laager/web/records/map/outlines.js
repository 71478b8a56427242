// Hexes by their outlines, without a question to the browser, which would have to lay out the page to answer it.
"use strict";

// The box around an outline of straight lines (M and L with places of the drawing, Z).
export function boxOf(outline) {
  const numbers = outline.match(/-?\d+(?:\.\d+)?/g)?.map(Number) ?? [];
  const xs = numbers.filter((_, i) => i % 2 === 0);
  const ys = numbers.filter((_, i) => i % 2 === 1);
  if (!ys.length) return { x: 0, y: 0, width: 0, height: 0 };
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

export function middleOf(outline) {
  const { x, y, width, height } = boxOf(outline);
  return [x + width / 2, y + height / 2];
}

// The name whose place is nearest to (x, y) and no farther than `most`; "" if there is none.
export function nearestTo(places, x, y, most = Infinity) {
  let [best, least] = ["", most];
  for (const [name, [a, b]] of places) {
    const far = Math.hypot(a - x, b - y);
    if (far < least) [least, best] = [far, name];
  }
  return best;
}

// The name of the nearest place in a direction (dx, dy), for the arrow keys; "" at the edge.
export function besideOf(places, name, dx, dy) {
  const from = places.get(name);
  let [best, least] = ["", Infinity];
  for (const [other, [x, y]] of places) {
    const along = (x - from[0]) * dx + (y - from[1]) * dy;
    const across = Math.abs((x - from[0]) * dy) + Math.abs((y - from[1]) * dx);
    if (other === name || along <= 1 || across > along * 1.2) continue;
    const cost = along + 1.5 * across;
    if (cost < least) [least, best] = [cost, other];
  }
  return best;
}

// The name as the map has it, of what somebody typed; `abouts` has the words about each hex, its other names first.
export function nameOf(abouts, text) {
  const wanted = text.trim().split(".")[0];
  if (abouts.has(wanted)) return wanted;
  const low = wanted.toLowerCase();
  for (const [name, about] of abouts) {
    const names = [name, ...about.split(":")[0].split(" = ")];
    if (names.some((one) => one.toLowerCase() === low)) return name;
  }
  return "";
}
