// The look of an invoice: a sheet of paper on a screen, and nothing but the sheet when it is printed. Black on white in every
// colour scheme, because it is a picture of paper. Contrast and sizes as in style.ts.
const SHEET = `
:root { color-scheme: light; --ink: #16211d; --soft: #54605b; --line: #cfd6d3; --accent: #0a5c4a; --good: #17633a; --care: #8a4b08; --bad: #a12622; --wait: #0a5c4a; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: #e9edeb; color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 50rem; margin: 0 auto; padding: .75rem; }
.sandbox { background: #ffd84d; color: #2a2200; padding: .6rem 1rem; text-align: center; font-weight: 600; border-bottom: 3px dashed #2a2200; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem; margin-bottom: .75rem; }
.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; min-width: 44px; padding: .3rem .85rem; font: inherit; font-weight: 600;
  color: var(--accent); background: #fff; border: 1px solid var(--accent); border-radius: 11px; text-decoration: none; cursor: pointer;
}
.button:hover { text-decoration: underline; }
.sheet { background: #fff; border: 1px solid var(--line); border-radius: 4px; padding: 1.25rem; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: flex-start; gap: .75rem; border-bottom: 2px solid var(--ink); padding-bottom: 1rem; }
header > div { flex: 1 1 12rem; min-width: 0; }
h1 { margin: 0; font-size: 1.3rem; line-height: 1.25; letter-spacing: -.01em; }
h2 { margin: 0 0 .3rem; font-size: .9rem; color: var(--soft); font-weight: 600; }
p { margin: 0 0 .3rem; }
.from { font-weight: 600; font-size: 1.1rem; margin: .2rem 0 0; }
.stamp { margin: 0; padding: .2rem .8rem; border: 2px solid currentColor; border-radius: 8px; font-weight: 700; text-transform: uppercase; letter-spacing: .06em; }
.good { color: var(--good); } .care { color: var(--care); } .bad { color: var(--bad); } .wait { color: var(--wait); }
.heads { display: grid; gap: 1rem; padding: 1rem 0; }
dl { margin: 0; }
dl > div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .15rem 0; }
dt { color: var(--soft); } dd { margin: 0 0 0 auto; text-align: right; font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-size: .9rem; color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--line); padding: .4rem 0; }
td { vertical-align: top; padding: .6rem 0; border-bottom: 1px solid var(--line); }
.sum { text-align: right; white-space: nowrap; padding-left: 1rem; font-variant-numeric: tabular-nums; }
.totals { margin: .5rem 0 0 auto; max-width: 20rem; }
.totals > div:last-child { border-top: 2px solid var(--ink); margin-top: .3rem; padding-top: .4rem; font-weight: 700; font-size: 1.15rem; }
.totals > div:last-child dt { color: var(--ink); }
.pay { margin-top: 1.25rem; border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 4px; padding: .9rem 1rem; }
.pay h2 { color: var(--ink); font-size: 1.05rem; }
.account { margin: .5rem 0; }
.account > div { justify-content: flex-start; }
.account dt { flex: 0 0 9rem; } .account dd { margin: 0; text-align: left; font-weight: 700; flex: 1 1 10rem; }
.online { margin: .5rem 0 0; font-size: .92rem; color: var(--soft); }
.note { margin: 1.25rem 0 0; }
a { color: var(--accent); text-underline-offset: .18em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
footer { color: var(--soft); font-size: .88rem; padding: 1rem 0 0; text-align: center; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; margin: 0; }
@media (min-width: 40rem) {
  .sheet { padding: 2.5rem; } .heads { grid-template-columns: 1fr 1fr; gap: 2rem; } h1 { font-size: 1.75rem; }
}
@page { size: A4; margin: 18mm; }
@media print {
  html { font-size: 11pt; }
  body { background: #fff; } main { padding: 0; max-width: none; } .sheet { border: 0; padding: 0; }
  .tools, footer { display: none; } .heads { grid-template-columns: 1fr 1fr; gap: 2rem; } a { color: inherit; text-decoration: none; }
  .pay, tr, .totals { break-inside: avoid; }
  .sandbox { border: 2px dashed #2a2200; margin-bottom: 6mm; print-color-adjust: exact; }
}
`

export const INVOICE_STYLE = SHEET.replace(/\s*\n\s*/g, '\n').trim()
