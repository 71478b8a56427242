// A picture of the drawing that stands for it while the map moves: a bitmap moves smoothly where thousands of shapes
// don't. What is laid over the map (chosen hexes, counters of a draft) stays as it is.
"use strict";

const MOST_PIXELS = 5e6;
const LATER = 600; // Milliseconds after a change until the picture is made anew.

export class Ghost {
  constructor(view) {
    this.view = view;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "map-ghost";
    this.canvas.setAttribute("aria-hidden", "true");
    this.fresh = false;
    this.turn = 0;
  }

  // The drawing has changed: until there is a new picture, it moves itself.
  renew() {
    this.fresh = false;
    this.turn += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if ("requestIdleCallback" in window) requestIdleCallback(() => this.paint(), { timeout: 2000 });
      else this.paint();
    }, LATER);
  }

  // Hide the counters of the record that a draft stands for, in the drawing and in its picture.
  hideUnits(hidden) {
    let changed = false;
    for (const unit of this.view.svg.querySelectorAll("#layer-units [data-side]")) {
      if (unit.classList.contains("off") === hidden(unit)) continue;
      unit.classList.toggle("off");
      changed = true;
    }
    if (changed) this.renew();
  }

  async paint() {
    const { svg, size } = this.view;
    const turn = this.turn;
    // A picture within a picture may fetch nothing, so that one on the boards' own pictures has no ghost.
    // Nor has what is painted in the editor of maps: the page's own styles draw it, and it changes with each stroke.
    if (!svg || svg.querySelector("#layer-backdrop, #layer-painting")) return;
    if (this.view.stage.classList.contains("moving")) {
      this.renew();
      return;
    }
    const copy = svg.cloneNode(true);
    for (const one of copy.querySelectorAll(".off, .under")) one.remove();
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
    try {
      await image.decode();
    } catch {
      return;
    }
    if (turn !== this.turn) return;
    const more = Math.min(2, Math.sqrt(MOST_PIXELS / (size[0] * size[1])));
    this.canvas.width = Math.round(size[0] * more);
    this.canvas.height = Math.round(size[1] * more);
    this.canvas.style.width = `${size[0]}px`;
    this.canvas.style.height = `${size[1]}px`;
    this.canvas.getContext("2d").drawImage(image, 0, 0, this.canvas.width, this.canvas.height);
    if (!this.canvas.isConnected) this.view.world.prepend(this.canvas);
    this.fresh = true;
  }
}
