// The app without this file has every function but notifications. It adds: the code taken from the address, search while
// typing, changes of elsewhere shown at once, a guard for unsaved changes, drafts, and keys.
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
    const form = event.target.closest("form:not([data-search])");
    if (form) changed.add(form);
  });
  document.addEventListener("submit", (event) => changed.delete(event.target));
  window.addEventListener("beforeunload", (event) => {
    if ([...changed].some((form) => form.matches("[data-guard]"))) event.preventDefault();
  });

  // What is typed for a new subscription stays in this browser, until it was added or is discarded.
  const memory = {
    get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
    set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* It is not kept. */ } },
    remove: (name) => { try { localStorage.removeItem(name); } catch { /* Nothing is kept. */ } },
  };
  const DRAFT = "subguard-draft", SENT = "subguard-draft-sent";
  const draft = () => { try { return new Map(JSON.parse(memory.get(DRAFT))); } catch { return new Map(); } };
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-draft]");
    if (!form) return;
    changed.add(form);
    memory.set(DRAFT, JSON.stringify([...new FormData(form)]));
  });
  document.addEventListener("submit", (event) => {
    if (event.target.matches("form[data-draft]")) memory.set(SENT, "1");
  });
  if (memory.get(SENT) && new URLSearchParams(location.search).has("added")) memory.remove(DRAFT);
  memory.remove(SENT);
  const offerDraft = () => {
    const offer = document.querySelector("[data-draft-offer]"), kept = draft();
    if (!offer || kept.size === 0 || document.querySelector("form[data-draft=sent]")) return;
    offer.querySelector("[data-draft-name]").textContent = kept.get("name") || "…";
    offer.querySelector("[data-draft-go]").href = "/add?name=" + encodeURIComponent(kept.get("name") || " ") + "#draft";
    offer.hidden = false;
  };
  const fillDraft = (form) => {
    for (const [name, value] of draft()) {
      const field = form.elements[name] ?? form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name }));
      field.value = value;
      if (value && value !== "0") field.closest("details")?.setAttribute("open", "");
    }
    changed.add(form);
    document.querySelector("[data-draft-offer]").hidden = true;
    form.elements.name.focus();
  };
  document.addEventListener("click", (event) => {
    const form = document.querySelector("form[data-draft]");
    if (event.target.matches("[data-draft-discard]")) {
      memory.remove(DRAFT);
      event.target.closest("[data-draft-offer]").hidden = true;
    } else if (form && event.target.matches("[data-draft-go]")) {
      event.preventDefault();
      fillDraft(form);
    }
  });
  const newForm = document.querySelector("form[data-draft]");
  if (newForm && location.hash === "#draft" && draft().size > 0) fillDraft(newForm);
  else offerDraft();

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

  // Reminders that are due, as notifications while a page is open. The server hands each out once.
  const NOTIFY = "subguard-notify";
  const mayNotify = () => memory.get(NOTIFY) === "on" && "Notification" in window && Notification.permission === "granted";
  const tell = async () => {
    if (!mayNotify()) return;
    try {
      const answer = await fetch("/reminders/due", { method: "POST", redirect: "error" });
      if (!answer.ok) return;
      for (const { id, title, text, link } of await answer.json()) {
        const notice = new Notification(title, { body: text, tag: id, icon: document.querySelector("link[rel=icon]").href });
        notice.onclick = () => { window.focus(); location.href = link; notice.close(); };
      }
    } catch { /* The next minute tries again. */ }
  };
  const offerNotices = () => {
    const part = document.querySelector("[data-notify]");
    if (!part || !("Notification" in window)) return;
    part.hidden = false;
    part.querySelector("[data-notify-on]").hidden = mayNotify();
    part.querySelector("[data-notify-off]").hidden = !mayNotify();
    part.querySelector("[data-notify-blocked]").hidden = Notification.permission !== "denied";
  };
  document.addEventListener("click", async (event) => {
    const isOn = event.target.matches("[data-notify-on]");
    if (!isOn && !event.target.matches("[data-notify-off]")) return;
    if (isOn) await Notification.requestPermission();
    memory.set(NOTIFY, isOn ? "on" : "off");
    offerNotices();
    document.querySelector(mayNotify() ? "[data-notify-off]" : "[data-notify-on]").focus();
    tell();
  });

  // Another program or window has changed something: the page is loaded anew, but never under somebody's hands.
  const main = document.querySelector("main[data-live]");
  if (main) {
    let isDue = false;
    const isBusy = () => changed.size > 0 || main.querySelector("details[open]")
      || main.contains(document.activeElement) && document.activeElement.matches("input, textarea, select");
    // What has the focus, to be found again in the new page: by its id, or as the same text in the same place.
    const alike = (place) => [...main.querySelectorAll(place.tag)].filter((other) => other.textContent === place.text);
    const placeOf = (element) => {
      if (!main.contains(element) || element === main) return null;
      const place = { id: element.id, tag: element.tagName, text: element.textContent };
      return { ...place, at: alike(place).indexOf(element) };
    };
    const focusAgain = (place) => {
      if (!place) return;
      const found = place.id ? document.getElementById(place.id) : alike(place)[place.at] ?? alike(place)[0];
      (found ?? main).focus({ preventScroll: true });
    };
    const refresh = async () => {
      if (isBusy() || document.hidden) { isDue = true; return; }
      isDue = false;
      const place = placeOf(document.activeElement);
      try {
        const fresh = (await load(location.href)).querySelector("main[data-live]");
        if (!fresh || isBusy()) { isDue = true; return; }
        const top = scrollY;
        main.replaceChildren(...fresh.childNodes);
        main.dataset.live = fresh.dataset.live;
        focusAgain(place);
        scrollTo(0, top);
        offerDraft();
        offerNotices();
      } catch { /* The next change tries again. */ }
    };
    navigator.serviceWorker?.register("/service-worker.js").catch(() => { /* The app works without it. */ });
    tell();
    setInterval(tell, 60_000);
    offerNotices();
    // One page of the browser listens for all of them: a browser has few connections to one server. It asks with what it shows,
    // so that a change before the connection is told too; the others ask it.
    const channel = new BroadcastChannel("subguard-live");
    let newest = 0;
    channel.addEventListener("message", ({ data }) => {
      if (data.shows !== undefined) {
        if (newest > data.shows) channel.postMessage({ newest });
      } else if (data.newest > Number(main.dataset.live)) refresh();
    });
    const listen = () => {
      const events = new EventSource("/live?since=" + main.dataset.live);
      events.addEventListener("change", (event) => {
        newest = Number(event.data);
        channel.postMessage({ newest });
        refresh();
      });
      return events;
    };
    const join = () => {
      if (!navigator.locks) return void listen();
      navigator.locks.request("subguard-live", () => new Promise((leave) => {
        const events = listen();
        addEventListener("pagehide", () => { events.close(); leave(); }, { once: true });
      }));
      channel.postMessage({ shows: Number(main.dataset.live) });
    };
    join();
    addEventListener("pageshow", (event) => { if (event.persisted) join(); });
    document.addEventListener("visibilitychange", () => { if (isDue) refresh(); });
    document.addEventListener("focusout", () => { if (isDue) setTimeout(refresh, 0); });
  }

  // Menus of rows close as people expect.
  const closeMenus = (but) => {
    for (const menu of document.querySelectorAll(".menu[open]")) {
      if (menu.contains(but)) continue;
      if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
      menu.open = false;
    }
  };
  document.addEventListener("click", (event) => closeMenus(event.target));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") closeMenus(null); });

  const print = document.querySelector("[data-print]");
  if (print) {
    print.hidden = false;
    print.addEventListener("click", () => window.print());
  }

  // A file may be dropped anywhere on a page that takes one; of several forms, on the form.
  const takers = [...document.querySelectorAll("form[data-drop]")];
  if (takers.length > 0) {
    const field = (form) => form.querySelector("input[type=file]");
    const look = (form) => {
      const isTooLarge = field(form).files[0]?.size > Number(form.dataset.most);
      field(form).setCustomValidity(isTooLarge ? form.dataset.tooLarge : "");
    };
    const taker = (event) => event.target.closest?.("form[data-drop]") ?? takers[0];
    const mark = (over) => { for (const form of takers) form.classList.toggle("over", form === over); };
    for (const form of takers) field(form).addEventListener("change", () => look(form));
    document.addEventListener("dragover", (event) => { event.preventDefault(); mark(taker(event)); });
    document.addEventListener("dragleave", () => mark(null));
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      mark(null);
      if (event.dataTransfer.files.length === 0) return;
      const form = taker(event);
      field(form).files = event.dataTransfer.files;
      look(form);
      form.requestSubmit();
    });
  }

  // "h" or the button hides and shows amounts, "/" moves to the search. The cookie is what the server reads.
  const veil = () => {
    const isOn = document.documentElement.classList.toggle("veiled");
    document.cookie = `subguard_veil_${location.port || 80}=${isOn ? "on" : "off"}; Path=/; Max-Age=31536000; SameSite=Strict`;
  };
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[data-veil]")) return;
    event.preventDefault();
    veil();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input, textarea, select")) return;
    if (event.key === "h") {
      veil();
    } else if (event.key === "/") {
      const search = document.querySelector("main input[type=search]");
      if (search) { event.preventDefault(); search.focus(); search.select(); }
    }
  });
})();
