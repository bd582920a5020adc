// The app without this file has every function but notifications. It adds: the code taken from the address, search
// while typing, changes of elsewhere shown at once, a guard for unsaved changes, drafts, a server that is away, and
// keys.
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

  const store = (box) => ({
    get: (name) => { try { return box().getItem(name); } catch { return null; } },
    set: (name, value) => { try { box().setItem(name, value); } catch { /* It is not kept. */ } },
    remove: (name) => { try { box().removeItem(name); } catch { /* Nothing is kept. */ } },
    keys: () => { try { return Object.keys(box()); } catch { return []; } },
  });
  const memory = store(() => localStorage), tab = store(() => sessionStorage);
  const main = document.querySelector("main[data-live]");
  // The answer to a form cannot be read again.
  const isAnswer = main?.dataset.live === "";

  // What is typed into a form stays until it was accepted or is discarded: for a new subscription in this browser, by
  // service; for other forms in this window, by what they are about.
  const DRAFT = "subguard-draft ", SENT = "subguard-sent", MOST = 5;
  const DRAFTS = "form[data-draft], form[data-guard], form[data-keep]";
  const boxOf = (form) => form.matches("[data-draft]") ? memory : tab;
  const keyOf = (form) => DRAFT + (form.elements.draft?.value
    ?? [form.getAttribute("action"), ...[...form.querySelectorAll("input[type=hidden]")]
      .filter((field) => !/^(shown_|back$)/.test(field.name)).map((field) => field.value)].join(" "));
  const read = (box, key) => { try { return JSON.parse(box.get(key)); } catch { return null; } };
  document.addEventListener("input", (event) => {
    const form = event.target.closest(DRAFTS);
    if (!form) return;
    const secret = [...form.elements].filter((field) => field.type === "password").map((field) => field.name);
    const fields = [...new FormData(form)]
      .filter(([name, value]) => typeof value === "string" && !secret.includes(name));
    const { name, title, group } = form.elements;
    const what = (name ?? title ?? group)?.value || document.title.replace(/ · SubGuard$/, "");
    boxOf(form).set(keyOf(form), JSON.stringify({ at: Date.now(), what, fields }));
  });
  document.addEventListener("submit", (event) => {
    if (event.target.matches(DRAFTS)) tab.set(SENT, keyOf(event.target));
  });
  const sent = tab.get(SENT);
  if (sent && new URLSearchParams(location.search).has("done")
    && performance.getEntriesByType("navigation")[0]?.type !== "back_forward") {
    memory.remove(sent);
    tab.remove(sent);
  }
  tab.remove(SENT);
  const added = () => memory.keys().filter((key) => key.startsWith(DRAFT))
    .map((key) => ({ key, draft: read(memory, key) }))
    .filter(({ draft }) => draft).sort((one, other) => other.draft.at - one.draft.at);
  for (const { key } of added().slice(MOST)) memory.remove(key);
  const fill = (form, fields) => {
    for (const field of form.elements) {
      const values = fields.filter(([name]) => name === field.name).map(([, value]) => value);
      if (/^(checkbox|radio)$/.test(field.type)) field.checked = values.includes(field.value);
      else if (values.length > 0 && !/^(file|password|submit)$/.test(field.type)) field.value = values[0];
      if (field.type !== "hidden" && values[0] && values[0] !== "0") {
        for (let part = field.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
      }
    }
    changed.add(form);
    form.querySelector("input:not([type=hidden]), textarea, select")?.focus();
  };
  const offerDrafts = () => {
    const offer = document.querySelector("[data-draft-offer]");
    if (!offer || isAnswer) return;
    for (const old of document.querySelectorAll("[data-draft-offer]:not([hidden])")) old.remove();
    const show = (box, key, draft, form) => {
      const one = offer.cloneNode(true);
      one.querySelector("[data-draft-name]").textContent = draft.what;
      const go = one.querySelector("[data-draft-go]");
      if (!form) go.href = key.slice(DRAFT.length) + "#draft";
      go.addEventListener("click", (event) => {
        if (!form) return;
        event.preventDefault();
        one.remove();
        fill(form, draft.fields);
      });
      one.querySelector("[data-draft-discard]").addEventListener("click", () => { box.remove(key); one.remove(); });
      one.hidden = false;
      offer.before(one);
    };
    const here = new Set();
    for (const form of document.querySelectorAll(DRAFTS)) {
      const [box, key] = [boxOf(form), keyOf(form)], draft = read(box, key);
      here.add(key);
      if (draft && !changed.has(form)) show(box, key, draft, form);
    }
    if (location.pathname !== "/add") return;
    // Another owner of the port may have left a key that leads elsewhere.
    const isOwn = (key) => /^\/(?![/\\\s])\S*$/.test(key.slice(DRAFT.length));
    for (const { key, draft } of added()) if (!here.has(key) && isOwn(key)) show(memory, key, draft);
  };
  const newForm = document.querySelector("form[data-draft]");
  const kept = newForm && location.hash === "#draft" && read(memory, keyOf(newForm));
  if (kept) fill(newForm, kept.fields);
  offerDrafts();

  // Whether the server answers, and would let this browser in. What is typed then stays where it is.
  let state = "open";
  const banner = document.getElementById("away");
  const showState = (next) => {
    state = next;
    if (!banner) return;
    for (const words of banner.querySelectorAll("[data-when]")) words.hidden = words.dataset.when !== state;
    banner.hidden = state === "open";
  };
  const ask = async () => {
    try {
      const answer = await fetch("/session", { redirect: "error" });
      return answer.ok ? (await answer.text()).trim() : "away";
    } catch { return "away"; }
  };
  const pause = (seconds) => new Promise((go) => { setTimeout(go, seconds * 1000); });
  document.addEventListener("submit", (event) => {
    if (state === "open" || event.target.method !== "post" || event.target.matches("[data-veil]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    banner.focus();
  }, true);
  // At its own address it would only come back to itself.
  if (document.querySelector("[data-offline]") && location.pathname !== "/offline") {
    (async () => {
      while (await ask() === "away") await pause(2);
      location.reload();
    })();
  }

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

  // Reminders that are due, as notifications while a page is open. Each is handed out until it is told.
  const NOTIFY = "subguard-notify";
  const mayNotify = () =>
    memory.get(NOTIFY) === "on" && "Notification" in window && Notification.permission === "granted";
  const due = (told) => fetch("/reminders/due", {
    method: "POST", redirect: "error", body: new URLSearchParams(told.map((id) => ["told", id])),
  });
  const tell = async () => {
    if (!mayNotify() || state !== "open") return;
    const told = [];
    try {
      const answer = await due([]);
      if (!answer.ok) return;
      for (const { id, title, text, link } of await answer.json()) {
        const icon = document.querySelector("link[rel=icon]").href;
        const notice = new Notification(title, { body: text, tag: id, icon });
        notice.onclick = () => { window.focus(); location.href = link; notice.close(); };
        told.push(id);
      }
    } catch { /* The next minute tries again. */ }
    // A form has at most 600 fields.
    for (let at = 0; at < told.length; at += 500) {
      await due(told.slice(at, at + 500)).catch(() => { /* The next minute shows them again. */ });
    }
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

  // Another program or window has changed something: the page is loaded anew, but never while it is used.
  if (main) {
    let isDue = false, isLeaving = false;
    const isBusy = () => isLeaving || changed.size > 0 || main.querySelector("details[open]:not(.costs)")
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
      if (isAnswer) return;
      if (isBusy() || document.hidden) { isDue = true; return; }
      isDue = false;
      const place = placeOf(document.activeElement);
      try {
        const fresh = (await load(location.href)).querySelector("main[data-live]");
        if (!fresh || isBusy()) { isDue = true; return; }
        const top = scrollY, folded = main.querySelector(".costs:not([open])");
        main.replaceChildren(...fresh.childNodes);
        main.dataset.live = fresh.dataset.live;
        if (folded) main.querySelector(".costs")?.removeAttribute("open");
        focusAgain(place);
        scrollTo(0, top);
        offerDrafts();
        offerNotices();
      } catch { recover(); }
    };
    // The answer to a form may take longer than the news of what it changed: what this page shows may be gone then. A
    // download leaves the page where it is.
    addEventListener("beforeunload", () => {
      isLeaving = true;
      setTimeout(() => {
        isLeaving = false;
        if (isDue) refresh();
      }, 10_000);
    });
    addEventListener("pageshow", () => { isLeaving = false; });
    navigator.serviceWorker?.register("/service-worker.js").catch(() => { /* The app works without it. */ });
    tell();
    setInterval(tell, 60_000);
    offerNotices();
    // One page of the browser listens for all of them: a browser has few connections to one server. It asks with what
    // it shows, so that a change before the connection is reported too; the others ask it.
    const channel = new BroadcastChannel("subguard-live");
    let newest = 0, isListening = false, isRecovering = false;
    channel.addEventListener("message", ({ data }) => {
      if (data.state) showState(data.state);
      if (data.shows !== undefined) {
        if (newest > data.shows) channel.postMessage({ newest });
        if (isListening && state !== "open") channel.postMessage({ state });
      } else if (data.newest > Number(main.dataset.live)) refresh();
    });
    let events;
    const listen = () => {
      isListening = true;
      events = new EventSource("/live?since=" + main.dataset.live);
      events.addEventListener("change", (event) => {
        newest = Number(event.data);
        channel.postMessage({ newest });
        refresh();
      });
      events.addEventListener("error", () => { events.close(); recover(); });
    };
    // Asks until the app is there again, and goes on from there.
    const recover = async () => {
      if (isRecovering) return;
      isRecovering = true;
      for (;;) {
        const next = await ask();
        showState(next);
        channel.postMessage({ state: next });
        await pause(1);
        if (next === "open") break;
      }
      isRecovering = false;
      if (isListening && events.readyState === EventSource.CLOSED) listen();
      if (isDue) refresh();
    };
    const join = () => {
      if (!navigator.locks) return void listen();
      navigator.locks.request("subguard-live", () => new Promise((leave) => {
        listen();
        addEventListener("pagehide", () => { isListening = false; events.close(); leave(); }, { once: true });
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
    // A picture that is larger than what is kept becomes smaller here; what cannot be drawn is sent as it is.
    const shrink = async (form) => {
      const file = field(form).files[0], side = Number(form.dataset.side);
      if (!file || !side) return;
      try {
        const picture = await createImageBitmap(file), longest = Math.max(picture.width, picture.height);
        if (longest <= side && file.size <= Number(form.dataset.most)) return;
        const scale = Math.min(1, side / 2 / longest), canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [picture.width, picture.height]
          .map((length) => Math.max(1, Math.round(length * scale)));
        const pen = canvas.getContext("2d");
        // JPEG knows no transparency.
        pen.fillStyle = "#fff";
        pen.fillRect(0, 0, canvas.width, canvas.height);
        pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
        const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85));
        if (!blob) return;
        const files = new DataTransfer();
        files.items.add(new File([blob], file.name, { type: blob.type }));
        field(form).files = files.files;
      } catch { /* no picture */ }
    };
    const look = async (form) => {
      await shrink(form);
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
      look(form).then(() => form.requestSubmit());
    });
  }

  // A long file takes a while: after a second, say that the work goes on, and for how long.
  const note = document.createElement("p");
  let clock;
  document.addEventListener("submit", (event) => {
    const words = event.target.dataset.working;
    if (!words || event.defaultPrevented) return;
    const began = Date.now(), time = document.createElement("span");
    note.className = "notice";
    note.setAttribute("role", "status");
    note.replaceChildren(`${words} `, time);
    clearInterval(clock);
    clock = setInterval(() => {
      time.textContent = `(${Math.round((Date.now() - began) / 1000)} s)`;
      if (!note.isConnected) event.target.append(note);
    }, 1000);
  });
  addEventListener("pageshow", () => { clearInterval(clock); note.remove(); });

  // "h" or the button hides and shows amounts, "/" moves to the search. The cookie is what the server reads.
  // Pages that are open follow: the newest page shows what was chosen last.
  const root = document.documentElement, veils = new BroadcastChannel("subguard-veil");
  const tellVeil = () => veils.postMessage(root.classList.contains("veiled"));
  veils.addEventListener("message", ({ data }) => root.classList.toggle("veiled", data === true));
  if (main) tellVeil();
  const veil = () => {
    const isOn = root.classList.toggle("veiled");
    tellVeil();
    document.cookie =
      `subguard_veil_${location.port || 80}=${isOn ? "on" : "off"}; Path=/; Max-Age=31536000; SameSite=Strict`;
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
