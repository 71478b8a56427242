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

// A counter with its type on it, as a stack if there are several; `kind` is a class for how it looks.
export function counter(x, y, { type, side, many = 1, kind = "" }) {
  const group = shape("g", { class: `own-stack ${kind}`, transform: `translate(${x} ${y})` });
  if (many > 1) group.append(shape("rect", { x: -14, y: -12, width: 34, height: 26, rx: 3 }));
  group.append(shape("rect", { x: -17, y: -14, width: 34, height: 26, rx: 3 }));
  group.append(shape("rect", { x: -17, y: -14, width: 34, height: 5, rx: 2, class: `bar side-${side}` }));
  const label = type.length > 8 ? `${type.slice(0, 7)}…` : type;
  const text = shape("text", { x: 0, y: many > 1 ? 1 : 4 }, label);
  if (label.length > 5) text.setAttribute("textLength", 31);
  if (label.length > 5) text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  group.append(text);
  if (many > 1) group.append(shape("text", { x: 10, y: 11 }, `×${many}`));
  return group;
}
