// A battle report as a value: the plain answer (as the form gives it), what is read from it and how it changes.
import { hexOf } from "../../shared/pieces.js";

export const LEFT = ["exited", "objective-exit"];

export class Report {
  constructor(board) {
    this.board = board;
    this.value = structuredClone(board.value);
    this.units = new Map(board.units.map((one) => [one.id, one]));
    this.parts = new Map(board.form.fields.map((part) => [part.name, part]));
    const { units = [] } = board.unchanged ?? board.default;
    this.before = new Map(units.map((row) => [row.unit, JSON.stringify(row)]));
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
    return {
      unit: id,
      fate: unit?.on_map ? "on-map" : "off-map",
      at: unit?.at ?? "",
      marks: null,
      with: unit?.with ?? "",
    };
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

  fate(id) {
    return this.row(id).fate || "on-map";
  }

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

  // Enters the ticks of the battle's page, such as `AX1:broken`; true if there were any.
  take(ticks) {
    const fates = this.options("units", "fate").map((one) => one.value);
    const split = ticks.map((one) => one.split(":")).filter(([id]) => this.units.has(id));
    // Who is gone has no markers.
    for (const [id, what] of split) if (!fates.includes(what)) this.mark([id], what, true);
    for (const [id, what] of split) if (fates.includes(what)) this.become(id, what);
    return split.length > 0;
  }

  // The markers of a unit: those listed, else those of the record.
  marks(id) {
    return this.row(id).marks ?? JSON.parse(this.before.get(id) ?? "{}").marks ?? [];
  }

  // Puts a marker on units or takes it off. What it can't be with comes off, what it needs goes on, and what needs it
  // comes off with it.
  mark(ids, mark, on) {
    const { replaces = {}, needs = {} } = this.board;
    for (const id of ids) {
      const kept = this.marks(id).filter((other) => other !== mark);
      if (!on) {
        this.own(id).marks = kept.filter((other) => needs[other] !== mark);
        continue;
      }
      const put = needs[mark] ? [needs[mark], mark] : [mark];
      const off = put.flatMap((name) => replaces[this.units.get(id)?.kind]?.[name] ?? []);
      this.own(id).marks = [...kept.filter((other) => !put.includes(other) && !off.includes(other)), ...put];
    }
  }

  // What a unit became by Reduction, Replacement or hardening, or that it did not.
  retype(id, type) {
    this.own(id).type = type === this.row(id).type ? (this.units.get(id)?.type ?? "") : type;
  }

  // An eliminated vehicle that burns, or no longer.
  ignite(id, on) {
    this.become(id, "eliminated");
    if (on) this.own(id).marks = ["burning"];
  }

  restore(id) {
    const rows = this.rows("units").filter((row) => row?.unit !== id);
    const before = this.before.get(id);
    if (before) rows.push(JSON.parse(before));
    this.value.units = rows;
  }

  // The units in a hex, and those that stood there and are gone.
  there(hex) {
    return [...this.units.keys()].filter((id) => hexOf(this.where(id)) === hex);
  }

  lost(hex) {
    return [...this.units.values()].filter((one) => hexOf(one.at) === hex && !this.where(one.id)).map((one) => one.id);
  }

  // Where a side's squads stand now in Locations that somebody else Controls.
  gains(side) {
    const held = new Set(
      [...this.units.values()]
        .filter((one) => ["squad", "half-squad", "crew"].includes(one.kind))
        .map((one) => this.where(one.id)),
    );
    return Object.values(this.board.strategic)
      .flat()
      .filter((where) => held.has(where) && this.holds(where) !== side);
  }

  changed(id) {
    const row = this.rows("units").find((one) => one?.unit === id);
    return row !== undefined && JSON.stringify(row) !== this.before.get(id);
  }

  holds(location) {
    const row = this.rows("control").find((one) => one?.location === location);
    return row ? row.side : (this.board.control[location] ?? "nobody");
  }

  control(location, side) {
    const was = this.board.control[location] ?? "nobody";
    const rows = this.rows("control").filter((one) => one?.location !== location);
    if (side !== was) rows.push({ location, side });
    this.value.control = rows;
  }

  fire(hex) {
    const row = this.rows("fires").find((one) => one?.at === hex);
    return row ? row.now : (this.board.fires[hex] ?? "none");
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

  options(part, name) {
    return this.field(part, name)?.form.options ?? [];
  }

  locations(hex) {
    return [
      ...new Set([
        ...(this.board.locations[hex] ?? [hex]),
        ...this.board.forts.filter((fort) => hexOf(fort.at) === hex).map((fort) => fort.at),
      ]),
    ];
  }
}
