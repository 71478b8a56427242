// The panel beside the map: what the chosen hex holds, or the one under the pointer.
"use strict";

export class Panel {
  constructor(view, element) {
    this.view = view;
    this.element = element;
    this.known = new Map();
    this.symbols = new Map();
    this.sheet = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.sheet.setAttribute("class", "counter-sheet");
    this.sheet.setAttribute("aria-hidden", "true");
    document.body.append(this.sheet);
    this.keepSymbols(element);
    view.addEventListener("drawn", () => this.laySymbols());
    view.addEventListener("choose", (event) => this.tell(event.detail.name));
    view.addEventListener("hover", (event) => {
      clearTimeout(this.waiting);
      if (view.chosen) return;
      this.waiting = setTimeout(() => event.detail.name && this.tell(event.detail.name), 150);
    });
  }

  address(name) {
    const { hexUrl, at } = this.view.root.dataset;
    return hexUrl.replace("HEX", encodeURIComponent(name)) + (at ? `?at=${at}` : "");
  }

  // Symbols of counters stay on the page, each once: with every one that came or went the browser would make all counters
  // of the map anew.
  keepSymbols(part) {
    for (const sheet of part.querySelectorAll(".counter-sheet")) {
      for (const symbol of sheet.querySelectorAll("symbol")) this.symbols.set(symbol.id, symbol);
      sheet.remove();
    }
    this.laySymbols();
  }

  laySymbols() {
    for (const [id, symbol] of this.symbols) if (!document.getElementById(id)) this.sheet.append(symbol);
  }

  forget() {
    this.known.clear();
    if (this.wanted) this.tell(this.wanted);
  }

  async tell(name) {
    this.wanted = name;
    if (!name) return;
    const address = this.address(name);
    if (!this.known.has(address)) {
      const answer = await fetch(address, { credentials: "same-origin", headers: { "HX-Request": "true" } });
      const text = await answer.text();
      if (answer.ok) this.known.set(address, text);
      else if (this.wanted === name) this.element.innerHTML = text;
    }
    if (this.wanted === name && this.known.has(address)) {
      const part = document.createElement("template");
      part.innerHTML = this.known.get(address);
      this.keepSymbols(part.content);
      this.element.replaceChildren(part.content);
      this.element.dataset.shows = name;
    }
  }
}
