// The tick list of a battle: each tick is kept at once.
"use strict";

for (const form of document.querySelectorAll("[data-ticks]")) {
  const told = form.querySelector("[data-told]");
  form.querySelector("[data-keep]").remove();
  let last = Promise.resolve();
  form.addEventListener("change", ({ target: box }) => {
    const body = new FormData();
    body.set("csrfmiddlewaretoken", form.querySelector("[name=csrfmiddlewaretoken]").value);
    body.set("among", box.value);
    if (box.checked) body.set("tick", box.value);
    // One after the other: the last click is what counts.
    last = last.then(async () => {
      try {
        const answer = await fetch(form.action, { method: "POST", body, credentials: "same-origin" });
        if (!answer.ok) throw new Error(answer.status);
        told.textContent = "";
      } catch {
        box.checked = !box.checked;
        told.textContent = form.dataset.lost;
      }
    });
  });
}
