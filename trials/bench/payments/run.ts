// `npm run bench`: payments a second through HTTP against bare pgbench on the same tables. Every round
// measures the bare engine and then HTTP in each variant, and each figure is a ratio to the bare engine of
// its own round: on a small and noisy machine only that means something. The last lines are `ratio R` and
// `per CPU-second C`, medians over the rounds of 64 connections without the worker.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { readOptions } from '../../chaos/kit/options.ts'
import { median, range } from '../kit/figures.ts'
import { need, runOn, tokensFile, tokensOf } from '../kit/stack.ts'
import { bytesText } from './bytes.ts'
import {
  type Measured,
  type MeasuredHttp,
  measureBare,
  measureHttp,
  prepareBare,
  type Tools,
  type Variant,
} from './measure.ts'
import { WATCHED, watchPlans } from './plans.ts'

/** `profile`: a folder for a CPU profile of the api. */
const TEXTS = ['connections', 'worker', 'profile'] as const
const options = readOptions({ merchants: 1_000, rounds: 5, seconds: 8 }, [], TEXTS)
const {
  merchants: MERCHANTS,
  rounds: ROUNDS,
  seconds: SECONDS,
  connections = '64,192',
  worker = 'without,with',
} = options
const VARIANTS: readonly Variant[] = worker
  .split(',')
  .flatMap((word) => connections.split(',').map((count) => ({ connections: Number(count), worker: word === 'with' })))
const nameOf = ({ connections, worker }: Variant): string => `HTTP ${connections}${worker ? ' + worker' : ''}`

const figures = (measured: readonly Measured[]): string => {
  const of = (key: keyof Measured): number => Math.round(median(measured.map((one) => one[key])))
  const rates = range(measured.map((one) => one.paymentsPerSecond))
  return (
    `${String(of('paymentsPerSecond')).padStart(6)}/s ${rates.padEnd(13)} ${String(of('perCpuSecond')).padStart(5)} per CPU-s` +
    ` (api ${of('apiMicros')}, engine ${of('engineMicros')}, worker ${of('workerMicros')} µs)` +
    ` WAL ${of('walBytes')} B, disk ${of('diskBytes')} B, p50 ${of('p50')} ms, p99 ${of('p99')} ms`
  )
}

const tools = { pgbench: need('pgbench', 'postgresql-15'), wrk: need('wrk', 'wrk') }
console.log(
  `${MERCHANTS} merchants, ${ROUNDS} rounds of ${SECONDS} s; ${execFileSync(tools.pgbench, ['--version'], { encoding: 'utf8' })}`.trim(),
)

await runOn({ merchants: MERCHANTS, profile: options.profile, settings: WATCHED }, async (bench) => {
  const tokens = await tokensFile(bench, await tokensOf(bench))
  const all: Tools = { ...tools, tokens, bareUrl: await prepareBare(bench) }
  const plans = await watchPlans(bench.stack.databaseUrl('01'), join(bench.stack.engine.dataDir, '..', 'postgres.log'))
  const [coldest = { connections: 64, worker: false }] = VARIANTS
  await measureHttp(bench, all, coldest, 3, plans.begin) // compiles the api and fills the caches; not counted
  const bare: Measured[] = []
  const http = new Map<string, MeasuredHttp[]>(VARIANTS.map((variant) => [nameOf(variant), []]))
  for (let round = 1; round <= ROUNDS; round += 1) {
    bare.push(await measureBare(bench, all, SECONDS))
    console.log(`round ${round}: bare ${figures(bare.slice(-1))}`)
    for (const variant of VARIANTS) {
      const name = nameOf(variant)
      const measured = await measureHttp(bench, all, variant, SECONDS, plans.begin)
      await plans.end()
      http.get(name)?.push(measured)
      console.log(`round ${round}: ${name} ${figures([measured])}`)
    }
  }
  console.log(`\nmedians\n${'bare'.padEnd(18)} ${figures(bare)}`)
  const ratio = (name: string, key: 'paymentsPerSecond' | 'perCpuSecond'): string =>
    median((http.get(name) ?? []).map((one, at) => one[key] / (bare[at]?.[key] ?? 1))).toFixed(2)
  for (const name of http.keys())
    console.log(
      `${name.padEnd(18)} ${figures(http.get(name) ?? [])}\n${' '.repeat(18)} of bare in the same round: ${ratio(name, 'paymentsPerSecond')}, per CPU-second ${ratio(name, 'perCpuSecond')}`,
    )
  for (const line of plans.report()) console.log(line)
  const lasting = [...http.values()].flat().findLast((one) => one.lasting)?.lasting
  if (lasting) console.log(bytesText(lasting))
  const [first = 'HTTP 64'] = http.keys()
  console.log(`ratio ${ratio(first, 'paymentsPerSecond')}`)
  console.log(`per CPU-second ${ratio(first, 'perCpuSecond')}`)
  return true
})
