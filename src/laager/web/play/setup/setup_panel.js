// The panel beside a setup's map: what is picked, with everything that its row says; else the chosen hex.
import { counterPicture, el, hexOf } from "../../shared/pieces.js";

export function panelOf(page) {
  const ids = [...page.picked];
  if (ids.length === 1) return page.draft.isFort(ids[0]) ? fort(page, ids[0]) : unit(page, ids[0]);
  if (ids.length) return several(page, ids);
  return page.hex ? hexPanel(page, page.hex) : [el("p", { className: "empty" }, page.words.pick)];
}

function titleOf(page, piece) {
  const name = el("span", {}, piece.label);
  return el("h2", { id: "hex-title", className: "with-counter" }, counterPicture(page.looks(piece)), name);
}

function labelled(label, id, ...inside) {
  return el("div", { className: "field" }, el("label", { htmlFor: id }, label), ...inside);
}

// The control of a field of a row, whatever its form; `write` takes the new value.
function control(page, field, value, key, write) {
  const id = `piece-${key}`;
  const more = { id, "data-keep": key };
  const { kind, options = [], low, high, limit } = field.form;
  if (kind === "choice") {
    const select = el("select", more, ...options.map((one) => new Option(one.label || one.value || "–", one.value)));
    select.value = value ?? "";
    select.addEventListener("change", () => write(select.value));
    return labelled(field.label, id, select);
  }
  if (kind === "several") {
    const boxes = options.map((one) =>
      box(page, one.label || one.value, (value ?? []).includes(one.value), `${key}-${one.value}`, (on) => {
        const rest = (value ?? []).filter((name) => name !== one.value);
        write(on ? [...rest, one.value] : rest);
      }),
    );
    return el(
      "fieldset",
      { className: "field" },
      el("legend", {}, field.label),
      el("div", { className: "chips" }, ...boxes),
    );
  }
  if (kind === "yes-no")
    return el("div", { className: "field chips" }, box(page, field.label, Boolean(value), key, write));
  const input = el("input", {
    ...more,
    type: kind === "number" ? "number" : "text",
    value: value ?? "",
    autocomplete: "off",
  });
  if (kind === "number") Object.assign(input, { min: low, max: high });
  else if (limit) input.maxLength = limit;
  input.addEventListener("change", () => write(kind === "number" ? Number(input.value) : input.value.trim()));
  return labelled(field.label, id, input);
}

function box(page, label, checked, key, write) {
  const input = el("input", { type: "checkbox", checked, "data-keep": key });
  input.addEventListener("change", () => write(input.checked));
  return el("label", {}, input, label);
}

function wrongWith(page, id) {
  const found = page.problemsOf(id);
  return found.length
    ? [
        el(
          "ul",
          { className: "problem", role: "alert" },
          ...found.map((one) => el("li", {}, one.right ? `${one.what}; ${one.right}` : one.what)),
        ),
      ]
    : [];
}

function offButton(page, ids) {
  return el(
    "button",
    { type: "button", "data-keep": "off", onclick: () => page.change(() => ids.forEach((id) => page.draft.off(id))) },
    page.words.off,
  );
}

function unit(page, id) {
  const { draft } = page;
  const piece = draft.pieces.get(id);
  const row = draft.row(id);
  const parts = [titleOf(page, piece), ...wrongWith(page, id)];
  const write = (name) => (value) =>
    page.change(() => {
      draft.own(id)[name] = value;
    });
  for (const field of draft.fields.get("units")) {
    if (field.name === "unit" || (field.name === "entry" && !piece.entries.length)) continue;
    if (field.name === "with") parts.push(possessor(page, id, field));
    else if (field.name === "at") parts.push(place(page, id, field, row));
    else if (field.name === "entry")
      parts.push(control(page, entryOf(field, piece), row.entry, "entry", (value) => enters(page, id, value)));
    else parts.push(control(page, field, row[field.name], field.name, write(field.name)));
  }
  parts.push(...carries(page, id), el("p", {}, offButton(page, [id])));
  return parts;
}

function entryOf(field, piece) {
  return {
    ...field,
    form: {
      ...field.form,
      options: field.form.options.filter((one) => !one.value || piece.entries.includes(one.value)),
    },
  };
}

function enters(page, id, arrow) {
  page.change(() => {
    const own = page.draft.own(id);
    own.entry = arrow;
    if (arrow) Object.assign(own, { at: "", with: "" });
  });
}

// Its Location, and the others of its hex to go to with one click.
function place(page, id, field, row) {
  const at = row.at || page.draft.where(id).at;
  const input = control(page, field, at, "at", (value) =>
    page.change(() => (value ? page.draft.place(id, value) : page.draft.off(id))),
  );
  const others = page.board.locations[hexOf(at)] ?? [];
  if (others.length > 1)
    input.append(
      el(
        "p",
        { className: "chips" },
        ...others.map((where) => {
          const button = el(
            "button",
            {
              type: "button",
              "data-keep": `go-${where}`,
              onclick: () => page.change(() => page.draft.place(id, where)),
            },
            where,
          );
          button.setAttribute("aria-pressed", String(where === at));
          return button;
        }),
      ),
    );
  return input;
}

function possessor(page, id, field) {
  const { draft, board } = page;
  const now = draft.holder(id);
  const at = hexOf(draft.where(id).at);
  const able = [
    ...board.units.filter((one) => one.id !== id && !draft.isItem(one.id)),
    ...board.others.filter((one) => !board.items.includes(one.kind)),
  ];
  const near = able.filter((one) => at && hexOf(draft.where(one.id).at) === at);
  const far = able.filter((one) => !near.includes(one));
  const named = (one) =>
    new Option(`${one.label}${draft.where(one.id).at ? ` · ${draft.where(one.id).at}` : ""}`, one.id);
  const select = el("select", { id: "piece-with", "data-keep": "with" }, new Option("–", ""), ...near.map(named));
  if (draft.isItem(id) || !near.length) select.append(...far.map(named));
  if (now && !able.some((one) => one.id === now)) select.append(new Option(now, now));
  select.value = now;
  select.addEventListener("change", () =>
    page.change(() => {
      const own = draft.own(id);
      own.with = select.value;
      if (select.value) Object.assign(own, { at: "", ...("entry" in own ? { entry: "" } : {}) });
    }),
  );
  return labelled(field.label, "piece-with", select);
}

function carries(page, id) {
  const { draft } = page;
  if (draft.isItem(id)) return [];
  const held = draft.with(id);
  const chips = held.map((other) =>
    el(
      "button",
      { type: "button", "data-keep": `held-${other}`, onclick: () => page.pick([other], { armed: false }) },
      page.labelOf(other),
    ),
  );
  const give = el(
    "select",
    { id: "piece-give", "data-keep": "give" },
    new Option("–", ""),
    ...page.board.units
      .filter((one) => draft.isItem(one.id) && !held.includes(one.id))
      .map(
        (one) =>
          new Option(draft.holder(one.id) ? `${one.label} (${page.labelOf(draft.holder(one.id))})` : one.label, one.id),
      ),
  );
  give.addEventListener("change", () =>
    page.change(() => {
      const own = draft.own(give.value);
      Object.assign(own, { at: "", with: id, ...("entry" in own ? { entry: "" } : {}) });
    }),
  );
  return [
    labelled(
      page.words.carries,
      "piece-give",
      chips.length ? el("p", { className: "chips" }, ...chips) : null,
      give.options.length > 1 ? give : null,
    ),
  ];
}

function fort(page, id) {
  const { draft } = page;
  const parts = [titleOf(page, draft.pieces.get(id)), ...wrongWith(page, id)];
  draft.rowsOf(id).forEach((row, i) => {
    const fields = draft.fields
      .get("forts")
      .filter((one) => one.name !== "fort" && (one.name !== "count" || draft.pieces.get(id).count > 1));
    parts.push(
      el(
        "div",
        { className: "fort-row" },
        ...fields.map((field) =>
          control(page, field, row[field.name] ?? field.default, `${field.name}-${i}`, (value) =>
            page.change(() => {
              row[field.name] = value;
            }),
          ),
        ),
      ),
    );
  });
  parts.push(el("p", {}, offButton(page, [id])));
  return parts;
}

function several(page, ids) {
  const { draft } = page;
  const units = ids.filter((id) => !draft.isFort(id));
  const parts = [
    el("h2", { id: "hex-title" }, `${ids.length} ${page.words.many}`),
    ...ids.flatMap((id) => wrongWith(page, id)),
  ];
  const hide = draft.fields.get("units")?.find((one) => one.name === "hide");
  if (hide && units.length) {
    const ways = new Set(units.map((id) => draft.row(id).hide));
    parts.push(
      control(page, hide, ways.size === 1 ? [...ways][0] : null, "hide", (value) =>
        page.change(() => {
          for (const id of units) if (!draft.holder(id)) draft.own(id).hide = value;
        }),
      ),
    );
  }
  parts.push(el("p", {}, offButton(page, ids)));
  return parts;
}

function hexPanel(page, name) {
  const there = page.stack(name);
  const parts = [
    el("h2", { id: "hex-title" }, name),
    el("p", { className: "muted" }, page.view.hexes.get(name)?.about ?? ""),
  ];
  if (there.length)
    parts.push(el("ul", { className: "list report-there" }, ...there.map((id) => el("li", {}, page.chip(id)))));
  if (there.length > 1)
    parts.push(
      el(
        "p",
        {},
        el(
          "button",
          { type: "button", "data-keep": "all", onclick: () => page.pick(there, { from: name }) },
          `${page.words.all} (${there.length})`,
        ),
      ),
    );
  for (const one of page.board.others)
    if (hexOf(one.at) === name)
      parts.push(el("p", { className: "with-counter" }, counterPicture(one), el("span", {}, one.label)));
  if (!there.length) parts.push(el("p", { className: "empty" }, page.words.empty));
  return parts;
}
