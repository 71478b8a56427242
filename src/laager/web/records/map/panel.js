// The panel beside the map: what the chosen hex holds, or the one under the pointer.
"use strict";

export class Panel {
  constructor(view, element) {
    this.view = view;
    this.element = element;
    this.empty = element.innerHTML;
    this.known = new Map();
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
      this.element.innerHTML = this.known.get(address);
      this.element.dataset.shows = name;
    }
  }
}
