// swift-format-ignore-file
// Made by Scripts/generate from Sources/Server/Console/Assets. Do not edit.

extension EmbeddedAsset {
    static let consoleCSS = EmbeddedAsset(
        stem: "console", suffix: "css", hash: "a0b7136efe16895d",
        text: ##"""
/* The console. Tokens first, then the frame, then parts from small to large. No colour is the only carrier of a meaning. */

:root {
  color-scheme: light dark;
  --page: #f7f7f5;
  --surface: #ffffff;
  --sunken: #f1f1ee;
  --line: #e3e2dd;
  --line-strong: #8b8a83;
  --text: #1c1c1a;
  --muted: #5f5e58;
  --accent: #2b59c3;
  --accent-text: #ffffff;
  --accent-soft: #e8eefb;
  --mark: #3f6fd8;
  --good: #1d6b41;
  --good-soft: #e3f2e8;
  --bad: #a5281b;
  --bad-soft: #fbe9e6;
  --warn: #7a5300;
  --warn-soft: #fbf1da;
  --heat-1: #eef3fc;
  --heat-2: #d8e4f9;
  --heat-3: #bcd0f4;
  --heat-4: #9ab8ee;
  --heat-5: #7ba1e6;
  --radius: 6px;
  --gap: 1rem;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, Consolas, monospace;
}

@media (prefers-color-scheme: dark) {
  :root {
    --page: #121315;
    --surface: #1a1b1e;
    --sunken: #222327;
    --line: #2e3035;
    --line-strong: #7b7d84;
    --text: #ececea;
    --muted: #a3a39d;
    --accent: #9db9ff;
    --accent-text: #10131a;
    --accent-soft: #222c45;
    --mark: #7ea2f5;
    --good: #7fd3a2;
    --good-soft: #17301f;
    --bad: #f59a8d;
    --bad-soft: #3a1d19;
    --warn: #e8c069;
    --warn-soft: #33280f;
    --heat-1: #1b2333;
    --heat-2: #203050;
    --heat-3: #264071;
    --heat-4: #2e5194;
    --heat-5: #3763b8;
  }
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

.frame { display: grid; grid-template-columns: 15rem minmax(0, 1fr); min-block-size: 100vh; }
.side { position: sticky; inset-block-start: 0; block-size: 100vh; display: flex; flex-direction: column;
  border-inline-end: 1px solid var(--line); padding: 1.25rem 0.75rem 1rem; }
.bar { display: flex; align-items: center; justify-content: space-between; }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; font-weight: 640; letter-spacing: -0.01em;
  color: var(--text); text-decoration: none; }
.side .brand { padding: 0.25rem 0.625rem; }
.brand .icon { color: var(--accent); inline-size: 1.375rem; block-size: 1.375rem; }
.menu { display: none; }

/* A popover on narrow screens, and always there on wide ones. */
.nav { display: flex; flex-direction: column; flex: 1; min-block-size: 0; position: static; inset: auto; margin: 0;
  padding: 1.25rem 0 0; inline-size: auto; block-size: auto; border: 0; background: none; color: inherit;
  overflow: auto; }
.nav ul { display: grid; gap: 2px; }
.nav nav a { display: flex; align-items: center; gap: 0.625rem; min-block-size: 2.125rem; padding: 0.25rem 0.625rem;
  border-radius: var(--radius); color: var(--muted); text-decoration: none; font-weight: 500; }
.nav nav a:hover { background: var(--sunken); color: var(--text); }
.nav nav a[aria-current] { background: var(--accent-soft); color: var(--text); font-weight: 600; }
.nav nav a[aria-current] .icon { color: var(--accent); }

.account { margin-block-start: auto; padding: 1rem 0.625rem 0; display: grid; gap: 0.5rem; }
.who { display: grid; line-height: 1.35; font-weight: 500; }
.who small { color: var(--muted); font-weight: 400; }
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
.top p { color: var(--muted); max-inline-size: 62ch; margin-block-start: 0.25rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
.section { margin-block-start: 2rem; }
.section > h2 { margin-block-end: 0.625rem; }

/* Buttons and fields */

button, .button, input, select, textarea { font: inherit; color: inherit; }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: 0.375rem;
  min-block-size: 2.125rem; padding: 0.25rem 0.75rem; border: 1px solid var(--line-strong); border-radius: var(--radius);
  background: var(--surface); font-weight: 500; text-decoration: none; cursor: pointer; }
.button { color: var(--text); }
button:hover, .button:hover { background: var(--sunken); }
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
.version { display: flex; gap: 0.625rem; align-items: flex-start; padding: 0.5rem 0.625rem; border: 1px solid var(--line);
  border-radius: var(--radius); min-inline-size: 0; overflow-wrap: anywhere; }
.version:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
.version > span { display: grid; min-inline-size: 0; }
.version input { flex: none; margin-block-start: 0.1875rem; }
.lines { white-space: pre-line; }

.filters { display: flex; flex-wrap: wrap; align-items: end; gap: 0.625rem 0.75rem; margin-block-end: 1rem; }
.filters button { min-block-size: 2.25rem; }
.filters .field { flex: 0 1 11rem; min-inline-size: min(100%, 8.5rem); }
.filters .field:has([type="date"]) { flex-basis: 10.5rem; min-inline-size: min(100%, 9.75rem); }
.filters .grow { flex: 1 1 11rem; }
.filters:has(> .field:nth-of-type(4)) > .field:not(.grow, :has(select)) { flex-basis: 9rem; }
.filters > .field:not(.grow):has(select) { flex: 0 1 auto; }
.filters .field:not(.grow) select { inline-size: auto; min-inline-size: 100%; max-inline-size: 14rem; }
.chips { display: flex; flex-wrap: wrap; gap: 0.375rem; margin-block-end: 0.875rem; }
.chips a { display: inline-flex; align-items: center; gap: 0.375rem; min-block-size: 1.875rem; padding: 0 0.75rem;
  border: 1px solid var(--line); border-radius: 999px; background: var(--surface); color: var(--muted);
  text-decoration: none; font-size: 0.875rem; font-weight: 500; }
.chips a:hover { border-color: var(--line-strong); color: var(--text); }
.chips a[aria-current] { background: var(--text); border-color: var(--text); color: var(--page); }

/* Notices */

.notice { padding: 0.625rem 0.875rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--accent);
  border-radius: var(--radius); background: var(--surface); margin-block-end: 1rem; }
.notice.warn { border-inline-start-color: var(--warn); background: var(--warn-soft); }
.notice.bad { border-inline-start-color: var(--bad); background: var(--bad-soft); }
.notice.good { border-inline-start-color: var(--good); }
.empty { padding: 2.5rem 1.25rem; text-align: center; color: var(--muted); border: 1px dashed var(--line-strong);
  border-radius: var(--radius); }
.empty h2 { color: var(--text); margin-block-end: 0.25rem; }

/* Card: sign-in, errors, start page */

.card { max-inline-size: 27rem; margin: clamp(1rem, 12vh, 8rem) auto 2rem; padding: 1.75rem 1.75rem 1.25rem;
  background: var(--surface); border: 1px solid var(--line); border-radius: 10px; display: grid; gap: 1rem; }
.card .lead { color: var(--muted); overflow-wrap: anywhere; }
.card .languages { border-block-start: 1px solid var(--line); padding-block-start: 0.625rem; }
.card button, .card .button { inline-size: 100%; min-block-size: 2.5rem; }
.card .quiet { inline-size: auto; }
.doors { display: grid; gap: 0.5rem; }
.doors a { display: grid; padding: 0.75rem 0.875rem; border: 1px solid var(--line); border-radius: var(--radius);
  text-decoration: none; color: var(--text); line-height: 1.35; }
.doors a:hover { border-color: var(--line-strong); }
.doors span { color: var(--muted); font-size: 0.875rem; }

/* Figures */

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 10.75rem), 1fr)); gap: 0.75rem; }
.tile { display: grid; grid-row: span 5; grid-template-rows: subgrid; gap: 0.125rem; padding: 1rem 1rem 0.75rem;
  background: var(--surface); border: 1px solid var(--line); border-radius: 8px; min-inline-size: 0; }
.tile h2 { font-size: 0.875rem; font-weight: 550; letter-spacing: 0; }
.tile h2 a { color: var(--muted); text-decoration: none; }
.tile h2 a:hover { color: var(--text); text-decoration: underline; }
.value { font-size: 1.75rem; line-height: 1.25; font-weight: 600; letter-spacing: -0.02em; }
.trend { font-size: 0.8125rem; color: var(--muted); }
.trend strong { display: block; font-weight: 600; color: var(--text); }
.tile .line-box { padding-block: 0.5rem 0.25rem; }
.tile .what { align-self: start; }
.what { font-size: 0.8125rem; color: var(--muted); }
.what summary { inline-size: fit-content; min-block-size: 1.6rem; cursor: pointer; }
.what summary:hover { color: var(--text); }
.what p { padding-block: 0.125rem 0.25rem; max-inline-size: 68ch; }
.below { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1.5rem; margin-block-start: 0.875rem;
  color: var(--muted); font-size: 0.8125rem; }
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

.scroll { position: relative; overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.scroll:focus-visible { outline-offset: -2px; }
table { inline-size: 100%; border-collapse: collapse; }
caption { text-align: start; padding: 0.625rem 0.875rem; color: var(--muted); font-size: 0.8125rem; }
th, td { padding: 0.5rem 0.875rem; text-align: start; vertical-align: middle; border-block-start: 1px solid var(--line); }
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
td.meters { inline-size: 45%; min-inline-size: 7rem; }
td > time { white-space: nowrap; }
.place { color: var(--muted); inline-size: 2.5rem; }
.named { display: flex; align-items: center; gap: 0.625rem; min-inline-size: 9rem; }
.logo { inline-size: 1.75rem; block-size: 1.75rem; border-radius: 6px; flex: none; object-fit: contain; }
.letters { inline-size: 1.75rem; block-size: 1.75rem; flex: none; display: block; }
.letters text { fill: #fff; font-size: 12px; font-weight: 650; }
.values { margin-block-start: 0.75rem; }
.values summary { cursor: pointer; inline-size: fit-content; color: var(--muted); font-size: 0.875rem;
  min-block-size: 1.6rem; }
.values .scroll { max-block-size: 24rem; overflow: auto; margin-block-start: 0.5rem; }

.cohorts td.cell { text-align: center; border-inline-start: 1px solid var(--line); line-height: 1.25; min-inline-size: 7rem; }
.cohorts tbody tr:hover { background: none; }
.cell b { display: block; font-weight: 600; }
.cell small { display: block; font-size: 0.75rem; }
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

.tally { font-size: 0.8125rem; font-weight: 400; }
td.check { inline-size: 2.75rem; padding-inline-end: 0; }
td.check input { inline-size: 1.6rem; block-size: 1.6rem; vertical-align: middle; }
:is(td, .waits li, dd, p.crumb, .below-table, .card p) > a:not(.button), .tile h2 a { display: inline-flex; align-items: center;
  min-block-size: 24px; min-inline-size: 24px; }
.rowactions { text-align: end; white-space: nowrap; }
.rowactions button { min-block-size: 1.875rem; padding-inline: 0.625rem; font-size: 0.875rem; font-weight: 500;
  border-color: var(--line); margin-inline-start: 0.25rem; max-inline-size: 14rem; overflow: hidden;
  text-overflow: ellipsis; display: inline-block; vertical-align: middle; }
.rowactions button:hover, .rowactions button:focus-visible { border-color: var(--line-strong); }
tr:has(:checked) { background: var(--accent-soft); }
.bulk { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem; margin-block-start: 0.875rem; padding: 0.875rem 1rem;
  border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
.bulk legend { float: inline-start; inline-size: 100%; }
.bulk .grow { flex: 1 1 16rem; }
.bulk output:not(:empty)::before { content: " · "; }
.paging { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem;
  margin-block-start: 0.875rem; }

/* Catalogue */

.below a, .actions > a:not(.button) { display: inline-flex; align-items: center; min-block-size: 24px; min-inline-size: 24px; }

.titled { display: grid; min-inline-size: 0; line-height: 1.3; }
.titled small { font-weight: 400; }
th[scope="row"] a { display: inline-flex; align-items: center; min-block-size: 24px; color: var(--text); text-decoration-color: var(--line-strong); }
th[scope="row"] a:hover { color: var(--accent); text-decoration-color: currentColor; }
.titled small, .facts dd, .diff { overflow-wrap: anywhere; }
.crumb { margin-block-end: 0.5rem; font-size: 0.875rem; }
.crumb a { display: inline-flex; min-block-size: 1.6rem; align-items: center; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) 18rem; gap: 1.5rem; align-items: start; }
.split .fields { grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); }
.facts { display: grid; gap: 0.5rem; }
.facts dt { color: var(--muted); font-size: 0.8125rem; }
.logobox { display: grid; place-items: center; min-block-size: 7.5rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--sunken); padding: 0.75rem; }
.logobox img { inline-size: 6rem; block-size: 6rem; object-fit: contain; }
.logobox .letters { inline-size: 6rem; block-size: 6rem; }
.top .letters, .top .logo { inline-size: 2.25rem; block-size: 2.25rem; }
.drop.over { outline: 2px dashed var(--accent); outline-offset: 4px; }
.drop canvas { inline-size: 6rem; block-size: 6rem; }
input[type="file"] { block-size: auto; padding: 0.25rem; font-size: 0.875rem; }
.names { color: var(--muted); font-size: 0.875rem; overflow-wrap: anywhere; }
.pair { display: grid; gap: 0.5rem; }
.sides { table-layout: fixed; }
.sides :is(tr > :first-child) { inline-size: 22%; }
.sides tr:has(:checked) { background: none; }
.sides td:has(:checked) { background: var(--accent-soft); }
.choice input { flex: none; }
.sides .titled { overflow-wrap: anywhere; }
.counts { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; }
.counts dt { color: var(--muted); font-size: 0.8125rem; }
.counts dd { font-size: 1.25rem; font-weight: 600; }
.panel.bad { border-inline-start: 4px solid var(--bad); }
.rowactions .button { min-block-size: 1.875rem; padding-inline: 0.625rem; font-size: 0.875rem; border-color: var(--line); }
.diff { display: grid; gap: 0.25rem; font-size: 0.875rem; }
.diff > div { display: grid; grid-template-columns: minmax(6rem, 9rem) minmax(0, 1fr); gap: 0.5rem; }
.diff dt { color: var(--muted); }
.diff dd > * + * { margin-inline-start: 0.375rem; }
del { color: var(--bad); text-decoration-thickness: 1px; }
ins { color: var(--good); text-decoration: none; font-weight: 550; }

.waits { overflow-wrap: anywhere; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.waits li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1rem; padding: 0.625rem 1rem; }
.waits li + li { border-block-start: 1px solid var(--line); }

/* Access, audit, operations */

.sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 0.875rem 1.5rem; }
.sheet dt { color: var(--muted); font-size: 0.8125rem; }
.sheet dd { overflow-wrap: anywhere; }
.sheet code { font-size: 0.8125rem; }
.breaks { overflow-wrap: anywhere; }
.below-table { margin-block-start: 0.875rem; }
.bullets { display: grid; gap: 0.375rem; list-style: disc; padding-inline-start: 1.25rem; }
.grants { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0.25rem 1.5rem;
  margin-block-end: 0.75rem; }
.copied { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.copied input { flex: 1 1 16rem; inline-size: auto; font-family: var(--mono); font-size: 0.875rem; }
.race { margin-block-end: 1rem; }
.matrix th[scope="row"] { font-weight: 500; min-inline-size: 11rem; }
/* The permission stays in view while many roles scroll. */
.matrix :is(th[scope="row"], thead th:first-child) { position: sticky; inset-inline-start: 0; z-index: 1;
  background: var(--surface); box-shadow: inset -1px 0 var(--line); }
.matrix tr:hover th[scope="row"] { background: var(--sunken); }
.matrix th code { display: block; font-weight: 400; font-size: 0.75rem; }
.matrix thead th { vertical-align: top; }
.matrix .grant { text-align: center; min-inline-size: 5.5rem; }
.matrix th.grant small { display: block; font-weight: 400; font-size: 0.75rem; }
.matrix th.grant input:not([type]) { inline-size: auto; min-inline-size: 8rem; font-size: 0.8125rem; }
.matrix .remove { display: flex; align-items: center; justify-content: center; margin-block-start: 0.25rem; gap: 0.375rem; min-block-size: 1.75rem; font-weight: 400; }
.matrix td.grant input, .matrix .remove input { inline-size: 1.6rem; block-size: 1.6rem; vertical-align: middle; }
.matrix .fault { white-space: normal; max-inline-size: 10rem; }
.matrix tr:has(:checked) { background: none; }
.matrix tr:hover { background: var(--sunken); }
.settings td, .settings th { vertical-align: top; }
.settings .meaning { font-size: 0.8125rem; max-inline-size: 34rem; min-inline-size: 14rem; }
.settings td.breaks { max-inline-size: 18rem; }
.settings .origin { min-inline-size: 7.5rem; max-inline-size: 12rem; }
.tabs { display: flex; flex-wrap: wrap; gap: 0 1.25rem; border-block-end: 1px solid var(--line); margin-block-end: 1rem; }
.tabs a { display: inline-flex; align-items: center; min-block-size: 2.25rem; color: var(--muted); text-decoration: none;
  font-weight: 500; border-block-end: 2px solid transparent; margin-block-end: -1px; }
.tabs a:hover { color: var(--text); border-color: var(--line-strong); }
.tabs a[aria-current] { color: var(--text); border-color: var(--accent); font-weight: 600; }
.compared td { vertical-align: top; inline-size: 38%; }
.compared tr:not(.changed) { color: var(--muted); }

/* Crashes and alerts */

.under { display: block; font-size: 0.8125rem; font-weight: 400; color: var(--muted); overflow-wrap: anywhere; }
.under .rating { font-weight: 600; }
.crash { min-inline-size: 14rem; overflow-wrap: anywhere; }
.crashes td .under { white-space: nowrap; }
.trends { inline-size: 10rem; min-inline-size: 8rem; }
.trends .spark { display: block; block-size: 1.75rem; }
.factline { display: flex; flex-wrap: wrap; gap: 0.625rem 2rem; margin-block: 0.25rem 1rem; }
.factline dt { color: var(--muted); font-size: 0.8125rem; }
.factline dd { overflow-wrap: anywhere; }
.report { border: 1px solid var(--line); border-radius: 8px; background: var(--surface); margin-block-start: 0.5rem;
  padding: 0 1rem; }
.report > summary { cursor: pointer; padding-block: 0.625rem; font-weight: 550; overflow-wrap: anywhere; }
.report > summary .muted { font-weight: 400; }
.report > :last-child { margin-block-end: 0.875rem; }
.report h3 { margin-block: 0.75rem 0.125rem; overflow-wrap: anywhere; }
.report .scroll { margin-block: 0.5rem; }
.report pre { margin: 0.375rem 0; padding: 0.75rem; border-radius: var(--radius); background: var(--sunken);
  font: 0.8125rem/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; max-block-size: 24rem; overflow: auto; }
.message { overflow-wrap: anywhere; max-inline-size: 80ch; white-space: pre-line; }
.stack-trace td { padding-block: 0.3125rem; overflow-wrap: anywhere; color: var(--muted); }
.stack-trace .own td { color: var(--text); }
.top code { font-size: 0.9375rem; overflow-wrap: anywhere; }
.section > .hint { margin-block-end: 0.5rem; }
.notice form { margin-block-start: 0.375rem; }
.confirm { max-inline-size: 44rem; display: grid; gap: 1rem; overflow-wrap: anywhere; }
.after { margin-block-start: 0.75rem; }
.verdict { font-weight: 600; }
.crossings { margin-block: 0.75rem; max-inline-size: 36rem; }
.section .panel { margin-block-start: 0.75rem; }
.plot .marker { stroke: var(--muted); stroke-width: 1; stroke-dasharray: 2 3; }
.plot .marker-name, .plot .limit-name { fill: var(--text); paint-order: stroke; stroke: var(--surface); stroke-width: 4px;
  stroke-linejoin: round; }
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
  .nav nav a { min-block-size: 2.5rem; }
  .account { border-block-start: 1px solid var(--line); margin-block-start: 0.75rem; }
  main { padding-block-start: 1.25rem; }
  .split { grid-template-columns: minmax(0, 1fr); }
}

@media (max-width: 640px) {
  .plot .wide { display: none; }
  .card { margin: 0.75rem; padding: 1.25rem; }
  th, td { padding: 0.4375rem 0.625rem; }
  .cohorts .begins { display: none; }
  .cohorts th[scope="row"] { white-space: nowrap; }
  .cohorts td.cell { min-inline-size: 6rem; }
  .filters .field, .filters .field:has([type="date"]) { flex: 1 1 8.5rem; }
  .filters > .field:not(.grow):has(select) { flex: 1 1 8.5rem; }
  .filters .field:not(.grow) select { max-inline-size: 100%; }
  .filters .field:has([type="date"]) { flex-basis: 9.75rem; }

  /* Rows become blocks, with the heading of its column before each value. */
  .stacked thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .stacked thead td[data-select-all] { display: none; }
  .stacked, .stacked tbody, .stacked caption { display: block; }
  .stacked tbody tr { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1rem; padding: 0.75rem;
    border-block-start: 1px solid var(--line); }
  .stacked tbody tr:first-child { border-block-start: 0; }
  .stacked tbody td, .stacked tbody th { display: block; padding: 0; border: 0; text-align: start; inline-size: auto; }
  .stacked tbody th { flex: 1 1 60%; }
  .stacked caption { display: block; }
  .stacked tbody th.crash { min-inline-size: 0; }
  .stacked tbody td.trends { flex: 1 1 100%; }
  .stacked.sides tbody :is(th, td) { flex: 1 1 100%; }
  .stacked tbody td.meters, .stacked tbody td.rowactions { flex: 1 1 100%; inline-size: 100%; }
  .stacked [data-label]::before { content: attr(data-label) " "; color: var(--muted); font-size: 0.8125rem; }
  .stacked caption { display: block; }
  .stacked td.breaks, .stacked td.meaning { flex: 1 1 100%; max-inline-size: none; min-inline-size: 0; }
  .rowactions { white-space: normal; }
  .matrix th[scope="row"] { min-inline-size: 8.5rem; }
  .matrix th code { overflow-wrap: anywhere; }
  .rowactions button { margin: 0.25rem 0.25rem 0 0; min-block-size: 2.125rem; max-inline-size: 100%; }
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
  .nav nav a[aria-current] { border: 1px solid CanvasText; }
}

@media (prefers-reduced-motion: no-preference) {
  a, button, .button { transition: background-color 0.1s, border-color 0.1s; }
}

@media print {
  .side, .filters, .bulk, .rowactions, .check, .paging .actions, .chips, .actions, .skip, .values summary { display: none; }
  .frame { display: block; }
  main { padding: 0; }
  .scroll, .panel, .tile { border-color: #999; overflow: visible; break-inside: avoid; }
  tr { break-inside: avoid; }
}

"""##)

    static let consoleJS = EmbeddedAsset(
        stem: "console", suffix: "js", hash: "68d994e6e14790bb",
        text: #"""
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
      // Never while somebody is inside the region or has it open, so that nothing moves under the hands.
      if (isPaused || document.hidden || region.contains(document.activeElement) || region.querySelector("details[open]")) return;
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

  // Lists with checkboxes: how many are selected, and one box for all of them.
  const selection = (form) => {
    // It would press the first button, which decides nothing, and so clear the selection.
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) event.preventDefault();
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
    const rows = [...document.querySelectorAll("main tbody tr")].filter((row) => row.querySelector("th a, a, input, button") && row.offsetParent);
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
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !areOn()) return;
      if (event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
      if (["j", "k", "x"].includes(event.key)) {
        if (step(event.key)) event.preventDefault();
      } else if (event.key === "/") {
        const search = document.querySelector("main input[type=search]");
        const everything = document.querySelector("a[data-search]");
        if (search) { event.preventDefault(); search.focus(); search.select(); }
        else if (everything) { event.preventDefault(); everything.click(); }
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
    const text = () => new URLSearchParams([...new FormData(form)].filter(([, value]) => typeof value === "string")).toString();
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
        const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" }, redirect: "error" });
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
      if (!event.target.closest("input:not([type=file]), textarea") && take(event.clipboardData.files)) event.preventDefault();
    });
  };

  // Passkeys: a form with data-passkey is shown, asks the authenticator when it is sent, and takes its answer along.
  const passkey = (form) => {
    if (!window.PublicKeyCredential) return;
    const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
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
      const answer = await fetch("/console/login/challenge", { method: "POST", redirect: "error" });
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

  refresh();
  for (const form of document.querySelectorAll("form[data-passkey]")) passkey(form);
  for (const form of document.querySelectorAll("form[data-drop]")) drop(form);
  document.querySelector("[data-focus]")?.focus();
  for (const form of document.querySelectorAll("form[data-guard]")) guard(form);
  for (const form of document.querySelectorAll("form[data-live]")) live(form);
  for (const box of document.querySelectorAll(".plotted")) cursor(box);
  for (const form of document.querySelectorAll("form[data-bulk]")) selection(form);
  for (const button of document.querySelectorAll("[data-copy]")) copy(button);
  keys();
})();

"""#)

    static let faviconSVG = EmbeddedAsset(
        stem: "favicon", suffix: "svg", hash: "dce03b4f5b6983df",
        text: ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path fill="#2b59c3" d="M10 1 2.5 4v5.5c0 4.5 3 7.8 7.5 9.5 4.5-1.7 7.5-5 7.5-9.5V4z"/><path fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" d="m6.7 10 2.4 2.4 4.4-4.6"/></svg>

"""##)

    static let iconsSVG = EmbeddedAsset(
        stem: "icons", suffix: "svg", hash: "89f445a188bdce00",
        text: #"""
<svg xmlns="http://www.w3.org/2000/svg">
<symbol id="mark" viewBox="0 0 20 20"><path d="M10 2 3.5 4.5v5c0 4 2.7 6.9 6.5 8.5 3.8-1.6 6.5-4.5 6.5-8.5v-5z"/><path d="m7 10 2.2 2.2L13.2 8"/></symbol>
<symbol id="menu" viewBox="0 0 20 20"><path d="M3 5.5h14M3 10h14M3 14.5h14"/></symbol>
<symbol id="overview" viewBox="0 0 20 20"><rect x="3" y="3" width="6" height="8" rx="1.2"/><rect x="11" y="3" width="6" height="5" rx="1.2"/><rect x="3" y="13" width="6" height="4" rx="1.2"/><rect x="11" y="10" width="6" height="7" rx="1.2"/></symbol>
<symbol id="funnel" viewBox="0 0 20 20"><path d="M3 4h14M5 8.5h10M7 13h6M8.5 17h3"/></symbol>
<symbol id="cohorts" viewBox="0 0 20 20"><rect x="3" y="3" width="14" height="14" rx="1.5"/><path d="M3 7.7h14M3 12.3h14M7.7 3v14M12.3 3v14"/></symbol>
<symbol id="ranking" viewBox="0 0 20 20"><path d="M3 5h13M3 10h9M3 15h5"/></symbol>
<symbol id="series" viewBox="0 0 20 20"><path d="M3 3v14h14"/><path d="m6 13 3.5-4 3 2.5L17 6"/></symbol>
<symbol id="catalogue" viewBox="0 0 20 20"><rect x="3" y="3" width="14" height="5" rx="1.2"/><rect x="3" y="12" width="14" height="5" rx="1.2"/><path d="M6 5.5h.01M6 14.5h.01"/></symbol>
<symbol id="suggestions" viewBox="0 0 20 20"><path d="M3.5 4h13v9h-7l-3.5 3.5V13h-2.5z"/></symbol>
<symbol id="crashes" viewBox="0 0 20 20"><path d="M10 3 2.5 16.5h15z"/><path d="M10 8.5v3.5M10 14.3h.01"/></symbol>
<symbol id="alerts" viewBox="0 0 20 20"><path d="M5 13.5V9a5 5 0 0 1 10 0v4.5l1.5 1.5h-13zM8.5 17.5h3"/></symbol>
<symbol id="access" viewBox="0 0 20 20"><circle cx="7" cy="13" r="3.5"/><path d="M9.6 10.5 16.5 3.5M13.5 6.5l2 2"/></symbol>
<symbol id="audit" viewBox="0 0 20 20"><path d="M5 2.5h7l3.5 3.5v11.5H5z"/><path d="M8 9h5M8 12h5M8 15h3"/></symbol>
<symbol id="operations" viewBox="0 0 20 20"><path d="M2.5 10.5h3.5l2-6 3.5 11 2-5h4"/></symbol>
</svg>

"""#)
}
