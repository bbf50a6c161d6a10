// The payer's page: the merchant's band with the one amount, and a sheet with one column and one button. On a
// wide screen they stand side by side. 16 px, targets of 44. The roles --brand, --brand-ink, --on-brand-ink
// and --brand-tint come from brand.ts.
import { sheet } from '../sheet.ts'

/** The frame: band, sheet, who is paid, how much, the language. */
export const TILL = sheet(`
html { scroll-padding-bottom: 6rem; }
body { display: flex; flex-direction: column; min-height: 100vh; min-height: 100dvh; font-size: var(--t-lg); background: var(--surface); overflow-wrap: anywhere; --accent: var(--brand-ink); --on-accent: var(--on-brand-ink); --tint: var(--brand-tint); }
.i { width: 1.125rem; height: 1.125rem; }
.till { position: relative; flex: 1; }
.band { position: relative; background: var(--brand); color: #fff; padding: var(--s-3) var(--s-4) 2.25rem; }
.ghost { position: absolute; inset: 0; overflow: hidden; pointer-events: none; }
.ghost::after { content: attr(data-initials) / ""; position: absolute; right: -.06em; bottom: -.3em; font-size: 9.5rem; line-height: 1; font-weight: var(--w-bold); letter-spacing: -.06em; opacity: .07; }
.band-in { position: relative; }
.brand-row { display: flex; align-items: center; gap: var(--s-3); line-height: 1.25; min-height: 2.75rem; padding-right: 7rem; }
.blogo { flex: none; display: grid; place-items: center; width: 2.25rem; height: 2.25rem; border-radius: 9px; background: #fff; color: var(--brand); font-size: var(--t-md); font-weight: var(--w-bold); object-fit: contain; overflow: hidden; }
.ask-line { margin-top: var(--s-3); font-size: var(--t-sm); }
.band .sum { font-size: 2.5rem; }
.band .sum.long { font-size: 1.75rem; }
.band .money { white-space: normal; }
.band .money .cur, .band .money .kobo { color: inherit; opacity: .86; }
.band .for { font-size: var(--t-sm); margin-top: 2px; }
.band .by { display: none; }
.band :focus-visible, .lang > summary:focus-visible { outline-color: #fff; }
.lang { position: absolute; z-index: 4; top: var(--s-3); right: var(--s-2); font-size: var(--t-sm); }
.lang > summary { display: flex; align-items: center; gap: .25rem; min-height: 2.75rem; padding: 0 var(--s-2); color: #fff; font-weight: var(--w-strong); cursor: pointer; list-style: none; border-radius: var(--r-md); }
.lang > summary::-webkit-details-marker { display: none; }
.lang nav { position: absolute; right: 0; min-width: 10rem; padding: var(--s-1); background: var(--raised); border: 1px solid var(--line); border-radius: var(--r-lg); box-shadow: var(--shadow-2); }
.lang nav a { display: flex; align-items: center; min-height: 2.75rem; padding: 0 var(--s-3); border-radius: var(--r-md); color: var(--ink); text-decoration: none; }
.lang nav a:hover { background: var(--calm-tint); }
.lang nav a[aria-current] { color: var(--brand-ink); font-weight: var(--w-strong); }
.sheet { position: relative; background: var(--surface); border-radius: var(--r-xl) var(--r-xl) 0 0; margin-top: -1.25rem; padding: var(--s-4) var(--s-4) var(--s-6); }
.sheet p, .sheet ul, .sheet ol { margin-bottom: var(--s-3); }
.sheet h1 { font-size: 1.125rem; margin: var(--s-4) 0 var(--s-3); text-wrap: pretty; }
.sheet h1.toned { display: flex; align-items: center; gap: .625rem; }
.sheet > :first-child h1, .sheet > h1:first-child { margin-top: 0; }
.sheet ul, .sheet ol { padding-left: 1.3rem; list-style: revert; }
.sheet li { margin: .25rem 0; }
.sign { flex: none; width: 1.75rem; height: 1.75rem; }
.sign path { fill: var(--accent); }
.sign path + path { fill: none; stroke: var(--surface); stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
.sign.good path:first-child { fill: var(--good); } .sign.care path:first-child { fill: var(--care); } .sign.bad path:first-child { fill: var(--bad); } .sign.unknown path:first-child { fill: var(--unknown); }
.end-top { display: grid; justify-items: center; text-align: center; gap: var(--s-2); padding: var(--s-3) 0; }
.end-top h1 { margin: var(--s-1) 0 0; font-size: 1.375rem; }
.end-top p { color: var(--soft); max-width: 24rem; margin: 0; }
.end-top .sign { width: 4rem; height: 4rem; }
.sheet-foot { text-align: center; color: var(--soft); font-size: var(--t-sm); padding-top: var(--s-4); display: grid; gap: var(--s-1); }
.sheet .sheet-foot p { margin: 0; }
.by-s { display: inline-flex; align-items: center; justify-content: center; gap: .375rem; }
.by-s .mark { width: 1rem; height: 1rem; color: #12876a; }
.bare { width: 100%; max-width: 32rem; margin: 0 auto; padding: clamp(2rem, 12vh, 8rem) var(--s-4) var(--s-8); }
.bare .mark { width: 2.25rem; height: 2.25rem; color: var(--brand-ink); margin-bottom: var(--s-4); }
.bare h1 { font-size: 1.5rem; margin-bottom: var(--s-3); letter-spacing: -.018em; }
.bare p { margin-bottom: var(--s-3); }
@media (min-width: 60rem) {
  html { scroll-padding-bottom: 0; }
  .till { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 6fr); }
  .band { padding: 3.5rem 4rem 2.5rem; display: flex; flex-direction: column; justify-content: space-between; }
  .band-in, .band .by { width: 100%; max-width: 25rem; margin-left: auto; }
  .ghost::after { font-size: 24rem; }
  .brand-row { margin-bottom: 4rem; padding-right: 6rem; }
  .blogo { width: 2.75rem; height: 2.75rem; border-radius: 11px; font-size: var(--t-lg); }
  .band .sum { font-size: 3.25rem; } .band .sum.long { font-size: 2rem; }
  .band .for, .ask-line { font-size: var(--t-lg); }
  .band .for { margin-top: var(--s-3); padding-top: var(--s-3); border-top: 1px solid rgb(255 255 255 / .24); }
  .band .by { position: relative; display: flex; gap: var(--s-3); align-items: flex-start; font-size: var(--t-xs); padding-top: var(--s-8); }
  .band .by .mark { width: 1.25rem; height: 1.25rem; }
  .lang { top: 3.5rem; right: calc(54.545% + 3.5rem); }
  .sheet { margin: 0; border-radius: 0; padding: 3.5rem 4rem; }
  .sheet > * { max-width: 27rem; }
  .sheet h1 { font-size: 1.25rem; margin-top: var(--s-6); }
  .by-s { display: none; }
  .sheet-foot { text-align: left; }
  .end-top { justify-items: start; text-align: left; }
}
`)

/** What stands on the sheet: ways, facts with their copy buttons, what is watched, the button, help. */
export const TILL_PARTS = sheet(`
.ways { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 3px; padding: 3px; background: var(--sunken); border-radius: var(--r-lg); }
.ways a { display: flex; align-items: center; justify-content: center; gap: .4rem; min-height: 2.75rem; border-radius: 9px; color: var(--ink); text-decoration: none; font-size: .9375rem; text-align: center; line-height: 1.2; }
.ways a .i { color: var(--soft); }
.ways a[aria-current] { background: var(--raised); color: var(--brand-ink); font-weight: var(--w-strong); box-shadow: var(--shadow-1), 0 0 0 1px var(--line); }
.ways a[aria-current] .i { color: inherit; }
.slip { border: 1px solid var(--line-2); border-radius: var(--r-lg); margin-bottom: var(--s-3); }
.slip > div { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 0 var(--s-3); padding: .4375rem .5rem .4375rem .875rem; border-top: 1px solid var(--line); min-height: 3.25rem; align-content: center; }
.slip > div:first-child { border-top: 0; }
.slip dt { font-size: var(--t-xs); color: var(--soft); grid-column: 1; }
.slip dd { grid-column: 1; font-weight: var(--w-strong); line-height: 1.3; }
.slip dd.do { grid-column: 2; grid-row: 1 / span 2; }
.slip .lead { display: flex; flex-wrap: wrap; justify-content: space-between; gap: var(--s-1) var(--s-3); background: var(--brand-tint); border-radius: 11px 11px 0 0; }
.slip .lead dt { flex: 0 0 100%; margin-bottom: -.25rem; }
.slip .minor { font-size: var(--t-sm); font-weight: var(--w-normal); }
.number { font-size: 1.625rem; line-height: 1.2; letter-spacing: -.01em; white-space: nowrap; user-select: all; -webkit-user-select: all; }
.number span + span { margin-left: .32em; }
.quote { user-select: all; -webkit-user-select: all; }
.btn { min-height: 2.75rem; font-size: .9375rem; text-align: center; transition: none; }
.btn:hover { text-decoration: underline; }
.btn.main, .btn.main:hover { background: var(--brand-ink); border-color: var(--brand-ink); color: var(--on-brand-ink); }
.btn.bad.main, .btn.bad.main:hover { background: var(--bad); border-color: var(--bad); color: var(--surface); }
.btn.big { width: 100%; min-height: 3.25rem; padding: var(--s-1) var(--s-4); font-size: 1.0625rem; border-radius: var(--r-lg); white-space: normal; }
.copy { display: inline-flex; align-items: center; justify-content: center; gap: .4rem; width: auto; min-width: 5.25rem; min-height: 2.75rem; padding: 0 var(--s-3); border: 1px solid var(--line-2); border-radius: var(--r-md); background: var(--surface); color: var(--brand-ink); font-size: .9375rem; font-weight: var(--w-strong); box-shadow: var(--shadow-1); }
.copy:hover { border-color: var(--edge); }
.copy .i { order: -1; }
.copy.done { color: var(--good); }
.copy.done .i { display: none; }
.small { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; min-width: 2.75rem; padding: 0 var(--s-2); font-size: .9375rem; }
.until { display: flex; gap: var(--s-2); align-items: flex-start; font-size: .9375rem; line-height: 1.4; }
.until .i { color: var(--soft); margin-top: .15rem; }
.until .left { display: inline-block; color: var(--care); white-space: nowrap; }
.watch { display: flex; align-items: center; justify-content: space-between; gap: var(--s-2); font-size: .9375rem; line-height: 1.35; color: var(--soft); }
.watch p { display: flex; align-items: center; gap: var(--s-3); margin: 0; }
.watch .small { flex: none; margin-right: calc(var(--s-2) * -1); }
.dot { width: .625rem; height: .625rem; border-radius: 50%; background: var(--brand-ink); flex: none; margin: 0 .25rem; }
@media (prefers-reduced-motion: no-preference) { .dot { animation: breathe 2s ease-in-out infinite; } @keyframes breathe { 50% { opacity: .35; } } }
.stick { position: sticky; bottom: 0; z-index: 2; background: var(--surface); padding: var(--s-2) 0 var(--s-3); }
.sheet .stick p { margin: 0; }
.stick .hint { text-align: center; padding-top: var(--s-1); } .stick .btn.plain { padding: 0 .25rem; font-size: inherit; text-decoration: underline; }
.note { border-left: 4px solid var(--care); background: var(--care-tint); border-radius: var(--r-md); padding: var(--s-3) var(--s-4); margin-bottom: var(--s-4); }
.note.bad { border-color: var(--bad); background: var(--bad-tint); }
.note > :last-child { margin-bottom: 0; }
.note a { color: inherit; }
.helps details { border-top: 1px solid var(--line); } .helps { border-bottom: 1px solid var(--line); margin-bottom: var(--s-3); } .helps details details { margin-left: var(--s-3); }
.helps summary { min-height: 2.75rem; display: flex; align-items: center; justify-content: space-between; gap: var(--s-2); cursor: pointer; font-size: .9375rem; font-weight: var(--w-medium); list-style: none; }
.helps summary::-webkit-details-marker { display: none; }
.helps summary::after { content: "+" / ""; font-size: 1.25rem; line-height: 1; color: var(--soft); padding-right: .25rem; }
.helps [open] > summary::after { content: "−" / ""; }
.helps p, .helps ol { font-size: .9375rem; color: var(--soft); }
.leave { display: flex; flex-wrap: wrap; justify-content: center; }
.leave .small { color: var(--soft); }
.soft { font-size: .9375rem; }
.form { gap: var(--s-4); }
.in-t, .field select { min-height: 3rem; font-size: 1.0625rem; }
.sheet .form p { margin: 0; }
.field > label { font-size: .9375rem; }
.hint { font-size: var(--t-sm); }
.pair { grid-template-columns: 1fr 1fr; gap: var(--s-2) var(--s-3); }
.sheet .form > .wrong { margin-top: calc(-1 * var(--s-2)); }
.pair .wrong { grid-column: 1 / -1; }
.cardno { position: relative; }
.cardno .in-t { padding-right: 8rem; } .cardno:has(svg[hidden]) .in-t { padding-right: 3.5rem; }
.marks { position: absolute; right: .625rem; top: 50%; translate: 0 -50%; display: flex; gap: .25rem; }
.marks svg { width: 2.125rem; height: 1.375rem; border-radius: 3px; background: #fff; box-shadow: 0 0 0 1px var(--line-2); }
.tick { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 .1rem; align-items: center; }
.tick input:not(.switch) { appearance: none; display: grid; place-items: center; width: 44px; height: 44px; margin: 0 0 0 -.65rem; padding: 0; border: 0; background: none; cursor: pointer; }
.tick input::before { content: ""; display: grid; place-items: center; width: 1.375rem; height: 1.375rem; border: 1.5px solid var(--edge); border-radius: 5px; line-height: 1; font-weight: var(--w-bold); }
.tick input:checked::before { content: "✓"; color: var(--on-brand-ink); background: var(--brand-ink); border-color: var(--brand-ink); }
.tick .hint { grid-column: 2; }
.banks { list-style: none; border: 1px solid var(--line-2); border-radius: var(--r-lg); max-height: 24rem; overflow: auto; }
.sheet .banks { padding: 0; list-style: none; }
.sheet .banks li { margin: 0; border-top: 1px solid var(--line); }
.sheet .banks li:first-child { border-top: 0; }
.banks a { display: flex; align-items: center; gap: .5rem; min-height: 3rem; padding: .25rem .875rem; color: var(--ink); text-decoration: none; }
.banks a:hover { background: var(--calm-tint); }
.dial { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--s-3); align-items: center; background: var(--brand-tint); border: 1px solid var(--line-2); border-radius: var(--r-lg); padding: .5rem .5rem .5rem .875rem; margin-bottom: var(--s-3); }
.sheet .dial p { margin: 0; font-weight: var(--w-strong); }
@media (min-width: 60rem) { .stick { position: static; } .leave { justify-content: flex-start; margin-left: calc(var(--s-2) * -1); } .stick .hint { text-align: left; } }
`)

/** The sandbox bar of the payer's page, with the tools that play the bank. */
export const TILL_SANDBOX = sheet(`
.sandbox { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 var(--s-4); padding: 0 var(--s-4); background: var(--sandbox); color: var(--on-sandbox); font-size: var(--t-sm); border-bottom: 2px dashed var(--on-sandbox); }
.sandbox > p { padding: .25rem 0; flex: 1; }
.sandbox p strong:first-child { letter-spacing: .06em; }
.sandbox details[open] { flex-basis: 100%; padding-bottom: var(--s-3); }
.sandbox summary { display: flex; align-items: center; justify-content: flex-end; min-height: 2.75rem; cursor: pointer; font-weight: var(--w-strong); text-decoration: underline; text-underline-offset: .2em; list-style: none; }
.sandbox summary::-webkit-details-marker { display: none; }
.sandbox fieldset { display: flex; flex-wrap: wrap; gap: .5rem; margin-bottom: .75rem; }
.sandbox legend { width: 100%; font-weight: var(--w-strong); padding: 0 0 .3rem; }
.sandbox button { min-height: 2.75rem; padding: .25rem .75rem; font-weight: var(--w-strong); border-radius: var(--r-md); border: 1px solid var(--on-sandbox); background: #fff3; }
.sandbox button:hover { text-decoration: underline; }
.sandbox a { display: inline-flex; align-items: center; min-height: 2.75rem; color: inherit; font-weight: var(--w-strong); }
.sandbox code { font-family: var(--mono); }
.sandbox :focus-visible { outline-color: var(--on-sandbox); }
`)

/** What a printed receipt shows. */
export const TILL_PRINT = sheet(`
@media print {
  .sandbox details, .lang, .ways, .leave, .btn, .copy, .stick, .helps, .ghost { display: none !important; }
  body { background: #fff; color: #000; } .till { display: block; } .band { background: none; color: #000; padding: 0 0 1rem; } .sheet { padding: 0; } .blogo { border: 1px solid; color: #000; }
}
`)
