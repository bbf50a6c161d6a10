// The look of the pages that payers see: one column for a cheap phone, system fonts, no images. Every pair of colours
// has a contrast of 4.5 or more, whatever can be touched is 44 pixels high, and no state is shown by colour alone.
const SHEET = `
:root {
  --paper: #f3f5f4; --card: #fff; --line: #dfe4e2; --edge: #7d8884; --ink: #16211d; --soft: #54605b; --accent: #0a5c4a; --on-accent: #fff;
  --tint: #eaf3f0; --good: #17633a; --care: #8a4b08; --bad: #a12622; --care-tint: #fdf3e4; --bad-tint: #fcedec;
  --sandbox: #ffd84d; --on-sandbox: #2a2200;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0f1413; --card: #191f1d; --line: #333c39; --edge: #84908c; --ink: #e9edeb; --soft: #a6b1ac; --accent: #7fd1bb; --on-accent: #08211a;
    --tint: #1f2b27; --good: #86d6a2; --care: #f0bb7c; --bad: #f4a5a0; --care-tint: #2e2517; --bad-tint: #331f1e;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 28rem; margin: 0 auto; padding: .25rem .75rem 2.5rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 1.25rem; }
header { text-align: center; padding-bottom: 1.1rem; }
.who { margin: 0; font-weight: 600; }
.sum { margin: .1rem 0; font-size: 2.25rem; line-height: 1.2; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.what { margin: 0; color: var(--soft); font-size: .95rem; }
.state { border-top: 1px solid var(--line); padding-top: 1.1rem; }
.ways { display: flex; gap: .25rem; background: var(--tint); border-radius: 12px; padding: .25rem; margin-bottom: 1.1rem; }
.ways + .state { border-top: 0; padding-top: 0; }
.ways a {
  flex: 1; min-height: 44px; display: flex; align-items: center; justify-content: center; border-radius: 9px; padding: .25rem;
  text-decoration: none; color: var(--ink); font-weight: 500; text-align: center;
}
.ways a[aria-current] { background: var(--card); font-weight: 700; color: var(--accent); box-shadow: 0 1px 3px #0003; }
.languages { display: flex; flex-wrap: wrap; justify-content: center; font-size: .9rem; }
.languages a { display: inline-flex; align-items: center; min-height: 44px; min-width: 44px; justify-content: center; padding: 0 .5rem; color: var(--soft); text-decoration: none; }
.languages a:hover { text-decoration: underline; }
.languages a[aria-current] { color: var(--ink); font-weight: 700; }
h1 { display: flex; align-items: center; gap: .6rem; font-size: 1.25rem; line-height: 1.3; margin: 0 0 .6rem; letter-spacing: -.01em; }
h1.good { color: var(--good); } h1.care { color: var(--care); } h1.bad { color: var(--bad); }
.sign { flex: none; width: 2rem; height: 2rem; }
.sign circle { fill: var(--accent); } .sign path { fill: none; stroke: var(--card); stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
.good circle { fill: var(--good); } .care circle { fill: var(--care); } .bad circle { fill: var(--bad); }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; }
p { margin: 0 0 .9rem; }
.soft { color: var(--soft); font-size: .92rem; }
ul, ol { margin: 0 0 1rem; padding-left: 1.3rem; }
li { margin: .4rem 0; }
dl { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 12px; }
dl > div { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 0 .75rem; padding: .55rem .55rem .55rem .9rem; border-top: 1px solid var(--line); min-height: 3.4rem; }
dl > div:first-child { border-top: 0; }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; grid-column: 1; }
dd.do { grid-column: 2; grid-row: 1 / span 2; }
/* The gaps are margins, not spaces, so that a copied number pastes into a bank app as ten digits. */
.number { font-size: 1.45rem; line-height: 1.25; white-space: nowrap; user-select: all; -webkit-user-select: all; }
.number span + span { margin-left: .35em; }
.quote { user-select: all; -webkit-user-select: all; }
.button, .copy, .small {
  display: flex; align-items: center; justify-content: center; min-height: 44px; border: 1px solid transparent; border-radius: 11px;
  cursor: pointer; font: inherit; font-weight: 600; text-align: center; text-decoration: none;
}
.button { width: 100%; min-height: 50px; padding: .6rem 1rem; background: var(--accent); color: var(--on-accent); }
.button:hover, .copy:hover, .small:hover { text-decoration: underline; }
.quiet { background: none; color: var(--accent); border-color: var(--edge); }
.danger { background: var(--bad); color: var(--card); }
.copy { min-width: 4.6rem; padding: 0 .4rem; background: var(--tint); color: var(--accent); font-size: .92rem; }
.copy.done { background: var(--accent); color: var(--on-accent); }
.small { display: inline-flex; padding: 0 .5rem; color: var(--accent); font-size: .95rem; text-decoration: underline; text-underline-offset: .2em; }
.until .left { color: var(--care); white-space: nowrap; font-variant-numeric: tabular-nums; }
.until .left::before { content: "· "; }
.watch { display: flex; align-items: center; justify-content: space-between; gap: 0 .5rem; background: var(--tint); border-radius: 12px; padding: .3rem .5rem .3rem .8rem; margin-bottom: 1rem; }
.watch p { display: flex; align-items: baseline; gap: .6rem; margin: 0; font-size: .95rem; line-height: 1.3; }
.watch .small { padding: 0 .3rem; font-size: .92rem; white-space: nowrap; }
.dot { display: inline-block; width: .6rem; height: .6rem; border-radius: 50%; background: var(--accent); flex: none; }
@media (prefers-reduced-motion: no-preference) {
  .dot { animation: breathe 2s ease-in-out infinite; }
  @keyframes breathe { 50% { opacity: .25; } }
}
.note { border-left: 4px solid var(--care); background: var(--care-tint); border-radius: 8px; padding: .75rem .9rem; margin-bottom: 1rem; }
.note.bad { border-color: var(--bad); background: var(--bad-tint); }
.note > :last-child { margin-bottom: 0; }
.note a { color: inherit; }
details { border-top: 1px solid var(--line); }
details details { margin-left: .5rem; }
.help { margin-bottom: .9rem; border-bottom: 1px solid var(--line); }
summary { min-height: 44px; display: flex; align-items: center; gap: .5rem; cursor: pointer; font-weight: 600; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "+"; width: 1rem; text-align: center; color: var(--accent); font-weight: 700; }
details[open] > summary::before { content: "−"; }
.field { margin-bottom: .9rem; }
.tick { display: grid; grid-template-columns: auto 1fr; gap: 0 .1rem; margin-bottom: .9rem; }
.tick label { align-self: center; }
.tick input { appearance: none; display: grid; place-items: center; width: 44px; height: 44px; min-height: 0; margin: 0 0 0 -.7rem; padding: 0; border: 0; background: none; cursor: pointer; }
.tick input::before { content: ""; display: grid; place-items: center; width: 1.4rem; height: 1.4rem; border: 2px solid var(--edge); border-radius: 6px; line-height: 1; font-weight: 700; }
.tick input:checked::before { content: "✓"; color: var(--on-accent); background: var(--accent); border-color: var(--accent); }
.tick .hint { grid-column: 2; }
label { display: block; font-weight: 600; }
.hint, .wrong { display: block; font-size: .88rem; color: var(--soft); }
.wrong { color: var(--bad); font-weight: 600; }
input, select {
  width: 100%; min-height: 50px; margin-top: .3rem; padding: .5rem .8rem; font: inherit; font-size: 1.1rem; color: inherit;
  background: var(--card); border: 1px solid var(--edge); border-radius: 11px; font-variant-numeric: tabular-nums;
}
input[aria-invalid] { border: 2px solid var(--bad); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 .75rem; align-items: end; }
.brand { float: right; color: var(--accent); }
.banks { list-style: none; padding: 0; border: 1px solid var(--line); border-radius: 12px; max-height: 24rem; overflow: auto; }
.banks li { margin: 0; border-top: 1px solid var(--line); }
.banks li:first-child { border-top: 0; }
.banks a { display: flex; align-items: center; gap: .5rem; min-height: 48px; padding: .3rem .9rem; color: var(--ink); text-decoration: none; font-weight: 500; }
.banks a:hover { background: var(--tint); }
.dial { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: space-between; border: 1px solid var(--line); border-radius: 12px; padding: .6rem .6rem .6rem .9rem; margin-bottom: .9rem; }
.dial p { margin: 0; font-size: .95rem; font-weight: 700; font-variant-numeric: tabular-nums; }
.leave { display: flex; flex-wrap: wrap; justify-content: center; margin: .4rem 0 0; }
.leave .small { font-weight: 500; font-size: .92rem; color: var(--soft); }
.card > :last-child, .state > :last-child { margin-bottom: 0; }
.state + p, .state + div { margin-top: 1.1rem; }
a { color: var(--accent); text-underline-offset: .18em; }
a.button { color: var(--on-accent); } a.quiet { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
footer { color: var(--soft); font-size: .88rem; padding: 1rem .5rem 0; text-align: center; }
footer p { margin: 0 0 .3rem; }
code { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; font-size: .9em; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; margin: 0; }
.sandbox { background: var(--sandbox); color: var(--on-sandbox); padding: .6rem 1rem; text-align: center; font-size: .95rem; border-bottom: 3px dashed var(--on-sandbox); }
.sandbox > p { margin: 0; }
.sandbox p strong:first-child { letter-spacing: .06em; }
.sandbox details { border: 0; max-width: 34rem; margin: 0 auto; }
.sandbox summary { justify-content: center; text-decoration: underline; text-underline-offset: .2em; }
.sandbox summary::before { color: inherit; width: auto; }
.sandbox fieldset { border: 0; margin: 0 0 .75rem; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; justify-content: center; }
.sandbox legend { width: 100%; font-weight: 600; padding: 0 0 .3rem; }
.sandbox button { min-height: 44px; padding: .3rem .8rem; font: inherit; font-weight: 600; border-radius: 10px; cursor: pointer; border: 1px solid var(--on-sandbox); background: #fff3; color: inherit; }
.sandbox button:hover { text-decoration: underline; }
.sandbox a { display: inline-flex; align-items: center; min-height: 44px; color: inherit; font-weight: 600; }
.sandbox ul { list-style: none; padding: 0; margin: 0; }
.sandbox :focus-visible { outline-color: var(--on-sandbox); }
@media (min-width: 40rem) { main { padding-top: 1rem; } .card { padding: 1.75rem; } }
@media print {
  .sandbox details, .languages, .leave, .button, .copy, .soft { display: none !important; }
  body { background: #fff; } .card { border: 0; }
}
`

/** Without comments and indentation: every page carries it. */
export const CHECKOUT_STYLE = SHEET.replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\s*\n\s*/g, '\n')
  .trim()
