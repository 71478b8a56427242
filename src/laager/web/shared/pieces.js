// What pages that put counters on a map have in common: elements, shapes, counters.
const SVG = "http://www.w3.org/2000/svg";

export function el(name, more = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(more)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list") made[key] = value;
    else if (value !== null) made.setAttribute(key, value);
  }
  made.append(...inside.filter((one) => one !== null));
  return made;
}

export function shape(name, more, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(more)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

export const hexOf = (at) => String(at ?? "").split(".")[0];

const BOX = 40;
const TAGS = [
  [0, 0],
  [20.5, 0],
  [0, 8.5],
  [20.5, 8.5],
]; // Where tags go from their first place (see `SLOTS` of the counters' module).

// The parts of a counter, from the symbols that the page has: its face, its letter or name, its states.
function counterParts({ face, letter = "", states = [] }) {
  const use = (id, [x, y] = [0, 0]) => shape("use", { href: `#${id}`, x, y, width: BOX, height: BOX });
  const parts = [use(face)];
  const hidden = face.includes("-hidden-");
  if (letter && !hidden) {
    const text = shape("text", { x: 20.5, y: 8.6, class: "counter-letter" }, letter);
    if (letter.length > 3)
      Object.entries({ textLength: 21, lengthAdjust: "spacingAndGlyphs" }).forEach(([key, value]) =>
        text.setAttribute(key, value),
      );
    parts.push(text);
  }
  const tags = TAGS.values();
  for (const state of hidden ? [] : states) {
    const symbol = document.getElementById(`counter-${state}`);
    if (!symbol) continue;
    const spot = symbol.dataset.tag ? tags.next().value : [0, 0];
    if (spot) parts.push(use(`counter-${state}`, spot));
  }
  return parts;
}

// A counter beside its name, for lists and buttons.
export function counterPicture(piece) {
  const svg = shape("svg", { class: "counter", viewBox: `0 0 ${BOX} ${BOX}`, "aria-hidden": "true" });
  if (piece.face) svg.append(...counterParts(piece));
  return svg;
}

// A counter on the map, as a stack if there are several; `kind` is a class for how it looks.
export function counter(x, y, piece, { many = 1, kind = "", size = 34 } = {}) {
  const group = shape("g", { class: `own-stack ${kind}`, transform: `translate(${x} ${y})` });
  const half = size / 2;
  const card = (d) => shape("rect", { x: d - half, y: -d - half, width: size, height: size, rx: 3, class: "card" });
  if (many > 2) group.append(card(4));
  if (many > 1) group.append(card(2));
  const face = shape("g", { transform: `translate(${-half} ${-half}) scale(${size / BOX})` });
  face.append(...counterParts(piece));
  group.append(face, shape("rect", { x: -half, y: -half, width: size, height: size, rx: 3, class: "rim" }));
  if (many > 1) {
    group.append(shape("rect", { x: half - 13, y: -half - 5, width: 19, height: 11, rx: 3, class: "many" }));
    group.append(shape("text", { x: half - 3.5, y: -half + 3.6 }, `×${many}`));
  }
  return group;
}

// Say in a word how many problems there are, with a way to them; they are read when they are wanted.
export function tellProblems(root, words, problems, draw) {
  const verdict = root.querySelector("[data-verdict]");
  const text = problems.length ? `${words.wrong}: ${problems.length}` : words.well;
  if (verdict.textContent.trim() !== text) {
    verdict.replaceChildren(
      problems.length ? el("a", { href: "#problems" }, text) : el("span", { className: "all-right" }, text),
    );
  }
  const list = el("ul", { className: "problem-list" }, ...problems.map((one) => el("li", {}, draw(one))));
  root.querySelector("[data-problems]").replaceChildren(...(problems.length ? [list] : []));
}
