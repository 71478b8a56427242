// Modules and extensions that are chosen are replaced by the definitions of their counters before the form is sent.
import { definitionsOf } from "./vmod.js";

const isArchive = (file) => /\.(vmod|vmdx|zip)$/i.test(file.name);

/** Return a file with an archive's definitions alone, another file as it is, or null if it's no archive of VASSAL. */
async function smallFile(file) {
  if (!isArchive(file)) return file;
  const definitions = await definitionsOf(file).catch(() => null);
  return definitions && new File([definitions], file.name);
}

for (const form of document.querySelectorAll("[data-counters]")) {
  const input = form.querySelector("[type=file]");
  const button = form.querySelector("button");
  const status = form.querySelector("[data-status]");
  input.addEventListener("change", async () => {
    const chosen = [...input.files];
    status.textContent = "";
    if (!chosen.some(isArchive)) return;
    button.disabled = true;
    const made = await Promise.all(chosen.map(smallFile));
    button.disabled = false;
    if (input.files[0] !== chosen[0]) return;
    const wrong = made.indexOf(null);
    if (wrong >= 0) {
      input.value = "";
      status.textContent = form.dataset.wrong.replace("{name}", chosen[wrong].name);
      return;
    }
    const files = new DataTransfer();
    for (const file of made) files.items.add(file);
    input.files = files.files;
    const size = made.reduce((sum, file) => sum + file.size, 0);
    status.textContent = form.dataset.ready.replace("{n}", Math.ceil(size / 1000));
  });
}
