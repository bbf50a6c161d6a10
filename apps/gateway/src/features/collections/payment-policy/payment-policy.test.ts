// What a merchant wants done with transfers that do not fit: every policy against less, more, twice, late,
// closed and barred.

import { type CreditNotice, enquireAccount } from '@cowrie/contract/bank/connector'
import { DEFAULT_POLICY } from '@cowrie/contract/collections/payment-policy'
import { describe, expect, test } from 'vitest'
import { cellById, tx } from '#core/cells/cells.ts'
import { takeCredit } from '#features/collections/credits/credits.ts'
import type { Ctx } from '#kit/ctx.ts'
import { events, notice, outcomeOf, secondApi, signature, suspense, tell, waiting } from '#test/bank/notices.ts'
import { handlersOf } from '#test/features/settlements/reconciliation.ts'
import {
  advance,
  type Harness,
  INIT_PAYMENT,
  status,
  subAccount,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { insert } from './payment-policy.sql.ts'

const harness = useHarness()

const POLICY = '/api/v1/payment-policy'
const DEFAULT = { less: 'COMPLETE', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] as unknown[] }
const setPolicy = async (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}) => {
  const answer = await h.as(merchant, 'PUT', POLICY, { ...DEFAULT, ...over })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
/** What the ledger holds of a transaction, by account: `pending`, `fee`, sub accounts by code. */
async function ledger(h: Harness, merchant: TestMerchant, reference: string): Promise<Record<string, string>> {
  const rows = await h.sql(
    merchant.cell,
    `select coalesce(s.code, case e.account_id when 0 then 'bank' when 2 then 'fee' else 'pending' end) as whose, sum(e.kobo)::text as kobo
     from transactions t join transfers f on f.object = 'transaction' and f.object_id = t.id join entries e on e.transfer_id = f.id
     left join sub_accounts s on s.id * 16 + 11 = e.account_id where t.reference = $1 group by 1`,
    [reference],
  )
  return Object.fromEntries(rows.map((row) => [row.whose, row.kobo]))
}

describe('payment policy', () => {
  test('200: the default, what was set last, and nobody else is touched', async () => {
    const h = harness()
    const { main, other } = h.merchants
    expect((await h.as(main, 'GET', POLICY)).json.responseBody).toEqual(DEFAULT)
    const barredPayers = [{ bankCode: '058', accountNumber: '0123456789' }]
    const wanted = { less: 'TOP_UP', more: 'HOLD', extra: 'HOLD', tolerance: 12.5, barredPayers }
    expect(await setPolicy(h, main, wanted)).toEqual(wanted)
    expect((await h.as(main, 'GET', POLICY)).json.responseBody).toEqual(wanted)
    expect((await h.as(other, 'GET', POLICY)).json.responseBody).toEqual(DEFAULT)
    const key = { 'idempotency-key': unique('key') }
    const first = await h.as(main, 'PUT', POLICY, DEFAULT, key)
    const again = await h.as(main, 'PUT', POLICY, DEFAULT, key)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    const rows = await h.sql('01', 'select count(*)::int as n from payment_policies where merchant_id = $1', [main.id])
    expect(rows[0].n).toBe(2) // both are kept
  })

  test('the last one set stays in force, also after one that a process with a faster clock has set', async () => {
    const h = harness()
    const { main } = h.merchants
    const { ctx } = h.gateway
    const ahead: Ctx = { ...ctx, clock: { now: () => new Date(ctx.clock.now().getTime() + 3_000), offsetMs: () => 0 } }
    const [id] = (await cellById(ctx, '01').takeIds(1)) as [bigint]
    const fast = { ...DEFAULT_POLICY, less: 'HOLD' as const }
    await tx(ahead, '01', main.id, (t) => insert(t, id, main.id, fast))
    await setPolicy(h, main, { less: 'TOP_UP' })
    await advance(h, 5)
    expect((await h.as(main, 'GET', POLICY)).json.responseBody.less).toBe('TOP_UP')
    await setPolicy(h, main)
  })

  test.each<[string, Record<string, unknown>]>([
    ['TOLERANCE_TOO_LARGE', { tolerance: 1000.01 }],
    ['AMOUNT_INVALID', { tolerance: 0.001 }],
    ['AMOUNT_INVALID', { tolerance: -1 }],
    ['BANK_UNKNOWN', { barredPayers: [{ bankCode: '999', accountNumber: '0123456789' }] }],
    ['FIELD_INVALID', { barredPayers: [{ bankCode: '058', accountNumber: '12' }] }],
    ['FIELD_INVALID', { less: 'KEEP' }],
    ['FIELD_INVALID', { more: 'TOP_UP' }],
    ['FIELD_INVALID', { extra: 'COMPLETE' }],
    ['FIELD_MISSING', { less: null }],
  ])('4xx %s for %j', async (code, over) => {
    const h = harness()
    const answer = await h.as(h.merchants.main, 'PUT', POLICY, { ...DEFAULT, ...over })
    expect(answer.json.problem?.code).toBe(code)
  })
})

// What arrives for 1,500, what becomes of the transaction, and what becomes of the money that was not
// counted.
type End = readonly [paymentStatus: string, amountPaid: string, ...uncounted: string[]]
const LESS: Record<string, End> = {
  COMPLETE: ['PARTIALLY_PAID', '1000.00'],
  TOP_UP: ['PARTIALLY_PAID', '1000.00'],
  RETURN: ['PENDING', '0.00', 'UNDER_PAYMENT RETURNED'],
  HOLD: ['PENDING', '0.00', 'UNDER_PAYMENT HELD'],
}
const MORE: Record<string, End> = {
  COMPLETE: ['OVERPAID', '2000.00'],
  RETURN: ['PENDING', '0.00', 'OVER_PAYMENT RETURNED'],
  HOLD: ['PENDING', '0.00', 'OVER_PAYMENT HELD'],
}
const extra = (state: string): Record<string, End> => ({
  twice: ['PAID', '1500.00', `TRANSACTION_COMPLETED ${state}`],
  closed: ['PARTIALLY_PAID', '1000.00', `TRANSACTION_COMPLETED ${state}`],
  late: ['EXPIRED', '0.00', `TRANSACTION_EXPIRED ${state}`],
  barred: ['PENDING', '0.00', `PAYER_BARRED ${state}`],
})
const CASES: [string, Record<string, unknown>, string, End][] = [
  ...Object.entries(LESS).map(([less, end]): (typeof CASES)[number] => [`less: ${less}`, { less }, 'less', end]),
  ...Object.entries(MORE).map(([more, end]): (typeof CASES)[number] => [`more: ${more}`, { more }, 'more', end]),
  ...(
    [
      ['RETURN', 'RETURNED'],
      ['HOLD', 'HELD'],
    ] as const
  ).flatMap(([way, state]) =>
    Object.entries(extra(state)).map(([what, end]): (typeof CASES)[number] => [
      `extra: ${way}, ${what}`,
      { extra: way },
      what,
      end,
    ]),
  ),
]
const BARRED = { senderBankCode: '057', senderAccountNumber: '0011223344' }

describe('money that does not fit', () => {
  test.each(CASES)('%s', async (_, policy, what, [paymentStatus, amountPaid, ...uncounted]) => {
    const h = harness()
    const { main } = h.merchants
    // Barred by its six-digit code; the transfer names the three-digit one.
    await setPolicy(h, main, { ...policy, barredPayers: [{ bankCode: '000015', accountNumber: '0011223344' }] })
    const made = await waiting(h, main)
    const amounts = {
      less: [1000],
      more: [2000],
      twice: [1500, 1500],
      closed: [1000, 500],
      late: [1500],
      barred: [1500],
    }
    if (what === 'late') await advance(h, 2_400)
    for (const amount of amounts[what as keyof typeof amounts])
      await h.pay(made.accountNumber, amount, what === 'barred' ? BARRED : {})
    await advance(h, 0)
    expect(await status(h, main, made.transactionReference)).toMatchObject({ paymentStatus, amountPaid })
    const items = await suspense(h, main, made.transactionReference)
    expect(items.map((item) => `${item.reason} ${item.status}`)).toEqual(uncounted)
    const notified = (await events(h, main, made.transactionReference)).filter(
      (event) => event.eventType === 'REJECTED_PAYMENT',
    )
    const next = { RETURNED: 'RETURN', HELD: 'HOLD' }
    expect(notified.map((event) => event.body.eventData.paymentRejectionInformation.nextStep)).toEqual(
      items.map((item) => next[item.status as keyof typeof next]),
    )
    for (const item of items) {
      const shown = await fetch(`${h.simulatorUrl}/api/transfers/${item.bank_reference}`)
      expect(((await shown.json()) as any).returned).toBe(item.status === 'RETURNED')
    }
  })

  test('a transaction that waits on after a wrong amount is paid by the right one', async () => {
    const h = harness()
    const { main } = h.merchants
    await setPolicy(h, main, { less: 'RETURN', more: 'HOLD' })
    const made = await waiting(h, main)
    for (const amount of [1499.99, 1500.01, 1500]) await h.pay(made.accountNumber, amount)
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '1500.00',
    })
    expect((await suspense(h, main, made.transactionReference)).map((item) => item.reason)).toEqual([
      'UNDER_PAYMENT',
      'OVER_PAYMENT',
    ])
  })

  test.each<[number, number, number, string]>([
    [1500, 5, 1495, 'PAID'],
    [1500, 5, 1505, 'PAID'],
    [1500, 5, 1494.99, 'PARTIALLY_PAID'],
    [1500, 5, 1505.01, 'OVERPAID'],
    [20, 1000, 18, 'PAID'],
    [20, 1000, 17.99, 'PARTIALLY_PAID'],
  ])('of %d with a tolerance of %d, %d is %s', async (amount, tolerance, sent, paymentStatus) => {
    const h = harness()
    const { main } = h.merchants
    await setPolicy(h, main, { tolerance })
    const made = await waiting(h, main, { amount })
    await h.pay(made.accountNumber, sent)
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus,
      amountPaid: sent.toFixed(2),
      totalPayable: amount.toFixed(2),
    })
    const [event] = await events(h, main, made.transactionReference)
    expect(event.body.eventData).toMatchObject({ paymentStatus, amountPaid: sent, totalPayable: amount })
  })
})

describe('TOP_UP', () => {
  test('each transfer is reported with the state reached; record and ledger end like those of one payment', async () => {
    const h = harness()
    const { main } = h.merchants
    await setPolicy(h, main, { less: 'TOP_UP' })
    const [a, b] = [await subAccount(h, main), await subAccount(h, main)]
    const incomeSplitConfig = [
      { subAccountCode: a.subAccountCode, splitPercentage: 33.33, feeBearer: true },
      { subAccountCode: b.subAccountCode, splitAmount: 400, feeBearer: true, feePercentage: 50 },
    ]
    const parts = await waiting(h, main, { incomeSplitConfig })
    const whole = await waiting(h, main, { incomeSplitConfig })
    for (const amount of [300.33, 0.01, 999.66]) await h.pay(parts.accountNumber, amount)
    const between = await status(h, main, parts.transactionReference)
    expect(between).toMatchObject({ paymentStatus: 'PARTIALLY_PAID', amountPaid: '1300.00' })
    expect(between.paidOn).not.toBeNull()
    await h.pay(parts.accountNumber, 200)
    await h.pay(whole.accountNumber, 1500)
    const record = await status(h, main, parts.transactionReference)
    expect(record).toMatchObject({ paymentStatus: 'PAID', amountPaid: '1500.00', settlementAmount: '1477.50' })
    expect(record.accountPayments.map((one: any) => one.amountPaid)).toEqual(['300.33', '0.01', '999.66', '200.00'])
    expect(await ledger(h, main, parts.transactionReference)).toEqual(await ledger(h, main, whole.transactionReference))
    const notified = (await events(h, main, parts.transactionReference)).map((event) => event.body.eventData)
    expect(notified.map((data) => [data.paymentStatus, data.amountPaid, data.paymentSourceInformation.length])).toEqual(
      [
        ['PARTIALLY_PAID', 300.33, 1],
        ['PARTIALLY_PAID', 300.34, 2],
        ['PARTIALLY_PAID', 1300, 3],
        ['PAID', 1500, 4],
      ],
    )
    for (const data of notified) {
      const sum = data.paymentSourceInformation.reduce((total: number, one: any) => total + one.amountPaid * 100, 0)
      expect(Math.round(sum)).toBe(Math.round(data.amountPaid * 100))
    }
  })

  test('more than the rest is OVERPAID by default, and sent back where the policy says so', async () => {
    const h = harness()
    const { main } = h.merchants
    await setPolicy(h, main, { less: 'TOP_UP' })
    const [over, back] = [await waiting(h, main), await waiting(h, main)]
    await h.pay(over.accountNumber, 1000)
    await h.pay(over.accountNumber, 501)
    expect(await status(h, main, over.transactionReference)).toMatchObject({
      paymentStatus: 'OVERPAID',
      amountPaid: '1501.00',
    })
    await setPolicy(h, main, { less: 'TOP_UP', more: 'RETURN' })
    await h.pay(back.accountNumber, 1000)
    await h.pay(back.accountNumber, 501)
    const [, rejected] = await events(h, main, back.transactionReference)
    expect(rejected.body.eventData.paymentRejectionInformation).toMatchObject({
      rejectionReason: 'OVER_PAYMENT',
      expectedAmount: 500,
    })
    await h.pay(back.accountNumber, 500)
    expect((await status(h, main, back.transactionReference)).paymentStatus).toBe('PAID')
  })

  test('the tolerance holds for the whole, not for each transfer', async () => {
    const h = harness()
    const { main } = h.merchants
    await setPolicy(h, main, { less: 'TOP_UP', tolerance: 10 })
    const made = await waiting(h, main)
    await h.pay(made.accountNumber, 1000)
    await h.pay(made.accountNumber, 490)
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '1490.00',
    })
  })

  test('it stays open until it expires: the account, the enquiry, then the timer closes it as PARTIALLY_PAID', async () => {
    const h = harness()
    const { main } = h.merchants
    await setPolicy(h, main, { less: 'TOP_UP' })
    const made = await waiting(h, main)
    await h.pay(made.accountNumber, 600)
    const isOpen = async () => {
      const raw = JSON.stringify({ bankCode: '50515', accountNumber: made.accountNumber })
      const answer = await h.call('POST', enquireAccount.path, { raw, headers: signature(h, raw, enquireAccount.path) })
      return answer.json.responseBody.open
    }
    expect(await isOpen()).toBe(true)
    const issued = await h.as(main, 'POST', INIT_PAYMENT, { transactionReference: made.transactionReference })
    expect(issued.json.responseBody).toMatchObject({
      accountNumber: made.accountNumber,
      amount: 1500,
      totalPayable: 900,
    })
    // A policy that is changed meanwhile does not close what was promised to stay open.
    await setPolicy(h, main, { less: 'COMPLETE' })
    await h.pay(made.accountNumber, 100)
    await advance(h, 2_400)
    expect(await isOpen()).toBe(false)
    expect(
      (await h.as(main, 'POST', INIT_PAYMENT, { transactionReference: made.transactionReference })).json.problem.code,
    ).toBe('TRANSACTION_CLOSED')
    await h.pay(made.accountNumber, 800)
    const record = await status(h, main, made.transactionReference)
    expect(record).toMatchObject({ paymentStatus: 'PARTIALLY_PAID', amountPaid: '700.00' })
    expect((await suspense(h, main, made.transactionReference)).map((item) => item.reason)).toEqual([
      'TRANSACTION_EXPIRED',
    ])
    const rows = await h.sql(
      '01',
      `select s.action from state_changes s join transactions t on t.id = s.object_id and s.object = 'transaction'
       where t.reference = $1 order by s.version`,
      [made.transactionReference],
    )
    expect(rows.map((row) => row.action)).toEqual(['payLess', 'topUp', 'close'])
  })

  test('50 transfers at once, at two processes: the sums are exact, and what comes after the whole goes back', async () => {
    const h = harness()
    const { main } = h.merchants
    await setPolicy(h, main, { less: 'TOP_UP' })
    const elsewhere = await secondApi(h)
    try {
      const made = await waiting(h, main, { amount: 1500 })
      const amounts = Array.from({ length: 50 }, (_, i) => 3_001 + i * 37) // 1,953.75 naira in all
      const outcomes = await Promise.all(
        amounts.map(async (sent, i) => {
          const body = notice(made.accountNumber, (sent / 100).toFixed(2))
          return i % 2 === 0 ? elsewhere.tell(body) : outcomeOf(await tell(h, body))
        }),
      )
      const [row] = await h.sql(
        '01',
        `select t.status, t.paid_kobo::text as paid, t.version, (select sum(kobo)::text from inbound_credits c where c.transaction_id = t.id) as arrived,
           (select sum(kobo)::text from suspense_items s where s.transaction_id = t.id) as uncounted from transactions t where reference = $1`,
        [made.transactionReference],
      )
      const counted = outcomes.filter((outcome) => outcome === 'COUNTED').length
      const others = outcomes.filter((outcome) => outcome !== 'COUNTED' && outcome !== 'SUSPENDED')
      expect(others, 'what is neither counted nor suspended').toEqual([])
      expect(row.arrived).toBe(String(amounts.reduce((sum, sent) => sum + sent, 0)))
      expect(BigInt(row.paid) + BigInt(row.uncounted)).toBe(BigInt(row.arrived))
      expect([row.status, row.version]).toEqual([row.paid === '150000' ? 'PAID' : 'OVERPAID', counted + 1])
      const held = await ledger(h, main, made.transactionReference)
      expect(held).toEqual({
        bank: `-${row.paid}`,
        fee: String((BigInt(row.paid) * 150n + 5_000n) / 10_000n),
        pending: String(BigInt(row.paid) - (BigInt(row.paid) * 150n + 5_000n) / 10_000n),
      })
    } finally {
      await elsewhere.close()
    }
  })

  // Whoever is slower loses once against each of the others: that is the most that fifty at once can cost.
  test('a transfer that 49 others come before is counted all the same', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main, { amount: 1500 })
    const { credits } = handlersOf(h.gateway)
    let lost = 0
    const queue: typeof credits.queue = async (cell, one) => {
      if (lost === 49) return credits.queue(cell, one)
      lost += 1
      return 'AGAIN'
    }
    const body = notice(made.accountNumber, '1500.00') as unknown as CreditNotice
    expect(await takeCredit({ ...credits, queue }, body)).toEqual({ outcome: 'COUNTED' })
  })
})
