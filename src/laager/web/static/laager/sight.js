// Looking along lines of sight: the form beside the map puts what is seen onto it, without a new page.
"use strict";

import { complain } from "./map.js";

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
    root.dataset.svg = `${svg.split("?")[0]}?${at}`;
    if (photo) photo.dataset.photo = `${svg.split("?")[0]}?${at}&boards=1`;
    for (const link of document.querySelectorAll("[data-takes]")) {
      const address = new URL(link.href);
      for (const name of ["see", "spot", "other", "range", "at"]) address.searchParams.delete(name);
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
        credentials: "same-origin", headers: { "HX-Request": "true" },
      });
      shown.innerHTML = await answer.text();
      if (!answer.ok) return;
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
    const here = ["from", "to", "line"].includes(see.value);
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
  fit();
}

for (const form of document.querySelectorAll("form[data-sight]")) begin(form);
