// Codes by mail: the mails are sent by real SMTP and read back out of the sandbox's mailbox.
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import {
  atBank,
  codeOf,
  mailsTo,
  money,
  newMerchant,
  otherThan,
  paidTo,
  refuseMail,
  resend,
  sent,
  sentTo,
  statusOf,
  summary,
  VALIDATE,
  validate,
} from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const HELD = { wallet: 74_000n, hold: 26_000n, paid: 0n, fees: 0n }
const PAID = { wallet: 74_000n, hold: 0n, paid: 25_000n, fees: 1_000n }
const BACK = { wallet: 100_000n, hold: 0n, paid: 0n, fees: 0n }
const careful = (h: Harness, naira = 1_000): Promise<TestMerchant> => newMerchant(h, { otp: true, naira })
const replyText = ({ status, json }: { status: number; json: any }) =>
  status === 200 ? json.responseBody.status : `${status} ${json.responseCode} ${json.responseMessage}`
const VOID = '400 D01 The authorization code has expired'
const wrong = (left: number) => `400 D01 Wrong authorization code; ${left} tries left`

describe('transfers.initiate with a code', () => {
  test('200 PENDING_AUTHORIZATION: money held, one mail with one code and the reference, the bank receives nothing', async () => {
    const h = harness()
    const payer = await careful(h)
    const senderInfo = { senderBankCode: '044' }
    const result = await sent(h, payer, { senderInfo })
    expect(result.status).toBe('PENDING_AUTHORIZATION')
    for (const field of ['comment', 'sessionId', 'senderInfo']) expect(result).not.toHaveProperty(field)
    expect(result.nameMatch.score).toBe(100)
    expect(await money(h, payer)).toMatchObject(HELD)
    expect(await paidTo(h, result.destinationAccountNumber)).toEqual([])
    const mails = await mailsTo(h, payer)
    expect(mails).toHaveLength(1)
    const text = mails[0]?.text ?? ''
    expect(text).toContain(result.reference)
    expect(text).toContain('₦250.00')
    expect(text.replaceAll(result.reference, '').match(/(?<!\d)\d{6}(?!\d)/g)).toHaveLength(1)
    expect(mails[0]?.subject.replace(result.reference, '')).not.toMatch(/\d{4}/)

    const done = await validate(h, payer, result.reference, await codeOf(h, payer, result.reference))
    expect(done.json.responseBody).toMatchObject({ status: 'SUCCESS', senderInfo, comment: 'Transaction successful' })
    expect(await money(h, payer)).toMatchObject(PAID)
    expect(await atBank(h, done.json.responseBody.sessionId)).toMatchObject({ asked: 1, paid: '250.00' })
    expect(await summary(h, payer, result.reference)).toMatchObject({ status: 'SUCCESS', twoFaEnabled: true })
    await advance(h, 86_400)
    expect(await statusOf(h, payer, result.reference)).toBe('SUCCESS')
  })

  test('the code is the only number of six digits in both parts of the mail, also beside an amount of six digits', async () => {
    const h = harness()
    const payer = await careful(h, 1_000_000)
    const { reference } = await sent(h, payer, { amount: 250_000 })
    const [mail] = (await mailsTo(h, payer)) as unknown as { text: string; html: string }[]
    const code = await codeOf(h, payer, reference)
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain('₦250,000.00')
      expect(part?.replaceAll(reference, '').match(/(?<!\d)\d{6}(?!\d)/g)).toEqual([code])
    }
  })

  test('async does not go around the code', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference, status, destinationAccountNumber } = await sent(h, payer, { async: true })
    expect(status).toBe('PENDING_AUTHORIZATION')
    await advance(h, 60)
    expect(await statusOf(h, payer, reference)).toBe('PENDING_AUTHORIZATION')
    expect(await paidTo(h, destinationAccountNumber)).toEqual([])
  })

  test('EXPIRED after 24 hours without a code: the money is back, and neither code nor resend wakes it', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference } = await sent(h, payer)
    await advance(h, 86_400 - 30)
    expect(await statusOf(h, payer, reference)).toBe('PENDING_AUTHORIZATION')
    expect((await resend(h, payer, reference)).status).toBe(200)
    const code = await codeOf(h, payer, reference)
    await advance(h, 60)
    expect(await summary(h, payer, reference)).toMatchObject({
      ...{ status: 'EXPIRED', transactionDescription: 'Transaction has expired' },
    })
    expect(await money(h, payer)).toMatchObject(BACK)
    const over = '400 D01 This reference is not awaiting authorization: its status is EXPIRED'
    expect(replyText(await validate(h, payer, reference, code))).toBe(over)
    expect(replyText(await resend(h, payer, reference))).toBe(over)
  })

  test('OTP_EMAIL_DISPATCH_FAILED when the mail server refuses; another code mends it', async () => {
    const h = harness()
    const payer = await careful(h)
    await refuseMail(h, true)
    let reference = ''
    try {
      const result = await sent(h, payer)
      reference = result.reference
      expect(result.status).toBe('OTP_EMAIL_DISPATCH_FAILED')
      expect(await statusOf(h, payer, reference)).toBe('OTP_EMAIL_DISPATCH_FAILED')
      expect((await resend(h, payer, reference)).status).toBe(200)
      expect(await statusOf(h, payer, reference)).toBe('OTP_EMAIL_DISPATCH_FAILED')
      expect(await mailsTo(h, payer)).toEqual([])
    } finally {
      await refuseMail(h, false)
    }
    expect(await money(h, payer)).toMatchObject(HELD)
    expect((await resend(h, payer, reference)).status).toBe(200)
    expect(await statusOf(h, payer, reference)).toBe('PENDING_AUTHORIZATION')
    expect(replyText(await validate(h, payer, reference, await codeOf(h, payer, reference)))).toBe('SUCCESS')
  })

  test('EXPIRED also from OTP_EMAIL_DISPATCH_FAILED', async () => {
    const h = harness()
    const payer = await careful(h)
    await refuseMail(h, true)
    const { reference } = await sent(h, payer)
    await refuseMail(h, false)
    await advance(h, 86_401)
    expect(await statusOf(h, payer, reference)).toBe('EXPIRED')
    expect(await money(h, payer)).toMatchObject(BACK)
  })

  test('EXPIRED although a mail was refused at the very moment of the expiry', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference } = await sent(h, payer)
    await advance(h, 86_390)
    // What a resend that fails commits, held open while the timer works.
    const mail = new pg.Client({ connectionString: h.databases['01'] })
    await mail.connect()
    try {
      await mail.query('begin')
      await mail.query(
        `with d as (update disbursements set status = 'OTP_EMAIL_DISPATCH_FAILED', version = version + 1 where reference = $1 returning *)
         insert into state_changes (object, object_id, version, merchant_id, action, from_state, to_state, at)
         select 'disbursement', id, version, merchant_id, 'mailFailed', 'PENDING_AUTHORIZATION', status, created_at from d`,
        [reference],
      )
      const passing = advance(h, 20)
      await h.until('the expiry waits for the row', async () => {
        const [row] = await h.sql('01', `select count(*)::int as waiting from pg_locks where not granted`)
        return row.waiting > 0
      })
      await mail.query('commit')
      await passing
    } finally {
      await mail.end()
    }
    expect(await statusOf(h, payer, reference)).toBe('EXPIRED')
    expect(await money(h, payer)).toMatchObject(BACK)
  })
})

describe('transfers.authorise', () => {
  test('a wrong code counts, says how many tries are left, and the fifth voids it, also for the right code', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference } = await sent(h, payer)
    const code = await codeOf(h, payer, reference)
    for (const left of [4, 3, 2, 1, 0]) {
      const answer = await validate(h, payer, reference, otherThan(code))
      expect(replyText(answer)).toBe(wrong(left))
      expect(answer.json.problem).toMatchObject({ code: 'CODE_WRONG', field: 'authorizationCode' })
    }
    expect(replyText(await validate(h, payer, reference, code))).toBe(VOID)
    expect(await money(h, payer)).toMatchObject(HELD)
    // Another code has tries of its own.
    await resend(h, payer, reference)
    expect(replyText(await validate(h, payer, reference, await codeOf(h, payer, reference)))).toBe('SUCCESS')
  })

  test('four wrong tries do not void it', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference } = await sent(h, payer)
    const code = await codeOf(h, payer, reference)
    for (const _ of [1, 2, 3, 4]) await validate(h, payer, reference, otherThan(code))
    expect(replyText(await validate(h, payer, reference, code))).toBe('SUCCESS')
  })

  test('50 wrong tries at once are five', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference } = await sent(h, payer)
    const code = otherThan(await codeOf(h, payer, reference))
    const answers = await Promise.all(Array.from({ length: 50 }, () => validate(h, payer, reference, code)))
    const said = answers.map((answer): string => replyText(answer))
    expect(said.filter((one) => one === VOID)).toHaveLength(45)
    expect(new Set(said)).toEqual(new Set([VOID, ...[0, 1, 2, 3, 4].map(wrong)]))
  })

  test('ten minutes void it, nine do not', async () => {
    const h = harness()
    const payer = await careful(h, 10_000)
    const [early, late] = [await sent(h, payer), await sent(h, payer)]
    const [first, second] = [await codeOf(h, payer, early.reference), await codeOf(h, payer, late.reference)]
    await advance(h, 590)
    expect(replyText(await validate(h, payer, early.reference, first))).toBe('SUCCESS')
    await advance(h, 11)
    expect(replyText(await validate(h, payer, late.reference, second))).toBe(VOID)
  })

  test('another code replaces the one before', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference } = await sent(h, payer)
    const first = await codeOf(h, payer, reference)
    let second = first
    while (second === first) {
      const answer = await resend(h, payer, reference)
      expect(answer.json.responseBody).toEqual({
        message: 'Authorization code will be processed and sent to predefined email addresses(s)',
      })
      second = await codeOf(h, payer, reference)
    }
    expect(replyText(await validate(h, payer, reference, first))).toBe(wrong(4))
    expect(replyText(await validate(h, payer, reference, second))).toBe('SUCCESS')
  })

  test('ten codes at most, the first included; the tenth still works', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference } = await sent(h, payer)
    for (let codes = 2; codes <= 10; codes += 1) expect((await resend(h, payer, reference)).status).toBe(200)
    expect(await mailsTo(h, payer)).toHaveLength(10)
    expect(replyText(await resend(h, payer, reference))).toBe('400 D01 Too many authorization codes requested')
    expect(await mailsTo(h, payer)).toHaveLength(10)
    expect(replyText(await validate(h, payer, reference, await codeOf(h, payer, reference)))).toBe('SUCCESS')
  })

  test('ten codes at most, also when thirty are asked for at once', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference } = await sent(h, payer)
    const answers = await Promise.all(Array.from({ length: 30 }, () => resend(h, payer, reference)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    expect(await mailsTo(h, payer)).toHaveLength(10)
  })

  test('the code of another transfer is a wrong one, even of the same amount', async () => {
    const h = harness()
    const payer = await careful(h, 10_000)
    const [one, two] = [await sent(h, payer), await sent(h, payer)]
    const first = await codeOf(h, payer, one.reference)
    let second = first
    while (second === first) {
      await resend(h, payer, two.reference)
      second = await codeOf(h, payer, two.reference)
    }
    expect(replyText(await validate(h, payer, one.reference, second))).toBe(wrong(4))
    expect(replyText(await validate(h, payer, one.reference, first))).toBe('SUCCESS')
    expect(await statusOf(h, payer, two.reference)).toBe('PENDING_AUTHORIZATION')
  })

  test('a digest that is moved to another transfer, or whose amount or account was changed, fits no more', async () => {
    const h = harness()
    const payer = await careful(h, 100_000)
    const changes = [
      'update disbursements set account_number = $2 where reference = $1',
      `update disbursements set bank_code = '044' where reference = $1 and $2::text is not null`,
      `update authorizations a set digest = b.digest from disbursements d, disbursements o, authorizations b
        where d.reference = $1 and a.subject = d.id and o.reference = $2 and b.subject = o.id`,
    ]
    for (const change of changes) {
      const [one, two] = [await sent(h, payer), await sent(h, payer)]
      const code = await codeOf(h, payer, change.includes('digest') ? two.reference : one.reference)
      await h.sql('01', change, [one.reference, change.includes('digest') ? two.reference : '1234567788'])
      expect(replyText(await validate(h, payer, one.reference, code))).toBe(wrong(4))
    }
  })

  test('400 D02 for the transfer of another merchant, whose code it may be', async () => {
    const h = harness()
    const [payer, other] = [await careful(h), await careful(h)]
    const { reference } = await sent(h, payer)
    const code = await codeOf(h, payer, reference)
    const missing = '400 D02 Could not find disbursement transaction for given reference'
    expect(replyText(await validate(h, other, reference, code))).toBe(missing)
    expect(replyText(await resend(h, other, reference))).toBe(missing)
    expect(replyText(await validate(h, payer, unique('nothing'), code))).toBe(missing)
  })

  test('a code is used once; what was sent without one takes none', async () => {
    const h = harness()
    const [payer, plain] = [await careful(h), await newMerchant(h)]
    const { reference } = await sent(h, payer)
    const code = await codeOf(h, payer, reference)
    expect(replyText(await validate(h, payer, reference, code))).toBe('SUCCESS')
    const over = '400 D01 This reference is not awaiting authorization: its status is SUCCESS'
    expect(replyText(await validate(h, payer, reference, code))).toBe(over)
    expect(replyText(await resend(h, payer, reference))).toBe(over)
    expect(replyText(await validate(h, plain, (await sent(h, plain)).reference, '123456'))).toBe(over)
  })

  test('50 right codes at once: one payment', async () => {
    const h = harness()
    const payer = await careful(h)
    const { reference, destinationAccountNumber } = await sent(h, payer)
    const code = await codeOf(h, payer, reference)
    const answers = await Promise.all(Array.from({ length: 50 }, () => validate(h, payer, reference, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await paidTo(h, destinationAccountNumber)).toMatchObject([{ asked: 1, paid: '250.00' }])
    expect(await money(h, payer)).toMatchObject(PAID)
  })

  test('a bank that fails it after the code gives the money back; one that is silent is asked', async () => {
    const h = harness()
    const payer = await careful(h)
    const dormant = await sentTo(h, payer, '0001')
    expect(replyText(await validate(h, payer, dormant.reference, await codeOf(h, payer, dormant.reference)))).toBe(
      'FAILED',
    )
    expect(await money(h, payer)).toMatchObject(BACK)
    const silent = await sentTo(h, payer, '0004')
    expect(replyText(await validate(h, payer, silent.reference, await codeOf(h, payer, silent.reference)))).toBe(
      'PENDING',
    )
    await advance(h, 16)
    expect(await statusOf(h, payer, silent.reference)).toBe('SUCCESS')
    expect(await money(h, payer)).toMatchObject(PAID)
  })

  test.each(['12345a', '123', '', ' 123456', 123456])('400 for a code that is none: %j', async (authorizationCode) => {
    const h = harness()
    const payer = await careful(h)
    const { reference } = await sent(h, payer)
    const answer = await h.as(payer, 'POST', VALIDATE, { reference, authorizationCode })
    expect([answer.status >= 400, answer.json.problem.field]).toEqual([true, 'authorizationCode'])
    const [row] = await h.sql(
      '01',
      'select tries from authorizations a join disbursements d on d.id = a.subject where d.reference = $1',
      [reference],
    )
    expect(row.tries).toBe(0)
  })
})
