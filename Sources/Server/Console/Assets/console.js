// The console without this file has every function. It adds: a refresh every minute, a cursor in plots,
// keys, a guard for unsaved changes, images by drag and paste, live previews, passkeys.
(() => {
  "use strict";

  // Pages mark the region that changes with data-refresh (seconds); data-pause and data-resume name the button.
  const refresh = () => {
    const region = document.querySelector("[data-refresh]");
    if (!region) return;
    const button = document.createElement("button");
    button.type = "button";
    // The choice is kept in this browser, for all pages.
    const name = "subguard-pause";
    let isPaused = false;
    try { isPaused = localStorage.getItem(name) === "on"; } catch { /* Nothing can be stored. */ }
    const show = () => {
      button.textContent = isPaused ? region.dataset.resume : region.dataset.pause;
      button.setAttribute("aria-pressed", String(isPaused));
    };
    button.addEventListener("click", () => {
      isPaused = !isPaused;
      try { localStorage.setItem(name, isPaused ? "on" : "off"); } catch { /* It holds for this page. */ }
      show();
    });
    show();
    document.querySelector("[data-refresh-button]")?.append(button);
    const seconds = Number(region.dataset.refresh);
    setInterval(async () => {
      // Never while the region is used or open, so that nothing moves under the hands.
      if (isPaused || document.hidden) return;
      if (region.contains(document.activeElement) || region.querySelector("details[open]")) return;
      try {
        const answer = await fetch(location.href, { headers: { Accept: "text/html" }, redirect: "error" });
        if (!answer.ok) return;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.querySelector("[data-refresh]");
        if (fresh) region.replaceChildren(...fresh.childNodes);
      } catch { /* The next minute tries again. */ }
    }, seconds * 1000);
  };

  // A plot stands in .plotted beside the table of its values; the cursor shows the row of the nearest point.
  const cursor = (box) => {
    const plot = box.querySelector("svg[data-plot]");
    const rows = [...box.querySelectorAll("tbody tr")];
    if (!plot || rows.length === 0) return;
    const isLine = plot.dataset.plot === "line";
    const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    line.setAttribute("class", "cursor");
    line.setAttribute("y1", "22");
    line.setAttribute("y2", "198");
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.hidden = true;
    box.append(tip);
    let current = -1;
    const show = (index) => {
      current = Math.max(0, Math.min(rows.length - 1, index));
      const share = isLine ? (rows.length === 1 ? 0.5 : current / (rows.length - 1)) : (current + 0.5) / rows.length;
      line.setAttribute("x1", `${share * 100}%`);
      line.setAttribute("x2", `${share * 100}%`);
      if (!line.isConnected) plot.append(line);
      tip.textContent = [...rows[current].cells].map((cell) => cell.textContent).filter(Boolean).join(" · ");
      tip.hidden = false;
      // The plot stands beside its ticks, so it begins further right than the box.
      const { left: edge, width: room } = plot.getBoundingClientRect();
      const middle = edge - box.getBoundingClientRect().left + share * room;
      const left = Math.max(0, Math.min(box.offsetWidth - tip.offsetWidth, middle - tip.offsetWidth / 2));
      tip.style.left = `${left}px`;
      tip.style.top = "0";
    };
    const hide = () => { tip.hidden = true; line.remove(); current = -1; };
    plot.addEventListener("pointermove", (event) => {
      const area = plot.getBoundingClientRect();
      const share = (event.clientX - area.left) / area.width;
      show(isLine ? Math.round(share * (rows.length - 1)) : Math.floor(share * rows.length));
    });
    plot.addEventListener("pointerleave", hide);
  };

  // A decision on one row is sent without leaving the place: the list is replaced, and the row after it has the focus.
  const inPlace = (form) => {
    form.addEventListener("submit", async (event) => {
      const row = event.submitter?.closest("tbody tr");
      if (!row) return;
      event.preventDefault();
      const main = document.querySelector("main");
      const index = [...row.parentElement.rows].indexOf(row);
      const top = row.getBoundingClientRect().top;
      const body = new URLSearchParams(new FormData(form, event.submitter));
      // Also those that stand elsewhere on the page.
      for (const element of form.elements) if (element.type === "submit") element.disabled = true;
      let answer, page;
      try {
        answer = await fetch(form.getAttribute("action"), { method: "POST", body, headers: { Accept: "text/html" } });
        page = new DOMParser().parseFromString(await answer.text(), "text/html");
      } catch { location.reload(); return; }
      const fresh = page.querySelector("main#main");
      if (!fresh || !page.querySelector("#nav")) {
        if (answer.redirected) location.assign(answer.url);
        else location.reload();
        return;
      }
      main.replaceChildren(...fresh.childNodes);
      document.querySelector("#nav nav").replaceWith(page.querySelector("#nav nav"));
      // The address of a form that was refused is none of a page.
      if (answer.redirected) history.replaceState(null, "", answer.url);
      for (const form of document.querySelectorAll("form[data-bulk]")) selection(form);
      for (const form of document.querySelectorAll("form[data-place]")) inPlace(form);
      const rows = [...main.querySelectorAll("form[data-bulk] tbody tr")];
      const next = rows[Math.min(index, rows.length - 1)];
      if (!next) { main.querySelector("[data-focus]")?.focus(); return; }
      next.querySelector("th a")?.focus({ preventScroll: true });
      window.scrollBy(0, next.getBoundingClientRect().top - top);
    });
  };

  // Lists with checkboxes: how many are selected, and one box for all of them.
  const selection = (form) => {
    inPlace(form);
    // It would press the first button, which decides nothing, and so clear the selection.
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input") && event.target.form === form) event.preventDefault();
    });
    const boxes = [...form.querySelectorAll("tbody input[type=checkbox]")];
    const output = form.querySelector("output");
    const place = form.querySelector("[data-select-all]");
    if (!place || boxes.length === 0) return;
    const all = document.createElement("input");
    all.type = "checkbox";
    all.setAttribute("aria-label", place.dataset.selectAll);
    place.append(all);
    const show = () => {
      const count = boxes.filter((box) => box.checked).length;
      all.checked = count === boxes.length;
      all.indeterminate = count > 0 && count < boxes.length;
      const text = count === 1 ? output.dataset.selectedOne : output.dataset.selectedMany;
      output.textContent = count > 0 ? text.replace("%1", String(count)) : "";
    };
    all.addEventListener("change", () => { for (const box of boxes) box.checked = all.checked; show(); });
    for (const box of boxes) box.addEventListener("change", show);
    show();
  };

  // The rows of lists: j and k move to the link or field of the next or previous one, x selects it.
  const step = (key) => {
    const rows = [...document.querySelectorAll("main tbody tr")]
      .filter((row) => row.querySelector("th a, a, input, button") && row.offsetParent);
    const index = rows.findIndex((row) => row.contains(document.activeElement));
    if (key === "x") {
      rows[index]?.querySelector("input[type=checkbox]")?.click();
      return index >= 0;
    }
    const row = index < 0 ? rows[key === "j" ? 0 : rows.length - 1] : rows[index + (key === "j" ? 1 : -1)];
    (row?.querySelector("th a") ?? row?.querySelector("a, input, button"))?.focus();
    row?.scrollIntoView({ block: "nearest" });
    return rows.length > 0;
  };

  // The decisions on the row that has the focus, by the key that each names.
  const decide = (key) => {
    const target = document.activeElement.closest("tbody tr")?.querySelector(`[data-key="${key}"]`);
    target?.click();
    return Boolean(target);
  };

  // The search over everything, which a narrow screen keeps in its menu.
  const find = (event) => {
    const field = document.querySelector("[data-find]");
    if (!field) return;
    event.preventDefault();
    if (!field.offsetParent) document.getElementById("nav").showPopover();
    field.focus();
    field.select();
  };

  // "/" moves to the search of the page, "?" opens the list of keys, where they can be switched off (WCAG 2.1.4).
  const keys = () => {
    const name = "subguard-keys";
    const areOn = () => { try { return localStorage.getItem(name) !== "off"; } catch { return true; } };
    const toggle = document.querySelector("[data-keys-on]");
    if (toggle) {
      const show = () => {
        toggle.textContent = areOn() ? toggle.dataset.keysOn : toggle.dataset.keysOff;
        toggle.setAttribute("aria-pressed", String(areOn()));
      };
      toggle.hidden = false;
      toggle.addEventListener("click", () => {
        try { localStorage.setItem(name, areOn() ? "off" : "on"); } catch { /* Nothing can be stored. */ }
        show();
      });
      show();
    }
    const isApple = /Mac|iP(hone|ad)/.test(navigator.platform);
    const field = document.querySelector("[data-find]");
    if (field) field.placeholder += isApple ? " ⌘K" : " (Ctrl-K)";
    document.addEventListener("keydown", (event) => {
      const isCommand = isApple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (isCommand && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") return find(event);
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !areOn()) return;
      if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
      if (["j", "k", "x"].includes(event.key)) {
        if (step(event.key)) event.preventDefault();
      } else if (["a", "n", "r"].includes(event.key)) {
        // A key that is held down decides one row, not those that follow.
        if (!event.repeat && decide(event.key)) event.preventDefault();
      } else if (event.key === "/") {
        const search = document.querySelector("main input[type=search]");
        if (search) { event.preventDefault(); search.focus(); search.select(); }
        else find(event);
      } else if (event.key === "?") {
        const page = document.querySelector("a[data-keys]");
        if (page) { event.preventDefault(); page.click(); }
      }
    });
  };

  // A button that copies the value of a field.
  const copy = (button) => {
    const field = document.getElementById(button.dataset.copy);
    if (!field || !navigator.clipboard) return;
    button.hidden = false;
    button.addEventListener("click", async () => {
      try { await navigator.clipboard.writeText(field.value); } catch { field.select(); return; }
      button.textContent = button.dataset.done;
    });
    field.addEventListener("focus", () => field.select());
  };

  // Forms with data-guard ask before what was typed is lost. The browser has its own words for that.
  const guard = (form) => {
    const text = () =>
      new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string")).toString();
    const before = text();
    let isSent = false;
    form.addEventListener("submit", () => { isSent = true; });
    window.addEventListener("beforeunload", (event) => { if (!isSent && text() !== before) event.preventDefault(); });
  };

  // Forms with data-live name a region that shows what they would do; it follows what is typed.
  const live = (form) => {
    const region = document.getElementById(form.dataset.live);
    let timer, latest = 0;
    const show = async () => {
      const number = ++latest;
      const body = new URLSearchParams(new FormData(form));
      body.set("intent", "preview");
      try {
        const answer = await fetch(form.action,
          { method: "POST", body, headers: { Accept: "text/html" }, redirect: "error" });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById(region.id);
        if (!fresh || number !== latest) return;
        region.replaceChildren(...fresh.childNodes);
        for (const box of region.querySelectorAll(".plotted")) cursor(box);
      } catch { /* The next change tries again. */ }
    };
    form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 400); });
  };

  // Forms with data-drop take an image that is dropped on them or pasted, and show a preview: in a canvas, because the
  // content security policy of the pages allows only images of this server.
  const drop = (form) => {
    const input = form.querySelector("input[type=file]");
    const hint = document.createElement("p");
    hint.className = "hint";
    hint.textContent = form.dataset.drop;
    input.after(hint);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 192;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", form.dataset.preview);
    const show = async () => {
      canvas.remove();
      if (input.multiple || !input.files[0]) return;
      try {
        const image = await createImageBitmap(input.files[0]);
        const scale = Math.min(192 / image.width, 192 / image.height);
        const paint = canvas.getContext("2d");
        paint.clearRect(0, 0, 192, 192);
        paint.drawImage(image, (192 - image.width * scale) / 2, (192 - image.height * scale) / 2,
          image.width * scale, image.height * scale);
        hint.after(canvas);
      } catch { /* No image: the server says so. */ }
    };
    const take = (files) => {
      if (files.length === 0) return false;
      input.files = files;
      show();
      return true;
    };
    input.addEventListener("change", show);
    form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("over"); });
    form.addEventListener("dragleave", () => form.classList.remove("over"));
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      form.classList.remove("over");
      take(event.dataTransfer.files);
    });
    document.addEventListener("paste", (event) => {
      if (event.target.closest("input:not([type=file]), textarea")) return;
      if (take(event.clipboardData.files)) event.preventDefault();
    });
  };

  // Passkeys: a form with data-passkey is shown, asks the authenticator when it is sent, and takes its answer along.
  const passkey = (form) => {
    if (!window.PublicKeyCredential) return;
    const bytes = (text) =>
      Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
    const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer ?? [])))
      .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
    for (const hint of document.querySelectorAll("[data-without-passkeys]")) hint.hidden = true;
    form.hidden = false;
    const kind = form.dataset.passkey;
    if (kind === "name") return;
    const create = async () => {
      const { challenge, party, user, userName, excluded } = form.dataset;
      const { response } = await navigator.credentials.create({ publicKey: {
        challenge: bytes(challenge), rp: { id: party, name: "SubGuard" }, attestation: "none",
        user: { id: bytes(user), name: userName, displayName: userName },
        pubKeyCredParams: [-7, -257].map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "preferred" },
        excludeCredentials: excluded.split(" ").filter(Boolean).map((id) => ({ type: "public-key", id: bytes(id) })),
      } });
      return { client_data: response.clientDataJSON, attestation: response.attestationObject };
    };
    const get = async () => {
      const answer = await fetch(new URL("challenge", form.action), { method: "POST", redirect: "error" });
      const { challenge, party } = await answer.json();
      const { rawId, response } = await navigator.credentials.get({ publicKey: {
        challenge: bytes(challenge), rpId: party, userVerification: "preferred" } });
      return { credential: rawId, client_data: response.clientDataJSON, authenticator_data: response.authenticatorData,
        signature: response.signature, user_handle: response.userHandle };
    };
    const button = form.querySelector("button"), fault = form.querySelector(".fault");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      fault.textContent = "";
      button.disabled = true;
      try {
        const values = await (kind === "create" ? create() : get());
        for (const [name, value] of Object.entries(values)) form.elements[name].value = text(value);
        form.submit();
      } catch {
        // Not in the page from the start: an empty alert beside one that says something.
        fault.setAttribute("role", "alert");
        fault.textContent = form.dataset.failed;
        button.disabled = false;
        button.focus();
      }
    });
  };

  // A double click must not send a form again while its first request runs. A download keeps the page, so not for ever.
  addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "sent";
    setTimeout(() => { delete form.dataset.sent; }, 2000);
  });

  refresh();
  for (const form of document.querySelectorAll("form[data-passkey]")) passkey(form);
  for (const form of document.querySelectorAll("form[data-drop]")) drop(form);
  document.querySelector("[data-focus]")?.focus();
  for (const form of document.querySelectorAll("form[data-guard]")) guard(form);
  for (const form of document.querySelectorAll("form[data-live]")) live(form);
  for (const box of document.querySelectorAll(".plotted")) cursor(box);
  for (const form of document.querySelectorAll("form[data-bulk]")) selection(form);
  for (const form of document.querySelectorAll("form[data-place]")) inPlace(form);
  for (const button of document.querySelectorAll("[data-copy]")) copy(button);
  keys();
})();
