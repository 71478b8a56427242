// A battle reported on the map. The report is the plain answer (as the form gives it); everything
// here reads and changes that one value. What is wrong with it the server says after every change.
import { MapView, complain, equip } from "./map.js";

const SVG = "http://www.w3.org/2000/svg";
const LEFT = ["exited", "objective-exit"];
const WORDS = document.getElementById("report-words").dataset;

function el(name, more = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(more)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key in made && key !== "list") made[key] = value;
    else if (value !== null) made.setAttribute(key, value);
  }
  made.append(...inside.filter((one) => one !== null));
  return made;
}

function shape(name, more, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(more)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

const hexOf = (at) => String(at ?? "").split(".")[0];

// The report ------------------------------------------------------------------------------------

class Report {
  constructor(board) {
    this.board = board;
    this.value = structuredClone(board.value);
    this.units = new Map(board.units.map((one) => [one.id, one]));
    this.parts = new Map(board.form.fields.map((part) => [part.name, part]));
    this.before = new Map((board.default.units ?? []).map((row) => [row.unit, JSON.stringify(row)]));
  }

  rows(part) {
    if (!Array.isArray(this.value[part])) this.value[part] = [];
    return this.value[part];
  }

  // The row of a unit as it is read: what is not listed is as the record has it.
  row(id) {
    const listed = this.rows("units").find((row) => row?.unit === id);
    if (listed) return listed;
    const unit = this.units.get(id);
    return { unit: id, fate: unit?.on_map ? "on-map" : "off-map", at: unit?.at ?? "", marks: null, with: unit?.with ?? "" };
  }

  // The same row, to be changed: listed if it was not.
  own(id) {
    const listed = this.rows("units").find((row) => row?.unit === id);
    if (listed) return listed;
    const made = this.row(id);
    if (made.marks === null) delete made.marks;
    if (!made.with) delete made.with;
    this.rows("units").push(made);
    return made;
  }

  fate(id) { return this.row(id).fate || "on-map"; }

  // Where a unit is: its own Location, else that of who has it.
  where(id, deep = 0) {
    const row = this.row(id);
    if (row.fate && row.fate !== "on-map") return "";
    if (row.at) return row.at;
    const holder = row.with ?? this.units.get(id)?.with;
    if (holder && this.units.has(holder) && deep < 5) return this.where(holder, deep + 1);
    return this.units.get(id)?.at ?? "";
  }

  carried(id) {
    return [...this.units.keys()].filter((other) => {
      const held = this.row(other).with ?? this.units.get(other).with;
      return other !== id && held === id;
    });
  }

  place(id, at, deep = 0) {
    const before = this.where(id);
    const row = this.own(id);
    if (!LEFT.includes(row.fate) || deep) row.fate = "on-map";
    row.at = at;
    if (deep < 3) {
      for (const other of this.carried(id)) {
        if (this.where(other) === before || this.where(other) === at) this.place(other, at, deep + 1);
      }
    }
    const holder = row.with;
    if (!deep && holder && this.units.has(holder) && this.where(holder) !== at) row.with = "";
  }

  become(id, fate, deep = 0) {
    const vehicle = ["afv", "vehicle"].includes(this.units.get(id)?.kind);
    const at = this.where(id) || this.row(id).at;
    for (const other of deep < 3 ? this.carried(id) : []) {
      // What somebody possessed lies where he fell; it goes where he went.
      if (fate === "eliminated" && !vehicle) this.own(other).with = "";
      else if (fate !== "on-map") this.become(other, fate, deep + 1);
    }
    const row = this.own(id);
    row.fate = fate;
    row.at = fate === "on-map" || (fate === "eliminated" && vehicle) || LEFT.includes(fate) ? at : "";
    if (fate !== "on-map") {
      delete row.marks;
      if (row.with) row.with = "";
    }
  }

  changed(id) {
    const row = this.rows("units").find((one) => one?.unit === id);
    return row !== undefined && JSON.stringify(row) !== this.before.get(id);
  }

  holds(location) {
    const row = this.rows("control").find((one) => one?.location === location);
    return row ? row.side : this.board.control[location] ?? "nobody";
  }

  control(location, side) {
    const was = this.board.control[location] ?? "nobody";
    const rows = this.rows("control").filter((one) => one?.location !== location);
    if (side !== was) rows.push({ location, side });
    this.value.control = rows;
  }

  fire(hex) {
    const row = this.rows("fires").find((one) => one?.at === hex);
    return row ? row.now : this.board.fires[hex] ?? "none";
  }

  burn(hex, now) {
    const rows = this.rows("fires").filter((one) => one?.at !== hex);
    if (now !== (this.board.fires[hex] ?? "none")) rows.push({ at: hex, now });
    this.value.fires = rows;
  }

  field(part, name) {
    const form = this.parts.get(part)?.form;
    return form?.row?.fields.find((one) => one.name === name) ?? null;
  }

  options(part, name) { return this.field(part, name)?.form.options ?? []; }

  locations(hex) {
    return [...new Set([...(this.board.locations[hex] ?? [hex]),
      ...this.board.forts.filter((fort) => hexOf(fort.at) === hex).map((fort) => fort.at)])];
  }
}

// The page --------------------------------------------------------------------------------------

class Page {
  constructor(root) {
    this.root = root;
    this.board = JSON.parse(document.getElementById("report-board").textContent);
    this.report = new Report(this.board);
    this.view = new MapView(root.querySelector("[data-map]"));
    this.panel = root.querySelector("[data-panel]");
    this.list = root.querySelector("[data-units]");
    this.picked = new Set();
    this.brush = "look";
    this.filter = "";
    this.problems = [];
    equip(this.view);
    for (const one of root.querySelectorAll("[data-scripted]")) one.hidden = false;
    this.list.hidden = !this.report.parts.has("units");
    this.makeBrushes();
    this.makeBar();
    this.listen();
    this.showAll();
    this.view.load(this.view.root.dataset.svg).catch((err) => complain(this.view, err));
    this.check(0);
  }

  listen() {
    this.view.addEventListener("drawn", () => this.paint());
    this.view.addEventListener("choose", (event) => this.chose(event.detail));
    this.view.addEventListener("enter", (event) => this.act(event.detail.name));
    const give = this.root.querySelector("[data-give]");
    give.addEventListener("submit", () => {
      give.querySelector("[data-value]").value = JSON.stringify(this.report.value);
      this.dirty = false;
    });
    this.root.querySelector("[data-reset]").addEventListener("click", () => {
      if (!window.confirm(WORDS.sure)) return;
      this.report.value = structuredClone(this.board.default);
      this.changed();
    });
    window.addEventListener("beforeunload", (event) => { if (this.dirty) event.preventDefault(); });
    this.dropUnits();
    new SaveReader(this);
  }

  // Brushes -------------------------------------------------------------------------------------

  makeBrushes() {
    const box = this.root.querySelector("[data-brushes]");
    const kinds = [["look", this.report.parts.has("units") ? `${WORDS.look} / ${WORDS.place}` : WORDS.look]];
    if (this.report.parts.has("control")) {
      for (const [side, name] of Object.entries(this.board.sides)) kinds.push([side, `${WORDS.control}: ${name}`]);
      kinds.push(["nobody", `${WORDS.control}: ${WORDS.nobody}`]);
    }
    box.hidden = kinds.length < 2;
    for (const [value, text] of kinds) {
      const radio = el("input", { type: "radio", name: "brush", value, checked: value === "look" });
      radio.addEventListener("change", () => {
        this.brush = value;
        this.view.stage.classList.toggle("brushing", value !== "look");
      });
      box.append(el("label", {}, radio, text));
    }
  }

  makeBar() {
    this.barText = el("span");
    this.bar = el("div", { className: "picked-bar", hidden: true, role: "status" }, this.barText,
      el("button", { type: "button", onclick: () => this.pick() }, WORDS.cancel));
    this.root.querySelector(".report-map").prepend(this.bar);
  }

  chose({ name, how }) {
    if (!name) {
      this.hex = "";
      return this.show();
    }
    this.hex = name;
    if (["mouse", "touch", "pen"].includes(how)) this.act(name);
    else this.show();
  }

  // What a click on a hex does, or Enter on the chosen one.
  act(name) {
    this.hex = name;
    if (this.brush !== "look") {
      const there = this.board.strategic[name] ?? [name];
      for (const location of there) this.report.control(location, this.brush);
      this.changed();
    } else if (this.picked.size) {
      this.put(name);
    } else {
      this.show();
    }
  }

  put(at) {
    for (const id of this.picked) this.report.place(id, at);
    this.changed();
  }

  // A unit dragged from the list onto a hex.
  dropUnits() {
    const stage = this.view.stage;
    const mine = (event) => event.dataTransfer.types.includes("text/laager-unit");
    stage.addEventListener("dragover", (event) => {
      if (!mine(event)) return;
      event.preventDefault();
      this.view.hover(this.view.at(event.clientX, event.clientY));
    });
    stage.addEventListener("drop", (event) => {
      if (!mine(event)) return;
      event.preventDefault();
      const id = event.dataTransfer.getData("text/laager-unit");
      const name = this.view.at(event.clientX, event.clientY);
      if (!name || !this.report.units.has(id)) return;
      if (!this.picked.has(id)) this.picked = new Set([id]);
      this.put(name);
    });
  }

  // Changing ------------------------------------------------------------------------------------

  pick(...ids) {
    this.picked = new Set(ids);
    this.showAll();
    this.paint();
  }

  toggle(id, more) {
    if (more) {
      if (!this.picked.delete(id)) this.picked.add(id);
    } else {
      this.picked = this.picked.size === 1 && this.picked.has(id) ? new Set() : new Set([id]);
    }
    const at = hexOf(this.report.where(id));
    if (this.picked.has(id) && at && this.view.svg) {
      this.hex = at;
      this.view.chosen = at;
      this.view.mark("chosen", [at], "hex-chosen");
      this.view.show(at);
    }
    // On a phone the map has to come back into sight, so that a hex can be tapped.
    if (this.picked.has(id) && window.innerWidth < 992) this.view.root.scrollIntoView({ block: "center" });
    this.showAll();
    this.paint();
  }

  changed() {
    this.dirty = true;
    this.showAll();
    this.paint();
    this.check();
  }

  check(wait = 500) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), wait);
  }

  async send() {
    const sent = JSON.stringify(this.report.value);
    if (!this.dirty && this.asked) return;
    if (!this.dirty) {
      // Nothing is kept as long as nothing was changed; the page said what is wrong.
      this.asked = true;
      return;
    }
    const body = new FormData();
    body.set("value", sent);
    body.set("csrfmiddlewaretoken", this.root.querySelector("[name=csrfmiddlewaretoken]").value);
    try {
      const answer = await fetch(this.root.dataset.check, { method: "POST", body, credentials: "same-origin", headers: { Accept: "application/json", "HX-Request": "true" } });
      if (answer.ok) {
        const told = await answer.json();
        if (JSON.stringify(this.report.value) === sent) this.dirty = false;
        this.tell(told.problems);
      } else {
        this.root.querySelector("[data-problems]").innerHTML = await answer.text();
      }
    } catch {
      this.root.querySelector("[data-problems]").replaceChildren(el("p", { className: "problem" }, WORDS.lost));
    }
  }

  tell(problems) {
    this.problems = problems;
    const box = this.root.querySelector("[data-problems]");
    if (!problems.length) {
      box.replaceChildren(el("p", {}, WORDS.well));
    } else {
      box.replaceChildren(el("p", {}, `${WORDS.wrong}: ${problems.length}`),
        el("ul", { className: "problem-list" }, ...problems.map((one) => el("li", {}, this.problem(one)))));
    }
    this.showUnits();
  }

  problem(one) {
    const text = one.what + (one.right ? `; ${one.right}` : "");
    const about = this.about(one.field);
    if (!about) return el("span", { className: "problem" }, one.field ? `${one.field}: ${text}` : text);
    const label = this.report.units.get(about.unit)?.label ?? about.hex;
    return el("button", { type: "button", className: "plain", onclick: () => this.goTo(about) }, `${label}: ${text}`);
  }

  // What a path such as units[3].at is about: a unit, or a hex.
  about(field) {
    const found = /^(\w+)\[(\d+)\]/.exec(field);
    if (!found) return null;
    const row = this.report.value[found[1]]?.[Number(found[2]) - 1];
    if (found[1] === "units" && this.report.units.has(row?.unit)) return { unit: row.unit };
    const hex = this.view.svg ? this.view.find(String(row?.location ?? row?.at ?? "")) : "";
    return hex ? { hex } : null;
  }

  goTo({ unit, hex }) {
    if (unit) {
      this.picked.clear();
      this.toggle(unit, false);
      this.panel.scrollIntoView({ block: "nearest" });
    } else {
      this.view.choose(hex, "script");
      this.view.show(hex);
    }
  }

  // Painting ------------------------------------------------------------------------------------

  paint() {
    const view = this.view;
    if (!view.svg) return;
    const { side } = this.board;
    for (const one of view.svg.querySelectorAll("#layer-units [data-side]")) {
      one.classList.toggle("off", one.dataset.side === side && this.report.parts.has("units"));
    }
    for (const id of ["stacks", "held", "fires", "picked"]) view.clear(id);
    this.paintGround();
    const stacks = new Map();
    for (const id of this.report.units.keys()) {
      const at = hexOf(this.report.where(id));
      const name = at && view.hexes.has(at) ? at : at && view.find(at);
      if (!name) continue;
      stacks.set(name, [...(stacks.get(name) ?? []), id]);
    }
    for (const [name, ids] of stacks) view.put("stacks", name, (x, y) => this.counter(x, y, ids));
    const picked = [...this.picked].map((id) => hexOf(this.report.where(id))).filter(Boolean);
    view.mark("picked", picked, "hex-picked");
  }

  paintGround() {
    for (const row of this.report.value.control ?? []) {
      const name = this.view.find(String(row?.location ?? ""));
      if (!name) continue;
      this.view.put("held", name, (x, y) => [shape("circle", { cx: x - 19, cy: y + 4, r: 6.5, class: `held side-${row.side}` })]);
    }
    const burning = (this.report.value.fires ?? []).filter((row) => row?.now && row.now !== "none").map((row) => this.view.find(String(row.at)));
    this.view.mark("fires", burning.filter(Boolean), "hex-fire");
  }

  counter(x, y, ids) {
    const first = this.report.units.get(ids.find((id) => !this.report.row(id).with) ?? ids[0]);
    const men = ids.length;
    const group = shape("g", { class: `own-stack${ids.some((id) => this.report.changed(id)) ? " changed" : ""}`, transform: `translate(${x} ${y})` });
    if (men > 1) group.append(shape("rect", { x: -14, y: -12, width: 34, height: 26, rx: 3 }));
    group.append(shape("rect", { x: -17, y: -14, width: 34, height: 26, rx: 3 }));
    group.append(shape("rect", { x: -17, y: -14, width: 34, height: 5, rx: 2, class: `bar side-${this.board.side}` }));
    const label = first.type.length > 8 ? `${first.type.slice(0, 7)}…` : first.type;
    const text = shape("text", { x: 0, y: men > 1 ? 1 : 4 }, label);
    if (label.length > 5) text.setAttribute("textLength", 31);
    if (label.length > 5) text.setAttribute("lengthAdjust", "spacingAndGlyphs");
    group.append(text);
    if (men > 1) group.append(shape("text", { x: 10, y: 11 }, `×${men}`));
    return [group];
  }

  // The list of units ---------------------------------------------------------------------------

  showAll() {
    this.showUnits();
    this.show();
    this.bar.hidden = !this.picked.size;
    const names = [...this.picked].map((id) => this.report.units.get(id)?.label);
    this.barText.textContent = `${names.length > 2 ? `${names.length} ${WORDS.many}` : names.join(", ")}. ${WORDS.placing}`;
  }

  showUnits() {
    if (this.list.hidden) return;
    if (!this.list.firstElementChild) {
      const filter = el("input", { type: "search", className: "filter", placeholder: WORDS.filter, "aria-label": WORDS.filter });
      filter.addEventListener("input", () => { this.filter = filter.value.toLowerCase(); this.showUnits(); });
      this.count = el("span", { className: "muted" });
      this.rows = el("ul", { className: "list" });
      this.list.append(el("h2", {}, WORDS.units, " ", this.count), filter, this.rows);
    }
    const wrong = new Set(this.problems.map((one) => this.about(one.field)?.unit).filter(Boolean));
    const all = [...this.report.units.values()];
    const shown = all.filter((one) => `${one.label} ${one.kind} ${one.group} ${this.report.where(one.id)}`.toLowerCase().includes(this.filter));
    const changed = all.filter((one) => this.report.changed(one.id)).length;
    this.count.textContent = `${all.length}, ${changed} ${WORDS.changed}`;
    const held = this.rows.scrollTop;
    this.rows.replaceChildren(...shown.map((one) => el("li", {}, this.chip(one.id, wrong.has(one.id)))));
    if (!shown.length) this.rows.append(el("li", { className: "empty" }, WORDS.none));
    this.rows.scrollTop = held;
  }

  chip(id, wrong = false) {
    const unit = this.report.units.get(id);
    const row = this.report.row(id);
    const where = this.report.where(id);
    const fate = this.report.fate(id);
    const marks = (row.marks ?? []).join(", ");
    const gone = !["on-map", "off-map", ...LEFT].includes(fate);
    const words = [fate === "on-map" ? where || "?" : this.fateWord(fate), marks].filter(Boolean).join(" · ");
    const chip = el("button", {
      type: "button", draggable: true, "data-unit": id,
      className: `unit-chip side-${this.board.side}${this.report.changed(id) ? " changed" : ""}${gone ? " gone" : ""}${wrong ? " wrong" : ""}`,
      onclick: (event) => this.toggle(id, event.ctrlKey || event.metaKey || event.shiftKey),
    }, el("b", {}, unit.label), el("small", {}, words));
    chip.setAttribute("aria-pressed", String(this.picked.has(id)));
    chip.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/laager-unit", id));
    return chip;
  }

  fateWord(fate) {
    return this.report.options("units", "fate").find((one) => one.value === fate)?.value ?? fate;
  }

  // The panel -----------------------------------------------------------------------------------

  show() {
    const parts = [];
    if (this.picked.size) parts.push(...this.unitPanel([...this.picked]));
    else if (this.hex) parts.push(...this.hexPanel(this.hex));
    else parts.push(el("p", { className: "empty" }, WORDS.pick));
    const focused = document.activeElement?.dataset?.keep;
    this.panel.replaceChildren(...parts);
    if (focused) this.panel.querySelector(`[data-keep="${CSS.escape(focused)}"]`)?.focus();
  }

  unitPanel(ids) {
    const units = ids.map((id) => this.report.units.get(id)).filter(Boolean);
    const rows = ids.map((id) => this.report.row(id));
    const title = units.length === 1 ? units[0].label : `${units.length} ${WORDS.many}`;
    const parts = [el("h2", { id: "hex-title" }, title)];
    parts.push(this.fates(ids, rows));
    parts.push(this.places(ids));
    parts.push(this.markers(ids, units));
    if (units.length === 1) parts.push(...this.single(units[0]));
    if (ids.some((id) => this.report.changed(id))) {
      parts.push(el("p", {}, el("button", { type: "button", onclick: () => this.undo(ids) }, WORDS.back)));
    }
    return parts;
  }

  undo(ids) {
    for (const id of ids) {
      const rows = this.report.rows("units").filter((row) => row?.unit !== id);
      const before = this.report.before.get(id);
      if (before) rows.push(JSON.parse(before));
      this.report.value.units = rows;
    }
    this.changed();
  }

  fates(ids, rows) {
    const select = el("select", { id: "unit-fate", "data-keep": "fate" });
    const same = rows.every((row) => row.fate === rows[0].fate);
    if (!same) select.append(new Option("…", ""));
    for (const one of this.report.options("units", "fate")) select.append(new Option(one.label, one.value));
    select.value = same ? rows[0].fate || "on-map" : "";
    select.addEventListener("change", () => {
      for (const id of ids) this.report.become(id, select.value);
      this.changed();
    });
    return el("div", { className: "field" }, el("label", { htmlFor: "unit-fate" }, WORDS.fate), select);
  }

  places(ids) {
    const at = this.report.row(ids[0]).at || this.report.where(ids[0]);
    const input = el("input", { id: "unit-at", type: "text", value: at, maxLength: 20, "data-keep": "at", autocomplete: "off" });
    input.addEventListener("change", () => {
      for (const id of ids) this.report.place(id, input.value.trim());
      this.changed();
    });
    const others = at ? this.report.locations(hexOf(at)) : [];
    const chips = others.length > 1 ? el("p", { className: "chips" }, ...others.map((where) => {
      const button = el("button", { type: "button", onclick: () => this.put(where) }, where);
      button.setAttribute("aria-pressed", String(where === at));
      return button;
    })) : null;
    return el("div", { className: "field" }, el("label", { htmlFor: "unit-at" }, WORDS.location), input, chips);
  }

  markers(ids, units) {
    const fitting = Object.entries(this.board.fits).filter(([, kinds]) => units.every((one) => kinds.includes(one.kind)));
    const rows = ids.map((id) => this.report.row(id));
    const boxes = fitting.map(([mark]) => {
      const box = el("input", { type: "checkbox", "data-keep": `mark-${mark}`, checked: rows.every((row) => (row.marks ?? []).includes(mark)) });
      box.addEventListener("change", () => {
        for (const id of ids) {
          const row = this.report.own(id);
          const marks = (row.marks ?? []).filter((one) => one !== mark);
          row.marks = box.checked ? [...marks, mark] : marks;
        }
        this.changed();
      });
      return el("label", {}, box, mark);
    });
    return el("fieldset", { className: "field" }, el("legend", {}, WORDS.marks), el("div", { className: "chips" }, ...boxes));
  }

  single(unit) {
    const { id } = unit;
    const row = this.report.row(id);
    const parts = [];
    const holder = row.with ?? unit.with ?? "";
    const near = [...this.report.units.values()].filter((one) => one.id !== id && one.kind !== "sw" && hexOf(this.report.where(one.id)) === hexOf(this.report.where(id)));
    const known = new Set(["", "guard", ...near.map((one) => one.id)]);
    const select = el("select", { id: "unit-with", "data-keep": "with" }, new Option(WORDS.nothing, ""), new Option(WORDS.guard, "guard"));
    for (const one of near) select.append(new Option(one.label, one.id));
    if (!known.has(holder)) select.append(new Option(this.report.units.get(holder)?.label ?? holder, holder));
    select.value = holder;
    select.addEventListener("change", () => {
      this.report.own(id).with = select.value;
      this.changed();
    });
    parts.push(el("div", { className: "field" }, el("label", { htmlFor: "unit-with" }, WORDS.with), select));
    parts.push(this.text(id, "type", row.type && row.type !== unit.type ? row.type : "", WORDS.type, unit.type));
    if (LEFT.includes(row.fate) && this.report.field("units", "area")) parts.push(this.text(id, "area", row.area ?? "", WORDS.area));
    const took = el("select", { id: "unit-entered", "data-keep": "entered" }, new Option(WORDS.unsaid, ""), new Option(WORDS.yes, "yes"), new Option(WORDS.no, "no"));
    took.value = row.entered === true ? "yes" : row.entered === false ? "no" : "";
    took.addEventListener("change", () => {
      const own = this.report.own(id);
      if (took.value) own.entered = took.value === "yes";
      else delete own.entered;
      this.changed();
    });
    parts.push(el("div", { className: "field" }, el("label", { htmlFor: "unit-entered" }, WORDS.entered), took));
    return parts;
  }

  text(id, name, value, label, empty = "") {
    const input = el("input", { id: `unit-${name}`, type: "text", value, placeholder: empty, maxLength: 40, "data-keep": name, autocomplete: "off" });
    input.addEventListener("change", () => {
      this.report.own(id)[name] = input.value.trim() || empty;
      this.changed();
    });
    return el("div", { className: "field" }, el("label", { htmlFor: `unit-${name}` }, label), input);
  }

  hexPanel(hex) {
    const about = this.view.hexes.get(hex)?.about ?? hex;
    const parts = [el("h2", { id: "hex-title" }, hex), el("p", { className: "muted" }, about)];
    const there = [...this.report.units.keys()].filter((id) => hexOf(this.report.where(id)) === hex);
    if (there.length) parts.push(el("ul", { className: "list report-there" }, ...there.map((id) => el("li", {}, this.chip(id)))));
    if (there.length > 1) parts.push(el("p", {}, el("button", { type: "button", onclick: () => this.pick(...there) }, `${WORDS.all} (${there.length})`)));
    const enemies = this.board.enemies.filter((one) => hexOf(one.at) === hex);
    if (enemies.length) parts.push(el("p", {}, ...enemies.map((one) => el("span", { className: "badge" }, one.label))));
    for (const fort of this.board.forts) if (hexOf(fort.at) === hex) parts.push(el("p", {}, `${fort.label} (${fort.id})`));
    if (this.report.parts.has("control")) for (const where of this.controllable(hex)) parts.push(this.controlOf(where));
    if (this.report.parts.has("fires")) parts.push(this.fireOf(hex));
    if (this.report.parts.has("terrain")) parts.push(this.terrainOf(hex));
    if (parts.length === 2) parts.push(el("p", { className: "empty" }, WORDS.empty));
    return parts;
  }

  controllable(hex) {
    const listed = Object.keys(this.board.control).filter((where) => hexOf(where) === hex);
    const reported = (this.report.value.control ?? []).map((row) => row?.location).filter((where) => hexOf(where) === hex);
    const all = [...new Set([...(this.board.strategic[hex] ?? []), ...listed, ...reported])];
    return all.length ? all : [hex];
  }

  controlOf(where) {
    const now = this.report.holds(where);
    const sides = { ...this.board.sides, nobody: WORDS.nobody };
    const buttons = Object.entries(sides).map(([side, name]) => {
      const button = el("button", { type: "button", "data-keep": `control-${where}-${side}`, onclick: () => { this.report.control(where, side); this.changed(); } }, name);
      button.setAttribute("aria-pressed", String(side === now));
      return button;
    });
    const label = `${WORDS.control}: ${where}`;
    return el("div", { className: "field", role: "group", "aria-label": label }, el("span", {}, label), el("div", { className: "chips" }, ...buttons));
  }

  fireOf(hex) {
    const select = el("select", { id: "hex-fire", "data-keep": "fire" });
    for (const one of this.report.options("fires", "now")) select.append(new Option(one.value === "none" ? WORDS.calm : one.label, one.value));
    select.value = this.report.fire(hex);
    select.addEventListener("change", () => { this.report.burn(hex, select.value); this.changed(); });
    return el("div", { className: "field" }, el("label", { htmlFor: "hex-fire" }, WORDS.fire), select);
  }

  terrainOf(hex) {
    const rows = this.report.rows("terrain").filter((row) => hexOf(row?.at) === hex);
    const listed = rows.map((row) => el("li", {}, `${row.what} ${row.at}${row.gone ? ` (${WORDS.gone})` : ""} `,
      el("button", { type: "button", className: "plain", "aria-label": `${WORDS.cancel}: ${row.what}`, onclick: () => {
        this.report.value.terrain = this.report.rows("terrain").filter((one) => one !== row);
        this.changed();
      } }, "✕")));
    const what = el("select", { id: "hex-terrain" });
    for (const one of this.report.options("terrain", "what")) what.append(new Option(one.label, one.value));
    const where = el("select", { "aria-label": WORDS.location });
    for (const one of this.report.locations(hex)) where.append(new Option(one, one));
    const add = el("button", { type: "button", onclick: () => {
      this.report.rows("terrain").push({ at: where.value, what: what.value, gone: false });
      this.changed();
    } }, WORDS.add);
    return el("div", { className: "field" }, el("label", { htmlFor: "hex-terrain" }, WORDS.terrain), listed.length ? el("ul", {}, ...listed) : null,
      el("div", { className: "toolbar" }, what, where, add));
  }
}

// A save of VASL, chosen or dropped -----------------------------------------------------------------

class SaveReader {
  constructor(page) {
    this.page = page;
    this.form = page.root.querySelector("[data-save-form]");
    this.input = this.form.querySelector("input[type=file]");
    this.out = this.form.querySelector("[data-proposal]");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(this.input.files[0]);
    });
    this.form.addEventListener("click", (event) => {
      const link = event.target.closest("[data-show]");
      if (!link) return;
      event.preventDefault();
      const name = page.view.find(link.dataset.show);
      if (!name) return;
      page.pick();
      page.view.choose(name, "script");
      page.view.show(name);
      page.view.root.scrollIntoView({ block: "start" });
    });
    for (const zone of [this.form.querySelector("[data-drop]"), page.view.stage]) this.zone(zone);
  }

  zone(element) {
    const file = (event) => event.dataTransfer.types.includes("Files");
    element.addEventListener("dragover", (event) => {
      if (!file(event)) return;
      event.preventDefault();
      element.classList.add("over");
    });
    element.addEventListener("dragleave", () => element.classList.remove("over"));
    element.addEventListener("drop", (event) => {
      element.classList.remove("over");
      if (!file(event) || !event.dataTransfer.files.length) return;
      event.preventDefault();
      this.input.files = event.dataTransfer.files;
      this.out.replaceChildren();
      this.send(event.dataTransfer.files[0]);
    });
  }

  async send(file) {
    if (!file) return;
    const refused = this.form.querySelector("[data-refusal]");
    const body = new FormData(this.form);
    body.set("save", file);
    refused.replaceChildren(el("p", { role: "status" }, WORDS.reading));
    try {
      const answer = await fetch(this.form.action, { method: "POST", body, credentials: "same-origin", headers: { Accept: "application/json" } });
      if (!answer.headers.get("Content-Type")?.includes("json")) {
        refused.innerHTML = await answer.text();
        return;
      }
      const told = await answer.json();
      refused.replaceChildren();
      if (!answer.ok) {
        refused.innerHTML = told.html;
        return;
      }
      this.out.innerHTML = told.html;
      this.page.report.value = told.value;
      this.page.picked.clear();
      this.page.changed();
      this.page.tell(told.problems);
    } catch {
      refused.replaceChildren(el("p", { className: "problem", role: "alert" }, WORDS.lost));
    }
  }
}

const root = document.querySelector("[data-report]");
if (root) root.page = new Page(root);
