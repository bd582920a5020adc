// Keeps the files of the frame and one page that says how to start the app: never a page with data. VERSION and SHELL,
// a map from the path of each file to its hash and type, come before this.
"use strict";
const NAME = "subguard-" + VERSION, OFFLINE = SHELL.keys().next().value;

// Nothing that this origin already keeps is trusted: another owner of the port could
// write into it while the app was away.
self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil((async () => {
    await caches.delete(NAME);
    const cache = await caches.open(NAME);
    await cache.addAll([...SHELL].map(([path, { integrity }]) => new Request(path, { integrity, cache: "reload" })));
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
    // The browser itself then asks for pages. A request made here would say that it comes from this origin.
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  })());
});

// What is kept, if it still is what the list says.
const kept = async (path) => {
  const found = await (await caches.open(NAME)).match(path);
  if (!found) return null;
  const { integrity, type } = SHELL.get(path), content = await found.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  if (integrity !== "sha256-" + btoa(String.fromCharCode(...hash))) return null;
  return new Response(content, { headers: { "Content-Type": type } });
};

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET") return;
  const path = new URL(url).pathname;
  if (mode === "navigate" && self.registration.navigationPreload) {
    event.respondWith((async () => {
      try {
        return await event.preloadResponse ?? await fetch(event.request);
      } catch {
        return await kept(OFFLINE) ?? Response.error();
      }
    })());
  } else if (mode !== "navigate" && path !== OFFLINE && SHELL.has(path)) {
    event.respondWith((async () => await kept(path) ?? await fetch(event.request))());
  }
});
