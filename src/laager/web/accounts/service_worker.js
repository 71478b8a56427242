// Works while no page is open: shows notices, and a page that stands in while there is no network.
"use strict";

const APP = "laager-app";
const SEEN = "laager-seen";
const SCOPE = self.registration.scope;
const inScope = (path) => new URL(path, SCOPE).href;
const OFFLINE = inScope("offline/");
const PARTS = [OFFLINE, inScope("static/laager/shared/style.css"), inScope("static/laager/accounts/offline.js")];
// A table's page. What else is looked at isn't kept.
const TABLE = new RegExp(`^${new URL(SCOPE).pathname}campaign/[0-9a-f-]{36}/[a-z-]+/$`);
const NOBODY = [inScope("login/"), inScope("register/"), inScope("logout/")];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(APP).then((cache) => cache.addAll(PARTS)));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// Without a network --------------------------------------------------------------------------------

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = request.url.split(/[?#]/)[0];
  // Whoever logs out, or has to log in anew, leaves nothing here.
  if (NOBODY.includes(address)) event.waitUntil(forget());
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(visit(event, address));
  else if (PARTS.includes(address)) event.respondWith(fetch(request).catch(() => caches.match(address)));
});

async function visit(event, address) {
  try {
    const response = await fetch(event.request);
    if (TABLE.test(new URL(address).pathname)) event.waitUntil(keep(address, response.clone()));
    return response;
  } catch {
    return (await caches.match(OFFLINE, { cacheName: APP })) ?? Response.error();
  }
}

// Only who has asked for it keeps pages: then the cache is there.
async function keep(address, response) {
  if (!(await caches.has(SEEN))) return;
  const cache = await caches.open(SEEN);
  if (response.ok) await cache.put(address, response);
  else if (response.type !== "opaqueredirect") await cache.delete(address);
}

async function forget() {
  await caches.delete(SEEN);
}

// Notices ------------------------------------------------------------------------------------------

self.addEventListener("push", (event) => {
  const notice = event.data?.json() ?? {};
  const shown = self.registration.showNotification(notice.title ?? "Laager", {
    body: notice.text ?? "",
    tag: notice.tag ?? "laager",
    renotify: !notice.silent,
    silent: Boolean(notice.silent),
    icon: inScope("static/laager/shared/icon-192.png"),
    data: { link: notice.link ?? "" },
  });
  event.waitUntil(shown);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data?.link ?? "", SCOPE)));
});

async function open(link) {
  if (link.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window" });
  const page = pages.find((each) => each.url === link.href);
  if (page) await page.focus();
  else await self.clients.openWindow(link.href);
}
