// The slider through a campaign's past: step by step, by hand or as a film.
import { MapView, Panel, complain, equip } from "../map/map.js";

const EVERY = 1300; // Milliseconds from step to step while it plays.

class History {
  constructor(bar) {
    this.bar = bar;
    this.stops = JSON.parse(document.getElementById("history-stops").textContent);
    this.range = bar.querySelector("input[type=range]");
    this.entry = bar.querySelector("input[name=at]");
    this.part = document.querySelector("[data-moment]");
    this.now = bar.querySelector("[data-now]");
    this.timer = 0;
    this.turn = 0;
    for (const one of bar.querySelectorAll("[data-scripted]")) one.hidden = false;
    const root = document.querySelector("[data-map]");
    if (root) {
      this.view = new MapView(root);
      equip(this.view);
      this.panel = this.makePanel();
      this.view.load(root.dataset.svg).catch((err) => complain(this.view, err));
    }
    this.listen();
  }

  // What the chosen hex held then, above the sheets.
  makePanel() {
    const box = document.createElement("section");
    box.className = "card";
    box.hidden = true;
    this.part.prepend(box);
    this.box = box;
    this.view.addEventListener("choose", (event) => {
      box.hidden = !event.detail.name;
    });
    return new Panel(this.view, box);
  }

  listen() {
    this.range.addEventListener("input", () => {
      this.stop();
      this.toStop(Number(this.range.value));
    });
    this.bar.addEventListener("click", (event) => {
      const how = event.target.closest("[data-go]")?.dataset.go;
      if (how === "play") {
        if (this.timer) this.stop();
        else this.play();
      } else if (how) {
        this.stop();
        this.toStop(Number(this.range.value) + (how === "on" ? 1 : -1));
      }
      const link = event.target.closest("[data-at]");
      if (link) {
        event.preventDefault();
        this.stop();
        this.to(Number(link.dataset.at));
      }
    });
    this.bar.querySelector("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.stop();
      this.to(Number(this.entry.value));
    });
    this.part.addEventListener("click", (event) => {
      const link = event.target.closest("a[href*='?at=']");
      if (!link || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.stop();
      this.to(Number(new URL(link.href).searchParams.get("at")));
    });
    window.addEventListener("popstate", (event) => event.state && this.to(event.state.at, false));
  }

  toStop(place) {
    const to = Math.min(Math.max(place, 0), this.stops.length - 1);
    return this.to(this.stops[to].number);
  }

  // Show the moment after an entry. Of several wishes in a row only the last is carried out.
  async to(number, remember = true) {
    const at = Math.min(Math.max(number || 1, 1), Number(this.bar.dataset.last));
    const turn = ++this.turn;
    const place = this.stops.findIndex((stop) => stop.number >= at);
    this.range.value = place < 0 ? this.stops.length - 1 : place;
    this.entry.value = at;
    this.tell(this.stops[this.range.value]);
    await new Promise((done) => {
      setTimeout(done, 60);
    });
    if (turn !== this.turn) return;
    try {
      const [part] = await Promise.all([this.fetchPart(at), this.fetchMap(at)]);
      if (turn !== this.turn) return;
      this.put(part);
      if (remember) history.replaceState({ at }, "", `${this.bar.dataset.address}?at=${at}`);
    } catch (err) {
      this.stop();
      this.now.textContent = String(err.message ?? err);
    }
  }

  async fetchPart(at) {
    const answer = await fetch(`${this.bar.dataset.part}?at=${at}`, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(`this moment could not be fetched (${answer.status})`);
    return answer.text();
  }

  async fetchMap(at) {
    if (!this.view) return;
    this.view.root.dataset.at = at;
    this.panel.known.clear();
    await this.view.load(`${this.bar.dataset.svg}?beside=1&at=${at}`);
    if (this.view.chosen) this.panel.tell(this.view.chosen);
  }

  put(text) {
    const open = new Map();
    for (const one of this.part.querySelectorAll("[data-sheet]")) open.set(one.dataset.sheet, one.open);
    this.part.innerHTML = text;
    if (this.box) this.part.prepend(this.box);
    for (const one of this.part.querySelectorAll("[data-sheet]")) {
      if (open.has(one.dataset.sheet)) one.open = open.get(one.dataset.sheet);
    }
  }

  tell(stop) {
    const title = document.createElement("strong");
    title.textContent = stop.title;
    const clause = document.createElement("span");
    clause.className = "rule";
    clause.textContent = stop.clause;
    this.now.replaceChildren(title, " ", clause);
    this.range.setAttribute("aria-valuetext", `${stop.title} ${stop.clause}`);
  }

  play() {
    const last = this.stops.length - 1;
    // From the end it begins anew.
    let place = Number(this.range.value) >= last ? 0 : Number(this.range.value) + 1;
    const next = async () => {
      await this.toStop(place);
      place += 1;
      if (!this.timer) return;
      if (place > last) this.stop();
      else this.timer = setTimeout(next, EVERY);
    };
    this.show(true);
    this.timer = setTimeout(next, 50);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.show(false);
  }

  show(playing) {
    const button = this.bar.querySelector("[data-go=play]");
    button.setAttribute("aria-pressed", String(playing));
    button.querySelector("[data-when=rest]").hidden = playing;
    button.querySelector("[data-when=play]").hidden = !playing;
  }
}

const bar = document.querySelector("[data-history]");
if (bar) bar.history = new History(bar);
