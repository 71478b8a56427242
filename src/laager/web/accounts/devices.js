// Turns notices on in this browser, and what it keeps for a time without network.
"use strict";

const SEEN = "laager-seen";
const here = document.getElementById("device-here");
const said = document.getElementById("device-said");
const copy = document.getElementById("offline-copy");
const reveal = (id) => document.getElementById(id).removeAttribute("hidden");

function bytes(key) {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

async function registration() {
  await navigator.serviceWorker.register(here.dataset.worker);
  return navigator.serviceWorker.ready;
}

function encoded(buffer) {
  const text = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// A subscription made with another key of the server, before it was set up anew, gets nothing.
async function subscription(worker) {
  const applicationServerKey = bytes(here.dataset.key);
  const old = await worker.pushManager.getSubscription();
  if (old && encoded(old.options.applicationServerKey) === here.dataset.key) return old;
  await old?.unsubscribe();
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") {
    said.textContent = here.dataset.denied;
    return;
  }
  let made;
  try {
    made = await subscription(await registration());
  } catch {
    said.textContent = here.dataset.failed;
    return;
  }
  const form = new FormData(here);
  form.set("endpoint", made.endpoint);
  for (const name of ["p256dh", "auth"]) form.set(name, encoded(made.getKey(name)));
  const answer = await fetch(here.action, { method: "POST", body: form });
  if (answer.ok) location.reload();
  else said.textContent = (await answer.json()).text;
}

async function keepPages() {
  if (copy.checked) {
    await registration();
    await caches.open(SEEN);
  } else {
    await caches.delete(SEEN);
  }
}

async function start() {
  if (!self.isSecureContext) {
    reveal("device-insecure");
    return;
  }
  if (!("serviceWorker" in navigator) || !("caches" in self)) return;
  copy.checked = await caches.has(SEEN);
  copy.addEventListener("change", keepPages);
  reveal("offline-label");
  reveal("offline-help");
  if (!("PushManager" in self)) {
    reveal("device-install");
    return;
  }
  here.addEventListener("submit", (event) => {
    event.preventDefault();
    turnOn();
  });
  reveal("device-here");
}

start();
