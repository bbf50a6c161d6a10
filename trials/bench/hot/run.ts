// `npm run bench -- hot`: the same number of credits for one merchant and spread over a thousand,
// alternating. A row that every credit touches would show here: one merchant must reach 0.8 of the rate of a
// thousand. Last line: `ratio R`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nuban } from '../../../packages/contract/src/bank/nuban.ts'
import { readOptions } from '../../chaos/kit/options.ts'
import { median, range } from '../kit/figures.ts'
import { type Bench, need, runOn, tokensFile, tokensOf } from '../kit/stack.ts'
import { HOT_TABLES } from '../payments/measure.ts'

const OPTIONS = { credits: 10_000, rounds: 5, merchants: 1_000 }
const { credits: CREDITS, rounds: ROUNDS, merchants: MERCHANTS } = readOptions(OPTIONS, [])
/** wrk knows no number of requests, only a time: it is told to go on for so long, and ended when all are
 *  counted. */
const GIVEN_UP_SECONDS = 300
/** What payments.lua says then. */
const ALL_ANSWERED = 'all answered'

/** Waiting transactions with their accounts, put there by SQL: only the credits are measured. */
async function prepare(client: Bench['client'], merchantIds: readonly bigint[]): Promise<string[]> {
  const numbers = Array.from({ length: CREDITS }, (_, n) => nuban('50515', `01${String(n).padStart(7, '0')}`))
  await client.query(`truncate ${HOT_TABLES.join(', ')}`)
  await client.query(
    `insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email,
       description, methods, meta_data, status, created_at, expires_at, email_key, name_key)
     select n, ($1::bigint[])[1 + n % cardinality($1::bigint[])], 'CWRY|01|20260101000000|' || lpad(n::text, 6, '0'), 'pay-' || n, '0112345678', 150000,
       'Ngozi Bello', 'ngozi@example.com', 'Two yards of adire', 'TC', '{}', 'PENDING', now(), now() + interval '40 min', search_key('ngozi@example.com'), search_key('Ngozi Bello')
     from generate_series(0, $2::int - 1) n`,
    [merchantIds.map(String), CREDITS],
  )
  await client.query(
    `insert into virtual_accounts (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at)
     select a.number, '50515', t.merchant_id, t.id, t.created_at, t.expires_at
     from unnest($1::text[]) with ordinality as a(number, n) join transactions t on t.id = a.n - 1`,
    [numbers],
  )
  await client.query('vacuum analyze transactions, virtual_accounts')
  await client.query('checkpoint')
  return numbers
}

type Result = { readonly paid: number; readonly refused: number; readonly took: number }

async function wrk(words: readonly string[]): Promise<Result> {
  const child = spawn('wrk', words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, complained] = ['', '']
  child.stdout.on('data', (text: Buffer) => {
    said += text.toString()
  })
  child.stderr.on('data', (text: Buffer) => {
    complained += text.toString()
    if (complained.includes(ALL_ANSWERED)) child.kill('SIGINT') // it writes its result, and ends
  })
  await once(child, 'close')
  const result = /RESULT (.*)/.exec(said)?.[1]
  if (result === undefined) throw new Error(`wrk ended without a result: ${complained}${said}`)
  return JSON.parse(result) as Result
}

async function measure(
  bench: Bench,
  merchantIds: readonly bigint[],
  files: { tokens: string; accounts: string },
  round: number,
): Promise<number> {
  await writeFile(files.accounts, `${(await prepare(bench.client, merchantIds)).join('\n')}\n`)
  const lua = fileURLToPath(new URL('../payments/payments.lua', import.meta.url))
  const own = [files.tokens, bench.stack.config.keys.bank[0].key, String(100_000_000 + round), files.accounts]
  const { paid, refused, took } = await wrk([
    ...['-t', '1', '-c', '64', '-d', `${GIVEN_UP_SECONDS}s`, '-s', lua, bench.apiUrl, '--'],
    ...own,
  ])
  if (paid !== CREDITS || refused > 0) throw new Error(`${paid} of ${CREDITS} counted, ${refused} refused`)
  return CREDITS / took
}

need('wrk', 'wrk')
await runOn({ merchants: MERCHANTS }, async (bench) => {
  const files = { tokens: await tokensFile(bench, await tokensOf(bench, 1)), accounts: join(bench.folder, 'accounts') }
  await measure(bench, bench.ids, files, 0) // warms up; not counted
  const [one, many]: [number[], number[]] = [[], []]
  for (let round = 1; round <= ROUNDS; round += 1) {
    many.push(await measure(bench, bench.ids, files, round * 2))
    one.push(await measure(bench, bench.ids.slice(0, 1), files, round * 2 + 1))
    console.log(
      `round ${round}: ${Math.round(many.at(-1) ?? 0)} credits/s for ${MERCHANTS} merchants, ${Math.round(one.at(-1) ?? 0)} for one`,
    )
  }
  console.log(
    `${MERCHANTS} merchants: ${Math.round(median(many))} credits/s ${range(many)}; one merchant: ${Math.round(median(one))} ${range(one)}`,
  )
  console.log(`ratio ${(median(one) / median(many)).toFixed(2)}`)
  return true
})
