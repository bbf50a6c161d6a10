// The report of a run as one page: what held, what struck, and the charts. Everything is in it; it asks
// nobody for anything.
import { type Html, html, prose, renderDocument } from '../../../packages/contract/src/kit/html.ts'
import { FAVICON_URL, mark, wordmark } from '../../../packages/design/src/mark.ts'
import { BANNER, BASE, HANDY, STATE } from '../../../packages/design/src/parts/base.ts'
import { WORK } from '../../../packages/design/src/parts/work.ts'
import { sheet } from '../../../packages/design/src/sheet.ts'
import { sign } from '../../../packages/design/src/signs.ts'
import { TOKENS } from '../../../packages/design/src/tokens.ts'
import { CHART_STYLE, type Chart, chartOf, timeText } from './chart.ts'
import { backAfter, type Heap, type Verdict } from './rules.ts'
import type { Sample } from './sample.ts'
import type { Struck } from './strikes.ts'

export type Report = {
  /** Name and value: commit, date, machine, seed, length, load. */
  readonly facts: readonly (readonly [string, string])[]
  readonly seconds: number
  readonly verdicts: readonly Verdict[]
  readonly struck: readonly Struck[]
  readonly samples: readonly Sample[]
  readonly heaps: Readonly<Record<string, Heap>>
  /** What this run did not do. */
  readonly missing: readonly string[]
}

const OWN = sheet(`
body { padding: var(--s-6) var(--s-4) var(--s-12); overflow-wrap: anywhere; }
main { max-width: 66rem; margin: 0 auto; }
.logo { display: flex; align-items: center; gap: .375rem; padding: 0; margin-bottom: var(--s-6); }
.verdict { display: flex; gap: var(--s-4); align-items: center; padding: var(--s-6); background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-xl); }
.verdict h1 { font-size: var(--t-2xl); letter-spacing: -.02em; }
.sign { width: 3rem; height: 3rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.sign.good { color: var(--good); } .sign.bad { color: var(--bad); }
.facts { display: flex; flex-wrap: wrap; gap: var(--s-1) var(--s-6); margin: var(--s-4) 0 var(--s-6); font-size: var(--t-sm); } .facts div { display: flex; gap: var(--s-2); min-width: 0; } .facts dt { color: var(--soft); flex: none; } .facts :is(div, dt, dd) { border: 0; padding: 0; }
.box { margin-top: var(--s-4); } .box .state { padding-inline: .5rem; } .banner { margin-top: var(--s-4); }
`)

const HELD = html`<span class="state good">Held</span>`
const BROKEN = html`<span class="state bad">Broken</span>`

const verdictRow = ({ rule, held, says }: Verdict): Html =>
  html`<tr><td>${held ? HELD : BROKEN}</td><td><b>${rule}</b></td><td>${prose(says)}</td></tr>`

const struckRow =
  (samples: readonly Sample[]) =>
  (one: Struck, n: number): Html => {
    const back = backAfter(samples, one)
    const cells = [timeText(one.at / 1000), one.kind, `${((one.until - one.at) / 1000).toFixed(1)} s`]
    return html`<tr><td class="num">${n + 1}</td>${cells.map((text) => html`<td>${text}</td>`)}<td>${back === null ? 'never' : `${back.toFixed(0)} s`}</td><td>${one.note}</td></tr>`
  }

function chartsOf({ samples, heaps }: Report): Chart[] {
  const at = samples.map((sample) => sample.at)
  const named = (of: (sample: Sample) => Readonly<Record<string, number | null>>) =>
    Object.keys(samples[0] ? of(samples[0]) : {}).map((name) => ({
      name,
      values: samples.map((sample) => of(sample)[name] ?? null),
    }))
  const heapAt = [...new Set(Object.values(heaps).flatMap((heap) => heap.map((look) => Math.round(look.at))))]
  heapAt.sort((a, b) => a - b)
  return [
    {
      title: 'Payments and refused calls',
      says: 'Payments that were acknowledged, and calls without a good answer, which were asked again.',
      unit: 'payments a second; refused calls in three seconds',
      at,
      series: [
        { name: 'payments a second', values: samples.map(({ payments }) => payments) },
        { name: 'refused calls', values: samples.map(({ refused }) => refused) },
      ],
    },
    {
      title: 'How long callers waited',
      says: 'The slowest of a hundred calls to the gateway in each three seconds: mostly payouts that wait for a bank which takes its time.',
      unit: 'ms',
      at,
      series: [{ name: 'p99', values: samples.map(({ p99 }) => p99) }],
    },
    {
      title: 'Lags',
      says: 'How long the oldest has waited: webhooks to honest receivers, work of the agenda, events without a number (the outbox). By the clock of the sandbox, so a move of it makes whatever is due an hour old at once.',
      unit: 's',
      at,
      series: (['webhooks', 'work', 'events'] as const).map((name) => ({
        name,
        values: samples.map(({ lags }) => lags?.[name] ?? null),
      })),
    },
    {
      title: 'Event loop',
      says: 'How late the event loop of each process was: at 99 of 100 moments no later than this.',
      unit: 'ms',
      at,
      series: named(({ loop }) => loop),
    },
    {
      title: 'Memory, resident',
      says: 'What each process takes from the machine. A line that falls to nothing is a process that was killed.',
      unit: 'MB',
      at,
      series: named(({ memory }) => memory),
    },
    {
      title: 'Memory, held',
      says: 'What is left after garbage was collected, of the api and the worker that live through the whole run. This is the line that must be flat.',
      unit: 'MB',
      at: heapAt,
      series: Object.entries(heaps).map(([name, heap]) => {
        // Each looks at its own moment: between two of them the last one stands.
        const lastAt = (second: number) => heap.findLast((look) => Math.round(look.at) <= second)?.megabytes ?? null
        return { name, values: heapAt.map(lastAt) }
      }),
    },
  ]
}

export function pageOf(report: Report): string {
  const { facts, verdicts, struck, samples, missing, seconds } = report
  const broken = verdicts.filter(({ held }) => !held).length
  const title = broken === 0 ? `All ${verdicts.length} rules held` : `${broken} of ${verdicts.length} rules were broken`
  const body = html`<main>
<div class="logo">${mark('soak-mark')}${wordmark()}</div>
<div class="verdict">${sign(broken === 0 ? 'good' : 'bad')}<div><h1>${title}</h1><p class="soft">A soak of ${Math.round(seconds / 60)} minutes with ${struck.length} strikes</p></div></div>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${missing.map((text) => html`<div class="banner care"><div>${prose(text)}</div></div>`)}
<section class="box flush"><h2>Rules</h2><div class="scroll"><table class="data"><tbody>${verdicts.map(verdictRow)}</tbody></table></div></section>
<section class="box flush"><h2>Strikes</h2><div class="scroll"><table class="data"><thead><tr>${['No.', 'At', 'What', 'Took', 'Lags back after', 'Note'].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${struck.map(struckRow(samples))}</tbody></table></div></section>
${chartsOf(report).map((chart) => chartOf(chart, struck, seconds))}
</main>`
  return renderDocument({
    title: `${title} · Cowrie soak`,
    style: TOKENS + BASE + HANDY + STATE + BANNER + WORK + CHART_STYLE + OWN,
    icon: FAVICON_URL,
    body,
  }).html
}
