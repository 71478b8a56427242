// Hexes by their outlines: their boxes, which is nearest, which lies beside, what somebody called it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { besideOf, boxOf, middleOf, nameOf, nearestTo } from "../../src/laager/web/records/map/outlines.js";

const A1 = "M60 98L100 98L120 132.6L100 167.3L60 167.3L40 132.6Z";

// Three columns of three hexes, the middle one half a hex lower.
const places = new Map(
  ["A", "B", "C"].flatMap((letter, i) =>
    [1, 2, 3].map((row) => [`${letter}${row}`, [i * 60, row * 70 + (i % 2) * 35]]),
  ),
);

test("an outline has a box and a middle", () => {
  assert.deepEqual(boxOf(A1), { x: 40, y: 98, width: 80, height: 167.3 - 98 });
  assert.deepEqual(middleOf("M-8.5 0L10 -4Z"), [0.75, -2]);
  assert.deepEqual(boxOf(""), { x: 0, y: 0, width: 0, height: 0 });
});

test("the nearest hex is the one that a piece is dropped on, and none is one far away", () => {
  assert.equal(nearestTo(places, 62, 110), "B1");
  assert.equal(nearestTo(places, 62, 500, 40), "");
  assert.equal(nearestTo(new Map(), 0, 0), "");
});

test("arrows go to the next hex in their direction and stop at the edge", () => {
  const ways = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };
  const from = (name) => Object.values(ways).map((way) => besideOf(places, name, ...way));
  assert.deepEqual(from("B2"), ["B1", "B3", "A2", "C2"]);
  assert.deepEqual(from("A1"), ["", "A2", "", "B1"]);
});

test("a hex is known by its names in any case, and by one of its Locations", () => {
  const abouts = new Map([
    ["A1", "A1 = 18Z5: woods"],
    ["A2", "A2: open ground = a phrase that is no name"],
  ]);
  for (const typed of ["A1", " a1 ", "A1.2", "18z5"]) assert.equal(nameOf(abouts, typed), "A1");
  for (const typed of ["A3", "woods", "a phrase that is no name"]) assert.equal(nameOf(abouts, typed), "");
});
