// `npm run bench -- reserved`: one merchant reserves 100,000 accounts with a number at every bank, each
// person looked up at the simulator; then the bank asks for numbers, one question after the other. Ends with
// 1 when a number is wrong or there twice, when an account is missing, or when the p99 of the bank's question
// is 5 ms or more.
//   npm run bench -- reserved [--accounts 100000] [--connections 64] [--lookups 5000] [--profile dir]
import { createHmac, randomInt } from 'node:crypto'
import { Pool } from 'undici'
import {
  enquireAccount,
  SIGNATURE_HEADER,
  signedText,
  TIMESTAMP_HEADER,
} from '../../../packages/contract/src/bank/connector.ts'
import { isNuban } from '../../../packages/contract/src/bank/nuban.ts'
import { ISSUING_BANKS, reserveAccount } from '../../../packages/contract/src/collections/reserved-accounts.ts'
import { readOptions } from '../../chaos/kit/options.ts'
import { quantileOf } from '../kit/figures.ts'
import { type Bench, type Processor, processorOf, runOn, tokensOf } from '../kit/stack.ts'

/** `profile`: a folder for CPU profiles of the parts. */
const options = readOptions({ accounts: 100_000, connections: 64, lookups: 5_000 }, [], ['profile'])
const { accounts: ACCOUNTS, connections: CONNECTIONS, lookups: LOOKUPS } = options
const LIMIT_MS = 5
const CELL = '01'

const quantile = (times: readonly number[], share: number): string => quantileOf(times, share).toFixed(2)
const figures = (times: readonly number[]): string =>
  `p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms, max ${quantile(times, 1)} ms`

type Post = (path: string, body: string, headers: Record<string, string>) => Promise<string>

/** Sends `count` requests from so many connections; answers with how long each took. */
async function send(url: string, connections: number, count: number, one: (post: Post, n: number) => Promise<void>) {
  const pool = new Pool(url, { connections, pipelining: 1 })
  const post: Post = async (path, body, headers) => {
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`)
    return text
  }
  const times: number[] = []
  let next = 0
  const line = async () => {
    while (next < count) {
      const n = next
      next += 1
      const since = performance.now()
      await one(post, n)
      times.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: connections }, line))
  await pool.close()
  return times
}

// ---- reserving

/** Eleven digits that the register knows: even, and not barred. */
const person = (n: number): string => `2${String(n * 10 + 2).padStart(10, '0')}`

async function reserve(bench: Bench): Promise<void> {
  const { apiUrl } = bench
  const [token] = await tokensOf(bench, 1)
  const headers = { authorization: `Bearer ${token}` }
  const contractCode = bench.merchants[0]?.contractCode
  const one = (label: string) => async (post: Post, n: number) => {
    const body = {
      accountReference: `${label}-${n}`,
      accountName: `Customer ${n}`,
      currencyCode: 'NGN',
      contractCode,
      customerEmail: `customer-${n}@bench.example`,
      customerName: `Customer ${n}`,
      bvn: person(n),
      getAllAvailableBanks: true,
    }
    await post(reserveAccount.path, JSON.stringify(body), headers)
  }
  await send(apiUrl, CONNECTIONS, 2_000, one('warm'))
  const [before, since] = [processorOf(bench), performance.now()]
  const times = await send(apiUrl, CONNECTIONS, ACCOUNTS, one('customer'))
  const [after, seconds] = [processorOf(bench), (performance.now() - since) / 1000]
  console.log(
    `${ACCOUNTS.toLocaleString('en')} accounts from ${CONNECTIONS} connections in ${seconds.toFixed(1)} s: ${Math.round(ACCOUNTS / seconds)} a second; ${figures(times)}`,
  )
  const micros = (part: keyof Processor) => `${Math.round(((after[part] - before[part]) / ACCOUNTS) * 1e6)} ${part}`
  console.log(`CPU µs each: ${(['api', 'PostgreSQL', 'bank', 'client'] as const).map(micros).join(', ')}`)
}

// ---- the numbers

type Number10 = { account_number: string; bank_code: string }

async function checkNumbers({ client }: Bench): Promise<{ rows: Number10[]; sound: boolean }> {
  const { rows } = await client.query<Number10>(
    'select account_number, bank_code from virtual_accounts where reserved_id is not null',
  )
  const { rows: counted } = await client.query<{ accounts: number }>(
    `select count(*)::int as accounts from reserved_accounts where reference like 'customer-%'`,
  )
  const { rows: sizes } =
    await client.query(`select pg_size_pretty(pg_total_relation_size('reserved_accounts')) as accounts,
    pg_size_pretty(pg_total_relation_size('virtual_accounts')) as numbers`)
  const wrong = rows.filter((row) => !isNuban(row.bank_code, row.account_number)).length
  const foreign = rows.filter((row) => !row.account_number.startsWith(CELL)).length
  const twice = rows.length - new Set(rows.map((row) => row.account_number + row.bank_code)).size
  const missing = ACCOUNTS - (counted[0]?.accounts ?? 0)
  const short = (ACCOUNTS + 2_000) * ISSUING_BANKS.length - rows.length
  console.log(
    `${rows.length.toLocaleString('en')} numbers: ${wrong} wrong, ${foreign} of another cell, ${twice} twice; ${missing} accounts and ${short} numbers missing; ${JSON.stringify(sizes[0])}`,
  )
  return { rows, sound: wrong + foreign + twice + missing + short === 0 }
}

// ---- whose is it?

async function lookUp(apiUrl: string, key: string, rows: readonly Number10[], connections: number): Promise<number[]> {
  return send(apiUrl, connections, LOOKUPS, async (post) => {
    const { account_number, bank_code } = rows[randomInt(rows.length)] as Number10
    const body = JSON.stringify({ bankCode: bank_code, accountNumber: account_number })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', key).update(signedText(timestamp, 'POST', enquireAccount.path, body))
    const headers = { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `v1=${signature.digest('hex')}` }
    const text = await post(enquireAccount.path, body, headers)
    if (!text.includes('"accountName":"Customer ')) throw new Error(`${account_number} is not a customer’s: ${text}`)
  })
}

const asked = { merchants: 1, parts: ['api', 'simulator'], profile: options.profile } as const

await runOn(asked, async (bench) => {
  const { apiUrl } = bench
  await reserve(bench)
  const { rows, sound } = await checkNumbers(bench)
  const key = bench.stack.config.keys.bank[0].key
  await lookUp(apiUrl, key, rows, 1) // the first ones make the plans
  const alone = await lookUp(apiUrl, key, rows, 1)
  const idle = await send(apiUrl, 1, LOOKUPS, async () => void (await (await fetch(`${apiUrl}/health`)).text()))
  const together = await lookUp(apiUrl, key, rows, 8)
  const fast = Number(quantile(alone, 0.99)) < LIMIT_MS
  console.log(`account lookup by number, one at a time: ${figures(alone)}  ${fast ? 'PASS' : 'over'}`)
  console.log(`for comparison, GET /health, without the database: ${figures(idle)}`)
  console.log(`eight at a time: ${figures(together)}`)
  return sound && fast
})
