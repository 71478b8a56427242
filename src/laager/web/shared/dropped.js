// Files dropped onto a page, and a file handed on to the page that reads it.
const DATABASE = "laager-files";
const STORE = "files";
const LONGEST_WAIT_MS = 60_000;

// Let files be dropped onto an element or the document while `wants()`; `take` gets the first one.
// What an inner zone has taken is left to it.
export function acceptFiles(zone, take, wants = () => true) {
  const accepts = (event) => !event.defaultPrevented && event.dataTransfer.types.includes("Files") && wants();
  const mark = (on) => (zone.body ?? zone).classList.toggle("over", on);
  zone.addEventListener("dragover", (event) => {
    mark(accepts(event));
    if (accepts(event)) event.preventDefault();
  });
  zone.addEventListener("dragleave", () => mark(false));
  zone.addEventListener("drop", (event) => {
    mark(false);
    if (!accepts(event) || !event.dataTransfer.files.length) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}

// Keep a file in this browser for the page at an address, and go there.
export async function handOn(file, address) {
  try {
    await work((store) => store.put({ file, at: Date.now() }, address));
  } finally {
    // Without a place to keep it, the file is chosen there once more.
    location.assign(address);
  }
}

// The file that was handed on to a page just now, once; undefined without one.
export async function takeHandedOn(address) {
  const kept = await work((store) => {
    const asked = store.get(address);
    store.clear();
    return asked;
  });
  return kept && Date.now() - kept.at < LONGEST_WAIT_MS ? kept.file : undefined;
}

function work(act) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, "readwrite");
      const asked = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve(asked.result);
      };
      transaction.onabort = () => reject(transaction.error);
    };
  });
}
