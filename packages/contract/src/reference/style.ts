// The look of the reference page. System fonts, no images; every pair of colours has a contrast of 4.5 or
// more.
export const REFERENCE_STYLE = `
:root {
  --paper: #fdfcfa; --raised: #f4f2ed; --line: #dedad1; --ink: #22262a; --soft: #5a6068; --accent: #0a5f5b;
  --get: #1c5a96; --post: #22693a; --put: #8a4b08; --mark: #fff3cf;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181b; --raised: #1e2226; --line: #343a40; --ink: #e6e4df; --soft: #a5abb2; --accent: #79cbc2;
    --get: #8fc1f2; --post: #8bd3a0; --put: #efb777; --mark: #3d3514;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
a { color: var(--accent); text-underline-offset: .18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--paper); padding: .5rem 1rem; z-index: 1; }
.layout { max-width: 78rem; margin: 0 auto; padding: 0 1.25rem 6rem; }
main { min-width: 0; max-width: 52rem; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.015em; margin: 2.5rem 0 .75rem; }
h2 { font-size: 1.4rem; line-height: 1.3; letter-spacing: -.01em; margin: 4rem 0 1rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; line-height: 1.4; margin: 2.75rem 0 .5rem; }
h4 { font-size: .9rem; margin: 1.5rem 0 .5rem; color: var(--soft); font-weight: 600; }
p, ul, ol { margin: 0 0 1rem; }
li { margin: .25rem 0; }
.lead { font-size: 1.1rem; color: var(--soft); }
.where { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .7rem; font-size: .85rem; color: var(--soft); }
code, pre { font-family: var(--mono); font-size: .86em; }
pre code { font-size: 1em; }
:not(pre) > code { background: var(--raised); border-radius: 4px; padding: .1em .35em; overflow-wrap: anywhere; }
pre {
  background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .9rem 1rem; margin: 0 0 1.25rem;
  overflow-x: auto; line-height: 1.55; tab-size: 2;
}
.call { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; margin: 0 0 .5rem; font-family: var(--mono); font-size: .9rem; }
.call .path { overflow-wrap: anywhere; min-width: 0; }
.method { font-weight: 700; letter-spacing: .03em; }
.GET { color: var(--get); } .POST { color: var(--post); } .PUT, .PATCH, .DELETE { color: var(--put); }
.facts { color: var(--soft); font-size: .92rem; }
.scroll .facts { font-size: 1em; }
.scroll { overflow-x: auto; margin: 0 0 1.25rem; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; line-height: 1.5; }
th, td { text-align: left; vertical-align: top; padding: .5rem .8rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; background: var(--raised); font-size: .82rem; font-weight: 600; color: var(--soft); white-space: nowrap; }
tbody th { font-weight: 400; }
td.word { white-space: nowrap; }
tbody th { min-width: 11rem; }
.scroll th > code { overflow-wrap: normal; }
td.notes { min-width: 16rem; width: 50%; }
th + td.notes:last-child { width: 75%; }
.scroll :not(pre) > code { background: none; padding: 0; }
.codes { font-size: .92rem; line-height: 1.9; margin-bottom: .4rem; }
tr:target { background: var(--mark); }
.contents summary { cursor: pointer; font-weight: 600; padding: .6rem 0; }
.contents ul { list-style: none; margin: 0; padding: 0; }
.contents ul ul { padding-left: .9rem; }
.contents li { margin: 0; }
.contents a { display: block; padding: .22rem 0; color: var(--soft); text-decoration: none; font-size: .9rem; line-height: 1.4; }
.contents .top > a { color: var(--ink); font-weight: 600; padding-top: .5rem; }
.contents a:hover { color: var(--accent); text-decoration: underline; }
@media (max-width: 61.99rem) {
  .contents { margin-top: 1rem; border: 1px solid var(--line); border-radius: 8px; padding: .1rem 1rem; background: var(--raised); }
  .contents[open] { padding-bottom: 1rem; }
  .contents a { padding: .35rem 0; }
  h1 { font-size: 1.7rem; margin-top: 1.75rem; }
}
/* On a phone a row of fields becomes a small block: name, then type and presence, then notes. */
@media (max-width: 40rem) {
  .fields thead { position: absolute; left: -999rem; }
  .fields table, .fields tbody, .fields tr { display: block; }
  .fields tr { padding: .6rem .8rem; border-top: 1px solid var(--line); }
  .fields tr:first-child { border-top: 0; }
  .fields th, .fields td { display: block; border: 0; padding: 0; min-width: 0; width: auto; }
  .fields th > code { font-weight: 600; overflow-wrap: anywhere; }
  .fields td.word { display: inline; color: var(--soft); white-space: normal; }
  .fields td.word + td.word::before { content: ", "; }
}
@media (min-width: 62rem) {
  .layout { display: grid; grid-template-columns: 15.5rem minmax(0, 1fr); gap: 4rem; }
  .side { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2.5rem 0; }
}
/* Beside the text the list is always open. Browsers without this selector keep the little triangle. */
@media (min-width: 62rem) {
  @supports selector(::details-content) {
    .contents summary { display: none; }
    .contents::details-content { content-visibility: visible; display: block; }
  }
}
@media print {
  .side { display: none; }
  .layout { display: block; }
  .scroll, pre { overflow: visible; white-space: pre-wrap; }
}
`
