// `npm run bench -- payouts`: racing payouts on a handful of wallets that can pay about half of them, with
// repetitions of references among them. Exactly as many may be accepted as the balance allows, and our books
// and the bank's must agree.
//   npm run bench -- payouts [--attempts 50000] [--connections 64] [--seed N] [--plant lose|double|overspend]
//     [--profile dir]
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { quantile, tableText, wrongText } from '../../chaos/kit/report.ts'
import { logIn } from '../../chaos/kit/world.ts'
import { cpuSeconds } from '../kit/figures.ts'
import { type BenchStack, openBench, postmasterPid } from '../kit/stack.ts'
import { check, falsified, PLANTS, readEvidence } from './checks.ts'
import { type Answered, race } from './client.ts'
import { AMOUNTS, funding, payable, planAttempts } from './plan.ts'

const { values: options } = parseArgs({
  options: {
    attempts: { type: 'string', default: '50000' },
    connections: { type: 'string', default: '64' },
    seed: { type: 'string', default: '1' },
    plant: { type: 'string' },
    profile: { type: 'string' }, // a folder for CPU profiles of the parts
  },
})
const [ATTEMPTS, CONNECTIONS, SEED] = [options.attempts, options.connections, options.seed].map(Number) as [
  number,
  number,
  number,
]
const PLANT = PLANTS.find((name) => name === options.plant)
if (PLANT !== options.plant) throw new Error(`--plant must be one of ${PLANTS.join(', ')}`)
const QUIET_LIMIT_MS = 60_000

type Processor = { readonly api: number; readonly engine: number; readonly simulator: number; readonly client: number }
const processor = ({ stack }: BenchStack): Processor => ({
  api: cpuSeconds(stack.pid('api') ?? 0, false),
  engine: cpuSeconds(postmasterPid(stack), true),
  simulator: cpuSeconds(stack.pid('simulator') ?? 0, false),
  client: cpuSeconds(process.pid, false),
})

/** Answers how many have no end yet when it stops waiting. */
async function quiet(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const until = Date.now() + QUIET_LIMIT_MS; ; await pause(250)) {
      const { rows } = await client.query<{ count: string }>(
        `select count(*) as count from disbursements where status not in ('SUCCESS', 'FAILED', 'REVERSED')`,
      )
      const open = Number(rows[0]?.count)
      if (open === 0 || Date.now() > until) return open
    }
  } finally {
    await client.end()
  }
}

function table(answers: readonly Answered[], seconds: number, before: Processor, after: Processor): string {
  const waits = answers.map(({ sentAt, answeredAt }) => answeredAt - sentAt)
  const codes = Map.groupBy(answers, ({ code }) => code)
  const said = (code: string): string => `${(codes.get(code)?.length ?? 0).toLocaleString('en')} ${code}`
  const slow = answers.filter(({ status }) => status === 'PENDING').length
  const micros = (part: keyof Processor): number => Math.round(((after[part] - before[part]) / answers.length) * 1e6)
  return tableText([
    ['attempts', `${answers.length.toLocaleString('en')} from ${CONNECTIONS} connections in ${seconds.toFixed(1)} s`],
    ['a second', `${Math.round(answers.length / seconds)} attempts`],
    ['each', `p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms, max ${quantile(waits, 1)} ms`],
    ['answers', `${[...codes.keys()].sort().map(said).join(', ')}; ${slow} of the accepted were still PENDING`],
    [
      'processor',
      `${micros('api')} µs of the api, ${micros('engine')} of PostgreSQL, ${micros('simulator')} of the bank, ${micros('client')} of the client each`,
    ],
  ])
}

async function run(bench: BenchStack): Promise<boolean> {
  const apiUrl = `http://127.0.0.1:${bench.stack.ports.api}`
  const plan = planAttempts(SEED, ATTEMPTS)
  const callers: { token: string; walletNumber: string }[] = []
  for (const merchant of bench.merchants)
    callers.push({ token: await logIn(apiUrl, merchant), walletNumber: merchant.walletNumber })
  const before = processor(bench)
  const startedAt = performance.now()
  const answers = await race(apiUrl, callers, plan, CONNECTIONS)
  const seconds = (performance.now() - startedAt) / 1000
  console.log(table(answers, seconds, before, processor(bench)))
  const url = bench.stack.databaseUrl('01')
  const open = await quiet(url)
  const seen = await readEvidence(url, `http://127.0.0.1:${bench.stack.ports.simulator}`, bench.ids)
  const found = await check(url, falsified({ plan, answers, merchantIds: bench.ids, ...seen }, PLANT))
  const wrong = [...found].map(([kind, examples]) => wrongText(kind, examples))
  if (open > 0) wrong.push(wrongText('payouts have no final status', [`${open} after ${QUIET_LIMIT_MS / 1000} s`]))
  const accepted = `${payable(ATTEMPTS) * AMOUNTS.length} payouts, as many as the balances allow, each paid once by the bank`
  console.log([...wrong, `bench payouts: ${wrong.length === 0 ? `PASS, ${accepted}` : 'FAIL'}`].join('\n'))
  return wrong.length === 0
}

const profile = options.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` } : {}
const bench = await openBench(AMOUNTS.length, profile, ['simulator', 'api', 'worker'], (n) => funding(n, ATTEMPTS))
try {
  process.exitCode = (await run(bench)) ? 0 : 1
} finally {
  await bench.close()
}
