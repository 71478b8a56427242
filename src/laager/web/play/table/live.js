// Keeps an open page up to date: parts marked `data-live` are fetched again when the seat can see
// something new. Nothing that is being typed is lost: such a part waits until it is asked for.
"use strict";

(() => {
  const place = document.getElementById("live");
  if (!place) return;
  const words = place.dataset;
  const POLL_EVERY = 10000,
    LISTEN_AGAIN = 60000,
    PATIENCE = 6000;
  let owed = Number(words.owed),
    talk = words.talk,
    tag = words.tag,
    source = null,
    poll = 0,
    again = 0,
    patience = 0,
    over = false;

  // What is told at the edge of the page ---------------------------------------------------------

  function tell(kind, text, act) {
    place.dataset.state = kind;
    place.textContent = text;
    if (!act) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words.show;
    button.addEventListener("click", act);
    place.append(" ", button);
  }

  function lost() {
    if (!over && place.dataset.state !== "news") tell("lost", words.lost);
  }

  function found() {
    clearTimeout(patience);
    patience = 0;
    if (place.dataset.state === "lost") tell("", "");
  }

  function gone() {
    over = true;
    stop();
    tell("gone", words.gone);
  }

  // What is new ----------------------------------------------------------------------------------

  function count(badge, number) {
    if (!badge) return;
    const shown = Object.assign(document.createElement("span"), { className: "count", textContent: number });
    badge.replaceChildren(...(number ? [" ", shown] : []));
  }

  // How many answers the seat owes stands at the tab of the table and before the page's title; the icon has a dot.
  function owes(must) {
    if (must === undefined) return;
    owed = must;
    count(document.querySelector("[data-must]"), must);
    const bare = document.title.replace(/^\(\d+\) /, "");
    document.title = must ? `(${must}) ${bare}` : bare;
    document.querySelector("link[rel=icon]")?.setAttribute("href", must ? words.iconMust : words.icon);
  }

  // What is said at the table stands at its own tab: no other page is news for it.
  function hears(mark, unread) {
    if (mark === undefined) return;
    count(document.querySelector("[data-unread]"), unread);
    if (mark === talk) return;
    talk = mark;
    document.body.dispatchEvent(new CustomEvent("laager:talked"));
  }

  function seen({ tag: next, must, talk: mark, unread }) {
    found();
    owes(must);
    hears(mark, unread);
    if (next === tag) return;
    tag = next;
    if (document.querySelector("[data-live]")) {
      document.body.dispatchEvent(new CustomEvent("laager:changed", { detail: { tag } }));
    } else {
      tell("news", words.news, () => location.reload());
    }
  }

  function changed(control) {
    if (control.type === "checkbox" || control.type === "radio") {
      return control.checked !== control.defaultChecked;
    }
    if (control instanceof HTMLSelectElement) {
      const options = [...control.options];
      if (control.multiple || options.some((one) => one.defaultSelected)) {
        return options.some((one) => one.selected !== one.defaultSelected);
      }
      return control.selectedIndex > 0;
    }
    return control.value !== control.defaultValue;
  }

  function busy(part) {
    const controls = part.querySelectorAll(
      "input:not([type=hidden], [type=submit], [type=button], [readonly]), select, textarea",
    );
    return [...controls].some((one) => changed(one) || one === document.activeElement);
  }

  function waits(event, part) {
    const cause = event.detail.requestConfig?.triggeringEvent;
    if (!part?.matches?.("[data-live]") || cause?.type !== "laager:changed") return false;
    if (!busy(part)) return false;
    tell("news", words.kept, () => {
      tell("", "");
      window.htmx.ajax("GET", part.getAttribute("hx-get"), {
        target: part,
        swap: part.getAttribute("hx-swap") || "innerHTML",
      });
    });
    return true;
  }

  // A part that was fetched anew brings the title of its page along.
  document.body.addEventListener("htmx:afterSettle", () => owes(owed));
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (waits(event, event.detail.elt)) event.preventDefault();
  });
  document.body.addEventListener("htmx:beforeSwap", (event) => {
    // Somebody may have begun to type while the part was on its way.
    if (waits(event, event.detail.elt)) event.detail.shouldSwap = false;
  });

  // Listening, or asking now and then ------------------------------------------------------------

  async function ask() {
    try {
      const answer = await fetch(words.tagUrl, { redirect: "manual", cache: "no-store" });
      if (answer.ok) seen(await answer.json());
      else if (answer.type === "opaqueredirect" || answer.status === 404) gone();
      else lost();
    } catch {
      lost();
    }
  }

  function asking(on) {
    clearInterval(poll);
    poll = on && !over ? setInterval(ask, POLL_EVERY) : 0;
  }

  function listen() {
    stop();
    if (over || document.visibilityState === "hidden") return;
    source = new EventSource(words.events);
    source.addEventListener("open", () => {
      found();
      asking(false);
    });
    source.addEventListener("tag", (event) => seen(JSON.parse(event.data)));
    source.addEventListener("gone", gone);
    source.addEventListener("error", () => {
      if (over) return;
      if (!poll) asking(true);
      if (source?.readyState === EventSource.CLOSED) {
        ask();
        clearTimeout(again);
        again = setTimeout(listen, LISTEN_AGAIN);
      } else if (!patience) {
        patience = setTimeout(lost, PATIENCE);
      }
    });
  }

  function stop() {
    clearTimeout(again);
    asking(false);
    source?.close();
    source = null;
  }

  // A page that nobody looks at needs no connection; browsers have only a few for each site.
  document.addEventListener("visibilitychange", listen);
  owes(owed);
  window.addEventListener("pagehide", stop);
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) listen();
  });
  listen();
})();
