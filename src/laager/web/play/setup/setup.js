// A setup on the map: the other view of the draft that the list edits. What is wrong with it the rules say, after every
// change; nothing here knows them.
import { MapView, complain, equip } from "../../records/map/map.js";
import { nearestTo } from "../../records/map/outlines.js";
import { counter, counterPicture, el, hexOf, tellProblems } from "../../shared/pieces.js";
import { Draft } from "./setup_draft.js";
import { panelOf } from "./setup_panel.js";
import { groupsOf, hidingOf, inOrder, looksOf, nextUnplaced, pieceOf, sharedGround } from "./setup_picking.js";

const FAN = { x: 46, step: 38, width: 40, height: 36 };
const MOST_FANNED = 12;
const HEX_REACH = 40; // How far from a hex's middle a piece may be dropped, in the drawing's measure.

class Page {
  constructor(root) {
    this.root = root;
    this.words = document.getElementById("setup-words").dataset;
    this.board = JSON.parse(document.getElementById("setup-board").textContent);
    this.draft = new Draft(this.board);
    this.view = new MapView(root.querySelector("[data-map]"));
    this.panel = root.querySelector("[data-panel]");
    this.tray = root.querySelector("[data-tray]");
    this.picked = new Set();
    this.armed = false; // True while a click on a hex puts there what is picked.
    this.from = "";
    this.hex = "";
    this.fanned = [];
    this.problems = this.board.problems;
    this.waiting = 0;
    equip(this.view);
    for (const one of root.querySelectorAll("[data-scripted]")) one.hidden = false;
    this.makeTray();
    this.listen();
    this.showAll();
    this.view.load(this.view.root.dataset.svg).catch((err) => complain(this.view, err));
  }

  listen() {
    this.view.addEventListener("drawn", () => this.paint());
    this.view.addEventListener("choose", (event) => this.chose(event.detail));
    this.view.addEventListener("enter", (event) => this.act(event.detail.name, true));
    this.view.standing = (name) => this.stack(name).map((id) => this.draft.pieces.get(id).label);
    this.view.tool = this;
    const give = this.root.querySelector("[data-give]");
    give.addEventListener("submit", () => {
      give.querySelector("[data-value]").value = JSON.stringify(this.draft.value);
      this.dirty = false;
    });
    for (const button of this.root.querySelectorAll("[data-draft]")) {
      button.addEventListener("click", () => this.whole(button.dataset.draft));
    }
    this.root.querySelector("[data-done]").addEventListener("click", () => this.pick());
    window.addEventListener("beforeunload", (event) => {
      if (this.dirty) event.preventDefault();
    });
    document.addEventListener("keydown", (event) => this.key(event));
    this.dropPieces();
  }

  key(event) {
    if (event.target.closest?.("input, select, textarea")) return;
    const low = event.key.toLowerCase();
    if (event.key === "Escape" && this.armed) this.pick();
    else if (!(event.ctrlKey || event.metaKey)) return;
    else if (low === "y" || (low === "z" && event.shiftKey)) this.whole("redo");
    else if (low === "z") this.whole("undo");
    else return;
    event.preventDefault();
  }

  // What changes the whole draft.
  whole(what) {
    const { draft } = this;
    if (what === "clear") draft.change(() => draft.clear());
    else if (what === "proposal") draft.change(() => draft.start(this.board.default));
    else if (!draft[what]()) return;
    this.armed = false;
    this.changed();
  }

  change(act) {
    if (this.draft.change(act)) this.changed();
  }

  // Picking and placing ---------------------------------------------------------------------------

  pick(ids = [], { armed = true, from = "" } = {}) {
    this.picked = new Set(ids);
    this.armed = armed && ids.length > 0;
    this.from = from;
    this.showAll();
    this.paint();
  }

  // A click on a piece; the keyboard goes on to the map.
  take(id, event) {
    const more = event.ctrlKey || event.metaKey || event.shiftKey;
    const ids = more ? new Set(this.picked) : new Set();
    if (!ids.delete(id) && !(!more && this.armed && this.picked.size === 1 && this.picked.has(id))) ids.add(id);
    this.pick([...ids]);
    const at = hexOf(this.draft.spots(id)[0]?.at);
    const first = at ? this.view.find(at) : (this.allowedHexes()[0] ?? "");
    if (!this.armed || !this.view.svg) return;
    if (at) this.view.show(this.view.find(at));
    if (event.detail === 0 && !more) {
      this.origin = id;
      this.view.stage.focus({ preventScroll: true });
      if (!this.view.chosen && first) this.view.choose(first, "key");
      if (this.view.chosen) this.view.show(this.view.chosen);
    } else if (window.innerWidth < 992) {
      this.view.root.scrollIntoView({ block: "center" });
    }
  }

  chose({ name, how }) {
    if (this.took) {
      this.took = false;
      return;
    }
    this.hex = name;
    if (["mouse", "touch", "pen"].includes(how)) this.act(name);
    else this.show();
    this.fan();
  }

  // What a click on a hex does, or Enter on the chosen one.
  act(name, byKey = false) {
    if (!name) return;
    this.hex = name;
    if (this.armed) {
      this.put(name, byKey);
    } else {
      const there = this.stack(name);
      this.pick(byKey && there.length ? there.slice(0, 1) : [], { armed: byKey, from: name });
    }
    this.show();
    this.fan();
  }

  put(name, byKey = false) {
    const ids = inOrder(this.draft, this.picked);
    const fresh = ids.every((id) => !this.draft.placedSomewhere(id));
    this.change(() => {
      for (const id of ids) this.draft.place(id, name, this.from);
    });
    const next = fresh ? nextUnplaced(this.draft, ids.at(-1)) : "";
    if (next) this.pick([next]);
    else this.pick(ids, { armed: false });
    if (byKey && !next) this.tray.querySelector(`[data-piece="${CSS.escape(this.origin ?? ids[0])}"]`)?.focus();
  }

  allowedHexes() {
    return sharedGround(this.board, this.draft, this.picked);
  }

  stack(name) {
    return [...this.draft.pieces.keys()].filter((id) => this.draft.spots(id).some((one) => this.hexIn(one) === name));
  }

  hexIn({ at, entry }) {
    const name = hexOf(at || entry);
    return this.view.hexes.has(name) ? name : name && this.view.svg ? this.view.find(name) : "";
  }

  // Dragging --------------------------------------------------------------------------------------

  // From the tray onto a hex.
  dropPieces() {
    const { stage } = this.view;
    const mine = (event) => event.dataTransfer.types.includes("text/laager-piece");
    stage.addEventListener("dragover", (event) => {
      if (!mine(event)) return;
      event.preventDefault();
      this.view.hover(this.view.at(event.clientX, event.clientY));
    });
    stage.addEventListener("drop", (event) => {
      if (!mine(event)) return;
      event.preventDefault();
      const id = event.dataTransfer.getData("text/laager-piece");
      const name = this.view.at(event.clientX, event.clientY);
      if (!name || !this.draft.pieces.has(id)) return;
      if (!this.picked.has(id)) this.picked = new Set([id]);
      this.view.choose(name, "drop");
      this.put(name);
    });
  }

  // On the map: a fanned-out piece, else the stack under the pointer (see `MapView.tool`).
  begin(x, y) {
    const piece = this.fanned.find(
      (one) => Math.abs(one.x - x) * 2 <= FAN.width && Math.abs(one.y - y) * 2 <= FAN.height,
    );
    const name = this.under(x, y);
    const there = piece ? [piece.id] : this.stack(name);
    const picked = there.filter((id) => this.picked.has(id));
    this.grip = null;
    if (!there.length || (this.armed && !piece && !picked.length)) return false;
    this.grip = {
      ids: picked.length ? [...this.picked] : there.filter((id) => piece || !there.includes(this.draft.holder(id))),
      from: piece?.hex ?? name,
      fanned: Boolean(piece),
    };
    return true;
  }

  drag(x, y) {
    this.drop = this.under(x, y);
    this.view.hover(this.drop);
  }

  end(clicked) {
    const { grip } = this;
    this.grip = null;
    if (clicked && grip.fanned) {
      this.took = true;
      setTimeout(() => {
        this.took = false;
      });
      this.pick(grip.ids, { from: grip.from });
      this.fan();
    } else if (!clicked && this.drop) {
      this.picked = new Set(grip.ids);
      this.from = grip.from;
      this.view.choose(this.drop, "drop");
      this.put(this.drop);
    }
  }

  cancel() {
    this.grip = null;
  }

  under(x, y) {
    return nearestTo(this.view.places, x, y, HEX_REACH);
  }

  // Checking --------------------------------------------------------------------------------------

  changed() {
    this.dirty = true;
    this.showAll();
    this.paint();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), 120);
  }

  async check() {
    const sent = JSON.stringify(this.draft.value);
    const turn = ++this.waiting;
    const body = new FormData();
    body.set("value", sent);
    body.set("csrfmiddlewaretoken", this.root.querySelector("[name=csrfmiddlewaretoken]").value);
    const box = this.root.querySelector("[data-problems]");
    try {
      const answer = await fetch(this.root.dataset.check, {
        method: "POST",
        body,
        credentials: "same-origin",
        headers: { Accept: "application/json", "HX-Request": "true" },
      });
      if (turn !== this.waiting) return;
      if (!answer.ok) {
        box.innerHTML = await answer.text();
        return;
      }
      const told = await answer.json();
      if (JSON.stringify(this.draft.value) === sent) this.dirty = false;
      this.problems = told.problems;
      this.draft.placed = { ...this.draft.placed, ...told.placed };
      this.showAll();
      this.paint();
    } catch {
      box.replaceChildren(el("p", { className: "problem" }, this.words.lost));
    }
  }

  about(field) {
    return pieceOf(this.draft, field);
  }

  problemsOf(id) {
    return this.problems.filter((one) => this.about(one.field) === id);
  }

  tell() {
    tellProblems(this.root, { ...this.words, well: `✓ ${this.words.well}` }, this.problems, (one) => this.problem(one));
  }

  problem(one) {
    const text = one.what + (one.right ? `; ${one.right}` : "");
    const id = this.about(one.field);
    if (!id) return el("span", { className: "problem" }, text);
    return el(
      "button",
      { type: "button", className: "plain", onclick: () => this.goTo(id) },
      `${this.draft.pieces.get(id).label}: ${text}`,
    );
  }

  goTo(id) {
    this.pick([id]);
    const at = this.draft.spots(id).map((one) => this.hexIn(one))[0];
    if (at) {
      this.view.choose(at, "script");
      this.view.show(at);
    }
  }

  // Painting --------------------------------------------------------------------------------------

  paint() {
    const { view, board, draft } = this;
    if (!view.svg) return;
    // The record's counters of what sets up now give way to the draft's.
    view.ghost.hideUnits((unit) => unit.dataset.side === board.side);
    for (const id of ["stacks", "picked"]) view.clear(id);
    const allowed = this.armed ? this.allowedHexes() : [];
    view.shade("home", allowed.length ? [] : board.grounds[board.home], "hex-home");
    view.shade("allowed", allowed, "hex-allowed");
    const wrong = new Set(this.problems.map((one) => this.about(one.field)).filter(Boolean));
    const stacks = new Map();
    for (const id of draft.pieces.keys()) {
      for (const spot of draft.spots(id)) {
        const name = this.hexIn(spot);
        if (!name) continue;
        stacks.set(name, stacks.get(name) ?? { ids: [], entering: true });
        stacks.get(name).ids.push(id);
        if (spot.at) stacks.get(name).entering = false;
      }
    }
    for (const one of board.others) {
      const name = this.hexIn({ at: one.at });
      if (name)
        stacks.set(name, {
          ids: stacks.get(name)?.ids ?? [],
          others: [...(stacks.get(name)?.others ?? []), one],
          entering: false,
        });
    }
    for (const [name, one] of stacks) view.put("stacks", name, (x, y) => [this.stackCounter(x, y, one, wrong)]);
    const picked = [...this.picked].flatMap((id) => draft.spots(id).map((one) => this.hexIn(one))).filter(Boolean);
    view.mark("picked", picked, "hex-picked");
    this.fan();
  }

  stackCounter(x, y, { ids, others = [], entering }, wrong) {
    const pieces = [...ids.map((id) => this.draft.pieces.get(id)), ...others];
    const top = ids.find((id) => !this.draft.isFort(id) && !this.draft.holder(id)) ?? ids[0];
    const first = this.draft.pieces.get(top) ?? others[0];
    const kind = [
      ids.some((id) => wrong.has(id)) ? "wrong" : "",
      entering ? "entering" : "",
      ids.length ? "" : "settled",
    ].join(" ");
    return counter(x, y, this.looks(first), { many: pieces.length, kind });
  }

  looks(piece) {
    return looksOf(this.draft, piece);
  }

  // The pieces of the chosen hex, one beneath the other beside it.
  fan() {
    const { view } = this;
    this.fanned = [];
    view.clear("fan");
    const name = view.chosen;
    const ids = name && view.svg ? this.stack(name) : [];
    if (ids.length < 2) return;
    const wrong = new Set(this.problems.map((one) => this.about(one.field)).filter(Boolean));
    view.put("fan", name, (x, y) =>
      ids.slice(0, MOST_FANNED).map((id, i) => {
        const side = x + FAN.x + FAN.width > view.size[0] ? -1 : 1;
        const spot = {
          id,
          hex: name,
          x: x + side * FAN.x,
          y: Math.max(18, y - ((Math.min(ids.length, MOST_FANNED) - 1) * FAN.step) / 2) + i * FAN.step,
        };
        this.fanned.push(spot);
        const kind = `fanned ${wrong.has(id) ? "wrong" : ""} ${this.picked.has(id) ? "changed" : ""}`;
        return counter(spot.x, spot.y, this.looks(this.draft.pieces.get(id)), { kind, size: FAN.height });
      }),
    );
  }

  // The tray --------------------------------------------------------------------------------------

  makeTray() {
    this.count = this.root.querySelector("[data-count]");
    this.groups = groupsOf(this.draft.pieces.values(), this.words);
    this.lists = new Map();
    for (const [name, ids] of this.groups) {
      const list = el("ul", { className: "list" });
      const count = el("span", { className: "muted" });
      const all = el(
        "button",
        {
          type: "button",
          className: "plain",
          onclick: () => this.pick(ids.filter((id) => !this.draft.placedSomewhere(id) || !this.anyUnplaced(ids))),
        },
        this.words.all,
      );
      this.tray.append(el("details", { open: true }, el("summary", {}, el("b", {}, name), " ", count), all, list));
      this.lists.set(name, { list, count });
    }
  }

  anyUnplaced(ids) {
    return ids.some((id) => !this.draft.placedSomewhere(id));
  }

  showTray() {
    const { draft } = this;
    const held = this.tray.scrollTop;
    const focused = document.activeElement?.dataset?.piece;
    for (const [name, { list, count }] of this.lists) {
      const ids = this.groups.get(name);
      count.textContent = `${ids.filter((id) => draft.placedSomewhere(id)).length}/${ids.length}`;
      list.replaceChildren(...ids.map((id) => el("li", {}, this.chip(id))));
    }
    const all = [...draft.pieces.keys()];
    this.count.textContent = this.words.placed
      .replace("{n}", all.filter((id) => draft.placedSomewhere(id)).length)
      .replace("{all}", all.length);
    if (focused) this.tray.querySelector(`[data-piece="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    this.tray.scrollTop = held;
  }

  chip(id) {
    const { draft } = this;
    const piece = draft.pieces.get(id);
    const holder = draft.isFort(id) ? "" : draft.holder(id);
    const spots = draft.spots(id).map((one) => (one.at ? one.at : `→ ${one.entry}`));
    const words = [
      spots.join(", ") || "–",
      hidingOf(draft, id),
      holder ? `${this.words.with} ${this.labelOf(holder)}` : "",
    ].filter(Boolean);
    if (draft.left(id) && piece.count > 1) words.push(this.words.left.replace("{n}", draft.left(id)));
    const wrong = this.problemsOf(id).length > 0;
    const chip = el(
      "button",
      {
        type: "button",
        draggable: true,
        "data-piece": id,
        className: `unit-chip side-${this.board.side}${wrong ? " wrong" : ""}${spots.length ? "" : " unplaced"}`,
        onclick: (event) => this.take(id, event),
      },
      counterPicture(this.looks(piece)),
      el("b", {}, piece.label),
      el("small", {}, words.join(" · ")),
    );
    chip.setAttribute("aria-pressed", String(this.picked.has(id)));
    chip.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/laager-piece", id));
    return chip;
  }

  labelOf(id) {
    return this.draft.pieces.get(id)?.label ?? this.board.others.find((one) => one.id === id)?.label ?? id;
  }

  showAll() {
    this.showTray();
    this.show();
    this.tell();
    const bar = this.root.querySelector("[data-bar]");
    bar.hidden = !this.armed;
    const names = [...this.picked].map((id) => this.labelOf(id));
    bar.querySelector("[data-told]").textContent =
      `${names.length > 2 ? `${names.length} ${this.words.many}` : names.join(", ")}. ${this.words.placing}`;
    for (const button of this.root.querySelectorAll("[data-draft=undo], [data-draft=redo]")) {
      button.disabled = !this.draft[button.dataset.draft === "undo" ? "past" : "future"].length;
    }
  }

  show() {
    const focused = document.activeElement?.dataset?.keep;
    this.panel.replaceChildren(...panelOf(this));
    if (focused) this.panel.querySelector(`[data-keep="${CSS.escape(focused)}"]`)?.focus();
  }
}

const root = document.querySelector("[data-setup]");
if (root) root.page = new Page(root);
