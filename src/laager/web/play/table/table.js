// The clocks of both sides go on by themselves.
"use strict";

function tick() {
  for (const clock of document.querySelectorAll("[data-clock]")) {
    try {
      clock.textContent = new Intl.DateTimeFormat(document.documentElement.lang || "en", {
        weekday: "short",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
        timeZone: clock.dataset.clock,
      }).format(new Date());
    } catch {
      // A zone that this browser does not know stays as the server wrote it.
    }
  }
}
tick();
setInterval(tick, 15_000);

if (new URLSearchParams(location.search).has("since")) {
  document.getElementById("news")?.focus({ preventScroll: true });
}
