// The limit of a day is for the day the money leaves: what is authorised after midnight counts for that day
// too.
import { expect, test } from 'vitest'
import { BATCH, codeOf, newMerchant, order, sent, validate } from '#test/features/payouts/disbursements.ts'
import { authorise, refundedTo } from '#test/features/payouts/refunds.ts'
import { advanceTo } from '#test/features/settlements/settlements.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const code = (answer: { json: any }): string | undefined => answer.json?.problem?.code
const spentToday = async (h: Harness, merchant: TestMerchant): Promise<number> =>
  (await h.as(merchant, 'GET', '/api/v1/disbursement-settings')).json.responseBody.spentToday

/** A merchant that may send 10,000 a day, three minutes before midnight in Lagos. */
async function beforeMidnight(h: Harness): Promise<TestMerchant> {
  const merchant = await newMerchant(h, { otp: true, naira: 100_000 })
  await h.sql('01', `update disbursement_settings set per_day_kobo = 1000000 where merchant_id = ${merchant.id}`)
  h.gateway.merchants.forget('01')
  await advanceTo(h, '23:57:00')
  return merchant
}

test('a transfer accepted before midnight and authorised after it counts for both days', async () => {
  const h = harness()
  const merchant = await beforeMidnight(h)
  const yesterday = await sent(h, merchant, { amount: 10_000 })
  const right = await codeOf(h, merchant, yesterday.reference)
  await advance(h, 240)
  expect(await spentToday(h, merchant)).toBe(0)
  expect((await validate(h, merchant, yesterday.reference, right)).status).toBe(200)
  expect(await spentToday(h, merchant)).toBe(10_000)
  const more = await h.as(merchant, 'POST', '/api/v2/disbursements/single', order(merchant, { amount: 100 }))
  expect([more.status, code(more)]).toEqual([400, 'DAILY_LIMIT'])
})

test('400 DAILY_LIMIT when today is spent already: it goes on waiting, its code unused', async () => {
  const h = harness()
  const merchant = await beforeMidnight(h)
  const { reference } = await sent(h, merchant, { amount: 5_000 })
  const { refundReference } = await refundedTo(h, merchant, '7788')
  const { sourceAccountNumber, ...row } = order(merchant, { amount: 3_000 })
  const batchReference = unique('batch')
  const batch = { title: 'May', batchReference, narration: 'May', sourceAccountNumber, transactionList: [row] }
  const made = await h.as(merchant, 'POST', BATCH, { ...batch, onValidationFailure: 'CONTINUE' })
  expect(made.status, made.text).toBe(200)
  await advance(h, 240)
  const [one, two, three] = [
    await codeOf(h, merchant, reference),
    await codeOf(h, merchant, refundReference),
    await codeOf(h, merchant, batchReference),
  ]
  await sent(h, merchant, { amount: 9_999 })
  for (const answer of [
    await validate(h, merchant, reference, one),
    await authorise(h, merchant, refundReference, two),
    await h.as(merchant, 'POST', `${BATCH}/validate-otp`, { reference: batchReference, authorizationCode: three }),
  ])
    expect([answer.status, code(answer)]).toEqual([400, 'DAILY_LIMIT'])
  await h.sql('01', `update disbursement_settings set per_day_kobo = 10000000 where merchant_id = ${merchant.id}`)
  h.gateway.merchants.forget('01')
  expect((await validate(h, merchant, reference, one)).status).toBe(200)
  expect((await authorise(h, merchant, refundReference, two)).status).toBe(200)
  const last = { reference: batchReference, authorizationCode: three }
  expect((await h.as(merchant, 'POST', `${BATCH}/validate-otp`, last)).status).toBe(200)
  expect(await spentToday(h, merchant)).toBe(9_999 + 5_000 + 1_000 + 3_000)
})

test('a row of a batch that is refused at validation is reported: FAILED_DISBURSEMENT with the reason', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const { sourceAccountNumber, ...good } = order(merchant)
  const { sourceAccountNumber: _, ...bad } = order(merchant, { destinationAccountNumber: '4040000404' })
  const { sourceAccountNumber: __, ...nowhere } = order(merchant, { destinationBankCode: '999' })
  const transactionList = [good, bad, nowhere]
  const batch = {
    title: 'May',
    batchReference: unique('batch'),
    narration: 'May',
    sourceAccountNumber,
    transactionList,
  }
  const made = await h.as(merchant, 'POST', BATCH, { ...batch, onValidationFailure: 'CONTINUE' })
  expect(made.status, made.text).toBe(200)
  const alertsOf = async (reference: string) =>
    (
      await h.sql(
        '01',
        `select event_body(shape, body) as body from events where object = $1 and type = 'FAILED_DISBURSEMENT'`,
        [reference],
      )
    ).map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body).eventData)
  expect(await alertsOf(bad.reference)).toMatchObject([
    {
      ...{ reference: bad.reference, amount: 250, status: 'FAILED', sessionId: '' },
      destinationAccountNumber: '4040000404',
      transactionDescription: 'Account number could not be validated',
    },
  ])
  const [unknown] = await alertsOf(nowhere.reference)
  expect(unknown).toMatchObject({ transactionDescription: 'Unknown destination bank code' })
  expect([unknown.destinationAccountName, unknown.destinationBankName]).toEqual([undefined, undefined])
  expect(await alertsOf(good.reference)).toEqual([])
})
