// What a run must have held to, as rules that can fail, over what was sampled. Each answers with a sentence
// for the page.
import type { Sample } from './sample.ts'
import type { Struck } from './strikes.ts'

export type Verdict = { readonly rule: string; readonly held: boolean; readonly says: string }
/** What a process held on to after its garbage was collected: seconds since the start, megabytes. */
export type Heap = readonly { readonly at: number; readonly megabytes: number }[]

const HELD_GROWTH_MB = 8
const HELD_LOOKS_LEAST = 4
const MEMORY_MOST_MB = 512
const LAG_SECONDS = 10
export const BACK_SECONDS = 30 // a killed worker's work is free again after 20 s
/** Of calls between strikes, and of all: while something is struck callers ask again and again, so a short
 *  run has more of those. */
const [REFUSED_MOST_BETWEEN, REFUSED_MOST] = [0.01, 0.2]
const SERVED_AGAIN_SECONDS = 10
const SEEN_LATE_MS = 3_000

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

/** By how much the straight line through the points rises from the first to the last. */
function riseOf(points: Heap): number {
  const [x, y] = [mean(points.map(({ at }) => at)), mean(points.map(({ megabytes }) => megabytes))]
  const across = points.reduce((sum, { at }) => sum + (at - x) ** 2, 0)
  if (across === 0) return 0
  const slope = points.reduce((sum, { at, megabytes }) => sum + (at - x) * (megabytes - y), 0) / across
  return slope * ((points.at(-1)?.at ?? 0) - (points[0]?.at ?? 0))
}

/** The second half of the run: in the first caches fill and code is compiled. */
export function memoryIsFlat(name: string, heap: Heap, seconds: number): Verdict {
  const late = heap.filter(({ at }) => at >= seconds / 2 && at <= seconds)
  const rise = riseOf(late)
  const perHour = (rise / Math.max(1, (late.at(-1)?.at ?? 0) - (late[0]?.at ?? 0))) * 3600
  const enough = late.length >= HELD_LOOKS_LEAST
  return {
    rule: `memory of ${name} is flat`,
    held: enough && rise <= HELD_GROWTH_MB,
    says: enough
      ? `${rise.toFixed(1)} MB more at the end of the second half than at its beginning (${perHour.toFixed(0)} MB an hour); at most ${HELD_GROWTH_MB} MB. After collecting garbage it held ${(late.at(-1)?.megabytes ?? 0).toFixed(0)} MB.`
      : `it was looked at ${late.length} times in the second half; ${HELD_LOOKS_LEAST} are needed`,
  }
}

export function memoryIsBounded(samples: readonly Sample[]): Verdict {
  const all = samples.flatMap(({ memory }) => Object.entries(memory)).filter(([, one]) => one !== null)
  const [name = 'none', most = Number.POSITIVE_INFINITY] = all.toSorted((a, b) => Number(b[1]) - Number(a[1]))[0] ?? []
  return {
    rule: 'memory is bounded',
    held: Number(most) <= MEMORY_MOST_MB,
    says: `at most ${Math.round(Number(most))} MB resident (${name}); ${MEMORY_MOST_MB} MB are allowed`,
  }
}

export const worst = ({ lags }: Sample): number =>
  lags === null ? Number.POSITIVE_INFINITY : Math.max(lags.webhooks, lags.work, lags.events)

/** How long after its end what lagged was back; null if it was not before the end of the samples. */
export const backAfter = (samples: readonly Sample[], { until }: Struck): number | null => {
  const good = samples.find((sample) => sample.at * 1000 >= until && worst(sample) <= LAG_SECONDS)
  return good ? good.at - until / 1000 : null
}

/** No lag above the limit, but while a strike lasts and for a short time after it. */
export function lagsAreBounded(samples: readonly Sample[], struck: readonly Struck[]): Verdict {
  const excused = ({ at }: Sample): boolean =>
    struck.some((one) => at * 1000 >= one.at && at <= one.until / 1000 + BACK_SECONDS)
  const late = samples.filter((sample) => worst(sample) > LAG_SECONDS && !excused(sample))
  const backs = struck.map((one) => backAfter(samples, one))
  const never = backs.filter((back) => back === null).length
  const longest = Math.max(0, ...backs.map((back) => back ?? 0))
  const [first] = late
  return {
    rule: 'lags are bounded',
    held: late.length === 0 && never === 0 && samples.length > 0,
    says:
      first === undefined && never === 0
        ? `below ${LAG_SECONDS} s again at most ${longest.toFixed(0)} s after the end of a strike; ${BACK_SECONDS} s are allowed`
        : `${late.length} samples above ${LAG_SECONDS} s later than ${BACK_SECONDS} s after a strike (the first at ${first?.at.toFixed(0) ?? '-'} s), ${never} strikes after which they never came back`,
  }
}

/** Nobody ends by himself; who lives through the whole run is there at every look. */
export function processesLived(
  samples: readonly Sample[],
  struck: readonly Struck[],
  spared: readonly string[],
): Verdict {
  const isStruck = (at: number) => struck.some((one) => at * 1000 >= one.at && at * 1000 <= one.until + SEEN_LATE_MS)
  const gone = samples.flatMap(({ at, memory }) =>
    Object.entries(memory)
      .filter(([name, megabytes]) => megabytes === null && (spared.includes(name) || !isStruck(at)))
      .map(([name]) => `${name} was not there at ${at.toFixed(0)} s`),
  )
  return verdictOf('no process ends by itself', gone, `${spared.join(' and ')} lived from the first look to the last`)
}

type Calls = { readonly calls: number; readonly refused: number }
const NO_CALLS: Calls = { calls: 0, refused: 0 }
export function callersAreServed(total: Calls, samples: readonly Sample[], struck: readonly Struck[]): Verdict {
  const excused = ({ at }: Sample): boolean =>
    struck.some((one) => at * 1000 >= one.at && at <= one.until / 1000 + SERVED_AGAIN_SECONDS)
  const between = samples
    .filter((sample) => !excused(sample))
    .reduce<Calls>((sum, one) => ({ calls: sum.calls + one.calls, refused: sum.refused + one.refused }), NO_CALLS)
  const share = ({ calls, refused }: Calls): number => refused / Math.max(1, calls)
  const percent = (value: number): string => `${(value * 100).toFixed(2)} %`
  return {
    rule: 'callers are served',
    held: between.calls > 0 && share(between) <= REFUSED_MOST_BETWEEN && share(total) <= REFUSED_MOST,
    says: `between strikes ${between.refused} of ${between.calls} calls had no good answer (${percent(share(between))}; ${percent(REFUSED_MOST_BETWEEN)} are allowed), of all ${total.refused} of ${total.calls} (${percent(share(total))}; ${percent(REFUSED_MOST)}); each was asked again`,
  }
}

export const verdictOf = (rule: string, wrong: readonly string[], otherwise: string): Verdict => ({
  rule,
  held: wrong.length === 0,
  says: wrong.length === 0 ? otherwise : wrong.slice(0, 5).join('; ').slice(0, 800),
})
