// The look of the pages that payers see: one column for a cheap phone, system fonts, no images. Every pair of colours
// has a contrast of 4.5 or more, and no state is told by colour alone.
export const CHECKOUT_STYLE = `
:root {
  --paper: #f4f2ed; --card: #ffffff; --line: #dcd8ce; --ink: #1f2428; --soft: #565d65; --accent: #0a5f5b; --on-accent: #ffffff;
  --good: #1c6a3a; --care: #8a4b08; --bad: #a12622; --sandbox: #ffd84d; --on-sandbox: #2a2200;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #121517; --card: #1c2023; --line: #363c42; --ink: #e8e6e1; --soft: #a9afb6; --accent: #79cbc2; --on-accent: #0c1f1e;
    --good: #8bd3a0; --care: #efb777; --bad: #f2a09b;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
.sandbox {
  background: var(--sandbox); color: var(--on-sandbox); padding: .7rem 1rem; text-align: center; font-size: .95rem;
  border-bottom: 3px dashed var(--on-sandbox);
}
.sandbox strong { letter-spacing: .08em; }
.sandbox a { color: inherit; font-weight: 600; }
main { max-width: 29rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.4rem 1.25rem; }
.who { margin: 0; font-weight: 600; }
.what { margin: 0; color: var(--soft); font-size: .97rem; }
.sum { margin: .35rem 0 1.1rem; font-size: 2rem; line-height: 1.25; font-weight: 700; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.state { border-top: 1px solid var(--line); padding-top: 1.1rem; }
.card > :last-child, .card > .state > :last-child { margin-bottom: 0; }
.state + p { margin-top: 1.1rem; }
h1 { font-size: 1.3rem; line-height: 1.35; margin: 0 0 .6rem; letter-spacing: -.01em; }
h1.good { color: var(--good); } h1.care { color: var(--care); } h1.bad { color: var(--bad); }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; }
p { margin: 0 0 .9rem; }
ul { margin: 0 0 1rem; padding-left: 1.2rem; }
li { margin: .4rem 0; }
dl { margin: 0 0 1.1rem; border: 1px solid var(--line); border-radius: 10px; }
dl > div { padding: .65rem .9rem; border-top: 1px solid var(--line); }
dl > div:first-child { border-top: 0; }
dt { color: var(--soft); font-size: .88rem; }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
/* The gaps are margins, not spaces, so that a copied number pastes into a bank app as ten digits. */
.number { font-size: 1.6rem; line-height: 1.3; white-space: nowrap; user-select: all; -webkit-user-select: all; }
.number span + span { margin-left: .4em; }
.quote { user-select: all; -webkit-user-select: all; }
.button {
  display: block; width: 100%; padding: .85rem 1rem; border: 2px solid transparent; border-radius: 10px; cursor: pointer;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-align: center; text-decoration: none;
}
.button:hover { text-decoration: underline; }
a { color: var(--accent); text-underline-offset: .18em; }
a.button { color: var(--on-accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.sandbox :focus-visible { outline-color: var(--on-sandbox); }
footer { color: var(--soft); font-size: .88rem; padding: 1rem .25rem 0; }
footer p { margin: 0 0 .3rem; }
code { font-family: ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; font-size: .9em; }
`
