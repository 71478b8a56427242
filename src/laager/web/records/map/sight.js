// Looking along lines of sight: the form beside the map puts what is seen onto it, without a new page.
"use strict";

import { complain } from "./map.js";

const PICKED = ["from", "to", "line", "hull"];
const KINDS = ["clear", "hindered", "upper", "blocked", "unknown"];
const PAUSE = 60; // Milliseconds that the pointer stays over a hex before it is looked from.
const REST = 2000; // Milliseconds without a look after the server said: not so often.
const KEPT = 400;

function begin(form) {
  const root = document.querySelector("[data-map]:not([data-own])");
  const view = root?.view;
  const shown = form.parentElement.querySelector("[data-sight-found]");
  const box = form.closest("[data-sight-box]");
  const { see, spot, other } = form.elements;
  if (!view || !shown) return;

  const fit = () => {
    for (const field of form.querySelectorAll("[data-for]")) {
      field.hidden = !field.dataset.for.split(" ").includes(see.value);
    }
  };

  const wanted = () => {
    const asked = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value) asked.set(name, value);
    return asked;
  };

  // The picture and what is downloaded show the same as the page.
  const take = (asked) => {
    const [svg, photo] = [root.dataset.svg, root.querySelector("[data-photo]")];
    const at = asked.has("see") ? asked : new URLSearchParams(root.dataset.at ? { at: root.dataset.at } : {});
    root.dataset.svg = `${svg.split("?")[0]}?beside=1&${at}`;
    if (photo) photo.dataset.photo = `${svg.split("?")[0]}?beside=1&${at}&boards=1`;
    for (const link of document.querySelectorAll("[data-takes]")) {
      const address = new URL(link.href);
      for (const name of ["see", "spot", "other", "range", "level", "at"]) address.searchParams.delete(name);
      for (const [name, value] of at) address.searchParams.set(name, value);
      link.href = address;
    }
    return photo?.checked ? photo.dataset.photo : root.dataset.svg;
  };

  const look = async () => {
    const asked = wanted();
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(`${form.dataset.found}?${asked}`, {
        credentials: "same-origin",
        headers: { "HX-Request": "true" },
      });
      shown.innerHTML = await answer.text();
      if (!answer.ok) return;
      // Looks of many have a range if none was chosen.
      const used = shown.querySelector("[data-used]")?.dataset.used;
      if (used && !form.elements.range.value) {
        form.elements.range.value = used;
        asked.set("range", used);
      }
      history.replaceState(null, "", `${form.action.split("?")[0]}?${asked}`);
      await view.load(take(asked));
    } catch (err) {
      complain(view, err);
    } finally {
      form.removeAttribute("aria-busy");
    }
  };

  see.addEventListener("change", fit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    look();
  });
  // A hex that is picked goes into the form while it is open; of a line first one end, then the other.
  view.addEventListener("choose", (event) => {
    const { name, how } = event.detail;
    const here = PICKED.includes(see.value);
    if (!box?.open || !name || !here || how === "script" || how === "key") return;
    if (see.value === "line" && spot.value && (!other.value || form.dataset.next === "other")) {
      other.value = name;
      form.dataset.next = "spot";
      look();
      return;
    }
    spot.value = name;
    if (see.value === "line") form.dataset.next = "other";
    else look();
  });
  follow(form, view, wanted, () => box?.open && ["from", "to", "hull"].includes(see.value));
  fit();
}

// While the pointer moves: the hex under it is looked from, and the hexes are coloured over the picture. --------------

function follow(form, view, wanted, may) {
  const box = form.querySelector("[data-follows]");
  if (!box) return;
  const kept = new Map();
  let [over, busy, until, timer, frame] = ["", false, 0, 0, 0];

  const clear = () => {
    for (const kind of KINDS) view.clear(`sight-${kind}`);
    view.clear("sight-words");
    view.svg?.querySelector("#layer-sight")?.classList.remove("under");
  };

  const paint = (found) => {
    clear();
    // What was drawn for the hex that was picked would shine through.
    view.svg.querySelector("#layer-sight")?.classList.add("under");
    for (const kind of KINDS) view.shade(`sight-${kind}`, found.hexes[kind] ?? [], `sight-over ${kind}`);
    for (const [name, words] of Object.entries(found.labels)) {
      view.put("sight-words", name, (x, y) => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", "text");
        made.setAttribute("x", x);
        made.setAttribute("y", y + 21);
        made.setAttribute("class", "sight-word");
        made.textContent = words;
        return [made];
      });
    }
  };

  const addressOf = (name) => {
    const asked = wanted();
    asked.set("spot", name);
    asked.set("format", "json");
    return `${form.dataset.found}?${asked}`;
  };

  // One question at a time; the hex under the pointer when its answer comes is the next.
  const ask = async () => {
    const address = addressOf(over);
    if (kept.has(address)) {
      paint(kept.get(address));
      return;
    }
    if (busy || Date.now() < until) return;
    const name = over;
    busy = true;
    try {
      const answer = await fetch(address, { credentials: "same-origin" });
      if (answer.status === 429) until = Date.now() + REST;
      if (!answer.ok) return;
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
      kept.set(address, await answer.json());
    } catch (err) {
      complain(view, err);
    } finally {
      busy = false;
      if (box.checked && over && may()) {
        if (over === name && kept.has(address)) paint(kept.get(address));
        else if (over !== name) later();
      }
    }
  };

  // What was looked at before is shown with the next picture of the screen; only the server isn't asked at each step.
  const later = () => {
    clearTimeout(timer);
    const go = () => box.checked && over && may() && ask();
    if (kept.has(addressOf(over))) {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(go);
    } else timer = setTimeout(go, PAUSE);
  };

  view.addEventListener("hover", (event) => {
    over = event.detail.name;
    if (!box.checked) return;
    if (over && may()) later();
    else clear();
  });
  box.addEventListener("change", () => {
    if (!box.checked) clear();
  });
  view.addEventListener("drawn", () => kept.size && clear());
}

for (const form of document.querySelectorAll("form[data-sight]")) begin(form);
