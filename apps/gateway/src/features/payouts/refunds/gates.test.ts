// A refund to an account that did not pay passes the gates of a payout: approval, limits, and a code to the
// owner where the name is a stranger's. Whoever finds a token cannot send money elsewhere by it.
import { describe, expect, test } from 'vitest'
import { notice, tell, waiting } from '#test/bank/notices.ts'
import {
  account,
  BANK_CODE,
  codeOf,
  mailsTo,
  newMerchant,
  otherThan,
  paidTo,
  sent,
  validate,
} from '#test/features/payouts/disbursements.ts'
import {
  ask,
  authorise,
  INITIATE,
  money,
  orderOf,
  payment,
  REFUNDS,
  refundBody,
  refunded,
  refundedTo,
  resendCode,
  shown,
  statusOf,
} from '#test/features/payouts/refunds.ts'
import { type Answer, advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { accountName } from '../../../../../simulator/src/kit/names.ts'

const harness = useHarness()

const careful = (h: Harness) => newMerchant(h, { otp: true, naira: 10_000 })
const code = (answer: { json: any }): string | undefined => answer.json?.problem?.code
const HELD = { wallet: 899_000n, clearing: 101_000n, paid: 0n, fees: 0n }
const UNTOUCHED = { wallet: 1_000_000n, clearing: 0n, paid: 0n, fees: 0n }
const PAID = { wallet: 899_000n, clearing: 0n, paid: 100_000n, fees: 1_000n }
const spentToday = async (h: Harness, merchant: TestMerchant): Promise<number> =>
  (await h.as(merchant, 'GET', '/api/v1/disbursement-settings')).json.responseBody.spentToday
const toOtherPerson = () => ({ destinationAccountNumber: account(), destinationAccountBankCode: BANK_CODE })
const eventsOf = async (h: Harness, reference: string): Promise<string[]> =>
  (await h.sql('01', 'select type from events where object = $1 order by id', [reference])).map(({ type }) => type)
const limits = async (h: Harness, merchant: TestMerchant, set: string): Promise<void> => {
  await h.sql('01', `update disbursement_settings set ${set} where merchant_id = ${merchant.id}`)
  h.gateway.merchants.forget('01')
}

/** A payment of 1,000 by an account of this name. */
async function paidUnder(h: Harness, merchant: TestMerchant, senderName: string, senderAccountNumber = account()) {
  const made = await waiting(h, merchant, { amount: 1000 })
  const sender = { senderName, senderAccountNumber, senderBankCode: BANK_CODE }
  expect((await tell(h, notice(made.accountNumber, '1000.00', sender))).status).toBe(200)
  return { ...made, senderAccountNumber }
}

describe('to an account that did not pay', () => {
  test('of somebody else: PENDING with authorization CODE_SENT, held, not ordered; the owner gets a code no answer shows', async () => {
    const h = harness()
    const merchant = await careful(h)
    const made = await refundedTo(h, merchant, '7788')
    expect(made).toMatchObject({ refundStatus: 'PENDING', authorization: 'CODE_SENT' })
    const mailed = await codeOf(h, merchant, made.refundReference)
    await advance(h, 60)
    const record = await shown(h, merchant, made.refundReference)
    expect(record).toMatchObject({ refundStatus: 'PENDING', authorization: 'CODE_SENT' })
    expect(JSON.stringify([made, record])).not.toContain(mailed)
    expect(await money(h, merchant)).toEqual(HELD)
    expect(await orderOf(h, merchant, made.refundReference)).toBeUndefined()
  })

  test('with the right code it is ordered once, and COMPLETED; the code cannot be used again', async () => {
    const h = harness()
    const merchant = await careful(h)
    const { refundReference, destinationAccountNumber } = await refundedTo(h, merchant, '7788')
    const right = await codeOf(h, merchant, refundReference)
    const answer = await authorise(h, merchant, refundReference, right)
    expect(answer.json.responseBody).toMatchObject({ refundReference, refundStatus: 'PENDING' })
    expect(answer.json.responseBody.authorization).toBeUndefined()
    await advance(h, 1)
    expect(await statusOf(h, merchant, refundReference)).toBe('COMPLETED')
    expect(await money(h, merchant)).toEqual(PAID)
    expect(await paidTo(h, destinationAccountNumber)).toHaveLength(1)
    const again = await authorise(h, merchant, refundReference, right)
    expect([again.status, code(again)]).toEqual([400, 'TRANSFER_NOT_WAITING'])
  })

  test('400 for a wrong code; five make it void, also for the right one; another is mailed, ten at most', async () => {
    const h = harness()
    const merchant = await careful(h)
    const { refundReference } = await refundedTo(h, merchant, '7788')
    const right = await codeOf(h, merchant, refundReference)
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await authorise(h, merchant, refundReference, otherThan(right))
      expect([answer.status, code(answer)]).toEqual([400, 'CODE_WRONG'])
      expect(answer.json.responseMessage).toContain(`${left} tries left`)
    }
    expect(code(await authorise(h, merchant, refundReference, right))).toBe('CODE_VOID')
    for (let mailed = 2; mailed <= 10; mailed += 1)
      expect((await resendCode(h, merchant, refundReference)).status).toBe(200)
    expect(code(await resendCode(h, merchant, refundReference))).toBe('CODES_TOO_MANY')
    expect(await money(h, merchant)).toEqual(HELD)
    const newest = await codeOf(h, merchant, refundReference)
    expect((await authorise(h, merchant, refundReference, newest)).status).toBe(200)
  })

  test('404 R7 for an unknown refund and for that of another merchant; 400 where there is nothing to authorise', async () => {
    const h = harness()
    const [merchant, other] = [await careful(h), await careful(h)]
    const { refundReference } = await refundedTo(h, merchant, '7788')
    const right = await codeOf(h, merchant, refundReference)
    for (const [who, reference] of [
      [other, refundReference],
      [merchant, 'nobody'],
    ] as const) {
      const answers = [await authorise(h, who, reference, right), await resendCode(h, who, reference)]
      for (const answer of answers) expect([answer.status, answer.json.responseCode]).toEqual([404, 'R7'])
    }
    const plain = await refunded(h, merchant, (await payment(h, merchant)).transactionReference)
    for (const answer of [
      await authorise(h, merchant, plain.refundReference, '123456'),
      await resendCode(h, merchant, plain.refundReference),
    ])
      expect([answer.status, code(answer)]).toEqual([400, 'TRANSFER_NOT_WAITING'])
  })

  test('not authorised within 24 hours: FAILED, the money is back, FAILED_REFUND, and it can be refunded again', async () => {
    const h = harness()
    const merchant = await careful(h)
    const { refundReference, transactionReference } = await refundedTo(h, merchant, '7788')
    const right = await codeOf(h, merchant, refundReference)
    await advance(h, 86_401)
    const record = await shown(h, merchant, refundReference)
    expect(record).toMatchObject({ refundStatus: 'FAILED', comment: 'The refund was not authorised in time.' })
    expect(record.authorization).toBeUndefined()
    expect(await money(h, merchant)).toEqual(UNTOUCHED)
    expect(await eventsOf(h, refundReference)).toEqual(['ACCOUNT_ACTIVITY', 'FAILED_REFUND', 'ACCOUNT_ACTIVITY'])
    expect(code(await authorise(h, merchant, refundReference, right))).toBe('TRANSFER_NOT_WAITING')
    expect((await ask(h, merchant, transactionReference)).status).toBe(200)
  })

  test('without a code where codes are off, and where the account has the name of a payer', async () => {
    const h = harness()
    const [open, merchant] = [await newMerchant(h, { naira: 10_000 }), await careful(h)]
    const destination = toOtherPerson()
    const name = accountName(BANK_CODE, destination.destinationAccountNumber) ?? ''
    const { transactionReference } = await paidUnder(h, merchant, name)
    for (const made of [
      await refundedTo(h, open, '7788'),
      await refunded(h, merchant, transactionReference, destination),
    ])
      expect(made.authorization).toBeUndefined()
    expect([await spentToday(h, open), await spentToday(h, merchant)]).toEqual([1000, 1000])
  })

  test('400 D01 as a payout: not approved, above the limit of one transfer, above the limit of the day', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 10_000 })
    const [first, second] = [await payment(h, merchant), await payment(h, merchant)]
    const refused = async (transactionReference: string, over = {}) => {
      const { status, json } = await ask(h, merchant, transactionReference, { ...toOtherPerson(), ...over })
      return [status, json.responseCode, json.problem?.code]
    }
    await limits(h, merchant, 'per_transfer_kobo = 99999')
    expect(await refused(first.transactionReference)).toEqual([400, 'D01', 'TRANSFER_LIMIT'])
    await limits(h, merchant, 'per_transfer_kobo = 1000000, per_day_kobo = 100000')
    expect((await refused(first.transactionReference))[0]).toBe(200)
    expect(await spentToday(h, merchant)).toBe(1000)
    expect(await refused(second.transactionReference)).toEqual([400, 'D01', 'DAILY_LIMIT'])
    await limits(h, merchant, 'approved = false')
    expect(await refused(second.transactionReference)).toEqual([400, 'D01', 'TRANSFERS_NOT_APPROVED'])
    // Back to whoever paid needs no approval, and counts for no limit.
    expect((await ask(h, merchant, second.transactionReference)).status).toBe(200)
    expect(await spentToday(h, merchant)).toBe(1000)
  })
})

describe('to an account that paid', () => {
  test('named or not: no code, no limit; the owner is mailed, with the last four digits', async () => {
    const h = harness()
    const merchant = await careful(h)
    for (const named of [true, false]) {
      const { transactionReference, senderAccountNumber } = await paidUnder(h, merchant, 'BOLA ADE BALOGUN')
      const to = { destinationAccountNumber: senderAccountNumber, destinationAccountBankCode: BANK_CODE }
      const made = await refunded(h, merchant, transactionReference, named ? to : {})
      expect(made.authorization).toBeUndefined()
      await advance(h, 1)
      expect(await statusOf(h, merchant, made.refundReference)).toBe('COMPLETED')
      const mail = (await mailsTo(h, merchant)).find(({ text }) => text.includes(made.refundReference))
      expect(mail?.text).toContain(`the account that paid, ending in ${senderAccountNumber.slice(-4)}`)
      expect(mail?.text).not.toContain(senderAccountNumber)
    }
    expect(await spentToday(h, merchant)).toBe(0)
  })
})

describe('many at once', () => {
  test('one code ten times, in two processes: authorised once, paid once', async () => {
    const h = harness()
    const merchant = await careful(h)
    const { refundReference, destinationAccountNumber } = await refundedTo(h, merchant, '7788')
    const body = { authorizationCode: await codeOf(h, merchant, refundReference) }
    const path = `${REFUNDS}/${refundReference}/authorize`
    const second = await openSecondApi(h)
    try {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          at % 2 ? second.post(merchant, path, body) : h.as(merchant, 'POST', path, body),
        ),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter((answer) => code(answer) === 'TRANSFER_NOT_WAITING')).toHaveLength(9)
    } finally {
      await second.close()
    }
    await advance(h, 1)
    expect(await paidTo(h, destinationAccountNumber)).toHaveLength(1)
    expect(await money(h, merchant)).toEqual(PAID)
  })

  test('the code at the moment of expiry: paid or back, never both', async () => {
    const h = harness()
    /** Seconds until it expires; the clock goes on while we ask. */
    const left = async (refundReference: string): Promise<number> => {
      const [row] = await h.sql('01', 'select authorize_by from refunds where refund_reference = $1', [refundReference])
      return Math.ceil((row.authorize_by.getTime() - h.gateway.ctx.clock.now().getTime()) / 1000)
    }
    for (let round = 0; round < 5; round += 1) {
      const merchant = await careful(h)
      const { refundReference, destinationAccountNumber } = await refundedTo(h, merchant, '7788')
      // A new code is good for ten minutes: so early, a busy machine has time to send it before the expiry.
      await advance(h, (await left(refundReference)) - 540)
      expect((await resendCode(h, merchant, refundReference)).status).toBe(200)
      const right = await codeOf(h, merchant, refundReference)
      const past = (await left(refundReference)) + 1
      const [answer] = await Promise.all([authorise(h, merchant, refundReference, right), advance(h, past)])
      await advance(h, 1)
      const status = await statusOf(h, merchant, refundReference)
      expect(status).toBe(answer.status === 200 ? 'COMPLETED' : 'FAILED')
      expect(await paidTo(h, destinationAccountNumber)).toHaveLength(status === 'COMPLETED' ? 1 : 0)
      expect(await money(h, merchant)).toEqual(status === 'COMPLETED' ? PAID : UNTOUCHED)
    }
  })

  test('an authorisation that cannot be written leaves it waiting, its code unused', async () => {
    const h = harness()
    const merchant = await careful(h)
    const { refundReference } = await refundedTo(h, merchant, '7788')
    const right = await codeOf(h, merchant, refundReference)
    await h.sql(
      '01',
      `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$;
       create trigger planted before insert on bank_orders for each row execute function planted()`,
    )
    try {
      expect((await authorise(h, merchant, refundReference, right)).status).toBe(500)
    } finally {
      await h.sql('01', 'drop function planted() cascade')
    }
    expect(await shown(h, merchant, refundReference)).toMatchObject({ authorization: 'CODE_SENT' })
    expect((await authorise(h, merchant, refundReference, right)).status).toBe(200)
    await advance(h, 1)
    expect(await money(h, merchant)).toEqual(PAID)
  })

  test('refunds elsewhere and transfers, of 1,000 each under a limit of 3,000 a day: three', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 100_000 })
    await limits(h, merchant, 'per_day_kobo = 300000')
    const payments = await Promise.all(Array.from({ length: 6 }, () => payment(h, merchant)))
    const answers: Pick<Answer, 'status'>[] = await Promise.all([
      ...payments.map(({ transactionReference }) => ask(h, merchant, transactionReference, toOtherPerson())),
      ...Array.from({ length: 6 }, () =>
        sent(h, merchant, { amount: 1000 }).then(
          () => ({ status: 200 }),
          () => ({ status: 400 }),
        ),
      ),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(await spentToday(h, merchant)).toBe(3000)
  })
})

describe('under an Idempotency-Key', () => {
  test('the answer of a refund that waits, and of its code, are replayed', async () => {
    const h = harness()
    const merchant = await careful(h)
    const { transactionReference } = await payment(h, merchant)
    const [body, key] = [refundBody(transactionReference, toOtherPerson()), { 'idempotency-key': unique('key') }]
    const first = await h.as(merchant, 'POST', INITIATE, body, key)
    expect((await h.as(merchant, 'POST', INITIATE, body, key)).text).toBe(first.text)
    const right = { authorizationCode: await codeOf(h, merchant, body.refundReference) }
    const path = `${REFUNDS}/${body.refundReference}/authorize`
    const another = { 'idempotency-key': unique('key') }
    const done = await h.as(merchant, 'POST', path, right, another)
    expect(done.status).toBe(200)
    expect((await h.as(merchant, 'POST', path, right, another)).text).toBe(done.text)
  })
})

describe('wrong codes of one merchant', () => {
  const RELEASE = '/api/v1/disbursement-settings/otp/release'
  const basic = ({ apiKey, secretKey }: TestMerchant) => ({
    authorization: `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`,
  })
  /** Five wrong codes each for two transfers and a refund. */
  async function locked(h: Harness): Promise<TestMerchant> {
    const merchant = await careful(h)
    for (const naira of [111, 112]) {
      const { reference } = await sent(h, merchant, { amount: naira })
      const right = await codeOf(h, merchant, reference)
      for (let nth = 0; nth < 5; nth += 1)
        expect(code(await validate(h, merchant, reference, otherThan(right)))).toBe('CODE_WRONG')
    }
    const { refundReference } = await refundedTo(h, merchant, '7788')
    const right = await codeOf(h, merchant, refundReference)
    for (let nth = 0; nth < 5; nth += 1)
      expect(code(await authorise(h, merchant, refundReference, otherThan(right)))).toBe('CODE_WRONG')
    return merchant
  }

  test('15 within a day, of transfers and refunds: 400 AUTHORIZATION_LOCKED, also for right ones; the owner is mailed', async () => {
    const h = harness()
    const merchant = await locked(h)
    const { reference } = await sent(h, merchant, { amount: 113 })
    const { refundReference } = await refundedTo(h, merchant, '7788')
    for (const answer of [
      await validate(h, merchant, reference, await codeOf(h, merchant, reference)),
      await authorise(h, merchant, refundReference, await codeOf(h, merchant, refundReference)),
    ])
      expect([answer.status, answer.json.responseCode, code(answer)]).toEqual([400, 'D01', 'AUTHORIZATION_LOCKED'])
    await advance(h, 1)
    expect((await mailsTo(h, merchant)).map(({ subject }) => subject)).toContain(
      'Authorising transfers and refunds is locked after too many wrong codes',
    )
    const other = await careful(h)
    const free = await sent(h, other)
    expect((await validate(h, other, free.reference, await codeOf(h, other, free.reference))).status).toBe(200)
    // A day later it is locked all the same.
    await advance(h, 86_401)
    const late = await sent(h, merchant, { amount: 114 })
    const answer = await validate(h, merchant, late.reference, await codeOf(h, merchant, late.reference))
    expect(code(answer)).toBe('AUTHORIZATION_LOCKED')
  })

  test('released by the secret key only: then the right code works, and the count begins anew', async () => {
    const h = harness()
    const merchant = await locked(h)
    const { reference } = await sent(h, merchant, { amount: 113 })
    const right = await codeOf(h, merchant, reference)
    const byToken = await h.call('POST', RELEASE, { token: await h.token(merchant) })
    expect(byToken.status).toBe(401)
    expect(code(await validate(h, merchant, reference, right))).toBe('AUTHORIZATION_LOCKED')
    const released = await h.call('POST', RELEASE, { headers: basic(merchant) })
    expect([released.status, released.json.responseBody]).toEqual([200, { authorizationLocked: false }])
    expect(code(await validate(h, merchant, reference, otherThan(right)))).toBe('CODE_WRONG')
    expect((await validate(h, merchant, reference, right)).status).toBe(200)
  })

  test('those of more than a day ago do not count; 40 guesses at once count 15 at most', async () => {
    const h = harness()
    const merchant = await careful(h)
    const wrongly = async (naira: number, times: number) => {
      const { reference } = await sent(h, merchant, { amount: naira })
      const right = await codeOf(h, merchant, reference)
      return Promise.all(Array.from({ length: times }, () => validate(h, merchant, reference, otherThan(right))))
    }
    const first = await Promise.all([wrongly(120, 5), wrongly(121, 5), wrongly(122, 4)])
    expect(first.flat().every((answer) => code(answer) === 'CODE_WRONG')).toBe(true)
    await advance(h, 86_401)
    const answers = (await Promise.all([130, 131, 132, 133].map((naira) => wrongly(naira, 10)))).flat()
    expect(answers.filter((answer) => code(answer) === 'CODE_WRONG')).toHaveLength(15)
  })
})
