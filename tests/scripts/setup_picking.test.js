// What is picked of a setup: where it may go, in which order, what comes next, what a problem is about, how it looks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Draft } from "../../src/laager/web/play/setup/setup_draft.js";
import {
  groupsOf,
  hidingOf,
  inOrder,
  looksOf,
  nextUnplaced,
  pieceOf,
  sharedGround,
} from "../../src/laager/web/play/setup/setup_picking.js";

const board = {
  value: { units: [{ unit: "S2", at: "", hide: "concealed" }], forts: [{ fort: "foxhole", at: "H3" }] },
  default: {},
  units: [
    { id: "S1", kind: "squad", group: "I1/1", states: ["broken", "concealed"] },
    { id: "M1", kind: "sw", group: "I1/1" },
    { id: "S2", kind: "squad" },
  ],
  forts: [{ id: "foxhole", fort: true, count: 2 }],
  others: [],
  items: ["sw"],
  troops: ["squad"],
  placed: { S1: { at: "H3", entry: "", hide: "none", with: "" } },
  form: {
    fields: [
      { name: "units", default: [], form: { row: { fields: [{ name: "unit" }, { name: "hide" }] } } },
      { name: "forts", default: [], form: { row: { fields: [{ name: "fort" }, { name: "at" }] } } },
    ],
  },
  grounds: [
    ["H3", "J5", "K2"],
    ["K2", "H3"],
  ],
  allowed: { S1: 0, S2: 1, foxhole: 0 },
};
const draft = new Draft(board);

test("units go where all of them may; items go along, and those alone are asked nothing", () => {
  assert.deepEqual(sharedGround(board, draft, new Set(["S1", "S2", "M1"])), ["H3", "K2"]);
  assert.deepEqual(sharedGround(board, draft, new Set(["S1", "unknown"])), []);
  assert.deepEqual(sharedGround(board, draft, new Set(["M1"])), []);
});

test("holders are placed before what they hold, and the order that was given is left alone", () => {
  const ids = ["M1", "S2", "S1"];
  assert.deepEqual(inOrder(draft, ids), ["S2", "S1", "M1"]);
  assert.deepEqual(ids, ["M1", "S2", "S1"]);
});

test("the next piece is the next without a place, and of a counted one as long as any is left", () => {
  assert.equal(nextUnplaced(draft, "S1"), "M1");
  assert.equal(nextUnplaced(draft, "S2"), "foxhole");
  assert.equal(nextUnplaced(draft, "foxhole"), "foxhole");
});

test("a problem is about the piece of its row, or about none", () => {
  const about = ["units[1].at", "forts[1].at", "units[9].at", "oba", "units"].map((path) => pieceOf(draft, path));
  assert.deepEqual(about, ["S2", "foxhole", "", "", ""]);
});

test("a draft's hiding stands for the record's, and other states stay", () => {
  assert.deepEqual(
    ["S1", "S2", "foxhole", ""].map((id) => hidingOf(draft, id)),
    ["", "?", "", ""],
  );
  assert.deepEqual(looksOf(draft, draft.pieces.get("S1")).states, ["broken"]);
  assert.deepEqual(looksOf(draft, draft.pieces.get("S2")).states, ["concealed"]);
  assert.deepEqual(looksOf(draft, { id: "E1", states: ["hip"] }).states, ["hip"]);
});

test("groups keep the order of their pieces", () => {
  const groups = groupsOf(draft.pieces.values(), { forts: "Works", single: "Single" });
  assert.deepEqual(
    [...groups],
    [
      ["I1/1", ["S1", "M1"]],
      ["Single", ["S2"]],
      ["Works", ["foxhole"]],
    ],
  );
});
