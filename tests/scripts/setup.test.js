// A setup as it is drafted: placing, who carries what, counted fortifications, undo.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Draft } from "../../src/laager/web/play/setup/setup_draft.js";

const UNIT_FIELDS = ["unit", "at", "entry", "hide", "with"].map((name) => ({ name }));
const FORT_FIELDS = [{ name: "fort" }, { name: "at" }, { name: "count", default: 1 }];

function newDraft(value = {}) {
  const part = (name, fields) => ({ name, default: [], form: { row: { fields } } });
  return new Draft({
    value,
    default: {},
    units: [
      { id: "S1", kind: "squad" },
      { id: "C1", kind: "crew" },
      { id: "G1", kind: "gun" },
      { id: "M1", kind: "sw" },
    ],
    forts: [{ id: "foxhole", fort: true, count: 3 }],
    others: [{ id: "S9", kind: "squad", at: "K2" }],
    items: ["gun", "sw"],
    troops: ["squad", "crew"],
    placed: {
      S1: { at: "H3", entry: "", hide: "none", with: "" },
      M1: { at: "H3", entry: "", hide: "none", with: "S1" },
    },
    form: { fields: [part("units", UNIT_FIELDS), part("forts", FORT_FIELDS)] },
  });
}

test("what is not listed goes where the rules have it", () => {
  const draft = newDraft();
  assert.deepEqual(draft.where("M1"), { at: "H3", entry: "" });
  assert.equal(draft.placedSomewhere("C1"), false);
  assert.deepEqual(draft.value.units, []);
});

test("a value that can't be read is kept as far as it goes", () => {
  const draft = newDraft({ units: "nonsense", forts: [null, { fort: "foxhole", at: "H3" }], note: 7 });
  assert.deepEqual([draft.value.units, draft.value.forts.length, draft.value.note], [[], 1, 7]);
});

test("an SW goes to the squad in the hex, a Gun to the crew", () => {
  const draft = newDraft();
  draft.place("C1", "H3");
  draft.place("G1", "H3");
  draft.place("M1", "H3");
  assert.deepEqual([draft.holder("G1"), draft.holder("M1")], ["C1", "S1"]);
  draft.place("M1", "K2");
  assert.equal(draft.holder("M1"), "S9");
});

test("who moves takes along what it holds; who leaves its holder's hex is on its own", () => {
  const draft = newDraft();
  draft.place("S1", "J5");
  assert.equal(draft.where("M1").at, "J5");
  draft.own("C1").with = "S1";
  draft.place("C1", "K2");
  assert.equal(draft.listed("C1").with, "");
});

test("fortifications are counted, moved and taken off", () => {
  const draft = newDraft();
  for (const at of ["H3", "H3", "J5"]) draft.place("foxhole", at);
  assert.deepEqual(draft.spots("foxhole"), [
    { at: "H3", entry: "", many: 2 },
    { at: "J5", entry: "", many: 1 },
  ]);
  assert.equal(draft.left("foxhole"), 0);
  draft.place("foxhole", "K2", "J5");
  assert.deepEqual(draft.spots("foxhole").at(-1).at, "K2");
  draft.off("foxhole");
  assert.equal(draft.left("foxhole"), 3);
});

test("every change can be undone and redone; a change of nothing is none", () => {
  const draft = newDraft();
  assert.equal(
    draft.change(() => {}),
    false,
  );
  assert.equal(
    draft.change(() => draft.place("S1", "J5")),
    true,
  );
  const placed = structuredClone(draft.value);
  assert.ok(draft.undo());
  assert.equal(draft.where("S1").at, "H3");
  assert.ok(draft.redo());
  assert.deepEqual(draft.value, placed);
  assert.equal(draft.redo(), false);
});

test("clearing leaves with its holder what somebody holds", () => {
  const draft = newDraft();
  draft.place("foxhole", "H3");
  draft.clear();
  assert.deepEqual([draft.where("S1").at, draft.holder("M1"), draft.value.forts], ["", "S1", []]);
});
