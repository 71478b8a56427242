// Files dropped onto a page: taken once, by the innermost zone that wants them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptFiles } from "../../src/laager/web/shared/dropped.js";

class Zone extends EventTarget {
  marks = new Set();
  classList = { toggle: (name, on) => (on ? this.marks.add(name) : this.marks.delete(name)) };
}

function happen(zones, kind, files, types = ["Files"]) {
  const event = Object.assign(new Event(kind, { cancelable: true }), { dataTransfer: { files, types } });
  for (const zone of zones) zone.dispatchEvent(event);
  return event.defaultPrevented;
}

test("a file that is dropped is taken, and the zone is marked meanwhile", () => {
  const zone = new Zone();
  const taken = [];
  acceptFiles(zone, (file) => taken.push(file));
  assert.ok(happen([zone], "dragover", []));
  assert.ok(zone.marks.has("over"));
  assert.ok(happen([zone], "drop", ["a.vsav", "b.vsav"]));
  assert.deepEqual(taken, ["a.vsav"]);
  assert.ok(!zone.marks.has("over"));
});

test("what is no file, and what nobody wants, is left to the browser", () => {
  const zone = new Zone();
  const taken = [];
  let wanted = true;
  acceptFiles(
    zone,
    (file) => taken.push(file),
    () => wanted,
  );
  assert.ok(!happen([zone], "drop", ["a"], ["text/laager-unit"]));
  wanted = false;
  assert.ok(!happen([zone], "dragover", []));
  assert.ok(!happen([zone], "drop", ["a"]));
  assert.deepEqual(taken, []);
  assert.ok(!zone.marks.has("over"));
});

test("a zone within another takes a file alone", () => {
  const [inner, page] = [new Zone(), new Zone()];
  const taken = [];
  acceptFiles(inner, () => taken.push("inner"));
  acceptFiles(page, () => taken.push("page"));
  happen([inner, page], "drop", ["a"]);
  assert.deepEqual(taken, ["inner"]);
});
