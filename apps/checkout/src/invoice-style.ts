// The look of an invoice: a sheet of paper on a screen, and nothing but the sheet when it is printed. Black
// on white in every colour scheme, because it is a picture of paper. Contrast and sizes as in style.ts.
import { plainBrand } from '@cowrie/contract/kit/brand'
import { brandSheet } from '@cowrie/design/brand'
import { BASE, MONEY, SANDBOX_BAR } from '@cowrie/design/parts/base'
import { BUTTONS } from '@cowrie/design/parts/forms'
import { sheet } from '@cowrie/design/sheet'
import { TOKENS } from '@cowrie/design/tokens'

const PAPER = sheet(`
:root { color-scheme: light; }
body { font-size: var(--t-lg); background: var(--sunken); overflow-wrap: anywhere; --accent: var(--brand-ink); --on-accent: var(--on-brand-ink); }
main { max-width: 50rem; margin: 0 auto; padding: var(--s-3); }
.tools { display: flex; flex-wrap: wrap; gap: var(--s-2); margin-bottom: var(--s-3); }
.btn { min-height: 2.75rem; min-width: 2.75rem; padding: 0 var(--s-4); font-size: .9375rem; }
.btn.main:hover { background: var(--accent); border-color: var(--accent); } .btn:hover { text-decoration: underline; }
.paper { background: #fff; border: 1px solid var(--line); border-top: 6px solid var(--brand); border-radius: var(--r-sm); padding: 1.25rem; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: var(--s-3); }
.from { display: flex; align-items: center; gap: var(--s-3); font-size: 1.125rem; min-width: 0; flex: 1 1 12rem; }
.blogo { flex: none; display: grid; place-items: center; width: 2.75rem; height: 2.75rem; border-radius: 11px; background: var(--brand); color: #fff; font-weight: var(--w-bold); object-fit: contain; }
img.blogo { background: #fff; border: 1px solid var(--line); }
.stamp { padding: .15rem .75rem; border: 2px solid currentColor; border-radius: var(--r-md); font-weight: var(--w-bold); text-transform: uppercase; letter-spacing: .06em; font-size: .9375rem; }
.good { color: var(--good); } .care { color: var(--care); } .bad { color: var(--bad); } .wait { color: var(--accent); }
.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: flex-end; gap: var(--s-3) var(--s-6); padding: var(--s-6) 0 var(--s-4); border-bottom: 2px solid var(--ink); }
h1 { font-size: 1.25rem; letter-spacing: -.018em; }
.lead > span:first-child { display: block; color: var(--soft); font-size: var(--t-sm); }
.lead .sum { font-size: 2rem; }
h2 { font-size: var(--t-sm); color: var(--soft); font-weight: var(--w-medium); margin-bottom: .25rem; }
.heads { display: grid; gap: var(--s-4); padding: var(--s-4) 0; }
dl > div { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; padding: .15rem 0; }
dt { color: var(--soft); } dd { margin: 0 0 0 auto; text-align: right; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-size: var(--t-sm); color: var(--soft); font-weight: var(--w-medium); border-bottom: 1px solid var(--line-2); padding: .4rem 0; }
td { vertical-align: top; padding: .75rem 0; border-bottom: 1px solid var(--line-2); }
.num { text-align: right; white-space: nowrap; padding-left: 1rem; }
.totals { margin: .5rem 0 0 auto; max-width: 20rem; }
.totals > div:last-child { border-top: 2px solid var(--ink); margin-top: .3rem; padding-top: .4rem; font-weight: var(--w-bold); font-size: 1.125rem; }
.totals > div:last-child dt { color: var(--ink); }
.pay { margin-top: 1.5rem; border: 1px solid var(--line-2); border-radius: var(--r-lg); padding: 1rem 1.125rem; }
.pay h2 { color: var(--ink); font-size: var(--t-lg); font-weight: var(--w-strong); }
.account { margin: .75rem 0; }
.account > div { justify-content: flex-start; align-items: baseline; padding: .3rem 0; }
.account dt { flex: 0 0 9rem; font-size: var(--t-md); } .account dd { margin: 0; text-align: left; font-weight: var(--w-strong); flex: 1 1 10rem; }
.number { font-size: 1.375rem; line-height: 1.2; white-space: nowrap; user-select: all; -webkit-user-select: all; } .number span + span { margin-left: .32em; }
.online { margin: .5rem 0 0; font-size: var(--t-md); color: var(--soft); }
.qr { float: right; margin: 0 0 .5rem 1rem; background: #fff; }
.count { color: var(--soft); font-size: var(--t-md); }
.whose { flex-basis: 100%; color: var(--soft); font-size: var(--t-md); }
.note { margin: 1.25rem 0 0; }
footer { color: var(--soft); font-size: var(--t-sm); padding: 1rem 0 0; text-align: center; }
@media (min-width: 40rem) { .paper { padding: 2.5rem; } .heads { grid-template-columns: 1fr 1fr; gap: 2rem; } h1 { font-size: 1.625rem; } .lead { text-align: right; } .lead .sum { font-size: 2.5rem; } }
@page { size: A4; margin: 18mm; }
@media print {
  html { font-size: 11pt; }
  body { background: #fff; } main { padding: 0; max-width: none; } .paper { border: 0; padding: 0; }
  .tools, footer { display: none; } .heads { grid-template-columns: 1fr 1fr; gap: 2rem; } a { color: inherit; text-decoration: none; }
  .pay, tr, .totals { break-inside: avoid; } .blogo { print-color-adjust: exact; }
  .sandbox-bar { display: flex !important; border: 2px dashed #2a2200; margin-bottom: 6mm; print-color-adjust: exact; }
}
`)

export const INVOICE_STYLE = [TOKENS, brandSheet(plainBrand('')), BASE, MONEY, SANDBOX_BAR, BUTTONS, PAPER].join('\n')
