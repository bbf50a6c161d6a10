// Money that arrives: counted once, or held in suspense with a reason, an owner and a day. Notices go
// straight to the connector route, signed like the bank's; where a scenario of the simulator is meant, the
// simulator sends them.

import { creditNotice, enquireAccount, SIGNATURE_HEADER, TIMESTAMP_HEADER } from '@cowrie/contract/bank/connector'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { runDue } from '#core/agenda.ts'
import { transactionsDue } from '#features/collections/transactions/transactions.due.ts'
import {
  events,
  newSession,
  notice,
  outcomeOf,
  type Signing,
  secondApi,
  signature,
  suspense,
  tally,
  tell,
  tellRaw,
  waiting,
} from '#test/bank/notices.ts'
import { advance, type Harness, paid, status, useHarness } from '#test/kit/harness.ts'
import { scatter } from '#test/kit/waiting.ts'
import { creditsDue } from './credits.due.ts'

const harness = useHarness()
const DUE = { ...transactionsDue, ...creditsDue }

/** Holds the row of a transaction, so that what wants to change it queues up in the order it came. */
async function holdRow(h: Harness, reference: string) {
  const client = new pg.Client({ connectionString: h.databases['01'] })
  await client.connect()
  await client.query('begin')
  await client.query('select from transactions where reference = $1 for update', [reference])
  return {
    waiting: async (count: number) =>
      h.until(`${count} in the queue`, async () => {
        const rows = await h.sql(
          '01',
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length >= count
      }),
    release: async () => {
      await client.query('commit')
      await client.end()
    },
  }
}
/** How many rows there are of all that money leaves, so that "nothing changed" means all of them. */
const footprint = async (h: Harness) => {
  const tables = ['inbound_credits', 'suspense_items', 'transfers', 'entries', 'state_changes', 'events', 'mails']
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')
  return [await h.sql('01', `select ${counts}`), await h.sql('02', `select ${counts}`)]
}

describe('bank.enquire', () => {
  const enquire = (h: Harness, body: unknown, signing?: Signing) => {
    const raw = JSON.stringify(body)
    return h.call('POST', enquireAccount.path, { raw, headers: signature(h, raw, enquireAccount.path, signing) })
  }
  test('200 names the holder, and whether the account is open, until it is paid or expired', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main)
    const asked = { bankCode: '50515', accountNumber: made.accountNumber }
    expect((await enquire(h, asked)).json.responseBody).toMatchObject({
      accountName: 'Adire Stores-Two yards of adire',
      open: true,
    })
    await tell(h, notice(made.accountNumber, '1500.00'))
    expect((await enquire(h, asked)).json.responseBody.open).toBe(false)
    const late = await waiting(h, main)
    await advance(h, 2_400)
    expect((await enquire(h, { ...asked, accountNumber: late.accountNumber })).json.responseBody.open).toBe(false)
  })
  test('404 ACCOUNT_UNKNOWN for a number never given out, 401 SIGNATURE_INVALID with another key', async () => {
    const h = harness()
    const asked = { bankCode: '50515', accountNumber: '0199999990' }
    expect(outcomeOf(await enquire(h, asked))).toBe('ACCOUNT_UNKNOWN')
    expect(outcomeOf(await enquire(h, asked, { key: 'another' }))).toBe('SIGNATURE_INVALID')
  })
  test('the simulator rejects a transfer to a number never given out', async () => {
    expect((await harness().pay('0199999990', 20)).json.status).toBe('REJECTED')
  })
})

describe('bank.credit', () => {
  test.each([
    ['1500.00', 'PAID', '1500.00', '1477.50'],
    ['1499.99', 'PARTIALLY_PAID', '1499.99', '1477.49'],
    ['0.01', 'PARTIALLY_PAID', '0.01', '0.01'],
    ['1500.01', 'OVERPAID', '1500.01', '1477.51'],
    ['200000.00', 'OVERPAID', '200000.00', '198000.00'],
  ])(
    '200 COUNTED: %s for 1500 makes it %s, in the record, the ledger and the event',
    async (amount, state, shown, net) => {
      const h = harness()
      const { main } = h.merchants
      const made = await waiting(h, main)
      const body = notice(made.accountNumber, amount)
      expect(outcomeOf(await tell(h, body))).toBe('COUNTED')
      expect(await status(h, main, made.transactionReference)).toMatchObject({
        paymentStatus: state,
        amountPaid: shown,
        totalPayable: '1500.00',
        settlementAmount: net,
        paymentMethod: 'ACCOUNT_TRANSFER',
        accountDetails: {
          accountName: 'ADA NNEKA OBI',
          accountNumber: '******6789',
          bankCode: '058',
          amountPaid: shown,
        },
      })
      const [row] = await h.sql(
        '01',
        `select -sum(e.kobo) filter (where e.account_id = 0) as bank, sum(e.kobo) filter (where e.account_id = t.merchant_id * 16 + 8) as pending,
         sum(e.kobo) as total from transactions t join transfers f on f.object_id = t.id and f.object = 'transaction'
       join entries e on e.transfer_id = f.id where t.reference = $1`,
        [made.transactionReference],
      )
      const kobo = (text: string) => String(BigInt(text.replace('.', '')))
      expect(row).toEqual({ bank: kobo(shown), pending: kobo(net), total: '0' })
      const notified = await events(h, main, made.transactionReference)
      expect(notified.map((event) => event.eventType)).toEqual(['SUCCESSFUL_TRANSACTION'])
      expect(notified[0].body.eventData).toMatchObject({
        paymentStatus: state,
        amountPaid: Number(shown),
        totalPayable: 1500,
        settlementAmount: net,
        paymentSourceInformation: [{ sessionId: body.sessionId, amountPaid: Number(shown) }],
        destinationAccountInformation: { accountNumber: made.accountNumber, bankCode: '50515' },
      })
    },
  )

  test('twice by the simulator is counted once', async () => {
    const h = harness()
    const { second } = h.merchants
    const made = await waiting(h, second)
    await h.pay(made.accountNumber, 1500, { scenario: 'twice' })
    expect(await status(h, second, made.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '1500.00',
    })
    expect(await suspense(h, second, made.transactionReference)).toEqual([])
    expect((await events(h, second, made.transactionReference)).length).toBe(1)
  })

  test('200 for the same notice 50 times at once, at two processes: one COUNTED, 49 REPEATED', async () => {
    const h = harness()
    const { main } = h.merchants
    const elsewhere = await secondApi(h)
    try {
      const made = await waiting(h, main)
      const body = notice(made.accountNumber, '1500.00')
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, async (_, i) =>
          i % 2 === 0 ? elsewhere.tell(body) : outcomeOf(await tell(h, body)),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'COUNTED').length).toBe(1)
      expect(outcomes.filter((outcome) => outcome === 'REPEATED').length).toBe(49)
      expect((await status(h, main, made.transactionReference)).amountPaid).toBe('1500.00')
      expect(await suspense(h, main, made.transactionReference)).toEqual([])
      expect((await events(h, main, made.transactionReference)).length).toBe(1)
    } finally {
      await elsewhere.close()
    }
  })

  test('200 for the same late notice 50 times at once: one SUSPENDED, 49 REPEATED', async () => {
    const h = harness()
    const { main } = h.merchants
    const done = await paid(h, main)
    const raw = JSON.stringify(notice(done.accountNumber, '70.00'))
    const answers = await Promise.all(Array.from({ length: 50 }, () => tellRaw(h, raw)))
    expect(tally(answers)).toEqual({ SUSPENDED: 1, REPEATED: 49 })
    expect((await suspense(h, main, done.transactionReference)).length).toBe(1)
    expect((await events(h, main, done.transactionReference)).map((event) => event.eventType)).toEqual([
      'SUCCESSFUL_TRANSACTION',
      'REJECTED_PAYMENT',
    ])
  })

  test('200 for one session notified for two accounts at once: one of them is paid', async () => {
    const h = harness()
    const { main } = h.merchants
    const [a, b] = [await waiting(h, main), await waiting(h, main)]
    const sessionId = newSession()
    const answers = await Promise.all(
      [a, b].map(({ accountNumber }) => tell(h, notice(accountNumber, '1500.00', { sessionId }))),
    )
    expect(tally(answers)).toEqual({ COUNTED: 1, REPEATED: 1 })
    const states = await Promise.all(
      [a, b].map(async (one) => (await status(h, main, one.transactionReference)).paymentStatus),
    )
    expect(states.toSorted((x: string, y: string) => x.localeCompare(y))).toEqual(['PAID', 'PENDING'])
  })

  test('200 for two sessions at once on one account: one COUNTED, one SUSPENDED with event, owner, reason and day', async () => {
    const h = harness()
    const { main } = h.merchants
    for (let round = 0; round < 5; round += 1) {
      const made = await waiting(h, main, { metaData: { round } })
      const notices = [notice(made.accountNumber, '1500.00'), notice(made.accountNumber, '1500.00')]
      const answers = await Promise.all(notices.map((one) => tell(h, one)))
      expect(tally(answers)).toEqual({ COUNTED: 1, SUSPENDED: 1 })
      const surplus = notices[answers.findIndex((answer) => outcomeOf(answer) === 'SUSPENDED')]!
      const [item, ...more] = await suspense(h, main, made.transactionReference)
      expect(more).toEqual([])
      expect(item).toMatchObject({
        bank_reference: surplus.sessionId,
        kobo: '150000',
        reason: 'TRANSACTION_COMPLETED',
        owner: 'operations',
      })
      expect(item.decide_by.getTime() - item.created_at.getTime()).toBe(7 * 86_400_000)
      const record = await status(h, main, made.transactionReference)
      expect(record).toMatchObject({ paymentStatus: 'PAID', amountPaid: '1500.00' })
      expect(record.accountPayments.length).toBe(1)
      const notified = await events(h, main, made.transactionReference)
      expect(notified.map((event) => event.eventType)).toEqual(['SUCCESSFUL_TRANSACTION', 'REJECTED_PAYMENT'])
      expect(notified[1].body.eventData).toMatchObject({
        amount: 1500,
        metaData: { round },
        paymentSourceInformation: { sessionId: surplus.sessionId },
        paymentRejectionInformation: { rejectionReason: 'TRANSACTION_COMPLETED', expectedAmount: 1500 },
      })
    }
  })

  test('200 SUSPENDED for money that comes after the expiry, in the simulator and in person', async () => {
    const h = harness()
    const { second } = h.merchants
    const made = await waiting(h, second)
    await h.pay(made.accountNumber, 1500, { scenario: 'late' })
    await advance(h, 2_500)
    expect(outcomeOf(await tell(h, notice(made.accountNumber, '20.00')))).toBe('SUSPENDED')
    expect(await status(h, second, made.transactionReference)).toMatchObject({
      paymentStatus: 'EXPIRED',
      amountPaid: '0.00',
      settlementAmount: '0.00',
      paidOn: null,
      accountPayments: [],
    })
    const items = await suspense(h, second, made.transactionReference)
    expect(items.map((item) => [item.kobo, item.reason])).toEqual([
      ['150000', 'TRANSACTION_EXPIRED'],
      ['2000', 'TRANSACTION_EXPIRED'],
    ])
    const notified = await events(h, second, made.transactionReference)
    expect(notified.map((event) => event.body.eventData.paymentRejectionInformation.rejectionReason)).toEqual([
      'TRANSACTION_EXPIRED',
      'TRANSACTION_EXPIRED',
    ])
  })

  test('the money in suspense is reported by mail, which arrives', async () => {
    const h = harness()
    const { other } = h.merchants
    const done = await paid(h, other)
    await h.pay(done.accountNumber, '70.50')
    await advance(h, 0)
    const mails = (await h.as(other, 'GET', `/sandbox/mails?to=${other.email}`)).json.responseBody
    const mine = mails.filter((mail: any) => mail.text.includes(done.transactionReference))
    expect(mine.length).toBe(1)
    expect(mine[0].to).toBe(other.email)
    expect(mine[0].subject).toContain('₦70.50')
    expect(mine[0].text).toContain(done.paymentReference)
    expect(mine[0].text).toContain('already complete')
    expect(mine[0].text).toContain('returned')
    await advance(h, 3_600)
    const later = (await h.as(other, 'GET', `/sandbox/mails?to=${other.email}`)).json.responseBody
    expect(later.filter((mail: any) => mail.text.includes(done.transactionReference)).length).toBe(1)
  })

  test('200 for 300 notices at once: every one is counted', async () => {
    const h = harness()
    const merchants = [h.merchants.main, h.merchants.other, h.merchants.second]
    const made = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const merchant = merchants[i % 3]!
        return { merchant, kobo: 2_000 + i, ...(await waiting(h, merchant, { amount: (2_000 + i) / 100 })) }
      }),
    )
    const answers = await Promise.all(
      made.map((one) => tell(h, notice(one.accountNumber, (one.kobo / 100).toFixed(2)))),
    )
    expect(tally(answers)).toEqual({ COUNTED: 300 })
    for (const merchant of merchants) {
      const own = made.filter((one) => one.merchant === merchant).map((one) => one.transactionReference)
      const [row] = await h.sql(
        merchant.cell,
        `select count(*)::int as paid from transactions where reference = any($1) and status = 'PAID' and paid_kobo = kobo`,
        [own],
      )
      expect(row.paid).toBe(100)
    }
  })

  test('a credit that meets the expiry is either counted or held, never both and never neither', async () => {
    const h = harness()
    const { main } = h.merchants
    const { ctx, clock } = h.gateway
    const made = await Promise.all(Array.from({ length: 90 }, () => waiting(h, main)))
    // They expire around one instant, 4 ms apart; the first ten long before it, the last ten long after.
    const base = ctx.clock.now().getTime() + 3_000_000
    const expiry = made.map((_, i) => new Date(base + (i < 10 ? -60_000 : i >= 80 ? 60_000 : (i - 10) * 4)))
    await h.sql(
      '01',
      `with x as (select * from unnest($1::text[], $2::timestamptz[]) as x(reference, at)),
         t as (update transactions t set expires_at = x.at from x where t.reference = x.reference returning t.id, x.at),
         v as (update virtual_accounts v set expires_at = t.at from t where v.transaction_id = t.id)
       update agenda a set due_at = t.at from t where a.subject = t.id and a.kind = 'transactions.expire'`,
      [made.map((one) => one.transactionReference), expiry],
    )
    clock!.setOffset(base - 20 - Date.now())
    let telling = true
    const timers = (async () => {
      while (telling) await runDue(ctx, '01', DUE)
    })()
    const answers = await Promise.all(
      made.map(async (one, i) => {
        await scatter((i * 37) % 300)
        return tell(h, notice(one.accountNumber, '1500.00'))
      }),
    )
    telling = false
    await timers
    clock!.setOffset(base + 120_000 - Date.now())
    await runDue(ctx, '01', DUE)
    const ends = await Promise.all(
      made.map(async (one, i) => {
        const record = await status(h, main, one.transactionReference)
        const items = await suspense(h, main, one.transactionReference)
        const reasons = items.map((item) => item.reason)
        return [outcomeOf(answers[i]!), record.paymentStatus, record.amountPaid, ...reasons].join(' ')
      }),
    )
    const COUNTED = 'COUNTED PAID 1500.00'
    const HELD = 'SUSPENDED EXPIRED 0.00 TRANSACTION_EXPIRED'
    expect(ends.filter((end) => end !== COUNTED && end !== HELD)).toEqual([])
    expect(ends.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => HELD))
    expect(ends.slice(80)).toEqual(Array.from({ length: 10 }, () => COUNTED))
    await advance(h, 0) // the simulator's clock follows
  })

  test('200 for two sessions that both saw the transaction waiting, at two processes: one COUNTED, one SUSPENDED', async () => {
    const h = harness()
    const { main } = h.merchants
    const elsewhere = await secondApi(h)
    try {
      const made = await waiting(h, main)
      const row = await holdRow(h, made.transactionReference)
      const first = tell(h, notice(made.accountNumber, '1500.00'))
      await row.waiting(1)
      const second = elsewhere.tell(notice(made.accountNumber, '1400.00'))
      await row.waiting(2)
      await row.release()
      expect([outcomeOf(await first), await second]).toEqual(['COUNTED', 'SUSPENDED'])
      expect(await status(h, main, made.transactionReference)).toMatchObject({
        paymentStatus: 'PAID',
        amountPaid: '1500.00',
      })
      expect((await suspense(h, main, made.transactionReference)).map((item) => item.kobo)).toEqual(['140000'])
    } finally {
      await elsewhere.close()
    }
  })

  test('200 SUSPENDED for a credit that saw the transaction waiting while another process was expiring it', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main)
    const elsewhere = await secondApi(h) // its clock stays behind
    try {
      h.gateway.clock!.setOffset(h.gateway.ctx.clock.offsetMs() + 2_400_000)
      const row = await holdRow(h, made.transactionReference)
      const timers = runDue(h.gateway.ctx, '01', DUE)
      await row.waiting(1)
      const credit = elsewhere.tell(notice(made.accountNumber, '1500.00'))
      await row.waiting(2)
      await row.release()
      await timers
      // Its clock still says that there is time; the state does not.
      expect(await credit).toBe('SUSPENDED')
      expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('EXPIRED')
    } finally {
      await elsewhere.close()
      await advance(h, 0)
    }
  })

  test('a timer that saw the transaction waiting while a credit was being counted does nothing', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main)
    const row = await holdRow(h, made.transactionReference)
    const credit = tell(h, notice(made.accountNumber, '1500.00'))
    await row.waiting(1)
    h.gateway.clock!.setOffset(h.gateway.ctx.clock.offsetMs() + 2_400_000)
    const timers = runDue(h.gateway.ctx, '01', DUE)
    await row.waiting(2)
    await row.release()
    await timers
    expect(outcomeOf(await credit)).toBe('COUNTED')
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('PAID')
    const left = await h.sql(
      '01',
      `select from agenda a join transactions t on t.id = a.subject where t.reference = $1 and a.kind = 'transactions.expire'`,
      [made.transactionReference],
    )
    expect(left).toEqual([])
    await advance(h, 0)
  })

  test('404 ACCOUNT_UNKNOWN for a number of a cell that is not there', async () => {
    const h = harness()
    const before = await footprint(h)
    const answer = await tell(h, notice('7700000010', '1500.00'))
    expect([answer.status, outcomeOf(answer)]).toEqual([404, 'ACCOUNT_UNKNOWN'])
    expect(await footprint(h)).toEqual(before)
  })

  test('money for a number never given out, or at another bank, is the house’s to return, and no merchant is notified', async () => {
    const h = harness()
    const made = await waiting(h, h.merchants.main)
    const notified = () => h.sql('01', 'select count(*) from events')
    const before = await notified()
    for (const wrong of [notice('0199999990', '1500.00'), notice(made.accountNumber, '1500.00', { bankCode: '058' })]) {
      expect(outcomeOf(await tell(h, wrong))).toBe('SUSPENDED')
      expect(outcomeOf(await tell(h, wrong))).toBe('REPEATED')
      const [item] = await h.sql('01', 'select * from suspense_items where bank_reference = $1', [wrong.sessionId])
      expect([item.merchant_id, item.transaction_id, item.reason, item.owner]).toEqual([
        '0',
        null,
        'ACCOUNT_UNKNOWN',
        'operations',
      ])
      expect(['RETURNING', 'HELD']).toContain(item.status)
    }
    expect(await notified()).toEqual(before)
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PENDING')
  })

  test('50 notices of one session for a number never given out: one is taken', async () => {
    const h = harness()
    const body = notice('0199999909', '700.00')
    const answers = await Promise.all(Array.from({ length: 50 }, () => tell(h, body)))
    expect(tally(answers)).toEqual({ SUSPENDED: 1, REPEATED: 49 })
  })

  const forged: Record<string, Signing> = {
    'another key': { key: 'another key' },
    'a timestamp 301 s old': { age: 302 },
    'a timestamp 302 s ahead': { age: -302 },
    'another path signed': { path: enquireAccount.path },
    'another method signed': { method: 'PUT' },
    'a body changed after signing': { signed: '{}' },
    'another version': { version: 'v0' },
  }
  test.each(Object.entries(forged))('401 SIGNATURE_INVALID with %s, and nothing changes', async (_, signing) => {
    const h = harness()
    const made = await waiting(h, h.merchants.main)
    const before = await footprint(h)
    const answer = await tell(h, notice(made.accountNumber, '1500.00'), signing)
    expect([answer.status, outcomeOf(answer)]).toEqual([401, 'SIGNATURE_INVALID'])
    expect(await footprint(h)).toEqual(before)
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PENDING')
  })
  test('401 SIGNATURE_INVALID without headers, with a token in their place, and when only the amount was changed', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await waiting(h, main)
    const raw = JSON.stringify(notice(made.accountNumber, '20.00'))
    const raised = raw.replace('20.00', '1500.00')
    const before = await footprint(h)
    const answers = [
      await h.call('POST', creditNotice.path, { raw }),
      await h.call('POST', creditNotice.path, { raw, token: await h.token(main) }),
      await h.call('POST', creditNotice.path, { raw: raised, headers: signature(h, raw, creditNotice.path) }),
      await h.call('POST', creditNotice.path, {
        raw,
        headers: { [SIGNATURE_HEADER]: 'v1=', [TIMESTAMP_HEADER]: '1e3' },
      }),
    ]
    expect(answers.map(outcomeOf)).toEqual(answers.map(() => 'SIGNATURE_INVALID'))
    expect(await footprint(h)).toEqual(before)
  })
  test('200 COUNTED with a timestamp 290 s old', async () => {
    const h = harness()
    const made = await waiting(h, h.merchants.main)
    expect(outcomeOf(await tell(h, notice(made.accountNumber, '1500.00'), { age: 290 }))).toBe('COUNTED')
  })

  test.each([
    ['AMOUNT_INVALID', '"0"'],
    ['AMOUNT_INVALID', '0'],
    ['AMOUNT_INVALID', '"0.00"'],
    ['AMOUNT_INVALID', '-1500'],
    ['AMOUNT_INVALID', '"-1500.00"'],
    ['AMOUNT_INVALID', '1500.001'],
    ['AMOUNT_INVALID', '"1500.000"'],
    ['AMOUNT_INVALID', '1.5e-3'],
    ['AMOUNT_INVALID', '99999999999999'],
    ['FIELD_MISSING', 'null'],
    ['MALFORMED_BODY', '1500,"amount":1'],
  ])('400 %s for the amount %s, and nothing changes', async (expected, amount) => {
    const h = harness()
    const made = await waiting(h, h.merchants.main)
    const before = await footprint(h)
    const { amount: _, ...rest } = notice(made.accountNumber, 0)
    const answer = await tellRaw(h, `{"amount":${amount},${JSON.stringify(rest).slice(1)}`)
    expect([answer.status, outcomeOf(answer)]).toEqual([400, expected])
    expect(await footprint(h)).toEqual(before)
  })
  test.each([
    ['sessionId', '1'.repeat(29)],
    ['sessionId', `${'1'.repeat(29)}x`],
    ['accountNumber', '12345'],
    ['senderAccountNumber', 'abc'],
    ['senderName', 'x'.repeat(201)],
  ])('400 FIELD_INVALID when %s is %s', async (field, value) => {
    const answer = await tell(harness(), notice('0100000010', '20.00', { [field]: value }))
    expect([answer.status, outcomeOf(answer), answer.json.problem.field]).toEqual([400, 'FIELD_INVALID', field])
  })
})
