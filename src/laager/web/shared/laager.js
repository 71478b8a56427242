// What every page does: nothing here is needed to read or to answer.
"use strict";

document.addEventListener("htmx:responseError", (event) => {
  // A refusal is told where the answer was given; htmx would drop it.
  const part = event.detail.xhr.responseText;
  const target = event.detail.elt.closest("form")?.querySelector("[data-refusal]");
  if (target) target.innerHTML = part;
});

// What scrolls within a page can be scrolled with the keyboard, too.
const SCROLLING = ".scroll, .steps, .reminders, .shop-list, .choices.many, pre";
const INNER = "a[href], button, input, select, textarea, summary, [tabindex]";

function reachable() {
  for (const box of document.querySelectorAll(SCROLLING)) {
    const moves = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
    if (moves && !box.querySelector(INNER) && !box.closest("[aria-hidden='true']")) {
      box.tabIndex = 0;
      box.dataset.reachable = "";
    } else if ("reachable" in box.dataset) {
      box.removeAttribute("tabindex");
      delete box.dataset.reachable;
    }
  }
}

document.addEventListener("DOMContentLoaded", reachable);
document.addEventListener("htmx:afterSettle", reachable);
document.addEventListener("toggle", reachable, true);
addEventListener("resize", reachable);

// The tab under way is in view, however many there are.
document.addEventListener("DOMContentLoaded", () => {
  for (const tabs of document.querySelectorAll(".tabs")) {
    const here = tabs.querySelector("[aria-current]");
    if (here) tabs.scrollLeft = here.offsetLeft - tabs.offsetLeft - tabs.clientWidth / 2 + here.offsetWidth / 2;
  }
});

// A second click while the first is on its way would be answered instead of it: "no longer asked".
const ON_ITS_WAY = 10000;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if ("sent" in form.dataset) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "";
  setTimeout(() => delete form.dataset.sent, ON_ITS_WAY);
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// What is to be sent to others can be copied with one click; without a script it is marked and copied by hand.
document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll("[data-copy-of]")) button.hidden = false;
});

async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value ?? field.textContent);
    return true;
  } catch {
    // Without https browsers give no clipboard, except on this machine.
    if (field.select) field.select();
    else getSelection().selectAllChildren(field);
    return document.execCommand("copy");
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy-of]");
  if (!button) return;
  const done = await copied(document.getElementById(button.dataset.copyOf));
  button.nextElementSibling.textContent = done ? button.dataset.done : button.dataset.failed;
});

// Times are shown in the browser's zone to readers who have chosen none; an account stores it once.
if ("askZone" in document.documentElement.dataset) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secure = location.protocol === "https:" ? "; secure" : "";
  if (zone) document.cookie = `zone=${zone}; path=/; samesite=lax${secure}`;
}
