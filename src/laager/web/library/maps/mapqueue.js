// Strokes on their way to the server: one request at a time, in order; kept in the tab until they are taken.
"use strict";

const AGAIN = 2000; // Milliseconds until a stroke that did not get through is sent again; twice as long each time.
const LONGEST = 30000;

export class Queue extends EventTarget {
  // Fires `answer` (detail: what came), `state` (detail: {waiting, trouble}).
  constructor(address, headers, fields) {
    super();
    this.address = address;
    this.headers = headers;
    this.fields = fields;
    this.key = `laager-strokes:${address}`;
    this.strokes = this.kept();
    this.tasks = [];
    this.busy = false;
    this.pause = AGAIN;
    window.addEventListener("beforeunload", (event) => {
      if (this.waiting) event.preventDefault();
    });
  }

  get waiting() {
    return this.strokes.length + this.tasks.length + (this.busy ? 1 : 0);
  }

  kept() {
    try {
      const found = JSON.parse(sessionStorage.getItem(this.key) ?? "[]");
      return Array.isArray(found) ? found : [];
    } catch {
      return [];
    }
  }

  keep(strokes) {
    try {
      sessionStorage.setItem(this.key, JSON.stringify(strokes));
    } catch {
      // A browser that keeps nothing still sends them.
    }
  }

  push(lines) {
    this.strokes.push(lines);
    this.keep([...(this.sending ?? []), ...this.strokes]);
    this.run();
  }

  // A form of its own, behind the strokes before it.
  post(data) {
    this.tasks.push(data);
    this.run();
  }

  async run() {
    if (this.busy || !(this.strokes.length || this.tasks.length)) return;
    this.busy = true;
    this.sending = this.strokes.splice(0, 50);
    const data = this.sending.length ? new FormData() : this.tasks.shift();
    if (this.sending.length) {
      data.set("do", "strokes");
      data.set("strokes", JSON.stringify(this.sending));
    }
    for (const [key, value] of Object.entries(this.fields())) if (!data.has(key) || key === "was") data.set(key, value);
    this.tell("");
    try {
      const answer = await fetch(this.address, {
        method: "POST",
        body: data,
        headers: this.headers(),
        credentials: "same-origin",
      });
      const kind = answer.headers.get("Content-Type") ?? "";
      if (!kind.startsWith("application/json")) throw new Error(String(answer.status));
      const found = await answer.json();
      this.sending = [];
      this.pause = AGAIN;
      this.keep(this.strokes);
      this.busy = false;
      this.dispatchEvent(new CustomEvent("answer", { detail: found }));
      this.tell("");
      this.run();
    } catch (err) {
      // Not taken: it waits, in its place, and is sent again.
      this.strokes.unshift(...this.sending);
      if (!this.sending.length) this.tasks.unshift(data);
      this.sending = [];
      this.busy = false;
      this.tell(String(err.message ?? err));
      setTimeout(() => this.run(), this.pause);
      this.pause = Math.min(2 * this.pause, LONGEST);
    }
  }

  tell(trouble) {
    this.dispatchEvent(new CustomEvent("state", { detail: { waiting: this.waiting, trouble } }));
  }
}
