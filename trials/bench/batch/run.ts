// `npm run bench -- batch`: one batch of 5,000 rows over HTTP, a bank that takes 50 ms over each, one api and
// one worker. Accepted in under 2 s and finished in under 60 s, every row paid once, or it exits with 1. Last
// line: `rows per second R`.
import { setTimeout as pause } from 'node:timers/promises'
import { readOptions } from '../../chaos/kit/options.ts'
import { type Bench, processorOf, runOn, tokensOf } from '../kit/stack.ts'

const { rows: ROWS, 'bank-ms': bankMs } = readOptions({ rows: 5_000, 'bank-ms': 50 }, [])
const ACCEPTED_MS = 2_000
const FINISHED_MS = 60_000
const GIVEN_UP_MS = 4 * FINISHED_MS
const AMOUNT = 1_000

const batchOf = (walletNumber: string) => ({
  title: 'Wages',
  batchReference: 'bench-batch',
  narration: 'Wages of May',
  sourceAccountNumber: walletNumber,
  onValidationFailure: 'BREAK',
  notificationInterval: 10,
  transactionList: Array.from({ length: ROWS }, (_, n) => ({
    amount: AMOUNT,
    reference: `bench-row-${n}`,
    destinationBankCode: '058',
    // Nothing special happens to an account that ends so.
    destinationAccountNumber: `3${String(n).padStart(5, '0')}7777`,
    currency: 'NGN',
  })),
})

type Caller = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>
async function callerOf(bench: Bench): Promise<Caller> {
  const [token] = await tokensOf(bench)
  return async (method, path, body) => {
    const answer = await fetch(bench.apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (JSON.parse(text) as { responseBody: Record<string, unknown> }).responseBody
  }
}

/** What is not as it must be, once the batch says that it is complete. */
async function faults({ stack, client }: Bench): Promise<string[]> {
  const { rows: states } = await client.query<{ status: string; rows: number; sessions: number }>(
    'select status, count(*)::int as rows, count(distinct session_id)::int as sessions from disbursements group by 1',
  )
  const { rows: holds } = await client.query<{ held: string }>(
    `select coalesce(sum(balance_kobo), 0) as held from accounts where kind = 'PAYOUT_HOLD'`,
  )
  const statement = await fetch(`http://127.0.0.1:${stack.ports.simulator}/api/payouts/statement`)
  const { payouts } = (await statement.json()) as { payouts: { destinationAccountNumber: string; paid: string }[] }
  const once = new Set(payouts.filter(({ paid }) => Number(paid) === AMOUNT).map((one) => one.destinationAccountNumber))
  return [
    ...(states.length === 1 && states[0]?.status === 'SUCCESS' && states[0].sessions === ROWS
      ? []
      : [`not every row is SUCCESS under a session of its own: ${JSON.stringify(states)}`]),
    ...(holds[0]?.held === '0' ? [] : [`${holds[0]?.held} kobo are still held`]),
    ...(payouts.length === ROWS && once.size === ROWS
      ? []
      : [`the bank has ${payouts.length} payouts to ${once.size} accounts`]),
  ]
}

const money = BigInt(ROWS * (AMOUNT + 10) * 100)
const asked = {
  merchants: 1,
  env: { SIMULATOR_PAYOUT_MS: String(bankMs) },
  parts: ['simulator', 'api', 'worker'],
  walletKobo: () => money,
} as const

await runOn(asked, async (bench) => {
  const call = await callerOf(bench)
  const batch = batchOf(bench.merchants[0]?.walletNumber ?? '')
  const engineBefore = processorOf(bench).PostgreSQL
  const from = performance.now()
  await call('POST', '/api/v2/disbursements/batch', batch)
  const acceptedMs = performance.now() - from
  console.log(`${ROWS} rows accepted in ${Math.round(acceptedMs)} ms`)
  let status: unknown
  while (status !== 'COMPLETED' && performance.now() - from < GIVEN_UP_MS) {
    await pause(100)
    status = (await call('GET', '/api/v2/disbursements/batch/summary?reference=bench-batch'))['batchStatus']
  }
  const finishedMs = performance.now() - from
  console.log(
    `${String(status)} after ${(finishedMs / 1000).toFixed(1)} s; the engine took ${(processorOf(bench).PostgreSQL - engineBefore).toFixed(1)} s of processor`,
  )
  const wrong = [
    ...(acceptedMs < ACCEPTED_MS ? [] : [`accepted in ${Math.round(acceptedMs)} ms, not under ${ACCEPTED_MS}`]),
    ...(finishedMs < FINISHED_MS ? [] : [`finished in ${Math.round(finishedMs)} ms, not under ${FINISHED_MS}`]),
    ...(await faults(bench)),
  ]
  for (const line of wrong) console.log(line)
  console.log(`rows per second ${Math.round((ROWS * 1000) / (finishedMs - acceptedMs))}`)
  return wrong.length === 0
})
