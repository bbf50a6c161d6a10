// A chart over the time of the run: plain SVG with the strikes on its axis, and the table behind it. Lines
// differ in their strokes, not in colour alone.
import { type Html, html } from '../../../packages/contract/src/kit/html.ts'
import { sheet } from '../../../packages/design/src/sheet.ts'
import type { Struck } from './strikes.ts'

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [960, 220, 52, 10, 20, 26]
const POINTS_MOST = 120
const STROKES = 6
/** Seconds between two times on the axis. */
const STEPS = [15, 30, 60, 120, 300, 600, 1_800, 3_600]
const TICKS_MOST = 12

export const CHART_STYLE = sheet(`
.chart .trace { fill: none; stroke-width: 1.75; stroke-linejoin: round; }
.chart .s0 { stroke: var(--accent); } .chart .s1 { stroke: var(--care); stroke-dasharray: 6 3; } .chart .s2 { stroke: var(--unknown); stroke-dasharray: 2 3; }
.chart .s3 { stroke: var(--bad); stroke-dasharray: 9 3 2 3; } .chart .s4 { stroke: var(--edge); stroke-dasharray: 1 2; } .chart .s5 { stroke: var(--ink); stroke-dasharray: 4 4; }
.chart .struck { stroke: var(--line-2); stroke-width: 1; } .chart .band { fill: var(--calm-tint); } .chart .no { fill: var(--soft); font: 600 10px var(--sans); text-anchor: middle; }
.chart .axis.end { text-anchor: end; } .chart .axis.mid { text-anchor: middle; }
.legend { display: flex; flex-wrap: wrap; gap: var(--s-1) var(--s-5); font-size: var(--t-sm); margin: var(--s-2) 0; } .legend li { display: flex; align-items: center; gap: var(--s-2); } .legend svg { width: 1.75rem; height: .5rem; }
`)

export type Series = { readonly name: string; readonly values: readonly (number | null)[] }
export type Chart = {
  readonly title: string
  readonly says: string
  readonly unit: string
  /** Seconds since the start, one for each value. */
  readonly at: readonly number[]
  readonly series: readonly Series[]
}

export const timeText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
const numberText = (value: number | null): string =>
  value === null ? '–' : value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })

/** The greatest value of each of at most so many equal stretches: a peak is what the page is read for. */
export function thinned(
  { at, series }: Pick<Chart, 'at' | 'series'>,
  most: number = POINTS_MOST,
): Pick<Chart, 'at' | 'series'> {
  const every = Math.max(1, Math.ceil(at.length / most))
  const starts = Array.from({ length: Math.ceil(at.length / every) }, (_, n) => n * every)
  const greatest = (values: readonly (number | null)[], from: number): number | null => {
    const there = values.slice(from, from + every).filter((one) => one !== null)
    return there.length === 0 ? null : Math.max(...there)
  }
  return {
    at: starts.map((from) => at[from] as number),
    series: series.map(({ name, values }) => ({ name, values: starts.map((from) => greatest(values, from)) })),
  }
}

/** The next of 1, 2, 5, 10, 20 … */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 0.001)))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value) ?? value
}

function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let pen = 'M'
  return values
    .map((value, index) => {
      if (value === null) {
        pen = 'M'
        return ''
      }
      const point = `${pen}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
      pen = 'L'
      return point
    })
    .join('')
}

export function chartOf(chart: Chart, struck: readonly Struck[], seconds: number): Html {
  const { title, says, unit } = chart
  const { at, series } = thinned(chart)
  const end = Math.max(seconds, at.at(-1) ?? 0, 1)
  const most = niceAbove(Math.max(0.001, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))))
  const across = (second: number): number => LEFT + (second / end) * (WIDTH - LEFT - RIGHT)
  const y = (value: number): number => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM)
  const x = (index: number): number => across(at[index] ?? 0)
  const step = STEPS.find((one) => end / one <= TICKS_MOST) ?? end
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, n) => n * step)
  const heights = [0, most / 2, most]
  const down = `V${HEIGHT - BOTTOM}`
  return html`<section class="box"><h2>${title}</h2><p class="soft sm">${says}</p>
<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}; the figures are in the table below">
${struck.map((one) => html`<rect class="band" x="${across(one.at / 1000).toFixed(1)}" y="${TOP}" width="${Math.max(1, across(one.until / 1000) - across(one.at / 1000)).toFixed(1)}" height="${HEIGHT - TOP - BOTTOM}"/>`)}
${heights.map((value) => html`<path class="grid" d="M${LEFT} ${y(value)}H${WIDTH - RIGHT}"/><text class="axis end" x="${LEFT - 6}" y="${y(value) + 4}">${numberText(value)}</text>`)}
${ticks.map((tick) => html`<text class="axis mid" x="${across(tick).toFixed(1)}" y="${HEIGHT - 8}">${timeText(tick)}</text>`)}
${struck.map((one, n) => html`<path class="struck" d="M${across(one.at / 1000).toFixed(1)} ${TOP}${down}"/><text class="no" x="${across(one.at / 1000).toFixed(1)}" y="${TOP - 6}">${n + 1}</text>`)}
${series.map(({ values }, n) => html`<path class="trace s${n % STROKES}" d="${pathOf(values, x, y)}"/>`)}
</svg>
<ul class="legend">${series.map(({ name }, n) => html`<li><svg class="chart" viewBox="0 0 28 8" aria-hidden="true"><path class="trace s${n % STROKES}" d="M0 4H28"/></svg>${name}</li>`)}</ul>
<details class="as-table"><summary>The figures (${unit})</summary><div class="scroll"><table class="data">
<thead><tr><th scope="col">From</th>${series.map(({ name }) => html`<th scope="col" class="num">${name}</th>`)}</tr></thead>
<tbody>${at.map((second, row) => html`<tr><td>${timeText(second)}</td>${series.map(({ values }) => html`<td class="num">${numberText(values[row] ?? null)}</td>`)}</tr>`)}</tbody></table></div></details></section>`
}
