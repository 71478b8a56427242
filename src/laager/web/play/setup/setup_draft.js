// A setup as it is drafted: the plain answer that the list edits too. Where the rules put what it leaves open, and what
// is wrong with it, only the server says.
import { hexOf } from "../../shared/pieces.js";

const NOWHERE = { at: "", entry: "", hide: "none", with: "" };
const MOST_STEPS = 200;

export class Draft {
  constructor(board) {
    this.board = board;
    this.start(board.value);
    this.placed = board.placed;
    this.pieces = new Map([...board.units, ...board.forts].map((one) => [one.id, one]));
    this.fields = new Map(board.form.fields.map((part) => [part.name, part.form.row?.fields ?? []]));
    this.past = [];
    this.future = [];
  }

  // What is there is kept, even if it can't be read; lists are lists.
  start(value) {
    this.value = structuredClone(value && typeof value === "object" ? value : {});
    for (const part of ["units", "forts"]) {
      const field = this.board.form.fields.find((one) => one.name === part);
      if (!field) continue;
      if (!Array.isArray(this.value[part])) this.value[part] = structuredClone(field.default ?? []);
      this.value[part] = this.value[part].filter((row) => row && typeof row === "object");
    }
  }

  // Undo ------------------------------------------------------------------------------------------

  // Carries out a change that can be undone; false if it changed nothing.
  change(act) {
    const before = JSON.stringify(this.value);
    act();
    if (JSON.stringify(this.value) === before) return false;
    this.past = [...this.past, before].slice(-MOST_STEPS);
    this.future = [];
    return true;
  }

  step(from, to) {
    const last = this[from].pop();
    if (last === undefined) return false;
    this[to].push(JSON.stringify(this.value));
    this.value = JSON.parse(last);
    return true;
  }

  undo() {
    return this.step("past", "future");
  }

  redo() {
    return this.step("future", "past");
  }

  // Units -----------------------------------------------------------------------------------------

  isFort(id) {
    return Boolean(this.pieces.get(id)?.fort);
  }

  isItem(id) {
    return this.board.items.includes(this.pieces.get(id)?.kind);
  }

  listed(id) {
    return this.value.units?.find((row) => row.unit === id);
  }

  // The row of a unit as it is read; what is not listed goes where the rules have it.
  row(id) {
    const listed = this.listed(id);
    if (listed) return { ...NOWHERE, ...listed };
    const there = this.placed[id] ?? NOWHERE;
    const own = there.with ? { ...there, at: "", entry: "", hide: "none" } : { ...there };
    const first = this.board.default.units?.find((row) => row.unit === id);
    return { unit: id, ...own, ...(first?.state ? { state: first.state } : {}) };
  }

  // The same row, to be changed.
  own(id) {
    const listed = this.listed(id);
    if (listed) return listed;
    const names = new Set(this.fields.get("units").map((one) => one.name));
    const made = Object.fromEntries(Object.entries(this.row(id)).filter(([name]) => names.has(name)));
    this.value.units.push(made);
    return made;
  }

  // Where a unit goes, by itself or with whoever has it.
  where(id, deep = 0) {
    if (!this.pieces.has(id)) return { at: this.board.others.find((one) => one.id === id)?.at ?? "", entry: "" };
    const row = this.row(id);
    if (row.at || row.entry) return { at: row.at, entry: row.entry };
    const holder = this.holder(id);
    return holder && holder !== id && deep < 5 ? this.where(holder, deep + 1) : { at: "", entry: "" };
  }

  // Who has a unit: as its row says, else as the rules have it.
  holder(id) {
    const row = this.row(id);
    return row.with || (row.at || row.entry ? "" : (this.placed[id]?.with ?? ""));
  }

  spots(id) {
    if (!this.isFort(id)) return [this.where(id)].filter((one) => one.at || one.entry);
    return this.rowsOf(id)
      .filter((row) => row.at)
      .map((row) => ({ at: row.at, entry: "", many: row.count ?? 1 }));
  }

  placedSomewhere(id) {
    return this.spots(id).length > 0 && !this.left(id);
  }

  with(id) {
    return this.board.units.map((one) => one.id).filter((other) => this.holder(other) === id);
  }

  // Fortifications --------------------------------------------------------------------------------

  rowsOf(id) {
    return (this.value.forts ?? []).filter((row) => row.fort === id);
  }

  // How many of it are still to be placed.
  left(id) {
    if (!this.isFort(id)) return 0;
    const used = this.rowsOf(id).reduce((sum, row) => sum + (Number(row.count) || 1), 0);
    return Math.max(0, this.pieces.get(id).count - used);
  }

  placeFort(id, at, from) {
    const here = from && this.rowsOf(id).find((row) => hexOf(row.at) === from);
    const same = this.rowsOf(id).find((row) => row.at === at);
    if (here) here.at = at;
    else if (this.left(id) && same) same.count = (same.count ?? 1) + 1;
    else if (this.left(id)) this.value.forts.push(this.newFort(id, at));
    else this.rowsOf(id).at(-1).at = at;
  }

  newFort(id, at) {
    const blank = Object.fromEntries(
      this.fields
        .get("forts")
        .filter((one) => "default" in one)
        .map((one) => [one.name, one.default]),
    );
    return { ...blank, fort: id, at };
  }

  // Placing ---------------------------------------------------------------------------------------

  place(id, at, from = "") {
    if (this.isFort(id)) {
      this.placeFort(id, at, from);
      return;
    }
    const before = this.where(id).at;
    const row = this.own(id);
    if (this.isItem(id)) {
      const taker = this.taker(id, at);
      if (taker) {
        Object.assign(row, { at: "", with: taker });
        if ("entry" in row) row.entry = "";
        return;
      }
    }
    row.at = at;
    if ("entry" in row) row.entry = "";
    if (row.with && hexOf(this.where(row.with).at) !== hexOf(at)) row.with = "";
    for (const other of this.with(id)) {
      const listed = this.listed(other);
      if (listed?.at && listed.at === before) listed.at = "";
    }
  }

  // Who in a hex takes an SW or Gun that is put there: who has it, else a crew (Guns) or the least laden.
  taker(id, at) {
    const here = this.board.units
      .map((one) => one.id)
      .filter(
        (other) =>
          this.board.troops.includes(this.pieces.get(other).kind) &&
          hexOf(this.where(other).at) === hexOf(at) &&
          !this.holder(other),
      );
    const there = this.board.others
      .filter((one) => this.board.troops.includes(one.kind) && hexOf(one.at) === hexOf(at))
      .map((one) => one.id);
    const able = [...here, ...there];
    const had = this.holder(id);
    if (able.includes(had)) return had;
    const gun = this.pieces.get(id).kind === "gun";
    const crew = (other) => Number((this.pieces.get(other)?.kind === "crew") !== gun);
    return able.sort((a, b) => crew(a) - crew(b) || this.with(a).length - this.with(b).length)[0] ?? "";
  }

  off(id) {
    if (this.isFort(id)) {
      this.value.forts = this.value.forts.filter((row) => row.fort !== id);
      return;
    }
    const row = this.own(id);
    Object.assign(row, { at: "", with: "" });
    if ("entry" in row) row.entry = "";
    if ("hide" in row) row.hide = "none";
  }

  clear() {
    for (const one of this.board.units) {
      if (this.isItem(one.id) && this.holder(one.id)) continue;
      this.off(one.id);
    }
    if (this.value.forts) this.value.forts = [];
  }
}
