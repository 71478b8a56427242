// Loads a scenario with the vasl-templates program's own loader, taken from a folder of its sources.
// usage: node vasl_loader.js FOLDER < scenario.json; prints what the loader set, added and complained of.
//
// The functions of its web page are read from there and run with a page that only knows which fields and choices there
// are. Nothing of the program is kept here.

"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const root = path.join(process.argv[2], "vasl_templates", "webapp");
const read = (...parts) => fs.readFileSync(path.join(root, ...parts), "utf-8");
const json = (...parts) => JSON.parse(read(...parts));

// The text of a function: from its name to the brace in the first column that ends it.
function source(file, name) {
  const text = read("static", file);
  const start = text.search(new RegExp(`^function ${name}\\(`, "m"));
  if (start < 0) throw new Error(`${file} has no function ${name}`);
  return text.slice(start, text.indexOf("\n}", start) + 2);
}

// The pieces of a nation, its lend-lease and those common to minor nations among them.
function listing(kind, nation) {
  const [base, variant] = nation.split("~");
  const found = variant ? listing(kind, base) : [];
  const folder = path.join(root, "data", kind);
  for (const sub of ["", "allied-minor", "axis-minor"]) {
    for (const name of [`${nation}.json`, `${nation}.lend-lease.json`]) {
      const file = path.join(folder, sub, name);
      if (!fs.existsSync(file)) continue;
      found.push(...JSON.parse(fs.readFileSync(file, "utf-8")));
      if (sub) found.push(...json("data", kind, sub, "common.json"));
    }
  }
  return found;
}

const nationalities = json("data", "default-template-pack", "nationalities.json");
const theaters = /"THEATERS": \[([^\]]*)\]/.exec(read("main.py"))[1];
const choices = {
  SCENARIO_THEATER: theaters.split(",").map((word) => word.trim().replaceAll('"', "")),
  PLAYER_1: Object.keys(nationalities),
  PLAYER_2: Object.keys(nationalities),
};
for (const number of [1, 2]) {
  choices[`PLAYER_${number}_ELR`] = ["", "0", "1", "2", "3", "4", "5"];
  choices[`PLAYER_${number}_SAN`] = ["", "2", "3", "4", "5", "6", "7"];
}

const told = { warnings: [], errors: [], set: {}, added: [] };
const fields = {};
for (const file of fs.readdirSync(path.join(root, "templates")).filter((name) => name.startsWith("tabs"))) {
  for (const [tag, kind] of read("templates", file).matchAll(/<(input|textarea|select)\b[^>]*\bparam\b[^>]*>/g)) {
    const name = /\bname="([^"]+)"/.exec(tag)[1];
    // The second player's tab is the first one's with another number.
    for (const one of [name, name.replace(/_1$/, "_2")]) fields[one] = kind;
  }
}

class Elements {
  constructor(name) {
    this.name = name;
    this.length = name ? 1 : 0;
    if (name) this[0] = { nodeName: fields[name], wrapped: this };
  }
  each(callback) {
    if (this.length) callback.call(this[0]);
    return this;
  }
  val(value) {
    if (this.name in choices && !choices[this.name].includes(value)) {
      told.errors.push(`${this.name} offers no ${JSON.stringify(value)}`);
    }
    told.set[this.name] = value;
    return this;
  }
  datepicker(_, date) {
    told.set[this.name] = date;
    return this;
  }
  trigger() {
    return this;
  }
}

function page(selector) {
  if (typeof selector !== "string") return selector.wrapped;
  const found = /^(input|textarea|select)\b.*\[name='([^']+)'\]/.exec(selector);
  return new Elements(found && fields[found[2]] === found[1] ? found[2] : "");
}
page.datepicker = {
  parseDate: (_, text) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) throw new Error(text);
    return text;
  },
};

const nothing = () => undefined;
const scenario = JSON.parse(fs.readFileSync(0, "utf-8"));
const listings = { vehicles: {}, ordnance: {} };
for (const kind of Object.keys(listings)) {
  for (const player of [scenario.PLAYER_1, scenario.PLAYER_2]) listings[kind][player] = listing(kind, player);
}
const added = (what) => (_, entry) => told.added.push({ what, caption: entry.caption });

const world = {
  $: page,
  gTemplatePack: { nationalities },
  gVehicleOrdnanceListings: listings,
  gScenarioCreatedTime: null,
  gLastSavedScenario: null,
  reset_scenario: nothing,
  on_player_change: nothing,
  on_scenario_date_change: nothing,
  update_scenario_status: nothing,
  updateForConnectedScenario: nothing,
  unload_params_for_save: nothing,
  escapeHTML: String,
  makeBulletListMsg: (caption, lines) => `${caption} ${lines.join(", ")}`,
  showWarningMsg: (text) => told.warnings.push(text),
  showErrorMsg: (text) => told.errors.push(text),
  do_add_scenario_note: added("note"),
  do_add_ob_setup: added("setup"),
  do_add_ob_note: added("note of a player"),
  do_add_vo: (kind, player, entry) => told.added.push({ what: kind, player, id: entry.id, name: entry.name }),
};
// The page has tabs that are selected at the end.
Elements.prototype.tabs = nothing;

const loader = [
  source("snippets.js", "auto_assign_ids"),
  source("snippets.js", "auto_assign_id"),
  source("snippets.js", "do_load_scenario_data"),
  source("vo.js", "find_vo"),
  source("vo.js", "find_vo_by_name"),
];
vm.createContext(world);
vm.runInContext(loader.join("\n"), world);
vm.runInContext("do_load_scenario_data", world)(scenario);
process.stdout.write(JSON.stringify(told));
