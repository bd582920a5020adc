// swift-format-ignore-file
// Made by Scripts/generate from Sources/Device/App/Assets. Do not edit.

import PageAssets

extension EmbeddedAsset {
    static let appCSS = EmbeddedAsset(
        stem: "app", suffix: "css", hash: "7ec669750da31f12",
        text: #"""
/* The app, on top of base.css: masthead with tabs, costs, lists. */

body { padding-block-end: 0; }
.masthead { position: sticky; inset-block-start: 0; z-index: 1; display: flex; align-items: center; gap: 0.5rem 1.5rem;
  padding: 0.5rem clamp(1rem, 3vw, 2.75rem); background: var(--page); border-block-end: 1px solid var(--line); }
.tabbar { display: flex; gap: 0.25rem; }
.tabbar a { display: inline-flex; align-items: center; gap: 0.5rem; min-block-size: 2.25rem; padding: 0.25rem 0.75rem;
  border-radius: var(--radius); color: var(--muted); text-decoration: none; font-weight: 500; }
.tabbar a:hover { background: var(--sunken); color: var(--text); }
.tabbar a[aria-current] { background: var(--accent-soft); color: var(--text); font-weight: 600; }
main:not(.card) { max-inline-size: 62rem; margin-inline: auto; }
.done { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; }
.done form { margin: 0; }

.costs { margin-block-end: 0.75rem; }
.annual { font-size: clamp(2rem, 7vw, 2.75rem); line-height: 1.15; font-weight: 650; letter-spacing: -0.025em; }
.lines, .scopes { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin-block-start: 0.375rem; }

.subscriptions { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.subscriptions:empty { display: none; }
.subscriptions > li + li { border-block-start: 1px solid var(--line); }
.subscriptions > li > a { display: flex; align-items: center; gap: 0.875rem; padding: 0.75rem 1rem; color: var(--text);
  text-decoration: none; }
.subscriptions > li > a:hover { background: var(--sunken); }
.subscriptions > li > a:focus-visible { outline-offset: -2px; }
.subscriptions .letters { inline-size: 2.25rem; block-size: 2.25rem; }
.what-it-is, .what-it-costs { display: grid; line-height: 1.35; min-inline-size: 0; }
.what-it-is { flex: 1; }
.what-it-is b { font-weight: 600; overflow-wrap: anywhere; }
.what-it-costs { text-align: end; white-space: nowrap; }
.what-it-costs b { font-weight: 600; }

.charge { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; }
.charge > :is(a, .proposal) { flex: 1 1 18rem; }
.decide { display: flex; flex-wrap: wrap; align-items: start; gap: 0.5rem; padding: 0.5rem 1rem; }
.decide summary { display: inline-flex; align-items: center; min-block-size: 2.125rem; padding-inline: 0.5rem; cursor: pointer;
  color: var(--muted); font-weight: 500; }
.decide details[open] { flex: 1 1 100%; }
.paid { display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem; padding-block-end: 0.5rem; }
.paid .field { flex: 0 1 12rem; }

.proposal { display: flex; align-items: center; gap: 0.875rem; padding: 0.75rem 1rem; }
.proposal input { flex: none; inline-size: 1.6rem; block-size: 1.6rem; }
.proposal:has(:checked) { background: var(--accent-soft); }
.over { outline: 2px dashed var(--accent); outline-offset: 4px; }

.score { display: flex; align-items: center; gap: 1.25rem; }
.ring { inline-size: 4.5rem; block-size: 4.5rem; flex: none; }
.ring :is(.track, .arc) { fill: none; stroke-width: 8; }
.ring .track { stroke: var(--sunken); }
.ring .arc { stroke: var(--mark); stroke-linecap: round; }
.more > summary { cursor: pointer; min-block-size: 1.75rem; inline-size: fit-content; color: var(--muted); font-weight: 500; }
.more > .fields { margin-block-start: 0.75rem; }
.facts dl { display: grid; grid-template-columns: minmax(0, auto) minmax(7rem, 1fr); gap: 0.25rem 1rem; }
.facts dd { text-align: end; overflow-wrap: break-word; }
.facts h2 { margin-block: 0.75rem 0.25rem; }
.facts li { display: flex; justify-content: space-between; gap: 1rem; }
.waits form { flex: none; }
.panel.stack { align-content: start; }
.panel.stack button { justify-self: start; }
.annual + .muted + .annual { margin-block-start: 0.75rem; }

.month { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 1px; padding: 1px; list-style: none;
  background: var(--line); border-radius: 8px; overflow: hidden; }
.month > li { min-block-size: 5rem; padding: 0.375rem; background: var(--surface); font-size: 0.8125rem; line-height: 1.35; }
.month > .other { background: var(--sunken); }
.month time { color: var(--muted); }
.month [aria-current] time { color: var(--accent); font-weight: 700; }
.month li li { overflow-wrap: anywhere; margin-block-start: 0.25rem; }
.month li a { color: var(--text); }
.month .deadline { padding-inline-start: 0.375rem; border-inline-start: 3px solid var(--warn); }
td.bars { inline-size: 55%; min-inline-size: 1.5rem; }
.panel :is(th, td) { padding-inline: 0.375rem; }
.panel tr:first-child > * { border-block-start: 0; }

.widget { padding: 0.75rem; }
.widget .annual { font-size: 1.5rem; }
.widget .subscriptions { margin-block-start: 0.5rem; }
.widget .charge { padding: 0.5rem 0.75rem; }

/* A shared screen: one key hides amounts. */
.veiled .amount { filter: blur(0.45em); user-select: none; }

@media (max-width: 640px) {
  .masthead { padding: 0.25rem; }
  .masthead .brand { display: none; }
  .tabbar { flex: 1; gap: 0; min-inline-size: 0; }
  .tabbar a { flex: 1 1 auto; flex-direction: column; gap: 0.125rem; font-size: 0.75rem; padding: 0.25rem 0.125rem;
    min-inline-size: 0; }
  .decide { padding-block-start: 0; }
  /* A list of the days on which something happens. */
  .month { display: block; }
  .month > li { min-block-size: 0; display: flex; gap: 0.75rem; margin-block-end: 1px; }
  .month > :is(.other, .empty-day) { display: none; }
  .month time { inline-size: 1.5rem; text-align: end; }
}

@media (max-width: 380px) {
  .masthead { padding-inline: 0; }
  .tabbar a { padding-inline: 1px; font-size: 0.6875rem; letter-spacing: -0.02em; }
}

@media (forced-colors: active) {
  .tabbar a[aria-current] { border: 1px solid CanvasText; }
  .ring .arc { stroke: CanvasText; }
}

@media print {
  .masthead, .decide, .done form { display: none; }
}

"""#)

    static let appJS = EmbeddedAsset(
        stem: "app", suffix: "js", hash: "1d3cdbee42fcd88e",
        text: ##"""
// The app without this file has every function. It adds: the code taken from the address, search while typing, changes of
// elsewhere shown at once, a guard for unsaved changes, and one key that hides amounts.
(() => {
  "use strict";

  // The program opens the browser with a one-time code behind the #, which no server log and no other site sees.
  const code = /^#[0-9a-f]{32}$/.exec(location.hash)?.[0].slice(1);
  if (code) {
    history.replaceState(null, "", location.pathname + location.search);
    const form = document.querySelector("form[data-launch]");
    if (form) {
      form.elements.code.value = code;
      form.submit();
      return;
    }
  }

  document.querySelector("[data-focus]")?.focus();

  // What was typed and is not sent yet. On the document, because pages are replaced under it.
  const changed = new Set();
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-guard]");
    if (form) changed.add(form);
  });
  document.addEventListener("submit", (event) => changed.delete(event.target));
  window.addEventListener("beforeunload", (event) => { if (changed.size > 0) event.preventDefault(); });

  const load = async (address) => {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, redirect: "error" });
    if (!answer.ok) throw new Error(String(answer.status));
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  };

  // Forms with data-search name the region that shows what they find.
  let timer, latest = 0;
  const find = async (form) => {
    const number = ++latest;
    const address = form.getAttribute("action") + "?" + new URLSearchParams(new FormData(form));
    try {
      const fresh = (await load(address)).getElementById(form.dataset.search);
      if (!fresh || number !== latest) return;
      document.getElementById(form.dataset.search)?.replaceChildren(...fresh.childNodes);
      history.replaceState(null, "", address);
    } catch { /* The next key tries again. */ }
  };
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-search]");
    if (!form) return;
    clearTimeout(timer);
    timer = setTimeout(() => find(form), 120);
  });

  // Another program or window has changed something: the page is loaded anew, but never under somebody's hands.
  const main = document.querySelector("main[data-live]");
  if (main) {
    let isDue = false;
    const isBusy = () => changed.size > 0 || main.querySelector("details[open]")
      || main.contains(document.activeElement) && document.activeElement.matches("input, textarea, select");
    const refresh = async () => {
      if (isBusy() || document.hidden) { isDue = true; return; }
      isDue = false;
      const place = document.activeElement?.id;
      try {
        const fresh = (await load(location.href)).querySelector("main[data-live]");
        if (!fresh || isBusy()) { isDue = true; return; }
        const top = scrollY;
        main.replaceChildren(...fresh.childNodes);
        main.dataset.live = fresh.dataset.live;
        if (place) document.getElementById(place)?.focus({ preventScroll: true });
        scrollTo(0, top);
      } catch { /* The next change tries again. */ }
    };
    navigator.serviceWorker?.register("/service-worker.js").catch(() => { /* The app works without it. */ });
    // With what the page shows, so that a change before the connection is told too.
    new EventSource("/live?since=" + main.dataset.live).addEventListener("change", refresh);
    document.addEventListener("visibilitychange", () => { if (isDue) refresh(); });
    document.addEventListener("focusout", () => { if (isDue) setTimeout(refresh, 0); });
  }

  // A file may be dropped anywhere on a page that takes one.
  const taker = document.querySelector("form[data-drop]");
  if (taker) {
    const chosen = taker.querySelector("input[type=file]");
    const look = () => {
      const isTooLarge = chosen.files[0]?.size > Number(taker.dataset.most);
      chosen.setCustomValidity(isTooLarge ? taker.dataset.tooLarge : "");
    };
    chosen.addEventListener("change", look);
    document.addEventListener("dragover", (event) => { event.preventDefault(); taker.classList.add("over"); });
    document.addEventListener("dragleave", () => taker.classList.remove("over"));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      taker.classList.remove("over");
      if (event.dataTransfer.files.length === 0) return;
      chosen.files = event.dataTransfer.files;
      look();
      taker.requestSubmit();
    });
  }

  // "h" hides and shows amounts, "/" moves to the search.
  const name = "subguard-veil";
  const veil = (isOn) => document.documentElement.classList.toggle("veiled", isOn);
  try { veil(localStorage.getItem(name) === "on"); } catch { /* Nothing can be stored. */ }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input, textarea, select")) return;
    if (event.key === "h") {
      const isOn = !document.documentElement.classList.contains("veiled");
      veil(isOn);
      try { localStorage.setItem(name, isOn ? "on" : "off"); } catch { /* It holds for this page. */ }
    } else if (event.key === "/") {
      const search = document.querySelector("main input[type=search]");
      if (search) { event.preventDefault(); search.focus(); search.select(); }
    }
  });
})();

"""##)

    static let workerJS = EmbeddedAsset(
        stem: "worker", suffix: "js", hash: "77897773ad6c491b",
        text: #"""
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

"""#)

    static let appiconSVG = EmbeddedAsset(
        stem: "appicon", suffix: "svg", hash: "5c9dd5d932c31271",
        text: ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" fill="#2b59c3"/><path fill="#fff" d="M256 112 136 160v88c0 72 48 125 120 152 72-27 120-80 120-152v-88z"/><path fill="none" stroke="#2b59c3" stroke-width="30" stroke-linecap="round" stroke-linejoin="round" d="m205 252 38 38 70-74"/></svg>

"""##)

    static let iconsSVG = EmbeddedAsset(
        stem: "icons", suffix: "svg", hash: "66d0c7b0203c99cf",
        text: #"""
<svg xmlns="http://www.w3.org/2000/svg">
<symbol id="mark" viewBox="0 0 20 20"><path d="M10 2 3.5 4.5v5c0 4 2.7 6.9 6.5 8.5 3.8-1.6 6.5-4.5 6.5-8.5v-5z"/><path d="m7 10 2.2 2.2L13.2 8"/></symbol>
<symbol id="subscriptions" viewBox="0 0 20 20"><rect x="3" y="3.5" width="14" height="5" rx="1.4"/><rect x="3" y="11.5" width="14" height="5" rx="1.4"/></symbol>
<symbol id="due" viewBox="0 0 20 20"><circle cx="10" cy="10" r="7"/><path d="m6.9 10.2 2.1 2.1 4.2-4.4"/></symbol>
<symbol id="calendar" viewBox="0 0 20 20"><rect x="3" y="4" width="14" height="13" rx="1.6"/><path d="M3 8h14M7 2.5v3M13 2.5v3"/></symbol>
<symbol id="together" viewBox="0 0 20 20"><circle cx="7" cy="7" r="2.8"/><circle cx="14" cy="8" r="2.2"/><path d="M2.5 16.5c.4-3 2.1-4.6 4.5-4.6s4.1 1.6 4.5 4.6M12.6 12.2c2.6-.5 4.5 1 4.9 3.6"/></symbol>
<symbol id="settings" viewBox="0 0 20 20"><path d="M3 6h8M15 6h2M3 14h2M9 14h8"/><circle cx="13" cy="6" r="2"/><circle cx="7" cy="14" r="2"/></symbol>
</svg>

"""#)
}
