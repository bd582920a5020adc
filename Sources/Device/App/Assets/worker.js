// Keeps the files of the frame and one page that says how to start the app: never a page with data. VERSION and SHELL come
// before this.
"use strict";
const NAME = "subguard-" + VERSION;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(SHELL)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
    // The browser itself then asks for pages. A request made here would say that it comes from this origin.
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET") return;
  const path = new URL(url).pathname;
  if (mode === "navigate" && self.registration.navigationPreload) {
    event.respondWith((async () => {
      try {
        return await event.preloadResponse ?? await fetch(event.request);
      } catch {
        return await caches.match(SHELL[0]) ?? Response.error();
      }
    })());
  } else if (mode !== "navigate" && SHELL.indexOf(path) > 0) {
    event.respondWith(caches.match(path).then((kept) => kept ?? fetch(event.request)));
  }
});
