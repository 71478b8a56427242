// A module that is chosen is replaced by the definitions of its counters before the form is sent.
import { definitionsOf } from "./vmod.js";

for (const form of document.querySelectorAll("[data-counters]")) {
  const input = form.querySelector("[type=file]");
  const button = form.querySelector("button");
  const status = form.querySelector("[data-status]");
  input.addEventListener("change", async () => {
    const [file] = input.files;
    status.textContent = "";
    if (!file || !/\.(vmod|zip)$/i.test(file.name)) return;
    button.disabled = true;
    const definitions = await definitionsOf(file).catch(() => null);
    button.disabled = false;
    if (input.files[0] !== file) return;
    if (definitions === null) {
      input.value = "";
      status.textContent = form.dataset.wrong;
      return;
    }
    const files = new DataTransfer();
    files.items.add(new File([definitions], file.name));
    input.files = files.files;
    status.textContent = form.dataset.ready.replace("{n}", Math.ceil(definitions.size / 1000));
  });
}
