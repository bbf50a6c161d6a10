// The exam as one page that can be mailed or kept: everything is in it, and it has the look of the dashboard,
// light and dark.
import { type Html, html, prose, renderDocument } from '@cowrie/contract/kit/html'
import { FAVICON_URL, mark, wordmark } from '@cowrie/design/mark'
import { BANNER, BASE, HANDY, STATE } from '@cowrie/design/parts/base'
import { sheet } from '@cowrie/design/sheet'
import { sign } from '@cowrie/design/signs'
import { TOKENS } from '@cowrie/design/tokens'
import type { Exam, Result } from '../run.ts'
import { NO_PROBE } from './lines.ts'

const OWN = sheet(`
body { padding: var(--s-6) var(--s-4) var(--s-12); overflow-wrap: anywhere; }
main { max-width: 62rem; margin: 0 auto; }
.logo { display: flex; align-items: center; gap: .375rem; margin-bottom: var(--s-6); }
.logo .mark { width: 1.5rem; height: 1.5rem; color: var(--accent); } .logo .word { width: 5.2rem; height: 1.125rem; }
.verdict { display: flex; gap: var(--s-4); align-items: center; padding: var(--s-6); background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-xl); }
.verdict h1 { font-size: var(--t-2xl); letter-spacing: -.02em; }
.sign { width: 3rem; height: 3rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.sign.good { color: var(--good); } .sign.bad { color: var(--bad); }
.facts { display: flex; flex-wrap: wrap; gap: var(--s-1) var(--s-6); margin: var(--s-4) 0 0; font-size: var(--t-sm); } .facts div { display: flex; gap: var(--s-2); min-width: 0; } .facts dt { color: var(--soft); flex: none; }
.banner { margin-top: var(--s-4); }
h2 { margin: var(--s-8) 0 var(--s-3); }
.cases { background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-lg); overflow: hidden; }
.cases > li + li { border-top: 1px solid var(--line); }
summary, .row-line { display: grid; grid-template-columns: 4.5rem minmax(0, 19rem) minmax(0, 1fr); gap: var(--s-3); align-items: center; padding: var(--s-3) var(--s-4); min-height: 2.75rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; } summary:hover { background: var(--sunken); }
summary b { font-weight: var(--w-strong); } summary span.came { color: var(--soft); font-size: var(--t-sm); }
details[open] span.came { display: none; }
.state { justify-self: start; padding-inline: .5rem; }
details dl { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: var(--s-2) var(--s-4); padding: var(--s-2) var(--s-4) var(--s-5); font-size: var(--t-sm); } details dt { color: var(--soft); } details dd.fix { font-weight: var(--w-medium); }
code { font-family: var(--mono); font-size: .9em; background: var(--sunken); border-radius: var(--r-sm); padding: .05rem .3rem; }
@media (max-width: 40rem) { .verdict { padding: var(--s-4); } .verdict h1 { font-size: var(--t-xl); } summary { grid-template-columns: 4rem minmax(0, 1fr); } summary span.came { grid-column: 2; } details dl { grid-template-columns: minmax(0, 1fr); gap: 0; } details dd + dt { margin-top: var(--s-3); } }
@media print { body { background: none; } .cases > li { break-inside: avoid; } }
`)

const fact = (name: string, value: string): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const row = ({ name, title, passed, sent, came, why, fix }: Result): Html => html`<li><details id="${name}"${
  passed ? null : OPEN
}>
<summary>${passed ? PASS : FAIL}<b>${title}</b><span class="came">${came}</span></summary>
<dl><dt>Sent</dt><dd>${sent}</dd><dt>Came back</dt><dd>${came}</dd><dt>Why it matters</dt><dd>${why}</dd>${
  fix === null ? null : html`<dt>Fix</dt><dd class="fix">${prose(fix)}</dd>`
}</dl></details></li>`

const OPEN = html` open`
const PASS = html`<span class="state good">Pass</span>`
const FAIL = html`<span class="state bad">Fail</span>`

const list = (title: string, results: readonly Result[]): Html | null =>
  results.length === 0 ? null : html`<h2>${title}</h2>\n<ul class="cases">${results.map(row)}</ul>`

export function pageOf(exam: Exam): string {
  const { results, passed, failed, at, url, probe, version, prefix, limitSeconds, creditsNotJudged } = exam
  const title = failed === 0 ? `All ${passed} cases passed` : `${failed} of ${results.length} cases failed`
  const body = html`<main>
<div class="logo">${mark('exam-mark')}${wordmark()}</div>
<div class="verdict">${sign(failed === 0 ? 'good' : 'bad')}<div><h1>${title}</h1><p class="soft">The exam of a webhook handler</p></div></div>
<dl class="facts">${fact('Handler', url)}${fact('Probe', probe ?? 'none')}${fact('When', at.replace(/\.\d+Z$/, 'Z'))}${fact(
    'Version',
    `Cowrie ${version}`,
  )}${fact('References', `${prefix}-…`)}${fact('Limit', `${limitSeconds} s`)}</dl>
${creditsNotJudged === 0 ? null : html`<div class="banner care"><div>${prose(NO_PROBE)} ${creditsNotJudged} cases are about money.</div></div>`}
${list(
  'To fix',
  results.filter((one) => !one.passed),
)}
${list(
  'Passed',
  results.filter((one) => one.passed),
)}
</main>`
  return renderDocument({
    title: `${title} · Cowrie exam`,
    style: TOKENS + BASE + HANDY + STATE + BANNER + OWN,
    icon: FAVICON_URL,
    body,
  }).html
}
