// A battle reported on the map. The report is the plain answer (as the form gives it); everything
// here reads and changes that one value. What is wrong with it the server says after every change.
import { MapView, complain, equip } from "../../records/map/map.js";
import { counter, counterPicture, el, hexOf, shape, tellProblems } from "../../shared/pieces.js";
import { Panel } from "./reportpanel.js";
import { SaveReader } from "./reportsave.js";
import { LEFT, Report } from "./reportvalue.js";
import { WORDS } from "./reportwords.js";

class Page {
  constructor(root) {
    this.root = root;
    this.board = JSON.parse(document.getElementById("report-board").textContent);
    this.report = new Report(this.board);
    this.dirty = this.report.take(this.board.ticks);
    this.view = new MapView(root.querySelector("[data-map]"));
    this.panel = new Panel(this, root.querySelector("[data-panel]"));
    this.list = root.querySelector("[data-units]");
    this.picked = new Set();
    this.brush = "look";
    this.filter = "";
    this.problems = [];
    equip(this.view);
    for (const one of root.querySelectorAll("[data-scripted]")) one.hidden = false;
    this.list.hidden = false;
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
    window.addEventListener("beforeunload", (event) => {
      if (this.dirty) event.preventDefault();
    });
    this.dropUnits();
    this.save = new SaveReader(this);
    this.save.dress();
  }

  // Brushes -------------------------------------------------------------------------------------

  makeBrushes() {
    const box = this.root.querySelector("[data-brushes]");
    const kinds = [["look", WORDS.look]];
    if (this.report.parts.has("units")) kinds.push(["move", WORDS.place]);
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
    this.bar = el(
      "div",
      { className: "picked-bar", hidden: true, role: "status" },
      this.barText,
      el("button", { type: "button", onclick: () => this.pick() }, WORDS.cancel),
    );
    this.root.querySelector(".report-map").prepend(this.bar);
  }

  chose({ name, how }) {
    if (!name) {
      this.hex = "";
      this.panel.show();
      return;
    }
    this.hex = name;
    if (["mouse", "touch", "pen"].includes(how)) this.act(name);
    else this.panel.show();
  }

  // What a click on a hex does, or Enter on the chosen one.
  act(name) {
    this.hex = name;
    if (this.brush === "move" && !this.picked.size) {
      this.pick(...this.report.there(name));
    } else if (!["look", "move"].includes(this.brush)) {
      const there = this.board.strategic[name] ?? [name];
      for (const location of there) this.report.control(location, this.brush);
      this.changed();
    } else if (this.picked.size) {
      this.put(name);
    } else {
      this.panel.show();
    }
  }

  put(at) {
    for (const id of this.picked) this.report.place(id, at);
    if (this.brush === "move") this.picked.clear();
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
      const answer = await fetch(this.root.dataset.check, {
        method: "POST",
        body,
        credentials: "same-origin",
        headers: { Accept: "application/json", "HX-Request": "true" },
      });
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
    tellProblems(this.root, WORDS, problems, (one) => this.problem(one));
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
      this.panel.box.scrollIntoView({ block: "nearest" });
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
    view.ghost.hideUnits((unit) => unit.dataset.side === side && this.report.parts.has("units"));
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
      this.view.put("held", name, (x, y) => [
        shape("circle", { cx: x - 19, cy: y + 4, r: 6.5, class: `held side-${row.side}` }),
      ]);
    }
    const burning = (this.report.value.fires ?? [])
      .filter((row) => row?.now && row.now !== "none")
      .map((row) => this.view.find(String(row.at)));
    this.view.mark("fires", burning.filter(Boolean), "hex-fire");
  }

  counter(x, y, ids) {
    const first = this.report.units.get(ids.find((id) => !this.report.row(id).with) ?? ids[0]);
    const kind = ids.some((id) => this.report.changed(id)) ? "changed" : "";
    return [counter(x, y, this.looks(first.id), { many: ids.length, kind })];
  }

  // A unit as the report has it: its type, its markers, what became of it.
  looks(id) {
    const unit = this.report.units.get(id);
    const row = this.report.row(id);
    const marks = row.marks ?? unit.states;
    const fate = this.report.fate(id);
    const face = (row.type !== unit.type && unit.faces[row.type]) || unit.face;
    return { ...unit, face, states: fate === "captured" ? [...marks, "prisoner"] : marks };
  }

  // The list of units ---------------------------------------------------------------------------

  showAll() {
    this.save?.dress();
    this.showUnits();
    this.panel.show();
    this.bar.hidden = !this.picked.size;
    const names = [...this.picked].map((id) => this.report.units.get(id)?.label);
    this.barText.textContent = `${names.length > 2 ? `${names.length} ${WORDS.many}` : names.join(", ")}. ${WORDS.placing}`;
  }

  showUnits() {
    this.showChanges();
    if (!this.report.parts.has("units")) return;
    if (!this.rows) {
      const filter = el("input", {
        type: "search",
        className: "filter",
        placeholder: WORDS.filter,
        "aria-label": WORDS.filter,
      });
      filter.addEventListener("input", () => {
        this.filter = filter.value.toLowerCase();
        this.showUnits();
      });
      this.count = el("span", { className: "count" });
      this.rows = el("ul", { className: "list" });
      this.list.append(
        el("details", { "data-all-units": "" }, el("summary", {}, WORDS.units, " ", this.count), filter, this.rows),
      );
    }
    const wrong = new Set(this.problems.map((one) => this.about(one.field)?.unit).filter(Boolean));
    const all = [...this.report.units.values()];
    const shown = all.filter((one) =>
      `${one.label} ${one.kind} ${one.group} ${this.report.where(one.id)}`.toLowerCase().includes(this.filter),
    );
    this.count.textContent = all.length;
    const held = this.rows.scrollTop;
    this.rows.replaceChildren(...shown.map((one) => el("li", {}, this.chip(one.id, wrong.has(one.id)))));
    if (!shown.length) this.rows.append(el("li", { className: "empty" }, WORDS.none));
    this.rows.scrollTop = held;
  }

  // What is reported so far, each with its way back; below it, units that no click on the map can find.
  showChanges() {
    if (!this.changes) this.list.append((this.changes = el("div", { "data-changes": "" })));
    const back = (what, does) =>
      el(
        "button",
        {
          type: "button",
          className: "plain",
          "aria-label": `${WORDS.back}: ${what}`,
          title: WORDS.back,
          onclick: () => {
            does();
            this.changed();
            (this.changes.querySelector("button") ?? this.list.querySelector("summary"))?.focus();
          },
        },
        "↶",
      );
    const { report } = this;
    const units = [...report.units.keys()].filter((id) => report.changed(id));
    const lines = units.map((id) =>
      el(
        "li",
        {},
        this.chip(id),
        back(report.units.get(id).label, () => report.restore(id)),
      ),
    );
    for (const row of report.parts.has("control") ? report.rows("control") : []) {
      const what = `${WORDS.control}: ${row.location} → ${this.board.sides[row.side] ?? WORDS.nobody}`;
      lines.push(
        el(
          "li",
          {},
          el("span", {}, what),
          back(what, () => report.control(row.location, this.board.control[row.location] ?? "nobody")),
        ),
      );
    }
    for (const row of report.parts.has("fires") ? report.rows("fires") : []) {
      const what = `${WORDS.fire}: ${row.at} → ${row.now === "none" ? WORDS.calm : row.now}`;
      lines.push(
        el(
          "li",
          {},
          el("span", {}, what),
          back(what, () => report.burn(row.at, this.board.fires[row.at] ?? "none")),
        ),
      );
    }
    const off = [...report.units.values()].filter(
      (one) => !one.on_map && !report.changed(one.id) && !report.where(one.id),
    );
    this.changes.replaceChildren(
      el("h2", {}, WORDS.changes, " ", el("span", { className: "count" }, lines.length)),
      lines.length
        ? el("ul", { className: "list changes" }, ...lines)
        : el("p", { className: "empty" }, WORDS.unchanged),
      ...this.gains(),
      ...(off.length
        ? [
            el("h3", {}, WORDS.off),
            el("ul", { className: "list" }, ...off.map((one) => el("li", {}, this.chip(one.id)))),
          ]
        : []),
    );
  }

  // Control follows who stood in a Location last: one click for all where squads stand now.
  gains() {
    const won =
      this.report.parts.has("control") && this.report.parts.has("units") ? this.report.gains(this.board.side) : [];
    if (!won.length) return [];
    const take = () => {
      for (const where of won) this.report.control(where, this.board.side);
      this.changed();
    };
    return [
      el(
        "p",
        {},
        el("button", { type: "button", "data-take": "", onclick: take }, `${WORDS.gains}: ${won.join(", ")}`),
      ),
    ];
  }

  chip(id, wrong = false) {
    const unit = this.report.units.get(id);
    const row = this.report.row(id);
    const where = this.report.where(id);
    const fate = this.report.fate(id);
    const marks = (row.marks ?? []).join(", ");
    const gone = !["on-map", "off-map", ...LEFT].includes(fate);
    const words = [fate === "on-map" ? where || "?" : this.fateWord(fate), marks].filter(Boolean).join(" · ");
    const chip = el(
      "button",
      {
        type: "button",
        draggable: true,
        "data-unit": id,
        className: `unit-chip side-${this.board.side}${this.report.changed(id) ? " changed" : ""}${gone ? " gone" : ""}${wrong ? " wrong" : ""}`,
        onclick: (event) => {
          this.toggle(id, event.ctrlKey || event.metaKey || event.shiftKey);
          // The chip is drawn anew; who pressed a key goes on where one says what became of the unit.
          if (!event.detail) this.panel.focus();
        },
      },
      counterPicture(this.looks(id)),
      el("b", {}, unit.label),
      el("small", {}, words),
    );
    chip.setAttribute("aria-pressed", String(this.picked.has(id)));
    chip.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/laager-unit", id));
    return chip;
  }

  fateWord(fate) {
    const words = this.report.options("units", "fate").find((one) => one.value === fate)?.label ?? fate;
    return words.split(/[,;:]/)[0]; // What stands behind it explains the choice in the form.
  }
}

const root = document.querySelector("[data-report]");
if (root) root.page = new Page(root);
