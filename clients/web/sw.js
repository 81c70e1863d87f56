/** Shows an honest page where the service cannot be reached. Nothing of the game is kept: the service has it. */

const NAME = "offline:/page/";
const OFFLINE = "/offline.html";
const KEPT = [OFFLINE, "/page/web/styles/themes.css", "/page/web/styles/base.css", "/page/web/offline.js"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(KEPT)));
  self.skipWaiting();
});

addEventListener("activate", (event) => {
  const forget = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)));
  };
  event.waitUntil(forget().then(() => self.clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { pathname } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(OFFLINE, { ignoreVary: true })));
  else if (KEPT.includes(pathname)) {
    event.respondWith(caches.match(pathname, { ignoreVary: true }).then((kept) => kept ?? fetch(request)));
  }
});
