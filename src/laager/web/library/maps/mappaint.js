// What is painted on a map, drawn hex by hex from data: a stroke is seen at once, however large the map is.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const ACROSS = 60; // From column to column on the sheet.
const HALF = 20 * Math.sqrt(3); // Half the height of a hex.
const MATERIALS = { stone: "#8f9298", wooden: "#b3762f", hut: "#d4b483" };

function make(kind, attributes, text = "") {
  const made = document.createElementNS(SVG, kind);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

// A hexside by its one name: both hexes by column, row, board.
function sideKey(one, other) {
  const parts = (name) => {
    const [, board, letters, row] = /^(\d*[a-z]*)([A-Z]+)(\d+)$/.exec(name) ?? ["", "", "A", "0"];
    return [26 * (letters.length - 1) + letters.charCodeAt(0), Number(row), parseInt(board, 10) || -1];
  };
  const [a, b] = [parts(one), parts(other)];
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 || a[at] < b[at] ? `${one}/${other}` : `${other}/${one}`;
}

// Where the hexes lie, and which is where.
export class Grid {
  constructor(hexes) {
    this.hexes = hexes;
    this.places = new Map();
    const first = Object.values(hexes)[0];
    [this.x0, this.y0] = first;
    for (const [name, [x, y]] of Object.entries(hexes)) this.places.set(this.key(...this.spot(x, y)), name);
  }

  spot(x, y) {
    return [Math.round((x - this.x0) / ACROSS), Math.round((y - this.y0) / HALF)];
  }

  key(column, half) {
    return `${column},${half}`;
  }

  middle(name) {
    return this.hexes[name].slice(0, 2);
  }

  // The hex at a point of the sheet; "" beyond the map.
  at(x, y) {
    const [column, half] = this.spot(x, y);
    let [best, least] = ["", 41];
    for (let across = -1; across <= 1; across += 1) {
      for (let down = -1; down <= 1; down += 1) {
        const name = this.places.get(this.key(column + across, half + down));
        if (!name) continue;
        const [a, b] = this.middle(name);
        const far = Math.hypot(a - x, b - y);
        if (far < least) [best, least] = [name, far];
      }
    }
    return best;
  }

  neighbours(name) {
    const [column, half] = this.spot(...this.middle(name));
    const around = [
      [0, -2],
      [1, -1],
      [1, 1],
      [0, 2],
      [-1, 1],
      [-1, -1],
    ];
    return around.map(([across, down]) => this.places.get(this.key(column + across, half + down)) ?? "");
  }

  touch(one, other) {
    return this.neighbours(one).includes(other);
  }

  // The hexside whose middle is near a point: two hexes, or null.
  side(x, y, near = 17) {
    const name = this.at(x, y);
    if (!name) return null;
    let [best, least] = [null, near];
    for (const other of this.neighbours(name)) {
      if (!other) continue;
      const [a, b] = [this.middle(name), this.middle(other)];
      const far = Math.hypot((a[0] + b[0]) / 2 - x, (a[1] + b[1]) / 2 - y);
      if (far < least) [best, least] = [[name, other], far];
    }
    return best;
  }

  // All hexes from one to another in a straight line, both included.
  line(one, other) {
    const [a, b] = [this.middle(one), this.middle(other)];
    const steps = Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / 8) || 1;
    const found = [one];
    for (let i = 1; i <= steps; i += 1) {
      const name = this.at(a[0] + 0.1 + ((b[0] - a[0]) * i) / steps, a[1] + 0.1 + ((b[1] - a[1]) * i) / steps);
      if (name && name !== found.at(-1) && this.touch(found.at(-1), name)) found.push(name);
    }
    return found;
  }

  within([x1, y1], [x2, y2]) {
    const [left, right, top, bottom] = [Math.min(x1, x2), Math.max(x1, x2), Math.min(y1, y2), Math.max(y1, y2)];
    const inside = ([x, y]) => x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;
    return Object.keys(this.hexes).filter((name) => inside(this.middle(name)));
  }
}

export class Painting {
  constructor(view, palette) {
    this.view = view;
    this.palette = palette;
    this.data = null;
    this.marks = { hexes: new Map(), ways: new Map(), sides: new Map() };
  }

  // Everything anew.
  take(data) {
    this.data = data;
    this.grid = new Grid(data.hexes);
    this.attach();
  }

  // What differs: `null` for what is gone.
  change(delta) {
    for (const part of ["hexes", "ways", "sides"]) {
      for (const [key, value] of Object.entries(delta[part] ?? {})) {
        if (value === null) delete this.data[part][key];
        else this.data[part][key] = value;
        this.draw(part, key);
      }
    }
    for (const part of ["houses", "places"]) {
      if (!(part in delta)) continue;
      this.data[part] = delta[part];
      if (part === "houses") this.drawHouses();
      else this.drawPlaces();
    }
  }

  attach() {
    const [below, above] = ["painting", "places"].map((id) => this.view.svg?.querySelector(`#layer-${id}`));
    if (!below || !this.data) return;
    this.groups = {};
    below.replaceChildren();
    for (const part of ["hexes", "sides", "ways", "houses"]) {
      this.groups[part] = make("g", { class: `p-${part}` });
      below.append(this.groups[part]);
    }
    above.replaceChildren();
    this.groups.places = above;
    for (const part of ["hexes", "ways", "sides"]) {
      this.marks[part].clear();
      for (const key of Object.keys(this.data[part])) this.draw(part, key);
    }
    this.drawHouses();
    this.drawPlaces();
  }

  draw(part, key) {
    if (!this.groups) return;
    this.marks[part].get(key)?.remove();
    this.marks[part].delete(key);
    const value = this.data[part][key];
    if (value === undefined) return;
    const group = make("g", {});
    if (part === "hexes") this.drawHex(group, key, value);
    else if (part === "ways") this.drawWay(group, key, value);
    else this.drawSide(group, key, value);
    this.marks[part].set(key, group);
    this.groups[part].append(group);
  }

  drawHex(group, name, [x, y, terrain, level, more]) {
    const target = this.view.hexes.get(name)?.target;
    if (!target) return;
    const levels = Object.keys(this.palette.levels).map(Number);
    const tint = this.palette.levels[Math.min(Math.max(level, Math.min(...levels)), Math.max(...levels))];
    const fill = terrain === "open" ? tint : (this.palette.terrain[terrain] ?? tint);
    group.append(
      make("path", { d: target.getAttribute("d"), fill, class: terrain === "unknown" ? "p-unknown" : "p-hex" }),
    );
    if (terrain === "unknown") group.append(make("text", { x, y: y + 6, class: "p-what" }, "?"));
    if (level) {
      group.append(make("circle", { cx: x - 22, cy: y + 2, r: 8, fill: tint, class: "p-ring" }));
      group.append(make("text", { x: x - 22, y: y + 6, class: "p-small" }, String(level)));
    }
    for (const [i, word] of more.entries()) {
      const colour = this.palette.terrain[word];
      const [cx, cy] = [x + 20, y - 12 + 13 * i];
      if (colour) group.append(make("circle", { cx, cy, r: 6, fill: colour, class: "p-ring" }));
      else group.append(make("text", { x, y: y + 19 + 9 * i, class: "p-word" }, word));
    }
  }

  ends(key) {
    return key.split("/").map((name) => this.grid.middle(name));
  }

  drawWay(group, key, kinds) {
    const [[x1, y1], [x2, y2]] = this.ends(key);
    for (const kind of kinds) group.append(make("line", { x1, y1, x2, y2, class: `p-way p-${kind}` }));
  }

  drawSide(group, key, kinds) {
    const [[x1, y1], [x2, y2]] = this.ends(key);
    const [x, y, far] = [(x1 + x2) / 2, (y1 + y2) / 2, Math.hypot(x2 - x1, y2 - y1)];
    const [dx, dy] = [(-(y2 - y1) / far) * 19, ((x2 - x1) / far) * 19];
    for (const kind of kinds) {
      group.append(make("line", { x1: x - dx, y1: y - dy, x2: x + dx, y2: y + dy, class: `p-side p-${kind}` }));
    }
  }

  drawHouses() {
    if (!this.groups) return;
    const group = this.groups.houses;
    group.replaceChildren();
    for (const [material, levels, , cellar, hexes] of this.data.houses) {
      const fill = MATERIALS[material];
      const all = new Set(hexes);
      for (const name of hexes) {
        const [x1, y1] = this.grid.middle(name);
        for (const other of this.grid.neighbours(name)) {
          if (!all.has(other) || other < name) continue;
          const [x2, y2] = this.grid.middle(other);
          group.append(make("line", { x1, y1, x2, y2, stroke: "#1d1d1a", "stroke-width": 19 }));
          group.append(make("line", { x1, y1, x2, y2, stroke: fill, "stroke-width": 16 }));
        }
      }
      for (const name of hexes) {
        const [x, y] = this.grid.middle(name);
        group.append(make("rect", { x: x - 14, y: y - 14, width: 28, height: 28, fill, class: "p-house" }));
      }
      const [x, y] = this.grid.middle(hexes[0]);
      const told = `${levels || ""}${cellar ? "c" : ""}`;
      if (told) group.append(make("text", { x, y: y + 5, class: "p-what" }, told));
    }
  }

  drawPlaces() {
    if (!this.groups) return;
    const { names, setup, blocks, lettered, strategic, arrows } = this.data.places;
    this.view.root.classList.toggle("lettered", lettered);
    const group = this.groups.places;
    group.replaceChildren();
    Object.entries(blocks).forEach(([name, hexes]) => this.area(group, name, hexes, "p-block"));
    Object.entries(setup).forEach(([name, hexes], i) => this.area(group, name, hexes, `p-area p-area-${i % 6}`));
    for (const name of strategic) {
      const [x, y] = this.grid.middle(name);
      group.append(make("text", { x: x + 16, y: y + 24, class: "p-star" }, "★"));
    }
    for (const [name, text] of Object.entries(names)) {
      const [x, y] = this.grid.middle(name);
      group.append(make("text", { x, y: y + 26, class: "p-name" }, text));
    }
    for (const [name] of arrows) {
      const [x, y] = this.grid.middle(name);
      group.append(make("path", { d: `M${x} ${y - 15}l13 24h-26z`, class: "p-arrow" }));
      group.append(make("text", { x, y: y + 6, class: "p-in-arrow" }, name));
    }
  }

  // The border of an area, and its name in it.
  area(group, name, hexes, kind) {
    const all = new Set(hexes);
    let d = "";
    for (const one of hexes) {
      const [x, y] = this.grid.middle(one);
      for (const other of this.grid.neighbours(one)) {
        if (!other || all.has(other)) continue;
        const [a, b] = this.grid.middle(other);
        const [mx, my, far] = [x + (a - x) * 0.46, y + (b - y) * 0.46, Math.hypot(a - x, b - y)];
        const [dx, dy] = [(-(b - y) / far) * 18, ((a - x) / far) * 18];
        d += `M${(mx - dx).toFixed(1)} ${(my - dy).toFixed(1)}L${(mx + dx).toFixed(1)} ${(my + dy).toFixed(1)}`;
      }
    }
    if (d) group.append(make("path", { d, class: kind }));
    const [x, y] = this.central(hexes);
    group.append(make("text", { x, y: y + 5, class: `${kind.split(" ")[0]}-name` }, name));
  }

  central(hexes) {
    const middles = hexes.map((name) => this.grid.middle(name));
    const [sx, sy] = [0, 1].map((i) => middles.reduce((sum, one) => sum + one[i], 0) / middles.length);
    return middles.reduce((best, one) =>
      Math.hypot(one[0] - sx, one[1] - sy) < Math.hypot(best[0] - sx, best[1] - sy) ? one : best,
    );
  }

  // What strokes will most likely make of the map, until the server says what they did.
  foresee(lines) {
    const changed = { hexes: {}, ways: {}, sides: {} };
    for (const line of lines) {
      const at = line.indexOf("=");
      const [target, word] = [line.slice(0, at), line.slice(at + 1)];
      const [off, kind] = [word.startsWith("-"), word.replace(/^-/, "")];
      if (target.includes(">")) {
        const way = target.split(">");
        for (let i = 1; i < way.length; i += 1) changed.ways[sideKey(way[i - 1], way[i])] = off ? null : [kind];
      } else if (target.includes("/")) {
        for (const side of target.split(",")) {
          const key = sideKey(...side.split("/"));
          const there = (changed.sides[key] ?? this.data.sides[key] ?? []).filter((one) => one !== kind);
          changed.sides[key] = off ? there : [...there, kind];
        }
      } else {
        this.foreseeHexes(changed.hexes, target.split(","), word);
      }
    }
    this.change(changed);
  }

  foreseeHexes(changed, names, word) {
    const level = /^level:(-?\d+)$/.exec(word);
    if (!level && word !== "open" && !(word in this.palette.terrain)) return;
    for (const name of names) {
      const was = changed[name] ?? this.data.hexes[name];
      if (!was) continue;
      changed[name] = level ? was.with(3, Number(level[1])) : was.with(2, word);
    }
  }

  house(name) {
    return this.data.houses.find((one) => one[4].includes(name)) ?? null;
  }
}
