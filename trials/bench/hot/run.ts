// `npm run bench -- hot`: the same number of credits for one merchant and spread over a thousand,
// alternating. A row that every credit touches would show here: one merchant must reach 0.8 of the rate of a
// thousand. Last line: `ratio R`.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import { nuban } from '../../../packages/contract/src/bank/nuban.ts'
import { logIn } from '../../chaos/kit/world.ts'
import { median, range } from '../kit/figures.ts'
import { type BenchStack, need, openBench } from '../kit/stack.ts'

const run = promisify(execFile)
const { values: options } = parseArgs({
  options: {
    credits: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    merchants: { type: 'string', default: '1000' },
  },
})
const [CREDITS, ROUNDS, MERCHANTS] = [options.credits, options.rounds, options.merchants].map(Number) as [
  number,
  number,
  number,
]
const LIMIT_SECONDS = 20

/** Waiting transactions with their accounts, put there by SQL: only the credits are measured. */
async function prepare(url: string, merchantIds: readonly bigint[]): Promise<string[]> {
  const numbers = Array.from({ length: CREDITS }, (_, n) => nuban('50515', `01${String(n).padStart(7, '0')}`))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    'truncate transactions, payment_references, virtual_accounts, inbound_credits, bank_sessions, transfers, entries, state_changes, events, outbox, agenda',
  )
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
  await client.end()
  return numbers
}

async function measure(
  bench: BenchStack,
  merchantIds: readonly bigint[],
  files: { tokens: string; accounts: string },
  round: number,
): Promise<number> {
  await writeFile(files.accounts, `${(await prepare(bench.stack.databaseUrl('01'), merchantIds)).join('\n')}\n`)
  const lua = fileURLToPath(new URL('../payments/payments.lua', import.meta.url))
  const { stdout } = await run('wrk', [
    ...['-t', '1', '-c', '64', '-d', `${Math.ceil(Math.min(LIMIT_SECONDS, Math.max(3, CREDITS / 1200)))}s`, '-s', lua],
    ...[
      `http://127.0.0.1:${bench.stack.ports.api}`,
      '--',
      files.tokens,
      bench.stack.config.keys.bank[0].key,
      String(100_000_000 + round),
      files.accounts,
    ],
  ])
  const result = JSON.parse(/RESULT (.*)/.exec(stdout)?.[1] ?? '{}') as { paid: number; refused: number; took: number }
  if (result.paid !== CREDITS || result.refused > 0)
    throw new Error(`${result.paid} of ${CREDITS} counted, ${result.refused} refused`)
  return CREDITS / result.took
}

need('wrk', 'wrk')
const bench = await openBench(MERCHANTS)
try {
  const folder = join(bench.stack.engine.dataDir, '..', '..')
  const files = { tokens: join(folder, 'tokens'), accounts: join(folder, 'accounts') }
  const [first] = bench.merchants
  if (!first) throw new Error('no merchant')
  await writeFile(
    files.tokens,
    `${await logIn(`http://127.0.0.1:${bench.stack.ports.api}`, first)} ${first.contractCode}\n`,
  )
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
} finally {
  await bench.close()
}
