// Strokes on their way to the server: in order, one request at a time, none lost when it doesn't answer.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

const store = new Map();
globalThis.window = new EventTarget();
globalThis.sessionStorage = { getItem: (key) => store.get(key) ?? null, setItem: (key, text) => store.set(key, text) };
const { Queue } = await import("../../src/laager/web/library/maps/mapqueue.js");

const sent = [];
let reply;
const json = (value) => new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } });
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  store.clear();
  sent.length = 0;
  reply = () => json({ ok: true });
  globalThis.fetch = async (_address, { body }) => {
    sent.push(body.has("strokes") ? JSON.parse(body.get("strokes")) : Object.fromEntries(body));
    return reply();
  };
});
afterEach(() => mock.timers.reset());

function newQueue() {
  const queue = new Queue(
    "/edit",
    () => ({}),
    () => ({ was: "7" }),
  );
  queue.troubles = [];
  queue.addEventListener("state", (event) => queue.troubles.push(event.detail.trouble));
  return queue;
}

test("strokes that come while one is under way go together, in order", async () => {
  const queue = newQueue();
  queue.push(["a"]);
  queue.push(["b"]);
  queue.push(["c"]);
  assert.equal(queue.waiting, 3);
  for (let i = 0; i < 6; i += 1) await settled();
  assert.deepEqual(sent, [[["a"]], [["b"], ["c"]]]);
  assert.equal(queue.waiting, 0);
  assert.equal(store.get("laager-strokes:/edit"), "[]");
});

test("a stroke that did not get through is kept, and sent again later and later", async () => {
  const queue = newQueue();
  reply = () => new Response("no", { status: 503 });
  queue.push(["a"]);
  for (let i = 0; i < 4; i += 1) await settled();
  assert.equal(queue.troubles.at(-1), "503");
  assert.equal(store.get("laager-strokes:/edit"), '[["a"]]');
  mock.timers.tick(2000);
  for (let i = 0; i < 4; i += 1) await settled();
  mock.timers.tick(2000);
  assert.equal(sent.length, 2);
  reply = () => json({});
  mock.timers.tick(2000);
  for (let i = 0; i < 4; i += 1) await settled();
  assert.deepEqual(sent, [[["a"]], [["a"]], [["a"]]]);
  assert.equal(queue.waiting, 0);
});

test("what a closed tab had not sent is sent by the next one; what can't be read is not", async () => {
  store.set("laager-strokes:/edit", '[["old"]]');
  const queue = newQueue();
  queue.push(["new"]);
  for (let i = 0; i < 4; i += 1) await settled();
  assert.deepEqual(sent, [[["old"], ["new"]]]);
  store.set("laager-strokes:/edit", "{not json");
  assert.equal(newQueue().waiting, 0);
});

test("a form of its own waits behind the strokes before it, and has the page's fields", async () => {
  const queue = newQueue();
  queue.push(["a"]);
  const form = new FormData();
  form.set("do", "undo");
  queue.post(form);
  for (let i = 0; i < 8; i += 1) await settled();
  assert.deepEqual(sent, [[["a"]], { do: "undo", was: "7" }]);
});
