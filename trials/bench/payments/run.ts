// `npm run bench`: payments a second through HTTP against bare pgbench on the same tables. Every round
// measures the bare engine and then HTTP in each variant, and each figure is a ratio to the bare engine of
// its own round: on a small and noisy machine only that means something. The last lines are `ratio R` and
// `per CPU-second C`, medians over the rounds of 64 connections without the worker.
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { logIn } from '../../chaos/kit/world.ts'
import { median, range } from '../kit/figures.ts'
import { need, openBench } from '../kit/stack.ts'
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

const { values: options } = parseArgs({
  options: {
    merchants: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '64,192' },
    worker: { type: 'string', default: 'without,with' },
    profile: { type: 'string' }, // a folder for a CPU profile of the api
  },
})
const [MERCHANTS, ROUNDS, SECONDS] = [options.merchants, options.rounds, options.seconds].map(Number) as [
  number,
  number,
  number,
]
const VARIANTS: readonly Variant[] = options.worker
  .split(',')
  .flatMap((worker) =>
    options.connections
      .split(',')
      .map((connections) => ({ connections: Number(connections), worker: worker === 'with' })),
  )
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
const bench = await openBench(
  MERCHANTS,
  options.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` } : {},
  ['api'],
  undefined,
  WATCHED,
)
try {
  const tokens = join(bench.stack.engine.dataDir, '..', '..', 'tokens')
  const lines = []
  for (const merchant of bench.merchants)
    lines.push(`${await logIn(`http://127.0.0.1:${bench.stack.ports.api}`, merchant)} ${merchant.contractCode}`)
  await writeFile(tokens, `${lines.join('\n')}\n`)
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
} finally {
  await bench.close()
}
