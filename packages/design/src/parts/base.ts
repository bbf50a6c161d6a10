// What every page begins with, and the parts that payers and work share. Every colour is a role of
// tokens.css.
import { sheet } from '../sheet.ts'

/** Reset, type, small words, focus. */
export const BASE = sheet(`
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 4rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: var(--w-normal) var(--t-md)/var(--lh) var(--sans); font-variant-numeric: tabular-nums; overflow-wrap: break-word; -webkit-font-smoothing: antialiased; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure, fieldset { margin: 0; padding: 0; } fieldset { border: 0; min-width: 0; }
h1, h2, h3, h4 { font-weight: var(--w-strong); line-height: var(--lh-snug); letter-spacing: -.011em; text-wrap: balance; }
h1 { font-size: var(--t-xl); } h2 { font-size: var(--t-lg); } h3, h4 { font-size: var(--t-md); }
ul, ol { list-style: none; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .2em; }
button, input, select, textarea { font: inherit; color: inherit; letter-spacing: inherit; }
button { cursor: pointer; }
svg { display: block; flex: none; }
.i { width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: var(--r-sm); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.soft { color: var(--soft); }
@media (prefers-reduced-motion: reduce) { *, *::before { animation: none !important; transition: none !important; } }
`)

/** Small words for layout, of work screens. */
export const HANDY = sheet(`
.sm { font-size: var(--t-sm); } .xs { font-size: var(--t-xs); } .strong { font-weight: var(--w-strong); } .mono { font-family: var(--mono); font-size: .9em; } .nowrap { white-space: nowrap; }
.skip { position: absolute; left: var(--s-2); top: -4rem; z-index: 50; background: var(--accent); color: var(--on-accent); padding: var(--s-2) var(--s-4); border-radius: var(--r-md); }
.skip:focus { top: var(--s-2); }
.num { text-align: right; white-space: nowrap; } .good-t { color: var(--good); } .care-t { color: var(--care); } .bad-t { color: var(--bad); } .unknown-t { color: var(--unknown); }
.row { display: flex; align-items: center; gap: var(--s-2); flex-wrap: wrap; } .row.apart { justify-content: space-between; } .row.tight { gap: var(--s-1); } .row.top { align-items: flex-start; }
.stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s-3); } .stack.loose { gap: var(--s-6); } .stack > * { min-width: 0; }
.quiet-link { color: inherit; text-decoration: none; } .quiet-link:hover { text-decoration: underline; }
`)

/** Yellow, dashed, always on top. */
export const SANDBOX_BAR = sheet(`
.sandbox-bar { display: flex; align-items: center; gap: var(--s-2) var(--s-4); padding: 0 var(--s-4); min-height: 2.25rem; background: var(--sandbox); color: var(--on-sandbox); font-size: var(--t-sm); border-bottom: 2px dashed var(--on-sandbox); }
.sandbox-bar strong { letter-spacing: .06em; } .sandbox-bar a { color: inherit; font-weight: var(--w-strong); } .sandbox-bar .end { margin-left: auto; display: flex; gap: var(--s-4); align-items: center; }
.sandbox-bar :focus-visible { outline-color: var(--on-sandbox); }
`)

/** The naira carry the weight; sign and kobo step back. */
export const MONEY = sheet(`
.money { white-space: nowrap; font-variant-numeric: tabular-nums; } .money .cur { font-weight: var(--w-normal); color: var(--soft); margin-right: .04em; } .money .kobo { color: var(--soft); font-weight: var(--w-normal); } .money.neg::before { content: "−"; }
.sum { font-size: var(--t-3xl); font-weight: var(--w-strong); letter-spacing: -.032em; line-height: 1.1; } .sum .kobo, .sum .cur { letter-spacing: -.02em; }
`)

/** Shape and word; colour only helps. */
export const STATE = sheet(`
.state { display: inline-flex; align-items: center; gap: .3125rem; font-size: var(--t-xs); font-weight: var(--w-strong); line-height: 1; white-space: nowrap; padding: .25rem .5rem .25rem .3125rem; border-radius: var(--r-sm); background: var(--calm-tint); color: var(--ink); }
.state svg { width: .875rem; height: .875rem; } .state.good { background: var(--good-tint); color: var(--good); } .state.care { background: var(--care-tint); color: var(--care); } .state.bad { background: var(--bad-tint); color: var(--bad); } .state.unknown { background: var(--unknown-tint); color: var(--unknown); } .state.wait { background: var(--tint); color: var(--accent); } .state.off { color: var(--soft); } .state.lg { font-size: var(--t-sm); padding: .375rem .625rem .375rem .4375rem; } .state.lg svg { width: 1rem; height: 1rem; }
.state.bare { background: none; padding: 0; }
`)

/** A sentence that concerns the whole page. */
export const BANNER = sheet(`
.banner { display: flex; gap: var(--s-3); align-items: flex-start; padding: var(--s-3) var(--s-4); border-radius: var(--r-md); background: var(--tint); font-size: var(--t-sm); } .banner > .i { margin-top: .125rem; color: var(--accent); } .banner > div { flex: 1; min-width: 0; } .banner b { font-weight: var(--w-strong); } .banner.care { background: var(--care-tint); } .banner.care > .i, .banner.care b { color: var(--care); } .banner.bad { background: var(--bad-tint); } .banner.bad > .i, .banner.bad b { color: var(--bad); } .banner.unknown { background: var(--unknown-tint); } .banner.unknown > .i, .banner.unknown b { color: var(--unknown); } .banner.good { background: var(--good-tint); } .banner.good > .i, .banner.good b { color: var(--good); } .banner .btn { flex: none; }
`)
