// Batches that wait for a code: the mail, the tries, other codes, the day after which it is over.
import { describe, expect, test } from 'vitest'
import {
  authorise,
  BATCH,
  balances,
  bankBooks,
  batchBody,
  codesMailed,
  newMerchant,
  rowsOf,
  rowsTo,
  rowTo,
  summary,
  taken,
  untilQuiet,
} from '#test/features/payouts/batches.ts'
import { type Answer, advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const RESEND = `${BATCH}/resend-otp`
const lastCode = async (h: Harness, merchant: TestMerchant): Promise<string> =>
  (await codesMailed(h, merchant)).at(-1) ?? ''
const otherThan = (code: string): string => (code === '111111' ? '222222' : '111111')
const said = ({ status, json }: Answer) => [status, json.problem?.code ?? json.responseBody.batchStatus]
/** The mail server refuses everything meanwhile. */
const withoutMail = async <T>(h: Harness, work: () => Promise<T>): Promise<T> => {
  const refuse = (refused: boolean) =>
    fetch(`${h.simulatorUrl}/api/mail`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refuse: refused }),
    })
  expect((await refuse(true)).status).toBe(200)
  try {
    return await work()
  } finally {
    await refuse(false)
  }
}

describe('batches.authorise', () => {
  test('200: the money is held before, nothing is sent; the code of the mail lets the rows go, once', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true, walletKobo: 1_000_000n })
    const list = [...rowsTo(2), rowTo('404')]
    const made = await taken(h, merchant, list)
    expect(made.batchStatus).toBe('PENDING_AUTHORIZATION')
    expect(await balances(h, merchant)).toEqual({ wallet: 798_000n, held: 202_000n })
    await advance(h, 60)
    const before = await rowsOf(h, merchant, made.batchReference)
    expect(before.map((row) => [row.status, row.twoFaEnabled])).toEqual([
      ['PENDING_BATCH_AUTHORIZATION', true],
      ['PENDING_BATCH_AUTHORIZATION', true],
      ['FAILED', true],
    ])
    expect(await summary(h, merchant, made.batchReference)).toMatchObject({ pendingCount: 2, failedCount: 1 })
    const code = await lastCode(h, merchant)
    const answer = await authorise(h, merchant, made.batchReference, code)
    expect(answer.json.responseBody).toEqual({ ...made, batchStatus: 'AWAITING_PROCESSING' })
    expect(said(await authorise(h, merchant, made.batchReference, code))).toEqual([400, 'TRANSFER_NOT_WAITING'])
    await advance(h, 1)
    const rows = await rowsOf(h, merchant, made.batchReference)
    expect(rows.map((row) => row.status)).toEqual(['SUCCESS', 'SUCCESS', 'FAILED'])
    const books = await bankBooks(h)
    expect(list.map((row) => books.get(row.destinationAccountNumber)?.length ?? 0)).toEqual([1, 1, 0])
    expect(await balances(h, merchant)).toEqual({ wallet: 798_000n, held: 0n })
  })

  test('the mail names the batch, how many and how much; the code is stored nowhere', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const { batchReference } = await taken(h, merchant, rowsTo(2))
    const mails = (await h.as(merchant, 'GET', `/sandbox/mails?to=${encodeURIComponent(merchant.email)}`)).json
    expect(mails.responseBody).toHaveLength(1)
    expect(mails.responseBody[0].text).toContain(
      `A batch of 2 transfers, ₦2,000.00, reference ${batchReference}, is waiting for your authorization.`,
    )
    const [row] = await h.sql('01', 'select to_jsonb(a) as row from authorizations a where merchant_id = $1', [
      merchant.id,
    ])
    expect(JSON.stringify(row)).not.toContain(await lastCode(h, merchant))
  })

  test('400 CODE_WRONG five times, then CODE_VOID for the right one too; another code works', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const { batchReference } = await taken(h, merchant, rowsTo(1))
    const code = await lastCode(h, merchant)
    for (let left = 4; left >= 0; left -= 1) {
      const answer = await authorise(h, merchant, batchReference, otherThan(code))
      expect(said(answer)).toEqual([400, 'CODE_WRONG'])
      expect(answer.json.responseMessage).toBe(`Wrong authorization code; ${left} tries left`)
    }
    expect(said(await authorise(h, merchant, batchReference, code))).toEqual([400, 'CODE_VOID'])
    expect((await h.as(merchant, 'POST', RESEND, { batchReference })).status).toBe(200)
    expect(said(await authorise(h, merchant, batchReference, await lastCode(h, merchant)))).toEqual([
      200,
      'AWAITING_PROCESSING',
    ])
  })

  test('a code fits its own batch only', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const [first, second] = [await taken(h, merchant, rowsTo(1)), await taken(h, merchant, rowsTo(1))]
    const [firstCode, secondCode] = (await codesMailed(h, merchant)) as [string, string]
    expect(firstCode).not.toBe(secondCode)
    expect(said(await authorise(h, merchant, first.batchReference, secondCode))).toEqual([400, 'CODE_WRONG'])
    expect(said(await authorise(h, merchant, second.batchReference, firstCode))).toEqual([400, 'CODE_WRONG'])
    expect(said(await authorise(h, merchant, first.batchReference, firstCode))).toEqual([200, 'AWAITING_PROCESSING'])
    // Nor does it fit when the amount behind the reference is another one.
    const more = (kobo: bigint) =>
      h.sql('01', 'update batches set kobo = kobo + $2 where reference = $1', [second.batchReference, kobo])
    await more(1n)
    expect(said(await authorise(h, merchant, second.batchReference, secondCode))).toEqual([400, 'CODE_WRONG'])
    await more(-1n)
    expect(said(await authorise(h, merchant, second.batchReference, secondCode))).toEqual([200, 'AWAITING_PROCESSING'])
  })

  test('a code lives ten minutes', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const { batchReference } = await taken(h, merchant, rowsTo(1))
    const code = await lastCode(h, merchant)
    await advance(h, 600)
    expect(said(await authorise(h, merchant, batchReference, code))).toEqual([400, 'CODE_VOID'])
  })

  test('twenty at once with the right code: one lets the batch go, and every row is paid once', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const list = rowsTo(20)
    const { batchReference } = await taken(h, merchant, list)
    const code = await lastCode(h, merchant)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => authorise(h, merchant, batchReference, code).then(said)),
    )
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([, code_]) => code_ === 'TRANSFER_NOT_WAITING')).toHaveLength(19)
    await advance(h, 1)
    const books = await bankBooks(h)
    for (const row of list)
      expect(books.get(row.destinationAccountNumber)).toMatchObject([{ paid: '1000.00', asked: 1 }])
  })

  test('twenty at once with a wrong code: five count, and no sixth', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const { batchReference } = await taken(h, merchant, rowsTo(1))
    const wrong = otherThan(await lastCode(h, merchant))
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => authorise(h, merchant, batchReference, wrong).then(said)),
    )
    expect(answers.filter(([, code]) => code === 'CODE_WRONG')).toHaveLength(5)
    expect(answers.filter(([, code]) => code === 'CODE_VOID')).toHaveLength(15)
  })

  test('a key replays what was answered: the batch that was made, and the authorization', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const body = batchBody(merchant, rowsTo(1))
    const keys = [{ 'idempotency-key': unique('key') }, { 'idempotency-key': unique('key') }] as const
    const made = await h.as(merchant, 'POST', BATCH, body, keys[0])
    expect((await h.as(merchant, 'POST', BATCH, body, keys[0])).text).toBe(made.text)
    expect(await codesMailed(h, merchant), 'no second mail').toHaveLength(1)
    const code = await lastCode(h, merchant)
    const done = await authorise(h, merchant, body.batchReference, code, keys[1])
    const again = await authorise(h, merchant, body.batchReference, code, keys[1])
    expect([done.status, again.text]).toEqual([200, done.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  test('400 BATCH_UNKNOWN for an unknown batch and for another merchant’s', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const { batchReference } = await taken(h, merchant, rowsTo(1))
    const code = await lastCode(h, merchant)
    expect(said(await authorise(h, h.merchants.main, batchReference, code))).toEqual([400, 'BATCH_UNKNOWN'])
    expect(said(await authorise(h, merchant, unique('nothing'), code))).toEqual([400, 'BATCH_UNKNOWN'])
    const resent = await h.as(h.merchants.main, 'POST', RESEND, { batchReference })
    expect(said(resent)).toEqual([400, 'BATCH_UNKNOWN'])
  })
})

describe('batches.resendCode', () => {
  test('200 under either name of the field; the code before is void; after ten codes no more', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const { batchReference } = await taken(h, merchant, rowsTo(1))
    const first = await h.as(merchant, 'POST', RESEND, { batchReference })
    expect(first.json.responseBody).toEqual({
      message: 'Authorization code will be processed and sent to predefined email addresses(s)',
    })
    expect((await h.as(merchant, 'POST', RESEND, { reference: batchReference })).status).toBe(200)
    const codes = await codesMailed(h, merchant)
    expect(codes).toHaveLength(3)
    expect(said(await authorise(h, merchant, batchReference, codes[0] ?? ''))).toEqual([400, 'CODE_WRONG'])
    for (let n = 4; n <= 10; n += 1)
      expect((await h.as(merchant, 'POST', RESEND, { batchReference })).status, `code ${n}`).toBe(200)
    expect(said(await h.as(merchant, 'POST', RESEND, { batchReference }))).toEqual([400, 'CODES_TOO_MANY'])
    expect(await codesMailed(h, merchant)).toHaveLength(10)
    expect(said(await authorise(h, merchant, batchReference, await lastCode(h, merchant)))[0]).toBe(200)
    expect(said(await h.as(merchant, 'POST', RESEND, { batchReference }))).toEqual([400, 'TRANSFER_NOT_WAITING'])
  })

  test('400 FIELD_MISSING without a reference', async () => {
    const h = harness()
    expect(said(await h.as(h.merchants.main, 'POST', RESEND, {}))).toEqual([400, 'FIELD_MISSING'])
  })

  test('a mail that is refused leaves OTP_EMAIL_DISPATCH_FAILED; the next one mends it', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const made = await withoutMail(h, () => taken(h, merchant, rowsTo(1)))
    expect(made.batchStatus).toBe('OTP_EMAIL_DISPATCH_FAILED')
    expect(await summary(h, merchant, made.batchReference)).toMatchObject({
      batchStatus: 'OTP_EMAIL_DISPATCH_FAILED',
      pendingCount: 1,
    })
    const { batchReference } = made
    expect((await h.as(merchant, 'POST', RESEND, { batchReference })).status).toBe(200)
    expect(await summary(h, merchant, batchReference)).toMatchObject({ batchStatus: 'PENDING_AUTHORIZATION' })
    expect(said(await authorise(h, merchant, batchReference, await lastCode(h, merchant)))[0]).toBe(200)
  })
})

describe('batches.expire', () => {
  test('after 24 hours the rows are EXPIRED and all their money is back; nothing was sent, and no code helps', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true, walletKobo: 1_000_000n })
    const list = [...rowsTo(3), rowTo('404')]
    const { batchReference } = await taken(h, merchant, list, { notificationInterval: 10 })
    await advance(h, 86_390)
    expect(await summary(h, merchant, batchReference)).toMatchObject({ batchStatus: 'PENDING_AUTHORIZATION' })
    expect((await h.as(merchant, 'POST', RESEND, { batchReference })).status).toBe(200)
    const code = await lastCode(h, merchant)
    await advance(h, 20)
    expect(await summary(h, merchant, batchReference)).toMatchObject({
      batchStatus: 'EXPIRED',
      failedCount: 4,
      pendingCount: 0,
    })
    const rows = await rowsOf(h, merchant, batchReference)
    expect(rows.map((row) => [row.status, row.transactionDescription])).toEqual([
      ...Array.from({ length: 3 }, () => ['EXPIRED', 'Transaction has expired']),
      ['FAILED', 'Account number could not be validated'],
    ])
    expect(await balances(h, merchant)).toEqual({ wallet: 1_000_000n, held: 0n })
    const [batch] = await h.sql('01', 'select open_rows, told_percent from batches where reference = $1', [
      batchReference,
    ])
    expect(batch).toEqual({ open_rows: 0, told_percent: 0 })
    expect(said(await authorise(h, merchant, batchReference, code))).toEqual([400, 'TRANSFER_NOT_WAITING'])
    const books = await bankBooks(h)
    expect(list.filter((row) => books.has(row.destinationAccountNumber))).toEqual([])
  })

  test('one whose mail was refused expires too; one that was authorised does not', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const unsent = await withoutMail(h, () => taken(h, merchant, rowsTo(1)))
    const sent = await taken(h, merchant, rowsTo(1))
    expect(said(await authorise(h, merchant, sent.batchReference, await lastCode(h, merchant)))[0]).toBe(200)
    await untilQuiet(h)
    expect(await summary(h, merchant, unsent.batchReference)).toMatchObject({ batchStatus: 'EXPIRED' })
    expect(await summary(h, merchant, sent.batchReference)).toMatchObject({ batchStatus: 'COMPLETED' })
  })

  test('the code and the expiry at the same moment: one of them, never both', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true, walletKobo: 1_000_000n })
    const { batchReference } = await taken(h, merchant, rowsTo(5))
    const code = await lastCode(h, merchant)
    await h.sql(
      '01',
      `update agenda set due_at = now() - interval '1 day' where kind = 'batches.expire' and merchant_id = $1`,
      [merchant.id],
    )
    const [answer] = await Promise.all([authorise(h, merchant, batchReference, code), advance(h, 0)])
    await advance(h, 1)
    const shown = await summary(h, merchant, batchReference)
    expect(shown.batchStatus).toBe(answer.status === 200 ? 'COMPLETED' : 'EXPIRED')
    expect(shown).toMatchObject(answer.status === 200 ? { successfulCount: 5 } : { failedCount: 5 })
    expect(await balances(h, merchant)).toEqual({ wallet: answer.status === 200 ? 495_000n : 1_000_000n, held: 0n })
  })
})
