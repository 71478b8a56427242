// A button beside every field that takes hexes (`data-hex="one"` or `"many"`), to pick them on the map.
import { MapView, complain } from "./map.js";

const WORDS = document.querySelector("script[data-hexpick]").dataset;
const PATH = /[A-Z]+\d+-[A-Z]+\d+-[A-Z]+\d+/; // A field whose words show a way wants one.
const NAME = /\d*[A-Za-z]+\d+/g;
const RANGE = /(\d*)([A-Z]+)(\d+)\s*[-–]\s*(\d*)([A-Z]+)(\d+)/g;
const ALPHABET = 26;

const numberOf = (letters) => letters.charCodeAt(0) - 65 + ALPHABET * (letters.length - 1);
const lettersOf = (number) => String.fromCharCode(65 + (number % ALPHABET)).repeat(Math.floor(number / ALPHABET) + 1);

function run(first, last) {
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, i) => first + i * step);
}

// Ranges along a column or a row are written out, so that none of their hexes is lost by a click.
function spelt(text) {
  return text.replace(RANGE, (range, board, column, row, board2, column2, row2) => {
    if (board !== board2 || (column !== column2 && row !== row2)) return range;
    const names =
      column === column2
        ? run(Number(row), Number(row2)).map((one) => `${board}${column}${one}`)
        : run(numberOf(column), numberOf(column2)).map((one) => `${board}${lettersOf(one)}${row}`);
    return names.join("-");
  });
}

function button(text, act, more = {}) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, ...more });
  made.addEventListener("click", act);
  return made;
}

class Picker {
  constructor() {
    this.dialog = document.createElement("dialog");
    this.dialog.className = "hexpick";
    this.title = document.createElement("h2");
    this.title.id = "hexpick-title";
    this.dialog.setAttribute("aria-labelledby", this.title.id);
    this.root = document.createElement("div");
    this.root.className = "map";
    this.root.innerHTML =
      '<div class="map-stage" data-stage tabindex="0" role="application"><div class="map-world" data-world></div><p class="map-tip" data-tip hidden></p></div>';
    this.told = document.createElement("p");
    this.told.setAttribute("role", "status");
    this.bar = document.createElement("div");
    this.bar.className = "toolbar";
    this.dialog.append(this.title, this.root, this.told, this.bar);
    document.body.append(this.dialog);
    this.view = new MapView(this.root);
    this.view.stage.setAttribute("aria-label", WORDS.title);
    this.view.addEventListener("choose", (event) => this.chose(event.detail));
    this.view.addEventListener("hover", (event) => this.tell(event.detail.name));
    this.view.addEventListener("enter", (event) => this.take(event.detail.name));
    this.dialog.addEventListener("close", () => this.field?.focus());
  }

  async open(field) {
    this.field = field;
    this.many = field.dataset.hex === "many";
    this.names = (this.many ? spelt(field.value) : field.value).match(NAME) ?? [];
    this.separator = this.many && PATH.test(this.words(field)) ? "-" : ", ";
    this.title.textContent = this.many ? WORDS.many : WORDS.title;
    this.dialog.showModal();
    this.buttons();
    try {
      if (!this.view.svg) await this.view.load(WORDS.svg);
    } catch (err) {
      complain(this.view, err);
      return;
    }
    this.view.chosen = "";
    this.view.mark("chosen", [], "");
    this.view.fit();
    this.names = this.names.map((name) => this.view.find(name)).filter(Boolean);
    this.others = this.rest(field);
    const bright = new Set(able(field));
    this.view.shade(
      "barred",
      bright.size ? [...this.view.hexes.keys()].filter((name) => !bright.has(name)) : [],
      "hex-barred",
    );
    this.hints = [bright.size ? WORDS.able : "", this.others.size ? WORDS.others : ""].filter(Boolean);
    this.view.shade("others", [...this.others.keys()], "hex-others");
    if (this.names.length) this.view.show(this.names.at(-1));
    this.paint();
    this.view.stage.focus();
  }

  // What is said of a field, where it says in which way hexes are written.
  words(field) {
    const cell = field.closest("td");
    const head = cell?.closest("table")?.tHead?.rows[0]?.cells[cell.cellIndex];
    return [field.labels?.[0], head, field.closest(".field")].map((one) => one?.textContent ?? "").join(" ");
  }

  buttons(...more) {
    this.bar.replaceChildren(
      ...more,
      button("+", () => this.view.zoom(1.35), { ariaLabel: "+" }),
      button("−", () => this.view.zoom(1 / 1.35), { ariaLabel: "-" }),
      button(WORDS.fit, () => this.view.fit()),
      button(this.many ? WORDS.done : WORDS.close, () => this.dialog.close(), {
        className: this.many ? "primary" : "",
      }),
    );
  }

  chose({ name, how }) {
    if (name && how !== "key") this.take(name);
    else this.tell(name);
  }

  take(name) {
    if (this.many) {
      this.names = this.names.includes(name) ? this.names.filter((one) => one !== name) : [...this.names, name];
      this.write(this.names.join(this.separator));
      this.paint();
    } else {
      this.names = [name];
      this.paint();
      this.locations(name);
    }
  }

  // In a hex of several Locations one has to be named.
  async locations(name) {
    let found = [name];
    try {
      // The map of a card has no campaign to ask: there, the hex alone is meant.
      const answer =
        WORDS.hexUrl && (await fetch(`${WORDS.hexUrl.replace("HEX", encodeURIComponent(name))}?format=json`));
      if (answer?.ok) found = (await answer.json()).locations.map((one) => one.name);
    } catch {
      found = [name];
    }
    if (found.length < 2) {
      this.write(name);
      this.dialog.close();
      return;
    }
    this.told.textContent = WORDS.which;
    const chips = found.map((where) =>
      button(
        where,
        () => {
          this.write(where);
          this.dialog.close();
        },
        { className: "primary" },
      ),
    );
    this.buttons(...chips);
    chips[0].focus();
  }

  // Where the other rows of the form go, and what they are called, by hex.
  rest(field) {
    const found = new Map();
    const part = (one) => one.name.split(".").at(-1);
    for (const one of field.form?.querySelectorAll("input[data-hex=one]") ?? []) {
      const name = one !== field && part(one) === part(field) && one.value ? this.view.find(one.value) : "";
      const label = one.closest("tr")?.querySelector("select")?.selectedOptions[0]?.text ?? one.value;
      if (name) found.set(name, [...(found.get(name) ?? []), label]);
    }
    return found;
  }

  tell(name) {
    const there = this.others?.get(name);
    if (there) this.told.textContent = `${name}: ${there.join(", ")}`;
  }

  paint() {
    this.view.mark("names", this.names, "hex-mark");
    this.told.textContent = `${WORDS.chosen}: ${this.names.join(this.separator) || WORDS.none}${this.hints.map((one) => `. ${one}`).join("")}`;
  }

  write(text) {
    this.field.value = text;
    for (const kind of ["input", "change"]) this.field.dispatchEvent(new Event(kind, { bubbles: true }));
  }
}

// The hexes where a field's can be, as far as its question says: by what its row has chosen, or by its name.
function able(field) {
  const told = document.getElementById(`hexes-${field.name.split(".")[0]}`);
  if (!told) return [];
  const { grounds, allowed } = JSON.parse(told.textContent);
  const chosen = [...(field.closest("[data-row]")?.querySelectorAll("select, input[list]") ?? [])].map(
    (one) => one.value,
  );
  const key = [...chosen.filter(Boolean), field.name.split(".").at(-1)].find((one) => one in allowed);
  return key ? grounds[allowed[key]] : [];
}

// A hex with a pin in it.
function icon() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }))
    svg.setAttribute(key, value);
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", "M7 3h10l5 9-5 9H7l-5-9zM12 8.2a3.8 3.8 0 1 0 0 7.6a3.8 3.8 0 1 0 0-7.6z");
  for (const [key, value] of Object.entries({
    fill: "none",
    stroke: "currentColor",
    "stroke-width": 2,
    "stroke-linejoin": "round",
  }))
    path.setAttribute(key, value);
  svg.append(path);
  return svg;
}

let picker = null;
const live = new WeakSet(); // Fields whose button is theirs, and not copied along with a row.

function equip(field) {
  if (live.has(field)) return;
  if (field.nextElementSibling?.matches(".hexpick-open")) field.nextElementSibling.remove();
  live.add(field);
  const label = field.labels?.[0]?.textContent.trim() || field.getAttribute("aria-label") || "";
  const made = button(
    "",
    () => {
      picker ??= new Picker();
      picker.open(field);
    },
    { className: "hexpick-open", title: WORDS.pick },
  );
  made.setAttribute("aria-label", `${WORDS.pick}${label ? `: ${label}` : ""}`);
  made.append(icon());
  if (!field.parentElement.matches(".hexpick-field")) {
    const around = document.createElement("span");
    around.className = "hexpick-field";
    field.replaceWith(around);
    around.append(field);
  }
  field.after(made);
}

function all(root) {
  for (const field of root.querySelectorAll("input[data-hex], textarea[data-hex]")) equip(field);
}

all(document);
// Rows can be added, and parts of a form fetched anew.
new MutationObserver((changes) => {
  for (const change of changes) {
    for (const one of change.addedNodes) if (one.nodeType === Node.ELEMENT_NODE) all(one);
  }
}).observe(document.querySelector("main") ?? document.body, { childList: true, subtree: true });
