// A map that can be moved, zoomed and asked. Other modules build on `MapView`.
"use strict";
import { complain, equip } from "./equip.js";
import { FINGER, foldLegend, touched } from "./full.js";
import { Ghost } from "./ghost.js";
import { besideOf, boxOf, middleOf, nameOf, nearestTo } from "./outlines.js";
import { Panel } from "./panel.js";

export { complain, equip, Panel };

const STEP = 1.35;
const MOST = 6;
const SLACK = 6; // Pixels that a finger may slip in a tap.
const REST = 400; // Milliseconds without a move after which the map is drawn sharp: longer than between two notches of a wheel.
const SHORT = 250; // Milliseconds that a map may take without a sign that there is work.
const SVG = "http://www.w3.org/2000/svg";

export class MapView extends EventTarget {
  // Fires `choose` (detail: {name, how}) when a hex is picked, `hover` when the pointer is over
  // another one, `drawn` when a drawing was put in.
  constructor(root) {
    super();
    this.root = root;
    this.stage = root.querySelector("[data-stage]");
    this.world = root.querySelector("[data-world]");
    this.tip = root.querySelector("[data-tip]");
    this.spoken = root.querySelector("[data-spoken]");
    this.scale = 1;
    this.left = this.top = 0;
    this.measure();
    this.least = 0.05;
    this.pointers = new Map();
    this.chosen = "";
    this.hexes = new Map();
    this.places = new Map(); // The middle of each hex.
    this.marks = new Map();
    this.placed = false;
    this.busy = 0;
    this.ghost = new Ghost(this);
    this.stage.classList.add("waiting");
    const first = root.querySelector(".map-first");
    if (first?.complete) this.shape(first.naturalWidth, first.naturalHeight);
    else first?.addEventListener("load", () => this.shape(first.naturalWidth, first.naturalHeight));
    this.tool = null; // What draws on the map in place of moving it: begin(x, y), drag(x, y), end(clicked), cancel().
    this.listen();
  }

  // Drawing ---------------------------------------------------------------------------------------

  async load(address) {
    const turn = ++this.busy;
    const sign = this.root.querySelector("[data-work]");
    const shown = setTimeout(() => sign && (sign.hidden = false), SHORT);
    try {
      const answer = await fetch(address, { credentials: "same-origin" });
      if (turn !== this.busy) return false;
      if (!answer.ok) throw new Error(`the map could not be fetched (${answer.status})`);
      const text = await answer.text();
      if (turn !== this.busy) return false;
      this.draw(text);
      return true;
    } finally {
      clearTimeout(shown);
      if (sign && turn === this.busy) sign.hidden = true;
    }
  }

  draw(text) {
    const found = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    if (found.nodeName !== "svg") throw new Error("what came is no map");
    this.svg = document.importNode(found, true);
    this.svg.setAttribute("aria-hidden", "true");
    this.svg.classList.add("map-drawing");
    this.svg.querySelector("title")?.remove();
    this.size = [this.svg.viewBox.baseVal.width, this.svg.viewBox.baseVal.height];
    this.shape(...this.size);
    // What is laid over the map is a drawing of its own, so that nothing of the map is drawn again when it changes.
    const top = document.createElementNS(SVG, "svg");
    for (const name of ["width", "height", "viewBox", "font-family"])
      if (found.hasAttribute(name)) top.setAttribute(name, found.getAttribute(name));
    top.setAttribute("class", "map-top");
    top.setAttribute("aria-hidden", "true");
    this.over = document.createElementNS(SVG, "g");
    top.append(this.over, ...this.svg.querySelectorAll("#layer-targets"));
    this.world.replaceChildren(this.svg, top);
    this.stage.classList.remove("waiting");
    this.stage.classList.add("drawn");
    this.hexes.clear();
    this.places.clear();
    for (const target of top.querySelectorAll("[data-hex]")) {
      const title = target.querySelector("title");
      this.hexes.set(target.dataset.hex, { target, about: title?.textContent ?? "" });
      this.places.set(target.dataset.hex, middleOf(target.getAttribute("d")));
      title?.remove(); // Said in the tip; the browser's own would come on top of it.
    }
    this.marks.clear();
    this.switchLayers();
    if (this.chosen && this.hexes.has(this.chosen)) this.mark("chosen", [this.chosen], "hex-chosen");
    if (!this.placed) this.fit();
    this.dispatchEvent(new Event("drawn"));
  }

  // Outlines laid over hexes, under a name by which they are replaced.
  mark(id, names, kind) {
    for (const old of this.marks.get(id) ?? []) old.remove();
    const made = [];
    for (const name of names) {
      const one = this.hexes.get(name);
      if (!one) continue;
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", one.target.getAttribute("d"));
      path.setAttribute("class", kind);
      this.over.append(path);
      made.push(path);
    }
    this.marks.set(id, made);
  }

  // The same for many hexes in one outline, which is quick.
  shade(id, names, kind) {
    this.clear(id);
    const outlines = names.map((name) => this.hexes.get(name)?.target.getAttribute("d") ?? "").join("");
    if (!outlines) return;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", outlines);
    path.setAttribute("class", kind);
    this.over.prepend(path);
    this.marks.set(id, [path]);
  }

  // Elements laid over a hex: `make(x, y)` returns them.
  put(id, name, make) {
    const place = this.middle(name);
    if (!place) return;
    const made = make(...place);
    this.over.append(...made);
    this.marks.set(id, [...(this.marks.get(id) ?? []), ...made]);
  }

  clear(id) {
    for (const old of this.marks.get(id) ?? []) old.remove();
    this.marks.delete(id);
  }

  middle(name) {
    return this.places.get(name) ?? null;
  }

  switchLayers() {
    for (const box of this.root.querySelectorAll("[data-layer]")) {
      let any = false;
      for (const part of box.dataset.parts.split(" ")) {
        const layer = this.svg.querySelector(`#layer-${part}`);
        any ||= layer !== null;
        layer?.classList.toggle("off", !box.checked);
      }
      box.closest("label").hidden = !any;
    }
    this.ghost.renew();
  }

  // Moving ----------------------------------------------------------------------------------------

  // The stage's size as it was last seen: to ask for it at each step would lay out the page each time.
  measure() {
    this.room = [this.stage.clientWidth, this.stage.clientHeight];
  }

  // On a narrow page without a finger on it the stage is as high as the whole map, and no higher.
  shape(width, height) {
    if (width && height) this.stage.style.setProperty("--map-shape", `${width} / ${height}`);
    this.measure();
  }

  apply() {
    const [width, height] = this.room;
    const [w, h] = [this.size[0] * this.scale, this.size[1] * this.scale];
    const edge = 60;
    this.left = Math.min(Math.max(this.left, edge - w), width - edge);
    this.top = Math.min(Math.max(this.top, edge - h), height - edge);
    const place = `translate(${this.left}px, ${this.top}px) scale(${this.scale})`;
    if (place === this.place) return;
    this.world.style.transform = this.place = place;
    this.stage.classList.add("moving");
    this.stage.classList.toggle("ghosted", this.ghost.fresh);
    this.rest();
  }

  // Only at rest it is drawn sharp again: while it moves, the picture is only shifted.
  rest() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      if (this.pointers.size) return;
      this.stage.classList.remove("moving", "ghosted");
      if (this.pointed) this.hover(this.at(...this.pointed));
    }, REST);
  }

  zoom(by, x = this.room[0] / 2, y = this.room[1] / 2) {
    const next = Math.min(Math.max(this.scale * by, this.least), MOST);
    this.left = x - ((x - this.left) * next) / this.scale;
    this.top = y - ((y - this.top) * next) / this.scale;
    this.scale = next;
    this.placed = true;
    this.apply();
  }

  pan(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.placed = true;
    this.apply();
  }

  // The whole map; where it is touched, no smaller than a finger needs, unless `whole` is wanted.
  fit(whole = false) {
    const frame = this.svg.querySelector("#layer-frame")?.getBBox();
    const [w, h] = this.size;
    const box = frame?.width ? frame : { x: 0, y: 0, width: w, height: h };
    const rim = 8;
    this.measure();
    const [width, height] = this.room;
    this.scale = Math.min((width - 2 * rim) / box.width, (height - 2 * rim) / box.height);
    this.least = Math.min(this.scale, Math.min(width / w, height / h)) * 0.9;
    if (!whole && touched()) this.scale = Math.max(this.scale, FINGER / this.hexHeight);
    this.left = (width - box.width * this.scale) / 2 - box.x * this.scale;
    this.top = (height - box.height * this.scale) / 2 - box.y * this.scale;
    this.placed = false;
    this.apply();
  }

  // The height of a hex in the drawing: that of the largest among a few, as hexes at the edge may be cut.
  get hexHeight() {
    const some = [...this.hexes.values()].slice(0, 40).map((one) => boxOf(one.target.getAttribute("d")).height);
    return Math.max(...some, 1);
  }

  // Bring a hex into sight, large enough to be read.
  show(name) {
    const place = this.middle(name);
    if (!place) return;
    const [width, height] = this.room;
    if (this.scale < 0.7) this.scale = 0.9;
    const [x, y] = [place[0] * this.scale + this.left, place[1] * this.scale + this.top];
    const margin = Math.min(80, width / 4, height / 4);
    if (x < margin || x > width - margin || y < margin || y > height - margin) {
      this.left = width / 2 - place[0] * this.scale;
      this.top = height / 2 - place[1] * this.scale;
    }
    this.placed = true;
    this.apply();
  }

  zoomTo(name) {
    const [x, y] = this.middle(name);
    this.scale = Math.min(MOST, (FINGER * 1.1) / this.hexHeight);
    this.left = this.room[0] / 2 - x * this.scale;
    this.top = this.room[1] / 2 - y * this.scale;
    this.placed = true;
    this.apply();
  }

  // Choosing --------------------------------------------------------------------------------------

  at(clientX, clientY) {
    const found = document.elementFromPoint(clientX, clientY)?.closest?.("[data-hex]");
    return found && this.world.contains(found) ? found.dataset.hex : "";
  }

  choose(name, how = "script") {
    if (name && !this.hexes.has(name)) return false;
    this.chosen = name;
    this.mark("chosen", name ? [name] : [], "hex-chosen");
    this.say(name);
    const words = [this.hexes.get(name)?.about, ...(this.standing?.(name) ?? [])];
    if (this.spoken && how === "key") this.spoken.textContent = words.join("; ");
    this.dispatchEvent(new CustomEvent("choose", { detail: { name, how } }));
    return true;
  }

  // The name as the map has it, of what somebody typed.
  find(text) {
    return nameOf(new Map([...this.hexes].map(([name, one]) => [name, one.about])), text);
  }

  hover(name) {
    if (name === this.hovered) return;
    this.hovered = name;
    this.mark("hover", name ? [name] : [], "hex-hover");
    this.say(name || this.chosen);
    this.dispatchEvent(new CustomEvent("hover", { detail: { name } }));
  }

  say(name) {
    if (!this.tip) return;
    this.tip.textContent = this.hexes.get(name)?.about ?? "";
    this.tip.hidden = !this.tip.textContent;
  }

  // Listening -------------------------------------------------------------------------------------

  listen() {
    const stage = this.stage;
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel"]) {
      stage.addEventListener(kind, (event) => this.up(event, kind === "pointerup"));
    }
    stage.addEventListener("pointerleave", () => {
      this.pointed = null;
      if (this.svg) this.hover("");
    });
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("keydown", (event) => this.key(event));
    stage.addEventListener("dragstart", (event) => event.preventDefault());
    for (const button of this.root.querySelectorAll("[data-do]")) {
      button.addEventListener("click", () => {
        if (!this.svg) return;
        if (button.dataset.do === "fit") this.fit(true);
        else if (button.dataset.do !== "full") this.zoom(button.dataset.do === "in" ? STEP : 1 / STEP);
      });
    }
    new ResizeObserver(() => {
      this.measure();
      if (!this.svg) return;
      if (this.placed) this.apply();
      else this.fit();
    }).observe(stage);
  }

  // Where a pointer is on the drawing.
  spot(event) {
    const box = this.stage.getBoundingClientRect();
    return [(event.clientX - box.left - this.left) / this.scale, (event.clientY - box.top - this.top) / this.scale];
  }

  down(event) {
    // With a tool in hand the middle button moves the map.
    const ours = event.button === 0 || (this.tool && event.button === 1);
    if (!this.svg || (event.pointerType === "mouse" && !ours)) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.pointers.size === 1) {
      this.start = [event.clientX, event.clientY];
      this.slipped = false;
      this.drawing = event.button === 0 && Boolean(this.tool?.begin(...this.spot(event)));
      if (this.drawing) this.stage.setPointerCapture(event.pointerId);
      if (event.button === 1) event.preventDefault();
    } else {
      this.slipped = true;
      if (this.drawing) this.tool.cancel();
      this.drawing = false;
    }
  }

  move(event) {
    if (!this.svg) return;
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType !== "mouse") return;
      this.pointed = [event.clientX, event.clientY];
      // While it moves by wheel or keys, hexes only pass below the pointer.
      if (!this.stage.classList.contains("moving")) this.hover(this.at(...this.pointed));
      return;
    }
    const now = [event.clientX, event.clientY];
    if (this.pointers.size === 1) {
      if (!this.slipped && Math.hypot(now[0] - this.start[0], now[1] - this.start[1]) < SLACK) return;
      if (!this.slipped) {
        this.slipped = true;
        this.stage.setPointerCapture(event.pointerId);
        this.stage.classList.toggle("dragged", !this.drawing);
        this.hover("");
      }
      if (this.drawing) this.tool.drag(...this.spot(event));
      else this.pan(now[0] - before[0], now[1] - before[1]);
    } else {
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const far = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
      const box = this.stage.getBoundingClientRect();
      const middle = (point) => [(point[0] + other[0]) / 2 - box.left, (point[1] + other[1]) / 2 - box.top];
      const [was, is] = [middle(before), middle(now)];
      this.left += is[0] - was[0];
      this.top += is[1] - was[1];
      this.zoom(far(now) / far(before), ...is);
    }
    this.pointers.set(event.pointerId, now);
  }

  up(event, finished) {
    if (!this.pointers.delete(event.pointerId) || !this.svg) return;
    if (!this.pointers.size) this.rest();
    this.stage.classList.remove("dragged");
    const drawn = this.drawing;
    this.drawing = false;
    if (drawn && finished) this.tool.end(!this.slipped);
    else if (drawn) this.tool.cancel();
    if (!finished || this.slipped) return;
    const name = this.at(event.clientX, event.clientY);
    if (!name) return;
    // What a finger can't hit is brought near first.
    const small = event.pointerType === "touch" && this.hexHeight * this.scale < FINGER * 0.7;
    if (small) this.zoomTo(name);
    else this.choose(name, event.pointerType);
  }

  wheel(event) {
    if (!this.svg) return;
    event.preventDefault();
    const box = this.stage.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 30 : 1;
    const by = Math.exp(-Math.max(-300, Math.min(300, event.deltaY * lines)) / 400);
    this.zoom(by, event.clientX - box.left, event.clientY - box.top);
  }

  key(event) {
    if (!this.svg || event.ctrlKey || event.altKey || event.metaKey) return;
    const ways = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const way = ways[event.key];
    if (way && this.chosen && !event.shiftKey) {
      const next = besideOf(this.places, this.chosen, ...way);
      if (next) {
        this.choose(next, "key");
        this.show(next);
      }
    } else if (way) {
      this.pan(-80 * way[0], -80 * way[1]);
    } else if (event.key === "+" || event.key === "=") {
      this.zoom(STEP);
    } else if (event.key === "-" || event.key === "_") {
      this.zoom(1 / STEP);
    } else if (event.key === "0" || event.key === "Home") {
      this.fit(true);
    } else if (event.key === "Enter" && !this.chosen) {
      this.choose(this.central(), "key");
    } else if (event.key === "Enter") {
      this.dispatchEvent(new CustomEvent("enter", { detail: { name: this.chosen } }));
    } else if (event.key === "Escape" && this.chosen) {
      this.choose("", "key");
    } else {
      return;
    }
    event.preventDefault();
  }

  central() {
    const [width, height] = this.room;
    return nearestTo(this.places, (width / 2 - this.left) / this.scale, (height / 2 - this.top) / this.scale);
  }
}

function begin(root) {
  const view = new MapView(root);
  equip(view);
  const panel = document.querySelector("[data-panel]");
  if (panel) view.panel = new Panel(view, panel);
  const asked = new URLSearchParams(location.search).get("hex");
  view
    .load(root.dataset.svg)
    .then(() => {
      const name = asked ? view.find(asked) : "";
      if (name) {
        view.choose(name);
        view.show(name);
      }
    })
    .catch((err) => complain(view, err));
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".map-list [data-go]");
    if (!link || !view.hexes.has(link.dataset.go)) return;
    event.preventDefault();
    view.choose(link.dataset.go, "list");
    view.show(link.dataset.go);
    root.scrollIntoView({ block: "start" });
    view.stage.focus({ preventScroll: true });
  });
  root.view = view;
  if (!root.dataset.at) document.body.addEventListener("laager:changed", () => renew(view));
}

// Something new can be seen: draw it, tell it, list it anew.
async function renew(view) {
  const photo = view.root.querySelector("[data-photo]");
  view.panel?.forget();
  try {
    await view.load(photo?.checked ? photo.dataset.photo : view.root.dataset.svg);
    const answer = await fetch(location.pathname, { credentials: "same-origin" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [old, fresh] = [document, page].map((one) => one.querySelector(".map-list"));
    if (!old || !fresh) return;
    fresh.open = old.open;
    old.replaceWith(document.importNode(fresh, true));
  } catch (err) {
    complain(view, err);
  }
}

foldLegend();
for (const root of document.querySelectorAll("[data-map]:not([data-own])")) begin(root);
