// Shows what this device keeps of the tables that were seen last, to be read only.
"use strict";

const SEEN = "laager-seen";
const ACTIVE = "script, style, link, form, button, input, select, textarea, dialog, iframe, template, [hidden]";
const by = (id) => document.getElementById(id);

// The page that was asked for, without anything that could be answered there.
function readable(page) {
  const main = page.querySelector("main");
  for (const part of main?.querySelectorAll(ACTIVE) ?? []) part.remove();
  for (const part of main?.querySelectorAll("*") ?? [])
    for (const { name } of [...part.attributes])
      if (!["class", "colspan", "rowspan", "scope", "lang", "open"].includes(name)) part.removeAttribute(name);
  return [...(main?.childNodes ?? [])];
}

async function show(kept) {
  const page = new DOMParser().parseFromString(await kept.clone().text(), "text/html");
  by("shown-title").textContent = page.title;
  const time = new Date(kept.headers.get("date")).toLocaleString(document.documentElement.lang);
  by("shown-at").textContent = by("shown-at").dataset.text.replace("{time}", time);
  by("shown-text").replaceChildren(...readable(page));
  by("shown").hidden = false;
}

async function list() {
  if (!(await caches.has(SEEN))) return;
  const cache = await caches.open(SEEN);
  const addresses = (await cache.keys()).map((request) => request.url);
  by("nothing-kept").hidden = addresses.length > 0;
  by("kept").hidden = addresses.length === 0;
  for (const address of addresses) {
    const kept = await cache.match(address);
    const page = new DOMParser().parseFromString(await kept.clone().text(), "text/html");
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = address;
    link.textContent = page.title;
    item.append(link);
    by("kept-list").append(item);
    if (address === location.href.split(/[?#]/)[0]) await show(kept);
  }
}

by("again").href = location.href;
if ("caches" in self) list();
addEventListener("online", () => location.reload());
