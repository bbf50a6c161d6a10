import { beforeAll, describe, expect, test } from 'vitest'
import { behindFaultyBank } from '#test/bank/faulty-bank.ts'
import {
  accepted,
  active,
  atBank,
  cancel,
  DAY,
  DEBIT,
  debit,
  debitBody,
  debitFaults,
  debitStatus,
  decide,
  HOUR,
  inSeconds,
  type Mandate,
  mandate,
  STARTS_IN,
  STATUS,
  sessionOf,
  stateOf,
  takenAtBank,
  tellDebit,
} from '#test/features/collections/direct-debit.ts'
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
import { findRefusal } from './debits.ts'

const harness = useHarness()
let h: Harness
let main: TestMerchant
beforeAll(() => {
  h = harness()
  main = h.merchants.main
})

const state = async (made: Mandate, { paymentReference }: { paymentReference: string }): Promise<string> =>
  (await debitStatus(h, made, paymentReference)).transactionStatus
const refusal = async (made: Mandate, over: Record<string, unknown> = {}): Promise<string> => {
  const answer = await debit(h, made, over)
  return answer.status === 200 ? 'accepted' : `${answer.status} ${answer.json.responseMessage}`
}
const debited = async ({ mandateCode }: Mandate): Promise<bigint> =>
  BigInt((await h.sql('01', 'select debited_kobo from mandates where code = $1', [mandateCode]))[0].debited_kobo)
const eventsOf = async (paymentReference: string): Promise<any[]> =>
  (
    await h.sql(
      '01',
      `select e.type, event_body(e.shape, e.body) as body from events e join transactions t on t.id = e.object_id where t.payment_reference = $1 order by e.object_version`,
      [paymentReference],
    )
  ).map(({ type, body }) => ({ type, ...JSON.parse(body).eventData }))

describe('a debit', () => {
  test('is PENDING when accepted and PAID when the bank has paid; the merchant is notified with the fee taken off', async () => {
    const made = await active(h, main)
    const one = await accepted(h, made, { debitAmount: 1200.5 })
    expect(one).toMatchObject({
      transactionStatus: 'PENDING',
      responseMessage: 'Debit mandate request accepted for processing',
      debitAmount: 1200.5,
      narration: 'First term',
      mandateCode: made.mandateCode,
    })
    await advance(h, 1)
    expect(await debitStatus(h, made, one.paymentReference)).toMatchObject({
      transactionStatus: 'PAID',
      responseMessage: 'Transaction successful',
      transactionReference: one.transactionReference,
    })
    expect(await atBank(h, made)).toMatchObject([{ status: 'SUCCESS', asked: 1, taken: '1200.50', returned: '0.00' }])
    const [event, ...more] = await eventsOf(one.paymentReference)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      type: 'SUCCESSFUL_TRANSACTION',
      product: { type: 'DIRECT_DEBIT', reference: made.mandateCode },
      paymentMethod: 'DIRECT_DEBIT',
      amountPaid: 1200.5,
      settlementAmount: '1182.49',
      paymentSourceInformation: [{ accountNumber: made.body.customerAccountNumber, bankCode: '057' }],
    })
  })

  test('is a transaction: its status record says so, and no payer can pay it another way', async () => {
    const made = await active(h, main)
    const one = await accepted(h, made)
    const issued = await h.as(main, 'POST', INIT_PAYMENT, { transactionReference: one.transactionReference })
    expect([issued.status, issued.json.problem.code]).toEqual([422, 'TRANSACTION_CLOSED'])
    expect(await status(h, main, one.transactionReference)).toMatchObject({ paymentStatus: 'PENDING' })
    await advance(h, 1)
    expect(await status(h, main, one.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      paymentMethod: 'DIRECT_DEBIT',
      product: { type: 'DIRECT_DEBIT', reference: made.mandateCode },
      amountPaid: '1200.00',
    })
  })

  test('is shared out where it has a split', async () => {
    const made = await active(h, main)
    const { subAccountCode } = await subAccount(h, main)
    const one = await accepted(h, made, { incomeSplitConfig: [{ subAccountCode, splitPercentage: 25 }] })
    await advance(h, 1)
    const [share] = await h.sql(
      '01',
      `select sum(e.kobo) as kobo from entries e join transfers f on f.id = e.transfer_id join transactions t on t.id = f.object_id
       where t.payment_reference = $1 and e.account_id % 16 = 11`,
      [one.paymentReference],
    )
    expect(BigInt(share.kobo)).toBeGreaterThan(29_000n)
    expect(await refusal(made, { incomeSplitConfig: [{ subAccountCode: 'nobody', splitPercentage: 25 }] })).toMatch(
      /^4/,
    )
  })

  test('is refused where the mandate does not allow it', async () => {
    const waiting = await mandate(h, main)
    expect(await refusal(waiting)).toBe('422 Mandate is not active: INITIATED')
    const later = await mandate(h, main, { mandateStartDate: inSeconds(h, HOUR) })
    await decide(h, later, 'authorize')
    expect(await refusal(later)).toBe('422 Mandate has not started yet')
    await advance(h, HOUR + 1)
    expect(await refusal(later)).toBe('accepted')
    const fixed = await active(h, main, { debitAmount: 500, mandateAmount: 1000 })
    expect(await refusal(fixed, { debitAmount: '499.99' })).toBe('422 The mandate allows debits of 500.00 only')
    expect(await refusal(fixed, { debitAmount: '500' })).toBe('accepted')
    expect(await refusal(fixed, { debitAmount: '500.00' })).toBe('accepted')
    expect(await refusal(fixed, { debitAmount: '500' })).toBe(
      '422 The debit exceeds what is left of the mandate amount: 0.00',
    )
    const free = await active(h, main, { mandateAmount: undefined })
    expect(await refusal(free, { debitAmount: '19.99' })).toBe('400 Amount must not be less than 20.00')
    expect(await refusal(free, { debitAmount: '5000000' })).toBe('accepted')
    expect(await refusal(free, { mandateCode: `CWDD|01${'Z'.repeat(26)}` })).toBe('404 Mandate not found')
  })

  test('is refused from the instant of the end date on, though no timer has run yet', () => {
    const [starts_at, ends_at] = [new Date(1_000), new Date(2_000)]
    const rest = { status: 'ACTIVE', cancel_asked_at: null, debit_kobo: null, debited_kobo: 0n, kobo: null } as const
    const at = (ms: number) => findRefusal({ ...rest, starts_at, ends_at }, 2_000n, new Date(ms))?.code ?? 'accepted'
    expect([999, 1_000, 1_999, 2_000].map(at)).toEqual([
      ...['MANDATE_NOT_STARTED', 'accepted', 'accepted', 'MANDATE_NOT_ACTIVE'],
    ])
  })

  test('of another merchant is as one that is not there', async () => {
    const made = await active(h, main)
    const one = await accepted(h, made)
    for (const outsider of [h.merchants.other, h.merchants.second]) {
      expect((await h.as(outsider, 'POST', DEBIT, debitBody(made))).status).toBe(404)
      const path = `${STATUS}?paymentReference=${encodeURIComponent(one.paymentReference)}`
      expect((await h.as(outsider, 'GET', path)).json.problem.code).toBe('DEBIT_NOT_FOUND')
    }
    expect(await debited(made)).toBe(120_000n)
  })

  test('with the same Idempotency-Key is one debit, and the same bytes again', async () => {
    const made = await active(h, main)
    const [body, key] = [debitBody(made), { 'idempotency-key': unique('key') }]
    const [first, second] = [await h.as(main, 'POST', DEBIT, body, key), await h.as(main, 'POST', DEBIT, body, key)]
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true'])
    await advance(h, 1)
    expect(await takenAtBank(h, made)).toBe(1200)
  })

  test('a payment reference that something else has is refused, and nothing counts', async () => {
    const made = await active(h, main)
    const one = await accepted(h, made)
    const another = await active(h, main)
    expect(await refusal(another, { paymentReference: one.paymentReference })).toMatch(
      /^4\d\d Duplicate payment reference/,
    )
    expect(await debited(another)).toBe(0n)
  })
})

describe('what the bank does with it', () => {
  const onceAt = async (ending: string) => {
    const made = await active(h, main, {}, ending)
    const one = await accepted(h, made)
    await advance(h, 1)
    return { made, one }
  }

  test('…0001: FAILED, and its amount is the mandate’s again', async () => {
    const { made, one } = await onceAt('0001')
    expect(await debitStatus(h, made, one.paymentReference)).toMatchObject({
      transactionStatus: 'FAILED',
      responseMessage: 'Dormant customer account',
    })
    expect(await debited(made)).toBe(0n)
    expect(await eventsOf(one.paymentReference)).toEqual([])
    expect(await refusal(made, { debitAmount: '10000' })).toBe('accepted')
  })

  test('…0002: PENDING for two hours, with its amount counted, then PAID', async () => {
    const { made, one } = await onceAt('0002')
    await advance(h, 2 * HOUR - 60)
    expect([await state(made, one), await debited(made)]).toEqual(['PENDING', 120_000n])
    await advance(h, 61)
    expect([await state(made, one), await takenAtBank(h, made)]).toEqual(['PAID', 1200])
  })

  test('…0003: PAID, and reversed two days later: it stays PAID, is flagged, and the collection is reversed', async () => {
    const { made, one } = await onceAt('0003')
    expect(await state(made, one)).toBe('PAID')
    await advance(h, 2 * DAY)
    expect(await state(made, one)).toBe('PAID')
    const posted = await h.sql(
      '01',
      `select f.kind, sum(e.kobo) filter (where e.account_id = 0) as bank, t.flagged from transfers f join entries e on e.transfer_id = f.id
       join transactions t on t.id = f.object_id where t.payment_reference = $1 group by 1, 3 order by 1`,
      [one.paymentReference],
    )
    expect(posted).toEqual([
      { kind: 'COLLECTION', bank: '-120000', flagged: true },
      { kind: 'COLLECTION_REVERSAL', bank: '120000', flagged: true },
    ])
    expect((await eventsOf(one.paymentReference)).map(({ type }) => type)).toEqual([
      'SUCCESSFUL_TRANSACTION',
      'REVERSED_TRANSACTION',
    ])
    expect(await atBank(h, made)).toMatchObject([{ status: 'REVERSED', taken: '1200.00', returned: '1200.00' }])
    const session = await sessionOf(h, made, one.paymentReference)
    await Promise.all(Array.from({ length: 10 }, () => tellDebit(h, session, 'REVERSED')))
    expect(await eventsOf(one.paymentReference)).toHaveLength(2)
    // What was reversed has been debited all the same: the mandate is not renewed by it.
    expect(await debited(made)).toBe(120_000n)
  })

  test.each([
    ['0004', 'PAID', 1200, 120_000n],
    ['0005', 'FAILED', 0, 0n],
  ] as const)('…%s: no answer; asked under the same session it is %s', async (ending, end, taken, counted) => {
    const { made, one } = await onceAt(ending)
    await advance(h, 60)
    expect([await state(made, one), await takenAtBank(h, made), await debited(made)]).toEqual([end, taken, counted])
    expect((await atBank(h, made)).map((each) => each.asked)).toEqual([1])
  })

  test('…0006: the answer and two notices are one payment', async () => {
    const { made, one } = await onceAt('0006')
    await advance(h, 5)
    expect([await state(made, one), await takenAtBank(h, made)]).toEqual(['PAID', 1200])
    expect(await eventsOf(one.paymentReference)).toHaveLength(1)
  })

  test('an order that never arrived is barred, then FAILED: it cannot be paid later', async () => {
    const made = await active(h, main)
    const one = await accepted(h, made)
    const line = await behindFaultyBank(h, (path) => (path === '/bank/v1/debits' ? 'is lost' : 'passes'))
    try {
      await line.work('01')
      expect(await state(made, one)).toBe('PENDING')
      await advance(h, 16)
      expect(await debitStatus(h, made, one.paymentReference)).toMatchObject({
        transactionStatus: 'FAILED',
        responseMessage: 'No action taken',
      })
      const session = await sessionOf(h, made, one.paymentReference)
      const [barred] = (await (await fetch(`${h.simulatorUrl}/api/debits?sessionId=${session}`)).json()) as any[]
      expect(barred).toMatchObject({ status: 'FAILED', asked: 0, taken: '0.00' })
    } finally {
      await line.close()
    }
  })

  test('an order whose answer is lost is not sent again', async () => {
    const made = await active(h, main)
    const one = await accepted(h, made)
    const line = await behindFaultyBank(h, (path) => (path === '/bank/v1/debits' ? 'loses its answer' : 'passes'))
    try {
      await line.work('01')
      await line.work('01')
      expect([await state(made, one), await takenAtBank(h, made)]).toEqual(['PENDING', 1200])
      await advance(h, 16)
      expect(await state(made, one)).toBe('PAID')
      expect((await atBank(h, made)).map((each) => each.asked)).toEqual([1])
    } finally {
      await line.close()
    }
  })

  test('while the bank is silent it is asked again with growing pauses, and nothing is decided', async () => {
    const made = await active(h, main, {}, '0004')
    const one = await accepted(h, made)
    let silent = true
    let offset = h.gateway.clock?.offsetMs() ?? 0
    const line = await behindFaultyBank(h, () => (silent ? 'is lost' : 'passes'))
    try {
      for (const seconds of [0, 16, 6, 11, 21]) {
        offset += seconds * 1000
        line.setClock(offset)
        await line.work('01')
        expect(await state(made, one)).toBe('PENDING')
      }
      expect(line.calls.filter((path) => path === '/bank/v1/debits')).toHaveLength(1)
      expect(line.calls.filter((path) => path === '/bank/v1/debits/inquiry')).toHaveLength(4)
      silent = false
      await advance(h, 120)
      // It never arrived: barred.
      expect(await state(made, one)).toBe('FAILED')
    } finally {
      await line.close()
    }
  })

  test('a mandate that the customer has cancelled at the scheme fails what is on its way', async () => {
    const made = await active(h, main, { customerCancellation: true })
    const one = await accepted(h, made)
    await decide(h, made, 'cancel')
    await advance(h, 1)
    expect(await debitStatus(h, made, one.paymentReference)).toMatchObject({
      transactionStatus: 'FAILED',
      responseMessage: 'The mandate does not allow this debit',
    })
  })

  test('notices in any order, twice, at once: one end, and the first word about the money holds', async () => {
    const made = await active(h, main, {}, '0002')
    const afterReports = async (...words: ('SUCCESS' | 'FAILED' | 'REVERSED')[]) => {
      const one = await accepted(h, made, { debitAmount: '100' })
      const session = await sessionOf(h, made, one.paymentReference)
      for (const word of words) {
        const answers = await Promise.all(Array.from({ length: 5 }, () => tellDebit(h, session, word)))
        for (const answer of answers) expect(answer.status, answer.text).toBe(200)
      }
      const events = (await eventsOf(one.paymentReference)).map(({ type }) => type)
      return [await state(made, one), events]
    }
    const [PAID_EVENT, BACK_EVENT] = ['SUCCESSFUL_TRANSACTION', 'REVERSED_TRANSACTION']
    expect(await afterReports('SUCCESS', 'SUCCESS')).toEqual(['PAID', [PAID_EVENT]])
    expect(await afterReports('FAILED', 'SUCCESS')).toEqual(['FAILED', []])
    expect(await afterReports('SUCCESS', 'FAILED')).toEqual(['PAID', [PAID_EVENT]])
    expect(await afterReports('REVERSED', 'SUCCESS')).toEqual(['PAID', [PAID_EVENT, BACK_EVENT]])
    expect(await afterReports('SUCCESS', 'REVERSED')).toEqual(['PAID', [PAID_EVENT, BACK_EVENT]])
    expect((await tellDebit(h, '9'.repeat(30), 'SUCCESS')).status).toBe(404)
    expect((await tellDebit(h, `000013${'0'.repeat(12)}01${'0'.repeat(10)}`, 'SUCCESS')).status).toBe(404)
  })
})

describe('many at once', () => {
  test('a hundred debits against a limit: exactly those that fit are accepted, and the bank takes exactly those', async () => {
    const made = await active(h, main, { mandateAmount: 1000 })
    const answers = await Promise.all(Array.from({ length: 100 }, () => debit(h, made, { debitAmount: '30.00' })))
    expect(answers.filter(({ status: code }) => code === 200)).toHaveLength(33)
    const others = answers.filter(({ status: code }) => code !== 200)
    expect(new Set(others.map(({ json }) => json.problem.code))).toEqual(new Set(['MANDATE_AMOUNT_SPENT']))
    await advance(h, 1)
    expect([await takenAtBank(h, made), await debited(made)]).toEqual([990, 99_000n])
  })

  test('the same debit a hundred times is taken once; the others are answered that it is known, not that it is too much', async () => {
    const made = await active(h, main, { mandateAmount: 1200 })
    const body = debitBody(made)
    const answers = await Promise.all(Array.from({ length: 100 }, () => h.as(main, 'POST', DEBIT, body)))
    expect(answers.filter(({ status: code }) => code === 200)).toHaveLength(1)
    const others = answers.filter(({ status: code }) => code !== 200)
    expect(new Set(others.map(({ json }) => json.problem.code))).toEqual(new Set(['DUPLICATE_PAYMENT_REFERENCE']))
    await advance(h, 1)
    expect(await takenAtBank(h, made)).toBe(1200)
  })

  test('cancelling while debits come: none is accepted after the request, and those before it reach their final state', async () => {
    const made = await active(h, main)
    const [debits, request] = await Promise.all([
      Promise.all(Array.from({ length: 40 }, () => debit(h, made, { debitAmount: '20' }))),
      (async () => cancel(h, made))(),
    ])
    expect(request.status).toBe(200)
    const codes = new Set(debits.map(({ json }) => json.problem?.code ?? 'accepted'))
    for (const code of codes) expect(['accepted', 'MANDATE_NOT_ACTIVE']).toContain(code)
    const late = await h.sql(
      '01',
      `select 1 from debits d join transactions t using (id) join mandates m on m.id = d.mandate_id
       where m.code = $1 and t.created_at > m.cancel_asked_at + interval '1 second'`,
      [made.mandateCode],
    )
    expect(late).toEqual([])
    expect(await refusal(made)).toMatch(/cancellation was requested/)
    await advance(h, 60)
    expect(await stateOf(h, made)).toBe('CANCELLED')
    const pending = await h.sql(
      '01',
      `select t.status from debits d join transactions t using (id) join mandates m on m.id = d.mandate_id
       where m.code = $1 and t.status = 'PENDING'`,
      [made.mandateCode],
    )
    expect(pending).toEqual([])
    expect((await takenAtBank(h, made)) * 100).toBe(Number(await debited(made)))
  })

  test('expiring while debits come: none is accepted past the end date', async () => {
    const made = await active(h, main, { mandateEndDate: inSeconds(h, HOUR) })
    await advance(h, HOUR - STARTS_IN - 600)
    const worker = h.startWorker()
    const before = Array.from({ length: 40 }, () => debit(h, made, { debitAmount: '20' }))
    await Promise.any(before) // The clock moves when one was answered; the others are still on their way.
    const beside = Array.from({ length: 40 }, () => debit(h, made, { debitAmount: '20' }))
    await advance(h, 600)
    const answers = await Promise.all([...before, ...beside])
    await worker.stop()
    expect(answers.some((answer) => answer.status === 200)).toBe(true)
    expect(await refusal(made)).toBe('422 Mandate is not active: EXPIRED')
    const late = await h.sql(
      '01',
      `select 1 from debits d join transactions t using (id) join mandates m on m.id = d.mandate_id
       where m.code = $1 and t.created_at >= m.ends_at`,
      [made.mandateCode],
    )
    expect(late).toEqual([])
    await advance(h, 60)
    expect((await takenAtBank(h, made)) * 100).toBe(Number(await debited(made)))
  })

  test('a bank that loses, delays, doubles and reverses: two workers end every debit as the bank’s books say', async () => {
    const made = await active(h, main, { mandateAmount: undefined })
    await debitFaults(h, { seed: 11, lost: 0.25, late: 0.25, doubled: 0.15, reversed: 0.15 })
    const workers = [h.startWorker(), h.startWorker()]
    try {
      await Promise.all(Array.from({ length: 40 }, () => accepted(h, made, { debitAmount: '100' })))
      await advance(h, 600)
      await advance(h, 3600)
    } finally {
      for (const worker of workers) await worker.stop()
      await debitFaults(h, {})
    }
    const ours = await h.sql(
      '01',
      `select d.session_id, t.status, t.flagged from debits d join transactions t using (id) join mandates m on m.id = d.mandate_id where m.code = $1`,
      [made.mandateCode],
    )
    expect(ours).toHaveLength(40)
    const theirs = new Map((await atBank(h, made)).map((each) => [each.sessionId, each]))
    for (const one of ours) {
      const bank = theirs.get(one.session_id)
      const paid = bank?.status === 'SUCCESS' || bank?.status === 'REVERSED'
      expect([one.session_id, one.status, one.flagged]).toEqual([
        one.session_id,
        paid ? 'PAID' : 'FAILED',
        bank?.status === 'REVERSED',
      ])
    }
  })
})
