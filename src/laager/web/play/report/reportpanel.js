// Beside the map of a battle report: what became of the units that are picked, or what is in a hex.
import { counterPicture, el, hexOf } from "../../shared/pieces.js";
import { LEFT } from "./reportvalue.js";
import { WORDS } from "./reportwords.js";

// The commonest results: markers by the kinds of units that get them in most battles, changes of type, fates.
const QUICK = {
  squad: ["broken"],
  "half-squad": ["broken"],
  crew: ["broken"],
  leader: ["broken", "wounded"],
  commissar: ["broken", "wounded"],
  hero: ["wounded"],
  sw: ["malfunctioned"],
  gun: ["malfunctioned"],
  afv: ["immobilized", "ma-malfunctioned", "abandoned"],
  vehicle: ["immobilized", "abandoned"],
};
const TYPES = ["reduced", "replaced", "hardened"];
const FATES = ["eliminated", "captured", "removed"];
// What comes after the markers, the commonest first.
const ORDER = ["reduced", "eliminated", "burning", "captured", "replaced", "hardened", "removed"];

export class Panel {
  constructor(page, box) {
    this.page = page;
    this.box = box;
    this.more = false;
  }

  get report() {
    return this.page.report;
  }

  get board() {
    return this.page.board;
  }

  changed() {
    this.page.changed();
  }

  show() {
    const { picked, hex } = this.page;
    const parts = [];
    if (picked.size) parts.push(...this.unitPanel([...picked]));
    else if (hex) parts.push(...this.hexPanel(hex));
    else parts.push(el("p", { className: "empty" }, WORDS.pick));
    const focused = document.activeElement?.dataset?.keep;
    this.box.replaceChildren(...parts);
    if (focused) this.box.querySelector(`[data-keep="${CSS.escape(focused)}"]`)?.focus();
  }

  focus() {
    (this.box.querySelector("button, select, input") ?? this.page.list.querySelector("summary"))?.focus();
  }

  // The commonest results, each with one click, as far as they fit all of these units.
  quick(ids) {
    const units = ids.map((id) => this.report.units.get(id));
    const there = ids.every((id) => this.report.fate(id) === "on-map");
    const button = (key, now, does) => {
      const made = el(
        "button",
        { type: "button", "data-keep": `${key}-${ids.join("-")}`, "data-do": key, onclick: does },
        WORDS[key.replace("-", "_")],
      );
      made.setAttribute("aria-pressed", String(now));
      if (units.length === 1) made.setAttribute("aria-label", `${WORDS[key.replace("-", "_")]}: ${units[0].label}`);
      return made;
    };
    const buttons = [
      ...(there ? [...this.quickMarks(ids, units, button), ...this.quickTypes(ids, units, button)] : []),
      ...this.quickFates(ids, units, button),
    ].sort((first, second) => ORDER.indexOf(first.dataset.do) - ORDER.indexOf(second.dataset.do));
    return el("div", { className: "chips quick", role: "group", "aria-label": WORDS.fate }, ...buttons);
  }

  quickMarks(ids, units, button) {
    const fitting = (QUICK[units[0].kind] ?? []).filter((mark) =>
      units.every((unit) => QUICK[unit.kind]?.includes(mark)),
    );
    return fitting.map((mark) => {
      const has = ids.every((id) => this.report.marks(id).includes(mark));
      return button(mark, has, () => {
        this.report.mark(ids, mark, !has);
        this.changed();
      });
    });
  }

  quickTypes(ids, units, button) {
    return TYPES.filter((how) => units.every((unit) => unit.becomes?.[how])).map((how) => {
      const is = units.every((unit) => this.report.row(unit.id).type === unit.becomes[how]);
      const made = button(how, is, () => {
        for (const unit of units)
          if (is === (this.report.row(unit.id).type === unit.becomes[how]))
            this.report.retype(unit.id, unit.becomes[how]);
        this.changed();
      });
      if (units.length === 1) made.title = units[0].becomes[how];
      return made;
    });
  }

  quickFates(ids, units, button) {
    const known = new Set(this.report.options("units", "fate").map((option) => option.value));
    const made = FATES.filter((fate) => known.has(fate)).map((fate) => {
      const is = ids.every((id) => this.report.fate(id) === fate);
      return button(fate, is, () => {
        if (is) return this.undo(ids);
        for (const id of ids) this.report.become(id, fate);
        return this.changed();
      });
    });
    if (!units.every((unit) => ["afv", "vehicle"].includes(unit.kind))) return made;
    const burns = ids.every((id) => this.report.marks(id).includes("burning"));
    const burning = button("burning", burns, () => {
      for (const id of ids) this.report.ignite(id, !burns);
      this.changed();
    });
    return [...made, burning];
  }

  unitPanel(ids) {
    const units = ids.map((id) => this.report.units.get(id)).filter(Boolean);
    const rows = ids.map((id) => this.report.row(id));
    const title = units.length === 1 ? units[0].label : `${units.length} ${WORDS.many}`;
    const more = el(
      "details",
      { open: this.more },
      el("summary", {}, WORDS.more),
      this.fates(ids, rows),
      this.markers(ids, units),
      ...(units.length === 1 ? this.single(units[0]) : []),
    );
    more.addEventListener("toggle", () => {
      this.more = more.open;
    });
    const heads = units.slice(0, 12).map((unit) => counterPicture(this.page.looks(unit.id)));
    const parts = [
      el("h2", { id: "hex-title", className: "with-counter" }, ...heads, el("span", {}, title)),
      this.quick(ids),
      this.places(ids),
      more,
    ];
    if (ids.some((id) => this.report.changed(id))) {
      parts.push(el("p", {}, el("button", { type: "button", onclick: () => this.undo(ids) }, WORDS.back)));
    }
    return parts;
  }

  undo(ids) {
    for (const id of ids) this.report.restore(id);
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
    const input = el("input", {
      id: "unit-at",
      type: "text",
      value: at,
      maxLength: 20,
      "data-keep": "at",
      autocomplete: "off",
    });
    input.addEventListener("change", () => {
      for (const id of ids) this.report.place(id, input.value.trim());
      this.changed();
    });
    const others = at ? this.report.locations(hexOf(at)) : [];
    const chips =
      others.length > 1
        ? el(
            "p",
            { className: "chips" },
            ...others.map((where) => {
              const button = el("button", { type: "button", onclick: () => this.page.put(where) }, where);
              button.setAttribute("aria-pressed", String(where === at));
              return button;
            }),
          )
        : null;
    return el("div", { className: "field" }, el("label", { htmlFor: "unit-at" }, WORDS.location), input, chips);
  }

  markers(ids, units) {
    const fitting = Object.entries(this.board.fits).filter(([, kinds]) =>
      units.every((one) => kinds.includes(one.kind)),
    );
    const boxes = fitting.map(([mark]) => {
      const box = el("input", {
        type: "checkbox",
        "data-keep": `mark-${mark}`,
        checked: ids.every((id) => this.report.marks(id).includes(mark)),
      });
      box.addEventListener("change", () => {
        this.report.mark(ids, mark, box.checked);
        this.changed();
      });
      return el("label", {}, box, mark);
    });
    return el(
      "fieldset",
      { className: "field" },
      el("legend", {}, WORDS.marks),
      el("div", { className: "chips" }, ...boxes),
    );
  }

  single(unit) {
    const { id } = unit;
    const row = this.report.row(id);
    const parts = [];
    const holder = row.with ?? unit.with ?? "";
    const near = [...this.report.units.values()].filter(
      (one) => one.id !== id && one.kind !== "sw" && hexOf(this.report.where(one.id)) === hexOf(this.report.where(id)),
    );
    const known = new Set(["", "guard", ...near.map((one) => one.id)]);
    const select = el(
      "select",
      { id: "unit-with", "data-keep": "with" },
      new Option(WORDS.nothing, ""),
      new Option(WORDS.guard, "guard"),
    );
    for (const one of near) select.append(new Option(one.label, one.id));
    if (!known.has(holder)) select.append(new Option(this.report.units.get(holder)?.label ?? holder, holder));
    select.value = holder;
    select.addEventListener("change", () => {
      this.report.own(id).with = select.value;
      this.changed();
    });
    parts.push(el("div", { className: "field" }, el("label", { htmlFor: "unit-with" }, WORDS.with), select));
    parts.push(this.text(id, "type", row.type && row.type !== unit.type ? row.type : "", WORDS.type, unit.type));
    if (LEFT.includes(row.fate) && this.report.field("units", "area"))
      parts.push(this.text(id, "area", row.area ?? "", WORDS.area));
    const took = el(
      "select",
      { id: "unit-entered", "data-keep": "entered" },
      new Option(WORDS.unsaid, ""),
      new Option(WORDS.yes, "yes"),
      new Option(WORDS.no, "no"),
    );
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
    const input = el("input", {
      id: `unit-${name}`,
      type: "text",
      value,
      placeholder: empty,
      maxLength: 40,
      "data-keep": name,
      autocomplete: "off",
    });
    input.addEventListener("change", () => {
      this.report.own(id)[name] = input.value.trim() || empty;
      this.changed();
    });
    return el("div", { className: "field" }, el("label", { htmlFor: `unit-${name}` }, label), input);
  }

  hexPanel(hex) {
    const about = this.page.view.hexes.get(hex)?.about ?? hex;
    const parts = [el("h2", { id: "hex-title" }, hex), el("p", { className: "muted" }, about)];
    const there = this.report.there(hex);
    const gone = this.report.lost(hex);
    if (there.length)
      parts.push(
        el(
          "p",
          {},
          el(
            "button",
            { type: "button", "data-keep": "move-all", onclick: () => this.page.pick(...there) },
            `${WORDS.moveAll} (${there.length})`,
          ),
        ),
      );
    const rows = [...there, ...gone].map((id) => el("li", {}, this.page.chip(id), this.quick([id])));
    if (rows.length) parts.push(el("ul", { className: "list report-there" }, ...rows));
    const enemies = this.board.enemies.filter((one) => hexOf(one.at) === hex);
    const shown = (one) => el("p", { className: "with-counter" }, counterPicture(one), el("span", {}, one.label));
    parts.push(...enemies.map(shown));
    parts.push(...this.board.forts.filter((fort) => hexOf(fort.at) === hex).map(shown));
    if (this.report.parts.has("control")) for (const where of this.controllable(hex)) parts.push(this.controlOf(where));
    if (this.report.parts.has("fires")) parts.push(this.fireOf(hex));
    if (this.report.parts.has("terrain")) parts.push(this.terrainOf(hex));
    if (parts.length === 2) parts.push(el("p", { className: "empty" }, WORDS.empty));
    return parts;
  }

  controllable(hex) {
    const listed = Object.keys(this.board.control).filter((where) => hexOf(where) === hex);
    const reported = (this.report.value.control ?? [])
      .map((row) => row?.location)
      .filter((where) => hexOf(where) === hex);
    const all = [...new Set([...(this.board.strategic[hex] ?? []), ...listed, ...reported])];
    return all.length ? all : [hex];
  }

  controlOf(where) {
    const now = this.report.holds(where);
    const sides = { ...this.board.sides, nobody: WORDS.nobody };
    const buttons = Object.entries(sides).map(([side, name]) => {
      const button = el(
        "button",
        {
          type: "button",
          "data-keep": `control-${where}-${side}`,
          onclick: () => {
            this.report.control(where, side);
            this.changed();
          },
        },
        name,
      );
      button.setAttribute("aria-pressed", String(side === now));
      return button;
    });
    const label = `${WORDS.control}: ${where}`;
    return el(
      "div",
      { className: "field", role: "group", "aria-label": label },
      el("span", {}, label),
      el("div", { className: "chips" }, ...buttons),
    );
  }

  fireOf(hex) {
    const select = el("select", { id: "hex-fire", "data-keep": "fire" });
    for (const one of this.report.options("fires", "now"))
      select.append(new Option(one.value === "none" ? WORDS.calm : one.label, one.value));
    select.value = this.report.fire(hex);
    select.addEventListener("change", () => {
      this.report.burn(hex, select.value);
      this.changed();
    });
    return el("div", { className: "field" }, el("label", { htmlFor: "hex-fire" }, WORDS.fire), select);
  }

  terrainOf(hex) {
    const rows = this.report.rows("terrain").filter((row) => hexOf(row?.at) === hex);
    const listed = rows.map((row) =>
      el(
        "li",
        {},
        `${row.what} ${row.at}${row.gone ? ` (${WORDS.gone})` : ""} `,
        el(
          "button",
          {
            type: "button",
            className: "plain",
            "aria-label": `${WORDS.cancel}: ${row.what}`,
            onclick: () => {
              this.report.value.terrain = this.report.rows("terrain").filter((one) => one !== row);
              this.changed();
            },
          },
          "✕",
        ),
      ),
    );
    const what = el("select", { id: "hex-terrain" });
    for (const one of this.report.options("terrain", "what")) what.append(new Option(one.label, one.value));
    const where = el("select", { "aria-label": WORDS.location });
    for (const one of this.report.locations(hex)) where.append(new Option(one, one));
    const add = el(
      "button",
      {
        type: "button",
        onclick: () => {
          this.report.rows("terrain").push({ at: where.value, what: what.value, gone: false });
          this.changed();
        },
      },
      WORDS.add,
    );
    return el(
      "div",
      { className: "field" },
      el("label", { htmlFor: "hex-terrain" }, WORDS.terrain),
      listed.length ? el("ul", {}, ...listed) : null,
      el("div", { className: "toolbar" }, what, where, add),
    );
  }
}
