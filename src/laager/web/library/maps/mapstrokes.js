// The tools of the map editor: what the pointer or the keys draw becomes changes as `laager vasl mark` has them.
"use strict";

const STEP = 5; // Between the points of a stroke, on the sheet.

// What is chosen to be painted.
export function brushOf(value) {
  const kinds = { ">": "way", "/": "side", "@": "place" };
  if (!value) return { kind: "look", word: "" };
  if (value[0] in kinds) return { kind: kinds[value[0]], word: value.slice(1) };
  if (/^(stone|wooden|hut)(:|$)/.test(value)) return { kind: "house", word: value };
  return { kind: "hex", word: value };
}

export class Tools extends EventTarget {
  // Fires `stroke` (detail: the lines) and `told` (detail: words). `state` gives what the page has chosen:
  // {brush, how, away, name}.
  constructor(view, painting, state, flood) {
    super();
    Object.assign(this, { view, painting, state, flood });
    this.from = "";
    this.reset();
  }

  get grid() {
    return this.painting.grid;
  }

  reset() {
    this.hexes = [];
    this.sides = [];
    this.last = null;
    this.first = null;
    this.held = "";
    this.view.clear("stroke");
    this.sketch?.remove();
    this.sketch = null;
  }

  start(name) {
    this.from = name;
    this.view.clear("from");
    if (name) this.view.mark("from", [name], "hex-from");
  }

  // The pointer ----------------------------------------------------------------------------------

  // True if the stroke is ours; else the map is moved.
  begin(x, y) {
    this.reset();
    const { brush, how } = this.state();
    if (brush.kind === "look" || !this.painting.groups) return false;
    const name = this.grid.at(x, y);
    if (!name && how !== "rectangle" && brush.kind !== "side") return false;
    this.first = this.last = [x, y];
    this.held = brush.kind === "place" ? this.movable(brush.word, name) : "";
    this.reach(x, y);
    return true;
  }

  drag(x, y) {
    if (!this.last) return;
    const [a, b] = this.last;
    const steps = Math.max(1, Math.ceil(Math.hypot(x - a, y - b) / STEP));
    for (let i = 1; i <= steps; i += 1) this.reach(a + ((x - a) * i) / steps, b + ((y - b) * i) / steps);
    this.last = [x, y];
  }

  cancel() {
    this.reset();
  }

  end(clicked) {
    const { brush, how } = this.state();
    const [hexes, sides, held] = [this.hexes, this.sides, this.held];
    this.reset();
    if (brush.kind === "way") {
      this.way(hexes, clicked);
    } else if (brush.kind === "side") {
      this.along(sides, hexes.at(-1) ?? "", clicked);
    } else if (!hexes.length) {
      return;
    } else if (brush.kind === "place" && ["arrow", "name"].includes(brush.word)) {
      this.mark(brush.word, held, hexes);
    } else if (how === "flood" && this.shaped(brush)) {
      this.fill(hexes[0]);
    } else {
      this.paint(hexes);
    }
  }

  // Take up a point that the pointer passes.
  reach(x, y) {
    const { brush, how } = this.state();
    const name = this.grid.at(x, y);
    if (brush.kind === "side") {
      if (name) this.hexes = [name];
      const side = this.grid.side(x, y);
      if (side && !this.sides.some((one) => one.includes(side[0]) && one.includes(side[1]))) this.sides.push(side);
      this.show();
      return;
    }
    if (how === "rectangle" && this.shaped(brush)) {
      this.hexes = this.grid.within(this.first, [x, y]);
      if (!this.hexes.length && name) this.hexes = [name];
      this.view.mark("stroke", this.hexes, "hex-stroke");
      this.box(x, y);
      return;
    }
    if (!name || name === this.hexes.at(-1)) return;
    if (how === "flood" && this.shaped(brush) && this.hexes.length) return;
    if (brush.kind === "way") this.lead(name);
    else if (!this.hexes.includes(name)) this.hexes.push(name);
    else if (["arrow", "name"].includes(brush.word)) this.hexes.push(name);
    this.show();
  }

  // True if a brush covers ground, so that rectangles and floods make sense.
  shaped(brush) {
    return brush.kind === "hex" || (brush.kind === "place" && !["arrow", "name"].includes(brush.word));
  }

  // A road that goes back a step is taken back.
  lead(name) {
    const at = this.hexes.length - 2;
    if (at >= 0 && this.hexes[at] === name) this.hexes.pop();
    else if (!this.hexes.length) this.hexes.push(name);
    else this.hexes.push(...this.grid.line(this.hexes.at(-1), name).slice(1));
  }

  show() {
    const { brush } = this.state();
    if (brush.kind === "side") {
      const hexes = this.sides;
      this.draw(hexes.map(([a, b]) => this.edge(a, b)).join(""));
    } else if (brush.kind === "way") {
      this.draw(this.hexes.map((name, i) => `${i ? "L" : "M"}${this.grid.middle(name).join(" ")}`).join(""));
      if (this.hexes.length === 1) this.view.mark("stroke", this.hexes, "hex-stroke");
    } else {
      this.view.mark("stroke", this.hexes, "hex-stroke");
    }
  }

  edge(a, b) {
    const [[x1, y1], [x2, y2]] = [this.grid.middle(a), this.grid.middle(b)];
    const [x, y, far] = [(x1 + x2) / 2, (y1 + y2) / 2, Math.hypot(x2 - x1, y2 - y1)];
    const [dx, dy] = [(-(y2 - y1) / far) * 19, ((x2 - x1) / far) * 19];
    return `M${x - dx} ${y - dy}L${x + dx} ${y + dy}`;
  }

  box(x, y) {
    const [a, b] = this.first;
    this.draw(`M${a} ${b}H${x}V${y}H${a}Z`, "stroke-box");
  }

  draw(d, kind = "stroke-line") {
    if (!this.sketch) {
      this.sketch = document.createElementNS("http://www.w3.org/2000/svg", "path");
      this.view.over.append(this.sketch);
    }
    this.sketch.setAttribute("class", kind);
    this.sketch.setAttribute("d", d);
  }

  // What becomes of it ---------------------------------------------------------------------------

  say(...lines) {
    this.dispatchEvent(new CustomEvent("stroke", { detail: { lines } }));
  }

  tell(words) {
    this.dispatchEvent(new CustomEvent("told", { detail: words }));
  }

  paint(hexes) {
    const { brush, away, name } = this.state();
    const list = hexes.join(",");
    if (brush.kind === "house") {
      this.build(hexes, list);
    } else if (brush.kind === "place") {
      const free = ["setup", "block"].includes(brush.word);
      if (away) this.say(`${list}=-${brush.word}`);
      else if (free && !name) this.tell("name");
      else this.say(`${list}=${brush.word}${free ? `:${name}` : ""}`);
    } else if (brush.word.startsWith("level:")) {
      this.say(`${list}=${away ? "level:0" : brush.word}`);
    } else {
      this.say(`${list}=${away ? "-" : ""}${brush.word}`);
    }
  }

  build(hexes, list) {
    const { brush, away } = this.state();
    const there = this.painting.house(hexes[0]);
    const [material, storeys] = brush.word.split(":");
    if (away) this.say(`${list}=-building`);
    else if (there?.[0] === material && hexes.length > 1) this.say(`${list}=joined`);
    else if (there?.[0] === material) this.say(`${list}=storeys:${storeys ?? 0}`);
    else this.say(`${list}=-building`, `${list}=${brush.word}`);
  }

  // A road is dragged, or led from click to click.
  way(hexes, clicked) {
    const { brush, away } = this.state();
    let way = hexes;
    if (clicked || way.length < 2) {
      const name = way[0];
      if (!name) return;
      if (!this.from || this.from === name) {
        if (away && this.from === name) this.say(`${name}=-${brush.word}`);
        this.start(this.from === name ? "" : name);
        return;
      }
      way = this.grid.line(this.from, name);
      this.start(name);
    } else {
      this.start("");
    }
    this.say(`${way.join(">")}=${away ? "-" : ""}${brush.word}`);
  }

  // A hexside is dragged along, clicked, or told by its two hexes.
  along(sides, name, clicked) {
    const { brush, away } = this.state();
    let found = sides;
    if (!found.length && clicked && name) {
      if (this.from && this.grid.touch(this.from, name)) found = [[this.from, name]];
      this.start(found.length || this.from === name ? "" : name);
    } else {
      this.start("");
    }
    if (found.length) this.say(`${found.map((one) => one.join("/")).join(",")}=${away ? "-" : ""}${brush.word}`);
  }

  // Arrows and names: put, moved, taken away.
  movable(kind, name) {
    const { names, arrows } = this.painting.data.places;
    const there = kind === "arrow" ? arrows.some((one) => one[0] === name) : kind === "name" && name in names;
    return there ? name : "";
  }

  mark(kind, held, hexes) {
    const { away, name } = this.state();
    const at = hexes.at(-1);
    if (away) this.say(`${at}=-${kind}`);
    else if (held && held !== at) this.say(`${kind}:${held}=${at}`);
    else if (kind === "arrow" && !held) this.say(`${at}=arrow`);
    else if (kind === "name" && name) this.say(`${at}=name:${name}`);
    else if (kind === "name") this.tell("name");
  }

  async fill(name) {
    const { brush } = this.state();
    const by = brush.kind === "place" && ["block", "no-block"].includes(brush.word) ? "block" : "";
    const hexes = await this.flood(name, by);
    if (hexes?.length) this.paint(hexes);
  }

  // Keys -------------------------------------------------------------------------------------------

  // Enter at a hex: what a click there does; corners of a rectangle one after the other.
  enter(name) {
    const { brush, how } = this.state();
    if (brush.kind === "look" || !this.painting.groups) return false;
    if (brush.kind === "way") {
      this.way([name], true);
    } else if (brush.kind === "side") {
      this.along([], name, true);
    } else if (brush.kind === "place" && ["arrow", "name"].includes(brush.word)) {
      const at = this.from && this.from !== name ? this.from : "";
      const held = this.movable(brush.word, name);
      if (held && !at && !this.state().away) this.start(name);
      else {
        this.start("");
        this.mark(brush.word, at || held, [name]);
      }
    } else if (how === "flood" && this.shaped(brush)) {
      this.fill(name);
    } else if (how === "rectangle" && this.shaped(brush) && !this.from) {
      this.start(name);
    } else if (how === "rectangle" && this.shaped(brush)) {
      const hexes = this.grid.within(this.grid.middle(this.from), this.grid.middle(name));
      this.start("");
      this.paint(hexes);
    } else {
      this.paint([name]);
    }
    return true;
  }

  // A number key: the hexside of the chosen hex, 1 in the north and on clockwise.
  numbered(name, number) {
    const { brush } = this.state();
    const other = this.grid?.neighbours(name)[number - 1];
    if (brush.kind !== "side" || !other) return false;
    this.along([[name, other]], name, false);
    return true;
  }
}
