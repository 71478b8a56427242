// A battle report as a value: what a click changes in the answer, and nothing else.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Report } from "../../src/laager/web/play/report/reportvalue.js";

const UNITS = [
  { id: "A1", kind: "squad", on_map: true, at: "H3" },
  { id: "A2", kind: "sw", on_map: true, at: "H3", with: "A1" },
  { id: "A3", kind: "afv", on_map: true, at: "J5" },
  { id: "A4", kind: "squad", on_map: true, at: "J5", with: "A3" },
];
const FATES = ["on-map", "eliminated", "captured", "exited"].map((value) => ({ value }));

function newReport(value = {}, more = {}) {
  return new Report({
    value,
    units: UNITS,
    default: { units: [{ unit: "A1", fate: "on-map", at: "H3", marks: ["broken"] }] },
    form: { fields: [{ name: "units", form: { row: { fields: [{ name: "fate", form: { options: FATES } }] } } }] },
    control: { H3: "allied" },
    strategic: { H3: ["H3"], J5: ["J5", "J5.1"] },
    locations: { J5: ["J5", "J5.1"] },
    forts: [{ at: "J5.foxhole" }],
    fires: { K2: "blaze" },
    ...more,
  });
}

const rowsOf = (report) => Object.fromEntries(report.value.units.map((row) => [row.unit, row]));

test("looking changes nothing", () => {
  const report = newReport();
  assert.equal(report.where("A2"), "H3");
  assert.deepEqual(report.marks("A1"), ["broken"]);
  assert.deepEqual(report.there("J5"), ["A3", "A4"]);
  assert.deepEqual(report.value.units, []);
});

test("what the model filled in counts as changed, from what was before the battle", () => {
  const settled = {
    units: [
      { unit: "A1", fate: "eliminated" },
      { unit: "A3", fate: "on-map", at: "K5", marks: [] },
    ],
  };
  const unchanged = { units: [{ unit: "A1", fate: "on-map", at: "H3", marks: ["broken"] }] };
  const report = newReport(settled, { default: settled, unchanged });
  assert.deepEqual(
    ["A1", "A2", "A3", "A4"].map((id) => report.changed(id)),
    [true, false, true, false],
  );
  report.restore("A1");
  assert.deepEqual(report.marks("A1"), ["broken"]);
  assert.equal(report.changed("A1"), false);
});

test("a unit that moves takes along what it carries", () => {
  const report = newReport();
  report.place("A1", "K2");
  assert.equal(report.where("A2"), "K2");
  assert.equal(report.where("A3"), "J5");
  assert.ok(report.changed("A1"));
});

test("a passenger that is placed elsewhere is no longer aboard", () => {
  const report = newReport();
  report.own("A4").with = "A3";
  report.place("A4", "H3");
  assert.equal(rowsOf(report).A4.with, "");
});

test("what an eliminated squad possessed lies where it fell; passengers go with their vehicle", () => {
  const report = newReport();
  report.become("A1", "eliminated");
  assert.deepEqual([report.where("A1"), report.where("A2"), rowsOf(report).A2.with], ["", "H3", ""]);
  report.become("A3", "captured");
  assert.equal(report.fate("A4"), "captured");
  assert.deepEqual(report.lost("J5"), ["A3", "A4"]);
});

test("a wreck keeps its hex, an eliminated squad has none", () => {
  const report = newReport();
  report.become("A3", "eliminated");
  report.become("A1", "eliminated");
  assert.deepEqual([rowsOf(report).A3.at, rowsOf(report).A1.at], ["J5", ""]);
});

test("ticks of the battle are entered: marks first, then fates", () => {
  const report = newReport();
  assert.equal(report.take([]), false);
  assert.equal(report.take(["A1:broken", "A1:eliminated", "A4:wounded", "ZZ:broken"]), true);
  assert.equal(report.fate("A1"), "eliminated");
  assert.equal(rowsOf(report).A1.marks, undefined);
  assert.deepEqual(report.marks("A4"), ["wounded"]);
});

test("restoring a unit brings back its proposed row", () => {
  const report = newReport();
  report.become("A1", "captured");
  report.restore("A1");
  assert.deepEqual(report.marks("A1"), ["broken"]);
  assert.equal(report.changed("A1"), false);
});

test("Control that is as before isn't listed", () => {
  const report = newReport();
  report.control("H3", "axis");
  assert.equal(report.holds("H3"), "axis");
  report.control("H3", "allied");
  assert.deepEqual(report.value.control, []);
  assert.deepEqual(report.gains("axis"), ["H3", "J5"]);
});

test("fires, and the Locations of a hex with its fortifications", () => {
  const report = newReport();
  report.burn("H3", "flame");
  report.burn("K2", "none");
  report.burn("K2", "blaze");
  assert.deepEqual(report.value.fires, [{ at: "H3", now: "flame" }]);
  assert.equal(report.fire("K2"), "blaze");
  assert.deepEqual(report.locations("J5"), ["J5", "J5.1", "J5.foxhole"]);
});

test("a unit that breaks loses what a broken unit can't have, and a marker brings the one under it", () => {
  const report = newReport();
  report.board.replaces = { squad: { broken: ["concealed", "pin"], concealed: ["broken"] } };
  report.board.needs = { dm: "broken" };
  report.own("A1").marks = ["concealed", "wounded"];
  report.mark(["A1"], "dm", true);
  assert.deepEqual(report.marks("A1"), ["wounded", "broken", "dm"]);
  report.mark(["A1"], "broken", false);
  assert.deepEqual(report.marks("A1"), ["wounded"]);
  report.mark(["A1"], "broken", true);
  report.mark(["A1"], "concealed", true);
  assert.deepEqual(report.marks("A1"), ["wounded", "concealed"]);
});

test("a unit is Reduced and back again", () => {
  const report = newReport();
  report.units.get("A1").type = "4-4-7";
  report.retype("A1", "2-3-7");
  assert.equal(report.row("A1").type, "2-3-7");
  report.retype("A1", "2-3-7");
  assert.equal(report.row("A1").type, "4-4-7");
});

test("a vehicle that burns is eliminated where it stood", () => {
  const report = newReport();
  report.ignite("A3", true);
  assert.deepEqual([report.fate("A3"), report.marks("A3"), rowsOf(report).A3.at], ["eliminated", ["burning"], "J5"]);
  report.ignite("A3", false);
  assert.deepEqual([report.fate("A3"), rowsOf(report).A3.marks], ["eliminated", undefined]);
});
