// A month leaves and returns: with everything in it that a cell can have, the books are in order before,
// between and after. What is here answers as it did, and what has left answers like what never was. (The
// harness checks the books after every test.)
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cellsText } from '../../../apps/gateway/src/config.ts'
import { createSealing } from '../../../apps/gateway/src/features/collections/transactions/blocks.ts'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '../../../apps/gateway/test/bank/notices.ts'
import { cancel, stateOf } from '../../../apps/gateway/test/features/collections/direct-debit.ts'
import { ask, notify, order, sent } from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import { ask as askRefund } from '../../../apps/gateway/test/features/payouts/refunds.ts'
import {
  type Everything,
  everything,
  goOn,
  intoNextMonth,
  monthOf,
  plainOwner,
  rollUpAll,
} from '../../../apps/gateway/test/features/settlements/months.ts'
import { checkBooks, violationsIn } from '../../../apps/gateway/test/kit/books.ts'
import {
  advance,
  type Harness,
  INIT,
  initBody,
  paid,
  status,
  useHarness,
} from '../../../apps/gateway/test/kit/harness.ts'
import { DAY_SECONDS } from '../../../packages/contract/src/kit/durations.ts'
import { run } from '../months.ts'

const harness = useHarness({ settles: true })
let folder = ''
let owner = ''
let old: Everything
let young: Everything
/** The month of the harness's own beginnings, then one with everything in it; the third is here
 *  throughout. */
let [zero, first, second] = [0n, 0n, 0n]

const command = async (...words: string[]): Promise<{ code: number; text: string }> => {
  const h = harness()
  const lines: string[] = []
  const owners = [`01=${owner}`, `02=${h.databases['02']}`]
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells), OWNERS: owners.join() }
  const code = await run(words, env, (text) => lines.push(text))
  return { code, text: lines.join('\n') }
}
const done = async (...words: string[]): Promise<void> => {
  const { code, text } = await command(...words)
  expect(code, text).toBe(0)
}
const leave = async (month: bigint): Promise<void> => {
  await rollUpAll(harness())
  await done('export', String(month), '--to', folder)
  await done('detach', String(month), '--from', folder)
}
const seal = async (h: Harness): Promise<void> => {
  const round = createSealing(h.gateway.ctx, { rows: 3, frequent: 2 })
  await h.until('every block is sealed', async () => {
    await round('01')
    return (await h.sql('01', 'select from search_blocks where not sealed')).length === 0
  })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-leave-'))
  const h = harness()
  owner = await plainOwner(h, '01')
  zero = monthOf(h)
  first = await intoNextMonth(h)
  old = await everything(h)
  second = await intoNextMonth(h)
  await goOn(h, old)
  young = await everything(h)
  // Banks that refused a share every day, or sent it back two days later, keep it from now on: else money is
  // unsettled on one day of three.
  await h.sql(
    '01',
    `update sub_accounts set account_number = left(account_number, 6) || '7788' where account_number ~ '000[13]$'`,
  )
  await advance(h, 45 * DAY_SECONDS)
  await rollUpAll(h)
}, 300_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const LISTS = [
  '/api/v1/transactions/search?size=500',
  '/api/v2/disbursements/single/transactions?pageSize=100',
  '/api/v2/disbursements/bulk/transactions?pageSize=100',
  '/api/v1/invoice/all?size=100',
  '/api/v1/events?limit=500',
  '/api/v1/settlements?size=100',
  '/api/v1/refunds?size=100',
  '/api/v1/direct-debit/mandates?size=100',
]
const objectsOf = (made: Everything, settlement: string): string[] => [
  `/api/v2/transactions/${encodeURIComponent(made.payment.transactionReference)}`,
  `/api/v2/disbursements/single/summary?reference=${encodeURIComponent(made.payout.reference)}`,
  `/api/v2/disbursements/batch/summary?reference=${encodeURIComponent(made.batchReference)}`,
  `/api/v2/disbursements/bulk/${encodeURIComponent(made.batchReference)}/transactions`,
  `/api/v1/invoice/${encodeURIComponent(made.invoiceReference)}/details`,
  `/api/v1/vas/bills-payment/requery?reference=${encodeURIComponent(made.vendReference)}`,
  `/api/v1/settlements/${settlement}/statement`,
  `/api/v1/transactions/find-by-settlement-reference?reference=${settlement}`,
  `/api/v1/settlement-detail?transactionReference=${encodeURIComponent(made.payment.transactionReference)}`,
]
const look = async (paths: readonly string[]): Promise<{ status: number; text: string; json: any }[]> => {
  const h = harness()
  const answers = []
  for (const path of paths) answers.push(await h.as(h.merchants.main, 'GET', path))
  return answers.map(({ status, text, json }) => ({ status, text, json }))
}
/** The settlement that paid the payment of a month. */
const settlementOf = async (made: Everything): Promise<string> =>
  (
    await harness().sql(
      '01',
      `select s.reference from settlements s join settlement_lines l on l.settlement_id = s.id join transactions t on t.id = l.object_id
       where t.reference = $1`,
      [made.payment.transactionReference],
    )
  )[0].reference
const statement = async (): Promise<{ text: string; json: any }> => {
  const h = harness()
  const { walletNumber } = h.merchants.main
  return h.as(h.merchants.main, 'GET', `/api/v1/disbursements/wallet/${walletNumber}/statement?pageSize=1000`)
}
const wallet = async (): Promise<string> => {
  const h = harness()
  return (
    await h.as(
      h.merchants.main,
      'GET',
      `/api/v2/disbursements/wallet-balance?accountNumber=${h.merchants.main.walletNumber}`,
    )
  ).text
}

describe('a month', () => {
  test('does not leave while something of it is open, and the reason is said', async () => {
    await done('export', String(zero), '--to', folder)
    await done('detach', String(zero), '--from', folder)
    await done('export', String(first), '--to', folder)
    const { code, text } = await command('detach', String(first), '--from', folder)
    expect(code).toBe(1)
    expect(text.match(/REFUSED.*/g)).toEqual([expect.stringMatching(/^REFUSED {3}money is in suspense: 1 /)])
    expect(text).toContain('no        a payout has not come to its end')
    expect((await command('attach', String(first))).text).toContain('is here again') // cell 02 had nothing open
    for (const made of [old, young]) expect(outcomeOf(await reverseCredit(harness(), made.held))).toBe('REVERSED')
  })

  test('that leaves takes what is in it out of lists, totals and answers, and brings it back byte for byte', async () => {
    const h = harness()
    await seal(h)
    const objects = [...objectsOf(old, await settlementOf(old)), ...objectsOf(young, await settlementOf(young))]
    const [lists, shown, balance] = [await look(LISTS), await look(objects), await wallet()]
    const lines = await statement()
    expect(new Set([...lists, ...shown].map(({ status }) => status))).toEqual(new Set([200]))
    await leave(first)
    expect(await checkBooks(h.databases['01'])).toEqual([])
    expect((await command()).text).toMatch(new RegExp(`${first} {2}has left; manifest [0-9a-f]{64}`))
    expect(await wallet()).toBe(balance)
    // What is here goes on from what has left: the newest line still says what the wallet holds.
    const rest = (await statement()).json.responseBody
    expect(rest.totalElements).toBeLessThan(lines.json.responseBody.totalElements)
    const moved = (line: any) => [
      line.walletTransactionReference,
      line.availableBalanceBefore,
      line.availableBalanceAfter,
    ]
    const before = lines.json.responseBody.content.map(moved)
    expect(rest.content.map(moved)).toEqual(before.slice(0, rest.totalElements))
    const between = await look(objects)
    expect(between.slice(0, objects.length / 2).map(({ status }) => status)).toEqual(
      Array(objects.length / 2).fill(404),
    )
    expect(between.slice(objects.length / 2)).toEqual(shown.slice(objects.length / 2))
    await totalsAreOfWhatIsHere(h)
    await seal(h)
    expect(await checkBooks(h.databases['01'])).toEqual([])
    await totalsAreOfWhatIsHere(h)
    await done('attach', String(first))
    expect((await statement()).text).toBe(lines.text)
    expect(await look(LISTS)).toEqual(lists)
    expect(await look(objects)).toEqual(shown)
    await seal(h)
    expect(await look(LISTS)).toEqual(lists)
    expect(await wallet()).toBe(balance)
  })
})

async function totalsAreOfWhatIsHere(h: Harness): Promise<void> {
  const { id } = h.merchants.main
  const rows = async (from: string) =>
    Number((await h.sql('01', `select count(*)::int as n from ${from} x where merchant_id = $1`, [id]))[0].n)
  const [transactions, singles, batches, invoices, events] = await look(LISTS)
  const here = await rows('(select * from transactions)')
  expect(transactions?.json.responseBody).toMatchObject({ totalElements: here })
  expect(transactions?.json.responseBody.content).toHaveLength(here)
  expect(singles?.json.responseBody.totalElements).toBe(
    await rows('(select * from disbursements where batch_id is null)'),
  )
  expect(singles?.json.responseBody.content).toHaveLength(singles?.json.responseBody.totalElements)
  const since = `${second}000000000000`
  expect(batches?.json.responseBody.totalElements).toBe(await rows(`(select * from batches where id >= ${since})`))
  expect(invoices?.json.responseBody.totalElements).toBe(await rows(`(select * from invoices where id >= ${since})`))
  expect(events?.json.responseBody.events).toHaveLength(await rows('event_numbers'))
}

/** What the bank knows a settlement of the first month by, that it paid. */
const paidSettlement = async (h: Harness): Promise<string> =>
  (
    await h.sql(
      '01',
      `select session_id from bank_orders where purpose = 'SETTLEMENT' and status = 'PAID' and subject / 1000000000000 = $1 order by id limit 1`,
      [first],
    )
  )[0].session_id

const verdict = (answer: { status: number; json: any }) => [answer.status, answer.json?.problem?.code]
const lastSuspended = async (h: Harness): Promise<unknown> =>
  (await h.sql('01', 'select merchant_id::text, transaction_id from suspense_items order by id desc limit 1'))[0]

describe('what has left', () => {
  test('would be missed by most of the books, were it not said that it has left', async () => {
    await leave(first)
    const client = new pg.Client({ connectionString: harness().databases['01'] })
    await client.connect()
    await client.query('begin; delete from departed_months')
    const found = await violationsIn(client)
    await client.end()
    expect(found.length).toBeGreaterThan(30)
  })

  test('keeps its names, and takes no money', async () => {
    const h = harness()
    const { main } = h.merchants
    expect({
      paymentReference: verdict(
        await h.as(main, 'POST', INIT, initBody(main, { paymentReference: old.payment.paymentReference })),
      ),
      payoutReference: verdict(await ask(h, main, { ...order(main), reference: old.payout.reference })),
      session: outcomeOf(await tell(h, old.credit)),
      lateMoney: outcomeOf(await tell(h, notice(old.payment.accountNumber, '60.00'))),
      lateMoneyOf: await lastSuspended(h),
      refund: verdict(await askRefund(h, main, old.payment.transactionReference, { refundAmount: 100 })),
      reversedCredit: outcomeOf(
        await reverseCredit(h, {
          ...old.credit,
          sessionId: old.payment.sessionId,
          accountNumber: old.payment.accountNumber,
        }),
      ),
      reversedPayout: verdict(await notify(h, old.payout.sessionId, 'REVERSED')),
      reversedSettlement: verdict(await notify(h, await paidSettlement(h), 'REVERSED')),
    }).toEqual({
      paymentReference: [422, 'DUPLICATE_PAYMENT_REFERENCE'],
      payoutReference: [400, 'TRANSFER_REFERENCE_USED'],
      session: 'REPEATED',
      lateMoney: 'SUSPENDED',
      lateMoneyOf: { merchant_id: '0', transaction_id: null }, // nobody that is known: it goes back
      refund: [404, 'REFUND_TRANSACTION_UNKNOWN'],
      reversedCredit: 'CREDIT_UNKNOWN',
      reversedPayout: [404, 'PAYOUT_UNKNOWN'],
      reversedSettlement: [500, 'INTERNAL'], // the bank repeats it until the month is attached
    })
  })

  test('gives none of its late money to the next holder of its number', async () => {
    const h = harness()
    const { main } = h.merchants
    const next = await waiting(h, main)
    // As it is when the quarantine is over (core/cells/numbers.test.ts).
    await h.sql(
      '01',
      `with released as (delete from virtual_accounts where account_number = $1 returning *)
       insert into former_holders select account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at from released`,
      [old.toReverse.accountNumber],
    )
    await h.sql('01', 'update virtual_accounts set account_number = $2 where account_number = $1', [
      ...[next.accountNumber, old.toReverse.accountNumber],
    ])
    expect(outcomeOf(await tell(h, notice(old.toReverse.accountNumber, '1500.00')))).toBe('SUSPENDED')
    expect(await lastSuspended(h)).toEqual({ merchant_id: '0', transaction_id: null })
    expect((await status(h, main, next.transactionReference)).paymentStatus).toBe('PENDING')
  })

  test('holds up nothing of what is here, and its own history goes on when it is back', async () => {
    const h = harness()
    const { main } = h.merchants
    expect((await askRefund(h, main, young.payment.transactionReference, { refundAmount: 100 })).status).toBe(200)
    expect((await notify(h, young.payout.sessionId, 'REVERSED')).status).toBe(200)
    await h.pay(old.account.accounts[0].accountNumber, 500)
    await cancel(h, old.mandate) // what stays has its history here
    await paid(h, main)
    await sent(h, main)
    await advance(h, 2 * DAY_SECONDS)
    expect(await stateOf(h, old.mandate)).toBe('CANCELLED')
    expect(await checkBooks(h.databases['01'])).toEqual([])
    await done('attach', String(first))
    expect((await notify(h, await paidSettlement(h), 'REVERSED')).status).toBe(200)
  })
})
