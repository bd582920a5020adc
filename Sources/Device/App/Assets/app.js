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
