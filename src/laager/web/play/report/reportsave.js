// A save of VASL, chosen or dropped onto the map of a battle report: its proposal becomes the report.
import { acceptFiles, takeHandedOn } from "../../shared/dropped.js";
import { el } from "../../shared/pieces.js";
import { WORDS } from "./reportwords.js";

export class SaveReader {
  constructor(page) {
    this.page = page;
    this.form = page.root.querySelector("[data-save-form]");
    this.input = this.form.querySelector("input[type=file]");
    this.out = this.form.querySelector("[data-proposal]");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(this.input.files[0]);
    });
    this.form.addEventListener("click", (event) => {
      const link = event.target.closest("[data-show]");
      if (!link) return;
      event.preventDefault();
      const name = page.view.find(link.dataset.show);
      if (!name) return;
      page.pick();
      page.view.choose(name, "script");
      page.view.show(name);
      page.view.root.scrollIntoView({ block: "start" });
    });
    for (const zone of [this.form.querySelector("[data-drop]"), page.view.stage, document]) {
      acceptFiles(zone, (file) => this.take(file));
    }
    takeHandedOn(location.pathname).then(
      (file) => file && this.take(file),
      () => undefined,
    );
  }

  // Read a file as if it had been chosen in the form.
  take(file) {
    const chosen = new DataTransfer();
    chosen.items.add(file);
    this.input.files = chosen.files;
    this.out.replaceChildren();
    this.send(file);
  }

  // What was read of a unit gets its counter, and the same one-click results as on the map.
  dress() {
    const { report, panel } = this.page;
    for (const line of this.out.querySelectorAll("[data-of-unit]")) {
      const id = line.dataset.ofUnit;
      if (!report.units.has(id)) continue;
      const row = el("div", { className: "report-there" }, this.page.chip(id), panel.quick([id]));
      line.querySelector(".report-there")?.remove();
      line.append(row);
    }
  }

  async send(file) {
    if (!file) return;
    const refused = this.form.querySelector("[data-refusal]");
    const body = new FormData(this.form);
    body.set("save", file);
    refused.replaceChildren(el("p", { role: "status" }, WORDS.reading));
    try {
      const answer = await fetch(this.form.action, {
        method: "POST",
        body,
        credentials: "same-origin",
        headers: { Accept: "application/json" },
      });
      if (!answer.headers.get("Content-Type")?.includes("json")) {
        refused.innerHTML = await answer.text();
        return;
      }
      const told = await answer.json();
      refused.replaceChildren();
      if (!answer.ok) {
        refused.innerHTML = told.html;
        return;
      }
      this.out.innerHTML = told.html;
      this.page.report.value = told.value;
      this.page.picked.clear();
      this.page.changed();
      this.page.tell(told.problems);
      this.dress();
    } catch {
      refused.replaceChildren(el("p", { className: "problem", role: "alert" }, WORDS.lost));
    }
  }
}
