// `npm run bench -- payouts`: racing payouts on a handful of wallets that can pay about half of them, with
// repetitions of references among them. Exactly as many may be accepted as the balance allows, and our books
// and the bank's must agree.
//   npm run bench -- payouts [--attempts 50000] [--connections 64] [--seed N] [--plant lose|double|overspend]
//     [--profile dir]
import { setTimeout as pause } from 'node:timers/promises'
import { readOptions } from '../../chaos/kit/options.ts'
import { quantile, tableText, wrongText } from '../../chaos/kit/report.ts'
import { type Bench, type Processor, processorOf, runOn, tokensOf } from '../kit/stack.ts'
import { check, falsified, PLANTS, readEvidence } from './checks.ts'
import { type Answered, race } from './client.ts'
import { AMOUNTS, funding, payable, planAttempts } from './plan.ts'

/** `profile`: a folder for CPU profiles of the parts. */
const OPTIONS = { attempts: 50_000, connections: 64, seed: 1 }
const {
  attempts: ATTEMPTS,
  connections: CONNECTIONS,
  seed: SEED,
  plant,
  profile,
} = readOptions(OPTIONS, PLANTS, ['profile'])
const QUIET_LIMIT_MS = 60_000

/** Answers how many have no end yet when it stops waiting. */
async function quiet({ client }: Bench): Promise<number> {
  for (const until = Date.now() + QUIET_LIMIT_MS; ; await pause(250)) {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) as count from disbursements where status not in ('SUCCESS', 'FAILED', 'REVERSED')`,
    )
    const open = Number(rows[0]?.count)
    if (open === 0 || Date.now() > until) return open
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
      `${micros('api')} µs of the api, ${micros('PostgreSQL')} of PostgreSQL, ${micros('bank')} of the bank, ${micros('client')} of the client each`,
    ],
  ])
}

async function measure(bench: Bench): Promise<boolean> {
  const { apiUrl, merchants } = bench
  const plan = planAttempts(SEED, ATTEMPTS)
  const tokens = await tokensOf(bench)
  const callers = merchants.map(({ walletNumber }, at) => ({ token: tokens[at] ?? '', walletNumber }))
  const before = processorOf(bench)
  const startedAt = performance.now()
  const answers = await race(apiUrl, callers, plan, CONNECTIONS)
  const seconds = (performance.now() - startedAt) / 1000
  console.log(table(answers, seconds, before, processorOf(bench)))
  const url = bench.stack.databaseUrl('01')
  const open = await quiet(bench)
  const seen = await readEvidence(url, `http://127.0.0.1:${bench.stack.ports.simulator}`, bench.ids)
  const found = await check(url, falsified({ plan, answers, merchantIds: bench.ids, ...seen }, plant))
  const wrong = [...found].map(([kind, examples]) => wrongText(kind, examples))
  if (open > 0) wrong.push(wrongText('payouts have no final status', [`${open} after ${QUIET_LIMIT_MS / 1000} s`]))
  const accepted = `${payable(ATTEMPTS) * AMOUNTS.length} payouts, as many as the balances allow, each paid once by the bank`
  console.log([...wrong, `bench payouts: ${wrong.length === 0 ? `PASS, ${accepted}` : 'FAIL'}`].join('\n'))
  return wrong.length === 0
}

const parts = ['simulator', 'api', 'worker'] as const
await runOn({ merchants: AMOUNTS.length, profile, parts, walletKobo: (n) => funding(n, ATTEMPTS) }, measure)
