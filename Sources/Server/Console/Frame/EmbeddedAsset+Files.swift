// swift-format-ignore-file
// Made by Scripts/generate from Sources/Server/Console/Assets. Do not edit.

import PageAssets

extension EmbeddedAsset {
    static let consoleCSS = EmbeddedAsset(
        stem: "console", suffix: "css",
        sha256: "3ec5f2b732c3974537867759e2d9038e193dc9fc1e25fe254940ef478fc9aaea",
        text: #"""
/* The console, on top of base.css: frame, then parts. */

/* Frame */

.frame { display: grid; grid-template-columns: 15rem minmax(0, 1fr); min-block-size: 100vh; }
.side { position: sticky; inset-block-start: 0; block-size: 100vh; display: flex; flex-direction: column;
  border-inline-end: 1px solid var(--line); padding: 1.25rem 0.75rem 1rem; }
.side .brand { padding: 0.25rem 0.625rem; }
.menu { display: none; }
/* A popover on narrow screens, and always there on wide ones. */
.nav { display: flex; flex-direction: column; flex: 1; min-block-size: 0; position: static; inset: auto; margin: 0;
  padding: 1.25rem 0 0; inline-size: auto; block-size: auto; border: 0; background: none; color: inherit;
  overflow: auto; }
.nav ul { display: grid; gap: 1px; }
.nav ul + ul { margin-block-start: 0.5rem; padding-block-start: 0.5rem; border-block-start: 1px solid var(--line); }
.find { padding: 2px 0.125rem 0.625rem; }
.nav nav small { margin-inline-start: auto; padding: 0 0.4375rem; border-radius: 999px; background: var(--sunken);
  color: var(--text); font-size: 0.75rem; font-weight: 600; }
.nav nav a { display: flex; align-items: center; gap: 0.625rem; min-block-size: 2rem; padding: 0.1875rem 0.625rem;
  border-radius: var(--radius); color: var(--muted); text-decoration: none; font-weight: 500; }
.nav nav a:hover { background: var(--sunken); color: var(--text); }
.nav nav a[aria-current] { background: var(--accent-soft); color: var(--text); font-weight: 600; }
.nav nav a[aria-current] .icon { color: var(--accent); }
.account { margin-block-start: auto; padding: 1rem 0.625rem 0; display: grid; gap: 0.5rem; }
.who { display: grid; line-height: 1.35; font-weight: 500; }
.who small { color: var(--muted); font-weight: 400; }
.doors { display: grid; gap: 0.5rem; }
.doors a { display: grid; padding: 0.75rem 0.875rem; border: 1px solid var(--line); border-radius: var(--radius);
  text-decoration: none; color: var(--text); line-height: 1.35; }
.doors a:hover { border-color: var(--line-strong); }
.doors span { color: var(--muted); font-size: 0.875rem; }
td.meters { inline-size: 45%; min-inline-size: 7rem; }
th[scope="row"]:has(+ .meters) { min-inline-size: 10.5rem; }
.widgets { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18.5rem), 1fr));
  gap: 1.25rem 0.75rem; margin-block-start: 1.75rem; }
.widgets section { min-inline-size: 0; }
.widgets h2 { margin-block-end: 0.5rem; }
.widgets h2 a { display: inline-flex; min-block-size: 24px; align-items: center; color: var(--text);
  text-decoration-color: var(--line-strong); }
.widgets h2 small { font-weight: 400; }
.widgets .empty { padding-block: 1.5rem; }
.small :is(th, td) { padding: 0.375rem 0.625rem; }
.small th[scope="row"] { min-inline-size: 0; font-weight: 500; }
.small .meter { margin-block-start: 0.125rem; block-size: 0.5rem; }
.small.cohorts td.cell { min-inline-size: 0; padding-inline: 0.25rem; }
.small.cohorts th[scope="row"] { white-space: nowrap; }
.cohorts thead th:not(:first-child, .begins, .number) { text-align: center; }
.cohorts td.cell { text-align: center; border-inline-start: 1px solid var(--line); line-height: 1.25;
  min-inline-size: 7rem; }
.cohorts tbody tr:hover { background: none; }
.scroll:has(.cohorts) { max-block-size: 85vh; }
.cohorts thead th { position: sticky; inset-block-start: 0; z-index: 1; background: var(--surface); }
.cohorts thead th:first-child { z-index: 2; }
.cohorts .total > * { border-block-end: 2px solid var(--line-strong); }
.cell b { display: block; font-weight: 600; }
.cell b small { margin-inline-start: 0.25rem; }
.cell > small { display: block; font-size: 0.75rem; }
.heat-0 { background: var(--surface); }
.heat-1 { background: var(--heat-1); }
.heat-2 { background: var(--heat-2); }
.heat-3 { background: var(--heat-3); }
.heat-4 { background: var(--heat-4); }
.heat-5 { background: var(--heat-5); }
.immature { background: repeating-linear-gradient(135deg, var(--sunken) 0 5px, var(--surface) 5px 10px);
  color: var(--muted); }
.rating { display: inline-block; padding: 0 0.375rem; border-radius: 3px; font-size: 0.75rem; font-weight: 600;
  background: var(--surface); border: 1px solid currentColor; }
.rating.good { color: var(--good); }
.rating.bad { color: var(--bad); }

/* Catalogue */

.logobox { display: grid; place-items: center; min-block-size: 7.5rem; border: 1px solid var(--line);
  border-radius: 8px; background: var(--sunken); padding: 0.75rem; }
.logobox img { inline-size: 6rem; block-size: 6rem; object-fit: contain; }
.logobox .letters { inline-size: 6rem; block-size: 6rem; }
.top .letters, .top .logo { inline-size: 2.25rem; block-size: 2.25rem; }
.drop.over { outline: 2px dashed var(--accent); outline-offset: 4px; }
.drop canvas { inline-size: 6rem; block-size: 6rem; }
input[type="file"] { block-size: auto; padding: 0.25rem; font-size: 0.875rem; }
.adding { display: flex; flex-wrap: wrap; justify-content: end; align-items: end; gap: 0.5rem; text-align: start; }
.adding :is(input, select) { inline-size: auto; max-inline-size: 12rem; }
/* The text for a word that is not on the list. */
@supports selector(:has(a)) {
  .field:not(:has(option[value="+"]:checked)) > .another { display: none; }
}
.names { color: var(--muted); font-size: 0.875rem; overflow-wrap: anywhere; }
.pair { display: grid; gap: 0.5rem; }
.sides { table-layout: fixed; }
.sides :is(tr > :first-child) { inline-size: 22%; }
.sides tr:has(:checked) { background: none; }
.sides td:has(:checked) { background: var(--accent-soft); }
.choice input { flex: none; }
.sides .titled { overflow-wrap: anywhere; }
.rowactions .button { vertical-align: middle; min-block-size: 1.875rem; padding-inline: 0.625rem; font-size: 0.875rem;
  border-color: var(--line); }
.diff { display: grid; gap: 0.25rem; font-size: 0.875rem; }
.diff > div { display: grid; grid-template-columns: minmax(6rem, 9rem) minmax(0, 1fr); gap: 0.5rem; }
.diff dt { color: var(--muted); }
.diff dd > * + * { margin-inline-start: 0.375rem; }
del { color: var(--bad); text-decoration-thickness: 1px; }
ins { color: var(--good); text-decoration: none; font-weight: 550; }

/* Access, audit, operations */

.below-table { margin-block-start: 0.875rem; }
.grants { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0.25rem 1.5rem;
  margin-block-end: 0.75rem; }
.copied { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.copied input { flex: 1 1 16rem; inline-size: auto; font-family: var(--mono); font-size: 0.875rem; }
.race { margin-block-end: 1rem; }
.matrix th[scope="row"] { font-weight: 500; min-inline-size: 11rem; }
/* The permission stays in view while many roles scroll. */
:is(.matrix, .cohorts) :is(th[scope="row"], thead th:first-child) { position: sticky; inset-inline-start: 0; z-index: 1;
  background: var(--surface); box-shadow: inset -1px 0 var(--line); }
.matrix tr:hover th[scope="row"] { background: var(--sunken); }
.matrix th code { display: block; font-weight: 400; font-size: 0.75rem; }
.matrix thead th { vertical-align: top; }
.matrix .grant { text-align: center; min-inline-size: 5.5rem; }
.matrix th.grant small { display: block; font-weight: 400; font-size: 0.75rem; }
.matrix th.grant input:not([type]) { inline-size: auto; min-inline-size: 8rem; font-size: 0.8125rem; }
.matrix .remove { display: flex; align-items: center; justify-content: center; margin-block-start: 0.25rem;
  gap: 0.375rem; min-block-size: 1.75rem; font-weight: 400; }
.matrix td.grant input, .matrix .remove input { inline-size: 1.6rem; block-size: 1.6rem; vertical-align: middle; }
.matrix .fault { white-space: normal; max-inline-size: 10rem; }
.matrix tr:has(:checked) { background: none; }
.matrix tr:hover { background: var(--sunken); }
.settings td, .settings th { vertical-align: top; }
.settings .meaning { font-size: 0.8125rem; max-inline-size: 34rem; min-inline-size: 14rem; }
.settings td.breaks { max-inline-size: 18rem; }
.settings .origin { min-inline-size: 7.5rem; max-inline-size: 12rem; }
.compared td { vertical-align: top; inline-size: 38%; }
.compared tr:not(.changed) { color: var(--muted); }

/* Crashes and alerts */

.crash { min-inline-size: 14rem; overflow-wrap: anywhere; }
.crashes td .under { white-space: nowrap; }
.trends { inline-size: 10rem; min-inline-size: 8rem; }
.trends .spark { display: block; block-size: 1.75rem; }
.report { border: 1px solid var(--line); border-radius: 8px; background: var(--surface); margin-block-start: 0.5rem;
  padding: 0 1rem; }
.report > summary { cursor: pointer; padding-block: 0.625rem; font-weight: 550; overflow-wrap: anywhere; }
.report > summary .muted { font-weight: 400; }
.report > :last-child { margin-block-end: 0.875rem; }
.report h3 { margin-block: 0.75rem 0.125rem; overflow-wrap: anywhere; }
.report .scroll { margin-block: 0.5rem; }
.report pre, .section > pre { margin: 0.375rem 0; padding: 0.75rem; border-radius: var(--radius);
  background: var(--sunken); font: 0.8125rem/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere;
  max-block-size: 24rem; overflow: auto; }
.scroll + form { margin-block-start: 0.75rem; }
.message { overflow-wrap: anywhere; max-inline-size: 80ch; white-space: pre-line; }
.stack-trace td { padding-block: 0.3125rem; overflow-wrap: anywhere; color: var(--muted); }
.stack-trace .own td { color: var(--text); }
.top code { font-size: 0.9375rem; overflow-wrap: anywhere; }
.verdict { font-weight: 600; }
/* A rule is read as a sentence; the labels of its fields are for screen readers. */
.sentence { min-inline-size: 0; display: flex; flex-wrap: wrap; align-items: start; gap: 0.5rem 0.625rem; }
.sentence > span { line-height: 2.25rem; font-weight: 500; }
.sentence .field { display: contents; }
.sentence .field > label { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }
.sentence :is(select, input) { inline-size: auto; max-inline-size: 100%; }
.sentence input { max-inline-size: 7rem; }
.sentence :is(.hint, .fault) { order: 1; flex-basis: 100%; }
.sentence .unit { display: none; margin-inline-start: -0.375rem; }
.sentence:has(option:is([value="crash_free_sessions"], [value="storage_percent"], [value$="s_by"]):checked) .percent,
.sentence:has([value="event_sink_lag_seconds"]:checked):not(:has([value$="s_by"]:checked)) .seconds { display: inline; }
.crossings { margin-block: 0.75rem; max-inline-size: 36rem; }
.plot .marker { stroke: var(--muted); stroke-width: 1; stroke-dasharray: 2 3; }
.plot .marker-name, .plot .limit-name { fill: var(--text); paint-order: stroke; stroke: var(--surface);
  stroke-width: 4px; stroke-linejoin: round; }
.plot .limit { stroke: var(--bad); stroke-width: 1.5; }

/* Smaller and larger screens, paper, preferences */

@media (max-width: 860px) {
  .frame { display: block; }
  .side { position: sticky; block-size: auto; border-inline-end: 0; border-block-end: 1px solid var(--line);
    padding: 0.5rem 0.75rem; background: var(--page); z-index: 1; }
  .side .brand { padding-inline: 0.25rem; }
  .menu { display: inline-flex; }
  .nav { display: none; }
  .nav:popover-open { display: flex; position: fixed; inset: 3.25rem 0.75rem auto; max-block-size: calc(100vh - 4rem);
    padding: 0.75rem; background: var(--surface); border: 1px solid var(--line-strong); border-radius: 8px; }
  .nav nav a { min-block-size: 2.75rem; }
  .account { border-block-start: 1px solid var(--line); margin-block-start: 0.75rem; }
}

@media (max-width: 640px) {
  .cohorts .begins { display: none; }
  .cohorts th[scope="row"] { white-space: nowrap; }
  .cohorts td.cell { min-inline-size: 6rem; }
  .matrix th[scope="row"] { min-inline-size: 8.5rem; }
  .matrix th code { overflow-wrap: anywhere; }
}

@container (max-width: 50rem) {
  .settings .meaning { min-inline-size: 9rem; }
  .settings .origin { min-inline-size: 6rem; }
}

@container (max-width: 42rem) {
  .stacked tbody th.crash { min-inline-size: 0; }
  .stacked tbody td.trends { flex: 1 1 100%; }
  .adding { justify-content: start; }
  .stacked.sides tbody :is(th, td) { flex: 1 1 100%; }
  .stacked tbody td.meters, .stacked tbody td.rowactions { flex: 1 1 100%; inline-size: 100%; }
  .stacked td.breaks, .stacked td.meaning { flex: 1 1 100%; max-inline-size: none; min-inline-size: 0; }
}

@media (pointer: coarse) {
  .matrix td.grant input, .matrix .remove input { inline-size: 44px; block-size: 44px; }
  .nav nav a, .account .quiet, .rowactions .button, .widgets h2 a { min-block-size: 44px; }
}

@media (forced-colors: active) {
  .nav nav a[aria-current] { border: 1px solid CanvasText; }
}

@media print {
  .side { display: none; }
  .frame { display: block; }
}

"""#)

    static let consoleJS = EmbeddedAsset(
        stem: "console", suffix: "js",
        sha256: "792a1135af13cf6af668e1a2ecab5bc328b9619d8ca75aedc2777b5f0c99aaf6",
        text: ##"""
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

"""##)

    static let iconsSVG = EmbeddedAsset(
        stem: "icons", suffix: "svg",
        sha256: "7d93f3f7c1a78ba19958ea231c7d86101eb09805cda02d6c38b0c48296d2a0e9",
        text: #"""
<svg xmlns="http://www.w3.org/2000/svg">
<symbol id="mark" viewBox="0 0 20 20">
  <path d="M10 2 3.5 4.5v5c0 4 2.7 6.9 6.5 8.5 3.8-1.6 6.5-4.5 6.5-8.5v-5z"/><path d="m7 10 2.2 2.2L13.2 8"/></symbol>
<symbol id="menu" viewBox="0 0 20 20"><path d="M3 5.5h14M3 10h14M3 14.5h14"/></symbol>
<symbol id="overview" viewBox="0 0 20 20">
  <rect x="3" y="3" width="6" height="8" rx="1.2"/><rect x="11" y="3" width="6" height="5" rx="1.2"/>
  <rect x="3" y="13" width="6" height="4" rx="1.2"/><rect x="11" y="10" width="6" height="7" rx="1.2"/></symbol>
<symbol id="funnel" viewBox="0 0 20 20"><path d="M3 4h14M5 8.5h10M7 13h6M8.5 17h3"/></symbol>
<symbol id="cohorts" viewBox="0 0 20 20">
  <rect x="3" y="3" width="14" height="14" rx="1.5"/><path d="M3 7.7h14M3 12.3h14M7.7 3v14M12.3 3v14"/></symbol>
<symbol id="ranking" viewBox="0 0 20 20"><path d="M3 5h13M3 10h9M3 15h5"/></symbol>
<symbol id="series" viewBox="0 0 20 20"><path d="M3 3v14h14"/><path d="m6 13 3.5-4 3 2.5L17 6"/></symbol>
<symbol id="events" viewBox="0 0 20 20">
  <path d="M3 17h14M5.5 17v-5M10 17V7M14.5 17v-8"/><circle cx="10" cy="4" r="1"/></symbol>
<symbol id="catalogue" viewBox="0 0 20 20">
  <rect x="3" y="3" width="14" height="5" rx="1.2"/><rect x="3" y="12" width="14" height="5" rx="1.2"/>
  <path d="M6 5.5h.01M6 14.5h.01"/></symbol>
<symbol id="suggestions" viewBox="0 0 20 20"><path d="M3.5 4h13v9h-7l-3.5 3.5V13h-2.5z"/></symbol>
<symbol id="crashes" viewBox="0 0 20 20"><path d="M10 3 2.5 16.5h15z"/><path d="M10 8.5v3.5M10 14.3h.01"/></symbol>
<symbol id="alerts" viewBox="0 0 20 20"><path d="M5 13.5V9a5 5 0 0 1 10 0v4.5l1.5 1.5h-13zM8.5 17.5h3"/></symbol>
<symbol id="accounts" viewBox="0 0 20 20">
  <circle cx="10" cy="6.5" r="3.2"/><path d="M3.5 17c.6-3.6 3.2-5.2 6.5-5.2s5.9 1.6 6.5 5.2"/></symbol>
<symbol id="access" viewBox="0 0 20 20">
  <circle cx="7" cy="13" r="3.5"/><path d="M9.6 10.5 16.5 3.5M13.5 6.5l2 2"/></symbol>
<symbol id="audit" viewBox="0 0 20 20"><path d="M5 2.5h7l3.5 3.5v11.5H5z"/><path d="M8 9h5M8 12h5M8 15h3"/></symbol>
<symbol id="operations" viewBox="0 0 20 20"><path d="M2.5 10.5h3.5l2-6 3.5 11 2-5h4"/></symbol>
</svg>

"""#)
}
