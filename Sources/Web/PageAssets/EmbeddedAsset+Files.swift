// swift-format-ignore-file
// Made by Scripts/generate from Sources/Web/PageAssets/Assets. Do not edit.

extension EmbeddedAsset {
    package static let baseCSS = EmbeddedAsset(
        stem: "base", suffix: "css",
        sha256: "4e9123dda2a421915a8d6e37d76ff09e19dfd9c82b890f84d7d6f1f2afb38e06",
        text: ##"""
/* What all pages look like: tokens, then parts from small to large. No colour is the only carrier of a meaning. */

:root {
  color-scheme: light dark;
  --page: light-dark(#f7f7f5, #121315);
  --surface: light-dark(#ffffff, #1a1b1e);
  --sunken: light-dark(#f1f1ee, #222327);
  --line: light-dark(#e3e2dd, #2e3035);
  --line-strong: light-dark(#8b8a83, #7b7d84);
  --text: light-dark(#1c1c1a, #ececea);
  --muted: light-dark(#5f5e58, #a3a39d);
  --accent: light-dark(#2b59c3, #9db9ff);
  --accent-text: light-dark(#ffffff, #10131a);
  --accent-soft: light-dark(#e8eefb, #222c45);
  --mark: light-dark(#3f6fd8, #7ea2f5);
  --good: light-dark(#1d6b41, #7fd3a2);
  --good-soft: light-dark(#e3f2e8, #17301f);
  --bad: light-dark(#a5281b, #f59a8d);
  --bad-soft: light-dark(#fbe9e6, #3a1d19);
  --warn: light-dark(#7a5300, #e8c069);
  --warn-soft: light-dark(#fbf1da, #33280f);
  --heat-1: light-dark(#eef3fc, #1b2333);
  --heat-2: light-dark(#d8e4f9, #203050);
  --heat-3: light-dark(#bcd0f4, #264071);
  --heat-4: light-dark(#9ab8ee, #2e5194);
  --heat-5: light-dark(#7ba1e6, #3763b8);
  --radius: 6px;
  --gap: 1rem;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, Consolas, monospace;
}

*, *::before, *::after { box-sizing: border-box; }
html {
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, Cantarell, sans-serif;
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
[hidden] { display: none !important; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font-variant-numeric: tabular-nums;
  overflow-wrap: break-word;
}
h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset { margin: 0; padding: 0; }
fieldset { border: 0; min-width: 0; }
ul { list-style: none; }
h1 { overflow-wrap: anywhere; font-size: 1.375rem; line-height: 1.25; font-weight: 620; letter-spacing: -0.012em; }
h2 { font-size: 1.0625rem; line-height: 1.3; font-weight: 620; letter-spacing: -0.006em; }
h3 { font-size: 0.9375rem; line-height: 1.4; font-weight: 600; }
small { font-size: 0.8125rem; }
code, kbd { font-family: var(--mono); font-size: 0.875em; }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.icon { inline-size: 1.125rem; block-size: 1.125rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.6;
  stroke-linecap: round; stroke-linejoin: round; }
.hint, .muted { color: var(--muted); }
.hint { font-size: 0.8125rem; }
.number { text-align: end; white-space: nowrap; }
.unseen { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }

/* Frame */

.skip { position: absolute; inset-block-start: 0.5rem; inset-inline-start: -100vw; z-index: 2; padding: 0.5rem 0.75rem;
  background: var(--surface); border: 1px solid var(--line-strong); border-radius: var(--radius); }
.skip:focus { inset-inline-start: 0.5rem; }
.bar { display: flex; align-items: center; justify-content: space-between; }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; font-weight: 640; letter-spacing: -0.01em;
  color: var(--text); text-decoration: none; min-block-size: 24px; }
.brand .icon { color: var(--accent); inline-size: 1.375rem; block-size: 1.375rem; }
.languages { display: flex; flex-wrap: wrap; gap: 0.25rem 0.875rem; font-size: 0.8125rem; }
.languages a { color: var(--muted); text-decoration: none; min-block-size: 1.6rem; display: inline-flex;
  align-items: center; }
.languages a:hover { text-decoration: underline; }
.languages a[aria-current] { color: var(--text); font-weight: 600; }
main { padding: 1.75rem clamp(1rem, 3vw, 2.75rem) 4rem; min-inline-size: 0; }
main > * { max-inline-size: 80rem; }
.top { display: flex; flex-wrap: wrap; align-items: flex-end; justify-content: space-between; gap: 0.75rem 1.5rem;
  margin-block-end: 1.25rem; }
.top > div { min-inline-size: 0; }
.top > div:not(.actions) { flex: 1 1 18rem; }
.top p { color: var(--muted); max-inline-size: 75ch; margin-block-start: 0.25rem; text-wrap: pretty; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.section { margin-block-start: 2rem; }
.section > h2 { margin-block-end: 0.625rem; }

/* Buttons and fields */

button, .button, input, select, textarea { font: inherit; color: inherit; }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: 0.375rem;
  min-block-size: 2.125rem; padding: 0.25rem 0.75rem; border: 1px solid var(--line-strong);
  border-radius: var(--radius); background: var(--surface); font-weight: 500; text-decoration: none; cursor: pointer; }
.button { color: var(--text); }
button:hover, .button:hover { background: var(--sunken); }
button:disabled { color: var(--muted); border-color: var(--line); background: none; cursor: default; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--accent-text); }
.primary:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
.danger { color: var(--bad); border-color: currentColor; }
.quiet { border-color: transparent; background: none; color: var(--muted); padding-inline: 0; min-block-size: 1.75rem;
  justify-self: start; font-weight: 500; }
.quiet:hover { background: none; color: var(--text); text-decoration: underline; }
input:not([type="checkbox"], [type="radio"]), select { block-size: 2.25rem; }
input:not([type="checkbox"], [type="radio"]), select, textarea { inline-size: 100%; min-inline-size: 0;
  padding: 0.3125rem 0.625rem; background: var(--surface); border: 1px solid var(--line-strong);
  border-radius: var(--radius); }
textarea { line-height: 1.5; resize: vertical; }
input[type="checkbox"], input[type="radio"] { inline-size: 1.125rem; block-size: 1.125rem; margin: 0;
  accent-color: var(--accent); }
:is(input, select, textarea, fieldset)[aria-invalid="true"] { border-color: var(--bad); border-width: 2px; }
.stack { display: grid; gap: 1rem; }
.stack > .hint + .hint { margin-block-start: -0.75rem; }
.field { display: grid; gap: 0.3125rem; align-content: start; }
.field > label, legend { font-weight: 500; font-size: 0.875rem; }
.fault { color: var(--bad); font-size: 0.875rem; font-weight: 500; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 1rem 1.25rem; }
.whole { grid-column: 1 / -1; }

/* Forms that are made from the contract, lost races */

.form { display: grid; gap: 1.25rem; max-inline-size: 60rem; }
.optional { color: var(--muted); font-weight: 400; }
.choice { display: inline-flex; align-items: center; gap: 0.5rem; min-block-size: 1.6rem; font-size: 0.9375rem; }
.choices { display: flex; flex-wrap: wrap; gap: 0.375rem 1.25rem; margin-block-start: 0.3125rem; }
.notice li { margin-block-start: 0.125rem; }
.versions { padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface);
  display: grid; gap: 0.5rem 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
.versions legend { float: inline-start; inline-size: 100%; grid-column: 1 / -1; }
.version { display: flex; gap: 0.625rem; align-items: flex-start; padding: 0.5rem 0.625rem;
  border: 1px solid var(--line); border-radius: var(--radius); min-inline-size: 0; overflow-wrap: anywhere; }
.version:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
.version > span { display: grid; min-inline-size: 0; }
.version input { flex: none; margin-block-start: 0.1875rem; }
.lines { white-space: pre-line; }
.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 0.625rem 0.75rem; margin-block-end: 1rem; }
.filters :is(button, summary) { min-block-size: 2.25rem; }
.filters:has(> .field > .hint) > :is(button, .button) { align-self: center; }
.filters .field { flex: 0 1 11rem; min-inline-size: min(100%, 8.5rem); }
.filters .field:has([type="date"]) { flex-basis: 10.5rem; min-inline-size: min(100%, 9.75rem); }
.filters .grow { flex: 1 1 11rem; }
.filters:has(.field:nth-of-type(3)) .field:not(.grow, :has(select)) { flex-basis: 9rem; }
.filters .field:not(.grow):has(select) { flex: 0 1 auto; }
.filters .field:not(.grow) select { inline-size: auto; min-inline-size: 100%; max-inline-size: 14rem; }
/* On a narrow screen, filters are behind a button. A browser that cannot show a closed one has it on wide ones too. */
.filters > details[open] { flex: 1 1 100%; }
.filters > details > summary { list-style: none; gap: 0.375rem; }
.filters > details > summary::-webkit-details-marker { display: none; }
.filters > details > div { display: flex; flex-wrap: wrap; align-items: end; gap: 0.625rem 0.75rem;
  padding-block-start: 0.625rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.375rem; margin-block-end: 0.875rem; }
.chips a { display: inline-flex; align-items: center; gap: 0.375rem; min-block-size: 1.875rem; padding: 0 0.75rem;
  border: 1px solid var(--line); border-radius: 999px; background: var(--surface); color: var(--muted);
  text-decoration: none; font-size: 0.875rem; font-weight: 500; }
.chips a:hover { border-color: var(--line-strong); color: var(--text); }
.chips a[aria-current] { background: var(--text); border-color: var(--text); color: var(--page); }

/* Notices */

.notice { padding: 0.625rem 0.875rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--accent);
  border-radius: var(--radius); background: var(--surface); margin-block-end: 1rem; }
/* A page begins there: the ring of a field would look like a fault. */
[data-focus]:focus-visible { outline: 1px solid var(--line-strong); outline-offset: 1px; border-radius: var(--radius); }
.notice.warn { border-inline-start-color: var(--warn); background: var(--warn-soft); }
.notice.bad { border-inline-start-color: var(--bad); background: var(--bad-soft); }
.notice.good { border-inline-start-color: var(--good); }
.empty { padding: 2.5rem 1.25rem; text-align: center; color: var(--muted); border: 1px dashed var(--line-strong);
  border-radius: var(--radius); }
.empty h2 { color: var(--text); margin-block-end: 0.25rem; }
.empty .actions { justify-content: center; margin-block-start: 0.75rem; }

/* Card: sign-in, errors, start page */

.card { max-inline-size: 27rem; margin: clamp(1rem, 12vh, 8rem) auto 2rem; padding: 1.75rem 1.75rem 1.25rem;
  background: var(--surface); border: 1px solid var(--line); border-radius: 10px; display: grid; gap: 1rem; }
.card .lead { color: var(--muted); overflow-wrap: anywhere; }
.card .languages { border-block-start: 1px solid var(--line); padding-block-start: 0.625rem; }
.card button, .card .button { inline-size: 100%; min-block-size: 2.5rem; }
.card .quiet { inline-size: auto; }

/* Figures */

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10.75rem), 1fr)); gap: 0.75rem; }
.section + .tiles { margin-block-start: 1.25rem; }
.tile { display: grid; grid-row: span 5; grid-template-rows: subgrid; gap: 0.125rem; padding: 1rem 1rem 0.75rem;
  background: var(--surface); border: 1px solid var(--line); border-radius: 8px; min-inline-size: 0; }
.tile h2 { font-size: 0.875rem; font-weight: 550; letter-spacing: 0; }
.tile h2 a { color: var(--muted); text-decoration: none; }
.tile h2 a:hover { color: var(--text); text-decoration: underline; }
.value { font-size: 1.75rem; line-height: 1.25; font-weight: 600; letter-spacing: -0.02em; }
.trend { font-size: 0.8125rem; color: var(--muted); }
.trend { display: flex; flex-wrap: wrap; gap: 0 0.5rem; }
.trend strong { font-weight: 600; color: var(--text); }
.tile .line-box { padding-block: 0.5rem 0.25rem; }
.tile .what { align-self: start; }
.what { font-size: 0.8125rem; color: var(--muted); }
.what summary { inline-size: fit-content; min-block-size: 1.6rem; cursor: pointer; }
.what summary:hover { color: var(--text); }
.what p { padding-block: 0.125rem 0.25rem; max-inline-size: 68ch; }
.below { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1.5rem;
  margin-block-start: 0.875rem; color: var(--muted); font-size: 0.8125rem; }
.below details { flex: 1 1 20rem; }

/* Plots */

.panel { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }
.plot { display: block; overflow: visible; }
.plot.ticks-2 { margin-inline-start: 22px; inline-size: calc(100% - 22px); }
.plot.ticks-4 { margin-inline-start: 38px; inline-size: calc(100% - 38px); }
.plot.ticks-6 { margin-inline-start: 52px; inline-size: calc(100% - 52px); }
.plot.ticks-9 { margin-inline-start: 74px; inline-size: calc(100% - 74px); }
.plot .grid { stroke: var(--line); }
.plot .axis { stroke: var(--line-strong); }
.plot text { font-size: 12px; fill: var(--muted); }
.plot .line, .spark .line { fill: none; stroke: var(--mark); stroke-width: 2; stroke-linejoin: round;
  stroke-linecap: round; }
.plot .area { fill: var(--mark); fill-opacity: 0.1; }
.plot .dot { fill: var(--mark); stroke: var(--surface); stroke-width: 1.5; }
.plot .dot.open { fill: var(--surface); stroke: var(--mark); stroke-width: 2; }
.plot .bar:not(.open), .meter .bar { fill: var(--mark); }
.plot .bar.open { stroke: var(--mark); stroke-width: 1.5; }
.plot .hatch { fill: var(--mark); fill-opacity: 0.45; }
.plot .unfinished { fill-opacity: 0.35; }
.plot .cursor { stroke: var(--text); stroke-width: 1; }
.meter { display: block; }
.meter .track { fill: var(--sunken); }
.tip { position: absolute; z-index: 1; pointer-events: none; padding: 0.25rem 0.5rem; border-radius: 4px;
  background: var(--text); color: var(--page); font-size: 0.8125rem; white-space: nowrap; }
.plotted { position: relative; }

/* Tables */

.scroll { position: relative; container-type: inline-size; overflow-x: auto; background: var(--surface);
  border: 1px solid var(--line); border-radius: 8px; }
.scroll:focus-visible { outline-offset: -2px; }
table { inline-size: 100%; border-collapse: collapse; }
caption { text-align: start; padding: 0.625rem 0.875rem; color: var(--muted); font-size: 0.8125rem; }
th, td { padding: 0.5rem 0.875rem; text-align: start; vertical-align: middle;
  border-block-start: 1px solid var(--line); }
thead td { border-block-start: 0; }
thead th { border-block-start: 0; font-size: 0.8125rem; font-weight: 550; color: var(--muted); white-space: nowrap;
  vertical-align: bottom; }
caption:not(.unseen) ~ thead :is(th, td) { border-block-start: 1px solid var(--line); }
th[scope="row"] { font-weight: 550; }
/* A name from a device may be 120 letters without a break. */
tbody th[scope="row"], tbody td :is(a, bdi, code) { overflow-wrap: anywhere; }
tbody th[scope="row"] { min-inline-size: 9rem; }
tbody td:has(> :is(a, bdi)) { min-inline-size: 6rem; }
th.number, td.number { text-align: end; }
tbody tr:hover { background: var(--sunken); }
td > time { white-space: nowrap; }
.place { color: var(--muted); inline-size: 2.5rem; }
.named { display: flex; align-items: center; gap: 0.625rem; min-inline-size: 9rem; }
.logo { inline-size: 1.75rem; block-size: 1.75rem; border-radius: 6px; flex: none; object-fit: contain; }
.letters { inline-size: 1.75rem; block-size: 1.75rem; flex: none; display: block; }
.letters text { fill: #fff; font-size: 12px; font-weight: 650; }
.letters.dark text { fill: #000; }
.values { margin-block-start: 0.75rem; }
.values summary { cursor: pointer; inline-size: fit-content; color: var(--muted); font-size: 0.875rem;
  min-block-size: 1.6rem; }
.values .scroll { max-block-size: 24rem; overflow: auto; margin-block-start: 0.5rem; }
.tally { font-size: 0.8125rem; font-weight: 400; }
td.check { inline-size: 2.75rem; padding-inline-end: 0; }
td.check input { inline-size: 1.6rem; block-size: 1.6rem; vertical-align: middle; }
:is(td, .waits li, dd, p.crumb, .below-table, .card p) > a:not(.button), .tile h2 a { display: inline-flex;
  align-items: center; min-block-size: 24px; min-inline-size: 24px; }
.rowactions { text-align: end; white-space: nowrap; }
.rowactions form { display: inline-block; max-inline-size: 100%; }
.rowactions > * + * { margin-inline-start: 0.25rem; }
.rowactions > a:not(.button) { margin-inline-end: 0.5rem; }
/* Three of them may stand in two lines. */
.rowactions:has(> :nth-child(3)) { white-space: normal; min-inline-size: 15rem; }
.rowactions:has(> :nth-child(3)) > * { margin-block: 0.125rem; }
.rowactions button { min-block-size: 1.875rem; padding-inline: 0.625rem; font-size: 0.875rem; font-weight: 500;
  border-color: var(--line); margin-inline-start: 0.25rem; inline-size: max-content; max-inline-size: 16rem;
  white-space: normal; overflow-wrap: anywhere; display: inline-block; vertical-align: middle; }
.rowactions button:hover, .rowactions button:focus-visible { border-color: var(--line-strong); }
tr:has(input:checked) { background: var(--accent-soft); }
.bulk { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; margin-block-start: 0.875rem;
  padding: 0.875rem 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
/* While rows are selected, what to do with them stays in view, where it leaves room for the rows. */
@media (min-width: 641px) {
  form:has(tbody input:checked) > .bulk { position: sticky; inset-block-end: 0; z-index: 1;
    border-color: var(--line-strong); box-shadow: 0 -4px 12px #0002; }
  html:has(form[data-bulk] tbody input:checked) { scroll-padding-block-end: 12rem; }
}
.bulk legend { float: inline-start; inline-size: 100%; }
.bulk .grow { flex: 1 1 16rem; }
.bulk output:not(:empty)::before { content: " · "; }
.paging { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem;
  margin-block-start: 0.875rem; }
.below a, .actions > a:not(.button) { display: inline-flex; align-items: center; min-block-size: 24px;
  min-inline-size: 24px; }
.titled { display: grid; min-inline-size: 0; line-height: 1.3; }
.titled small { font-weight: 400; }
th[scope="row"] a { display: inline-flex; align-items: center; min-block-size: 24px; color: var(--text);
  text-decoration-color: var(--line-strong); }
th[scope="row"] a:hover { color: var(--accent); text-decoration-color: currentColor; }
.titled small, .facts dd, .diff { overflow-wrap: anywhere; }
.crumb { margin-block-end: 0.5rem; font-size: 0.875rem; }
.crumb a { display: inline-flex; min-block-size: 1.6rem; align-items: center; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) 18rem; gap: 1.5rem; align-items: start; }
.split .fields { grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
.facts { display: grid; gap: 0.5rem; }
.facts dt { color: var(--muted); font-size: 0.8125rem; }
.counts { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem 2rem; }
.counts dt { color: var(--muted); font-size: 0.8125rem; }
.counts dd { font-size: 1.25rem; font-weight: 600; }
.panel.bad { border-inline-start: 4px solid var(--bad); }
.sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 0.875rem 1.5rem; }
.sheet dt { color: var(--muted); font-size: 0.8125rem; }
.sheet dd { overflow-wrap: anywhere; }
.sheet code { font-size: 0.8125rem; }
.breaks { overflow-wrap: anywhere; }
.bullets { display: grid; gap: 0.375rem; list-style: disc; padding-inline-start: 1.25rem; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 1.25rem; border-block-end: 1px solid var(--line);
  margin-block-end: 1rem; }
.tabs a { display: inline-flex; align-items: center; min-block-size: 2.25rem; color: var(--muted);
  text-decoration: none; font-weight: 500; border-block-end: 2px solid transparent; margin-block-end: -1px; }
.tabs a:hover { color: var(--text); border-color: var(--line-strong); }
.tabs a[aria-current] { color: var(--text); border-color: var(--accent); font-weight: 600; }
.under { display: block; font-size: 0.8125rem; font-weight: 400; color: var(--muted); overflow-wrap: anywhere; }
.under .rating { font-weight: 600; }
.factline { display: flex; flex-wrap: wrap; gap: 0.625rem 2rem; margin-block: 0.25rem 1rem; }
.factline dt { color: var(--muted); font-size: 0.8125rem; }
.factline dd { overflow-wrap: anywhere; }
.section > .hint { margin-block-end: 0.5rem; }
.notice form { margin-block-start: 0.375rem; }
.confirm { max-inline-size: 44rem; display: grid; gap: 1rem; overflow-wrap: anywhere; }
.after, .section .panel,
:is(main, .section) > :is(.panel, .scroll, .waits, .actions) + :is(.panel, .empty, .hint, form) {
  margin-block-start: 0.75rem; }

.waits { overflow-wrap: anywhere; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.waits li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.625rem 1rem; }
.waits li + li { border-block-start: 1px solid var(--line); }
.waits li > .amount { margin-inline-start: auto; }

/* Smaller and larger screens, paper, preferences */

@media (max-width: 860px) {
  main { padding-block-start: 1.25rem; }
  .split { grid-template-columns: minmax(0, 1fr); }
}

@media (min-width: 640.02px) {
  @supports selector(::details-content) {
    .filters > details, .filters > details::details-content, .filters > details > div {
      display: contents; content-visibility: visible; }
    .filters > details > summary { display: none; }
  }
}

@media (max-width: 640px) {
  .filters:not(:has(> .field)) > details:not([open]) ~ button { display: none; }
  .plot .wide { display: none; }
  .card { margin: 0.75rem; padding: 1.25rem; }
  th, td { padding: 0.4375rem 0.625rem; }
  .filters .field, .filters .field:has([type="date"]) { flex: 1 1 8.5rem; }
  .filters .field:not(.grow):has(select) { flex: 1 1 8.5rem; }
  .filters .field:not(.grow) select { max-inline-size: 100%; }
  .filters .field:has([type="date"]) { flex-basis: 9.75rem; }
  .filters > .field:has(> select) { flex-basis: 100%; }
}

/* Tables by the room that they have: closer, then rows as cards. */

@container (max-width: 50rem) {
  th, td { padding-inline: 0.5rem; }
  thead th, td > time { white-space: normal; }
  td:has(> time) { min-inline-size: 7rem; }
  .rowactions { white-space: normal; }
  .rowactions button { margin-block: 0.125rem; max-inline-size: 10rem; }
}

@container (max-width: 42rem) {
  /* Rows become blocks, with the heading of its column before each value. */
  .stacked thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .stacked thead td[data-select-all] { display: none; }
  .stacked, .stacked tbody, .stacked caption { display: block; }
  .stacked tbody tr { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem; padding: 0.75rem;
    border-block-start: 1px solid var(--line); }
  .stacked tbody tr:first-child { border-block-start: 0; }
  .stacked tbody td, .stacked tbody th { display: block; padding: 0; border: 0; text-align: start; inline-size: auto; }
  .stacked tbody th { flex: 1 1 60%; }
  .stacked tbody td.rowactions { min-inline-size: 0; }
  .stacked [data-label]::before { content: attr(data-label) " "; color: var(--muted); font-size: 0.8125rem; }
  .rowactions :is(button, .button) { margin: 0.25rem 0.25rem 0 0; min-block-size: 2.125rem; max-inline-size: 100%; }
}

/* Fingers need more room than a pointer. */
@media (pointer: coarse) {
  button, .button, .rowactions :is(button, .button), .chips a, .tabs a,
  .filters :is(button, summary),
  input:not([type="checkbox"], [type="radio"]), select, .choice, summary, .what summary, .values summary,
  .brand, .card :is(button, .button) { min-block-size: 44px; }
  :is(td, .waits li, dd, p.crumb, .below-table, .below, .actions, .card p, .languages) > a:not(.button),
  th[scope="row"] a, h2 > a, .tile h2 a, .below a, .tabs a { min-block-size: 44px; min-inline-size: 44px; }
  h2 > a { display: inline-flex; align-items: center; }
  input:not([type="checkbox"], [type="radio"]), select { block-size: 44px; }
  td.check { inline-size: 3.75rem; }
  td.check input { inline-size: 44px; block-size: 44px; }
  summary { display: list-item; padding-block: 0.6rem; }
}

@media (min-width: 2000px) {
  html { font-size: 1.0625rem; scrollbar-gutter: stable; }
  main > * { max-inline-size: 96rem; }
}

@media (prefers-contrast: more) {
  :root { --line: var(--line-strong); --muted: var(--text); }
}

@media (forced-colors: active) {
  .plot .line, .spark .line, .plot .cursor { stroke: CanvasText; }
  .plot .bar, .meter .bar, .plot .dot { fill: CanvasText; }
}

@media (prefers-reduced-motion: no-preference) {
  a, button, .button { transition: background-color 0.1s, border-color 0.1s; }
}

@media print {
  .filters, .bulk, .rowactions, .check, .paging .actions, .chips, .actions, .top > .button, .skip, .values summary {
    display: none; }
  main { padding: 0; }
  .scroll, .panel, .tile { border-color: #999; overflow: visible; break-inside: avoid; }
  tr { break-inside: avoid; }
}

"""##)

    package static let faviconSVG = EmbeddedAsset(
        stem: "favicon", suffix: "svg",
        sha256: "ffec58cf6b2feac9cbd3a3a1f108de9c90cfaa6ce74ebd17406090506c4d3490",
        text: ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">
  <path fill="#2b59c3" d="M10 1 2.5 4v5.5c0 4.5 3 7.8 7.5 9.5 4.5-1.7 7.5-5 7.5-9.5V4z"/>
  <path fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"
    d="m6.7 10 2.4 2.4 4.4-4.6"/>
</svg>

"""##)
}
