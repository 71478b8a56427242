// What every page does: nothing here is needed to read or to answer.
"use strict";

document.addEventListener("htmx:responseError", (event) => {
  // A refusal is told where the answer was given; htmx would drop it.
  const part = event.detail.xhr.responseText;
  const target = event.detail.elt.closest("form")?.querySelector("[data-refusal]");
  if (target) target.innerHTML = part;
});
