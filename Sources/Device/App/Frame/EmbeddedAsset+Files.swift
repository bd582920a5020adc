// swift-format-ignore-file
// Made by Scripts/generate from Sources/Device/App/Assets. Do not edit.

import PageAssets

extension EmbeddedAsset {
    static let appCSS = EmbeddedAsset(
        stem: "app", suffix: "css",
        sha256: "ed3085b5f7af872f0bd50031eda72ef900497ec0dca18119490f86491f1eb647",
        text: ##"""
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

/* Above everything, but never above what has the focus. */
.away { position: fixed; z-index: 2; inset-inline: 0; inset-block-end: 0; max-inline-size: 40rem; margin: 0.75rem auto;
  inline-size: calc(100% - 1.5rem); box-shadow: 0 4px 16px rgb(0 0 0 / 0.2); }
html:has(.away:not([hidden])) { scroll-padding-block-end: 7rem; }
html:has(.away:not([hidden])) body { padding-block-end: 7rem; }

.costs { margin-block-end: 0.75rem; min-inline-size: 0; }
.top :is(.annual, .value) { color: var(--text); max-inline-size: none; }
/* Stays below the tabs, while its details fold away. */
.headline { padding-block: 0.375rem; margin-block-end: 0.25rem; background: var(--page); }
@media screen and (min-height: 40rem) {
  /* With sums of several currencies it would take too much of a phone. */
  .headline:not(:has(.annual + .annual)) { position: sticky; inset-block-start: 3.25rem; z-index: 1; }
  html:has(.headline) { scroll-padding-block-start: 13rem; }
}
.assumed :is(input, select) { border-style: dashed; border-color: var(--warn); }
.annual { font-size: clamp(1.5rem, 7vw, 2.75rem); line-height: 1.15; font-weight: 650; letter-spacing: -0.025em;
  overflow-wrap: anywhere; }
.lines, .scopes { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin-block-start: 0.375rem; }

.subscriptions { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
.subscriptions > li:first-child > a { border-start-start-radius: 9px; border-start-end-radius: 9px; }
.subscriptions > li:last-child > a { border-end-start-radius: 9px; border-end-end-radius: 9px; }
.subscriptions:empty { display: none; }
.subscriptions > li + li { border-block-start: 1px solid var(--line); }
.subscriptions > li > a { display: flex; align-items: center; gap: 0.875rem; padding: 0.75rem 1rem; color: var(--text);
  text-decoration: none; }
.subscriptions > li > a:hover { background: var(--sunken); }
.subscriptions > li > a:focus-visible { outline-offset: -2px; }
.subscriptions :is(.letters, .logo) { inline-size: 2.25rem; block-size: 2.25rem; }
/* Most logos are made for a white ground. */
.logo { border-radius: 21%; background: #fff; }
.entry, .price { display: grid; line-height: 1.35; min-inline-size: 0; }
.entry { flex: 1; }
.entry b { font-weight: 600; overflow-wrap: anywhere; }
.price { text-align: end; max-inline-size: 50%; }
.price b { white-space: nowrap; }
.price b { font-weight: 600; }

.scopes a, .price a { display: inline-flex; align-items: center; justify-content: flex-end; gap: 0.375rem;
  min-block-size: 24px; color: inherit; }
.scopes li { display: inline-flex; align-items: center; gap: 0.375rem; flex-wrap: wrap; min-block-size: 24px; }
.badges { display: flex; flex-wrap: wrap; gap: 0.25rem; margin-block-start: 0.125rem; }
.badge { padding: 0 0.5rem; border: 1px solid var(--line-strong); border-radius: 999px; }
.badge.warn { border-color: var(--warn); background: var(--warn-soft); color: var(--warn); font-weight: 550; }
.subscriptions > li:has(> .menu) { position: relative; display: flex; align-items: center; }
.subscriptions > li:has(> .menu) > a { flex: 1; min-inline-size: 0; padding-inline-end: 0.25rem; }
.menu > summary { display: grid; place-items: center; inline-size: 2.25rem; block-size: 2.25rem;
  margin-inline-end: 0.5rem; border-radius: var(--radius); list-style: none; cursor: pointer; color: var(--muted);
  font-weight: 700; }
.menu > summary::-webkit-details-marker { display: none; }
.menu > summary:hover, .menu[open] > summary { background: var(--sunken); color: var(--text); }
.menu > div { position: absolute; z-index: 1; inset-inline-end: 0.5rem; inset-block-start: calc(50% + 1.25rem);
  display: grid; gap: 0.25rem; min-inline-size: 10rem; padding: 0.375rem; background: var(--surface);
  border: 1px solid var(--line-strong); border-radius: 8px; box-shadow: 0 4px 16px rgb(0 0 0 / 0.2); }
.menu :is(button, .button) { justify-content: flex-start; border-color: transparent; inline-size: 100%; }

.charge { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1rem; }
.charge > :is(a, .proposal) { flex: 1 1 18rem; }
.decide { display: flex; flex-wrap: wrap; align-items: start; gap: 0.5rem; padding: 0.5rem 1rem; }
.decide summary { min-block-size: 2.125rem; padding: 0.3125rem 0.25rem; cursor: pointer; color: var(--muted);
  font-weight: 500; }
.decide details li { display: flex; justify-content: space-between; gap: 1rem; padding-inline: 0.25rem; }
.decide details[open] { flex: 1 1 100%; }
.decide, .decide details { min-inline-size: 0; max-inline-size: 100%; }
.paid { display: flex; flex-wrap: wrap; align-items: end; gap: 0.5rem; padding-block-end: 0.5rem; }
.paid .field { flex: 0 1 12rem; }

.proposal { display: flex; align-items: center; gap: 0.875rem; padding: 0.75rem 1rem; }
.proposal input { flex: none; inline-size: 1.6rem; block-size: 1.6rem; }
.proposal:has(:checked) { background: var(--accent-soft); }
/* While something is ticked, what to do with it stays in view. */
form:has(.proposal :checked) > .actions { position: sticky; inset-block-end: 0; z-index: 1; padding-block: 0.625rem;
  background: var(--page); border-block-start: 1px solid var(--line); }
html:has(form .proposal :checked) { scroll-padding-block-end: 5rem; }
/* The first rows of a file, with a choice above each column. */
.sample :is(th, td) { vertical-align: top; padding-inline: 0.5rem; }
.sample th .field { min-inline-size: 9rem; font-weight: 400; }
.sample thead tr { background: none; }
.sample select { font-size: 1rem; font-weight: 400; color: var(--text); }
.sample td { max-inline-size: 16rem; overflow-wrap: anywhere; }
.sample td.amount { font-weight: 400; }
.over { outline: 2px dashed var(--accent); outline-offset: 4px; }

.score { display: flex; align-items: center; gap: 1.25rem; }
.ring { inline-size: 4.5rem; block-size: 4.5rem; flex: none; }
.ring :is(.track, .arc) { fill: none; stroke-width: 8; }
.ring .track { stroke: var(--sunken); }
.ring .arc { stroke: var(--mark); stroke-linecap: round; }
.facts > .button { justify-self: start; }
.facts .button, .actions .button, .crumb { min-inline-size: 0; max-inline-size: 100%; white-space: normal;
  overflow-wrap: anywhere; }
.panel.facts > * { min-inline-size: 0; }
.ring-of { flex: none; }
.ring-of.good .arc { stroke: var(--good); }
.ring-of.fair .arc { stroke: var(--warn); }
.ring-of.poor .arc { stroke: var(--bad); }
/* A name may be as long as people have it. */
.bullets { overflow-wrap: anywhere; }
.marked { background: var(--accent-soft); box-shadow: inset 3px 0 0 var(--accent); }
.edit { margin-block: 0 1rem; }
.edit > summary.button { list-style: none; color: var(--text); }
.edit > form { margin-block-start: 1rem; }
fieldset.proposal { border: 0; margin: 0; min-inline-size: 0; }
fieldset.proposal:has(:checked) { background: none; }
fieldset.proposal .choice { margin-block-start: 0.25rem; }
.more > summary { cursor: pointer; min-block-size: 1.75rem; inline-size: fit-content; color: var(--muted);
  font-weight: 500; }
.more > .fields { margin-block-start: 0.75rem; }
.facts dl { display: grid; grid-template-columns: minmax(0, auto) minmax(7rem, 1fr); gap: 0.25rem 1rem;
  align-items: baseline; }
.facts dd { text-align: end; overflow-wrap: anywhere; min-inline-size: 0; }
.facts h2 { margin-block: 0.75rem 0.25rem; }
.facts > h2:first-child { margin-block-start: 0; }
.facts li { display: flex; justify-content: space-between; gap: 1rem; }
.waits form { flex: none; }
.waits li { align-items: center; }
/* Links beside which no other ones stand close. */
:is(.waits li, .score p, .card p, p.after, p.hint, .counts dt, .top > p) a:not(.button),
a.breaks { display: inline-flex; align-items: center;
  min-block-size: 24px; min-inline-size: 24px; max-inline-size: 100%; overflow-wrap: anywhere; }
.panel.stack { align-content: start; }
.panel.stack button, main:not(.card) form.stack > button { justify-self: start; }
legend { padding: 0; }
fieldset.fields { border: 0; margin: 1rem 0 0; padding: 0; min-inline-size: 0; }
fieldset.fields legend { margin-block-end: 0.375rem; font-weight: 600; }

/* Ticks for equal parts, entries for others. */
.parts { display: grid; gap: 0.5rem; margin-block-start: 0.5rem; }
.parts li { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; min-block-size: 2.25rem; }
.parts :is(span.part, .choice, .whom) { flex: 1 1 8rem; min-inline-size: 0; overflow-wrap: anywhere; }
.parts :is(input.part, .paid-part) { flex: 0 1 9rem; }
.split-form:has(option[value="even"]:checked) .part,
.split-form:not(:has(option[value="even"]:checked)) .parts .choice { display: none; }
.facts .parts li { justify-content: flex-start; }
.receipts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 0.75rem; }
.receipts li { display: grid; gap: 0.5rem; align-content: end; }
.receipt { display: block; inline-size: 100%; max-block-size: 14rem; object-fit: contain; background: var(--sunken); }

/* People: a photo, an emoji or initials beside the name. */
img.letters { object-fit: cover; border-radius: 21%; background: var(--sunken); }
.pictogram { display: contents; }
.pictogram .letters text { font-size: 15px; }
.portrait { display: flex; align-items: center; gap: 1rem; min-inline-size: 0; }
.portrait .letters { inline-size: 4rem; block-size: 4rem; }
.portrait h1 { min-inline-size: 0; overflow-wrap: anywhere; }
.people li { flex-wrap: nowrap; justify-content: flex-start; gap: 0.75rem; }
.members { display: flex; flex-wrap: wrap; gap: 0.375rem 1rem; margin-block: 0.375rem; list-style: none; }
.members li { display: flex; align-items: center; gap: 0.375rem; min-inline-size: 0; overflow-wrap: anywhere; }
.members .letters { inline-size: 1.5rem; block-size: 1.5rem; }

.whole-receipt { display: block; max-inline-size: 100%; block-size: auto; }

.weekdays { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); color: var(--muted); font-size: 0.8125rem;
  padding-inline: 0.375rem; margin-block-end: 0.25rem; }
.month { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); gap: 1px; padding: 1px; list-style: none;
  background: var(--line); border-radius: 8px; overflow: hidden; }
.month > li { min-block-size: 5rem; padding: 0.375rem; background: var(--surface); font-size: 0.8125rem;
  line-height: 1.35; }
.month > .other { background: var(--sunken); }
.month time { color: var(--muted); }
.month [aria-current] time { color: var(--accent); font-weight: 700; }
.month li li { overflow-wrap: anywhere; margin-block-start: 0.25rem; }
.month li a { color: var(--text); display: inline-block; min-block-size: 24px; min-inline-size: 24px; }
.month .deadline { padding-inline-start: 0.375rem; border-inline-start: 3px solid var(--warn); }
td.bars { inline-size: 55%; min-inline-size: 1.5rem; }
.panel :is(th, td) { padding-inline: 0.375rem; }
.panel tr:first-child > * { border-block-start: 0; }

.section > h3 { margin-block: 1.25rem 0.375rem; }
.section > h2 + h3 { margin-block-start: 0; }
.section > h3 + .panel { margin-block-start: 0; }
.more.section + .more.section { margin-block-start: 0.75rem; }
.budget > :first-child { flex: 1 1 10rem; }
.bar-below { flex: 1 1 100%; }
.exceeded .meter .bar { fill: var(--bad); }
.total > :is(th, td) { font-weight: 600; border-block-start: 2px solid var(--line-strong); }

.widget { padding: 0.75rem; }
.widget .annual { font-size: 1.5rem; }
.widget .subscriptions { margin-block-start: 0.5rem; }
.widget .charge { padding: 0.5rem 0.75rem; }
.widget .charge > a { padding: 0; }

/* What a browser has chosen. */
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
.what-and-veil { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; }
button.veil { min-block-size: 1.75rem; padding-inline: 0.5rem; font-size: 0.8125rem; border-color: var(--line); }
:root:not(.veiled) .when-veiled, .veiled .when-shown { display: none; }

/* A shared screen: a button or a key hides amounts. */
.veiled :is(.amount, .done p, .changes li, .proposal small, input[inputmode="decimal"]:not(:focus)) {
  filter: blur(0.45em); user-select: none; }

/* Words of other languages are longer: symbols stand above them. */
@media (max-width: 56rem) {
  .masthead { padding: 0.25rem clamp(0.25rem, 2vw, 1rem); }
  .tabbar { flex: 1; gap: 0; min-inline-size: 0; }
  .tabbar a { flex: 1 1 auto; flex-direction: column; gap: 0.125rem; font-size: 0.75rem; padding: 0.25rem 0.125rem;
    min-inline-size: 0; }
}

@media (max-width: 640px) {
  .masthead { padding: 0.25rem; }
  .masthead .brand { display: none; }
  .decide { padding-block-start: 0; }
  .budget form { order: 1; }
  /* A long amount stands below the name rather than over it. */
  .subscriptions > li > a, .proposal { flex-wrap: wrap; row-gap: 0.25rem; }
  .entry { flex: 1 1 7rem; }
  .price { inline-size: min-content; min-inline-size: 4.5rem; max-inline-size: none; margin-inline-start: auto; }
  /* Facts in words stand beneath. */
  .waits.wide li { flex-wrap: wrap; }
  .waits.wide :is(.entry, .price) { flex: 1 1 100%; inline-size: auto; text-align: start; }
  .panel tbody th[scope="row"] { min-inline-size: 5rem; }
  /* The bar stands below name and amount. */
  .months, .months tbody { display: block; }
  .months tr { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.125rem 0.75rem;
    padding-block: 0.375rem; border-block-start: 1px solid var(--line); }
  .panel .months tr > * { padding: 0; border: 0; min-inline-size: 0; }
  .months td.bars { order: 1; flex: 1 1 100%; inline-size: auto; }
  /* A list of the days on which something happens. */
  .weekdays, .month:not(:has(> li:not(.other, .empty-day))) { display: none; }
  .month { display: block; }
  .month > li { min-block-size: 0; display: flex; gap: 0.75rem; margin-block-end: 1px; }
  .month > :is(.other, .empty-day) { display: none; }
  .month time { flex: none; inline-size: 1.5rem; text-align: end; }
  .month ul { flex: 1; min-inline-size: 0; }
  .month li li { display: flex; justify-content: space-between; gap: 0.25rem 1rem; margin-block: 0 0.25rem; }
  .month .amount { white-space: nowrap; }
}

@container (max-width: 42rem) {
  .sums.stacked tbody th { flex-basis: 100%; }
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
  :root, :root[data-theme] { color-scheme: light; }
  .masthead, .decide, .done form, .crumb, .menu, .away, button.veil { display: none; }
  .currency::details-content { content-visibility: visible; block-size: auto; }
}

@media (pointer: coarse) {
  .tabbar a, .scopes :is(a, li), .price a, .month li a, :is(.more, .decide details) > summary, .edit > summary.button,
  button.veil, a.breaks,
  :is(.waits li, .score p, .card p, p.after, p.hint, .counts dt, .top > p, .actions, .entry) a:not(.button) {
    min-block-size: 44px; min-inline-size: 44px; }
  .menu > summary, .proposal input { inline-size: 44px; block-size: 44px; }
}

"""##)

    static let appJS = EmbeddedAsset(
        stem: "app", suffix: "js",
        sha256: "e3dd217fea4095391b01fa1e9b80d20b2f3cbfcc8fa589d32a177886caee4959",
        text: ##"""
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

"""##)

    static let workerJS = EmbeddedAsset(
        stem: "worker", suffix: "js",
        sha256: "39265774b6083776095bf7553a7e24fb2b0883c4cd0a6f1f8c70d52d681893b3",
        text: #"""
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

"""#)

    static let appiconSVG = EmbeddedAsset(
        stem: "appicon", suffix: "svg",
        sha256: "9e52b7009a9a57b2365e652316b2bfc4943747c3e3e0d1cd61a7bd57549dc603",
        text: ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">
  <rect width="512" height="512" fill="#2b59c3"/>
  <path fill="#fff" d="M256 112 136 160v88c0 72 48 125 120 152 72-27 120-80 120-152v-88z"/>
  <path fill="none" stroke="#2b59c3" stroke-width="30" stroke-linecap="round" stroke-linejoin="round"
    d="m205 252 38 38 70-74"/>
</svg>

"""##)

    static let iconsSVG = EmbeddedAsset(
        stem: "icons", suffix: "svg",
        sha256: "0b8206c09da0ae0b2173e90093dd85a6af618b9cbc29d065df2815d3065e8f07",
        text: #"""
<svg xmlns="http://www.w3.org/2000/svg">
<symbol id="mark" viewBox="0 0 20 20">
  <path d="M10 2 3.5 4.5v5c0 4 2.7 6.9 6.5 8.5 3.8-1.6 6.5-4.5 6.5-8.5v-5z"/><path d="m7 10 2.2 2.2L13.2 8"/></symbol>
<symbol id="subscriptions" viewBox="0 0 20 20">
  <rect x="3" y="3.5" width="14" height="5" rx="1.4"/><rect x="3" y="11.5" width="14" height="5" rx="1.4"/></symbol>
<symbol id="due" viewBox="0 0 20 20"><circle cx="10" cy="10" r="7"/><path d="m6.9 10.2 2.1 2.1 4.2-4.4"/></symbol>
<symbol id="calendar" viewBox="0 0 20 20">
  <rect x="3" y="4" width="14" height="13" rx="1.6"/><path d="M3 8h14M7 2.5v3M13 2.5v3"/></symbol>
<symbol id="together" viewBox="0 0 20 20">
  <circle cx="7" cy="7" r="2.8"/><circle cx="14" cy="8" r="2.2"/>
  <path d="M2.5 16.5c.4-3 2.1-4.6 4.5-4.6s4.1 1.6 4.5 4.6M12.6 12.2c2.6-.5 4.5 1 4.9 3.6"/></symbol>
<symbol id="settings" viewBox="0 0 20 20">
  <path d="M3 6h8M15 6h2M3 14h2M9 14h8"/><circle cx="13" cy="6" r="2"/><circle cx="7" cy="14" r="2"/></symbol>
</svg>

"""#)
}
