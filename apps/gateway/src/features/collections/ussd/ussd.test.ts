// A payment by USSD: the code, the customer who dials it, and what the transaction says afterwards.
import { findBank } from '@cowrie/contract/bank/banks'
import { paymentCode } from '@cowrie/contract/bank/ussd'
import { describe, expect, test } from 'vitest'
import { refunded } from '#test/features/payouts/refunds.ts'
import {
  type Answer,
  advance,
  type Harness,
  INIT_PAYMENT,
  initialise,
  issueAccount,
  status,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'

const harness = useHarness()
const USSD = '/api/v1/merchant/ussd/initialize'

const ask = (h: Harness, merchant: TestMerchant, transactionReference: string, bankUssdCode = '737'): Promise<Answer> =>
  h.as(merchant, 'POST', USSD, { transactionReference, bankUssdCode })
async function codeFor(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}, bank = '737') {
  const made = await initialise(h, merchant, over)
  const answer = await ask(h, merchant, made.transactionReference, bank)
  expect(answer.status, answer.text).toBe(200)
  return { ...made, ...(answer.json.responseBody as { paymentCode: string }), shown: answer.json.responseBody }
}
async function dial(
  h: Harness,
  code: string,
  more: Record<string, unknown> = {},
): Promise<{ status: number; json: any }> {
  const answer = await fetch(`${h.simulatorUrl}/api/ussd`, { method: 'POST', body: JSON.stringify({ code, ...more }) })
  return { status: answer.status, json: await answer.json() }
}
const untilPaid = (h: Harness, merchant: TestMerchant, reference: string) =>
  h.until('it is paid', async () => (await status(h, merchant, reference)).paymentStatus === 'PAID')
const credits = (h: Harness, reference: string) =>
  h.sql(
    '01',
    `select c.outcome from inbound_credits c join transactions t on t.id = c.transaction_id where t.reference = $1`,
    [reference],
  )

test('200: a code of the bank; dialled once, the transaction is PAID with the method USSD, in its record and its event', async () => {
  const h = harness()
  const { main } = h.merchants
  await h.as(main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
  const made = await codeFor(h, main, { amount: 1234.5 })
  expect(made.shown).toEqual({
    responseCode: '00',
    responseDescription: expect.stringContaining(made.paymentCode),
    ussdCode: '*737#',
    paymentCode: expect.stringMatching(/^\*737\*000\*01\d{8}#$/),
    providerReference: made.transactionReference.replace('CWRY', 'CWUS'),
    authorizedAmount: 1234.5,
    transactionReference: made.transactionReference,
  })
  const paid = await dial(h, made.paymentCode, { senderAccountName: 'Ngozi Bello' })
  expect(paid).toEqual({
    status: 200,
    json: {
      sessionId: expect.stringMatching(/^000013\d{24}$/),
      status: 'ACCEPTED',
      beneficiaryName: expect.stringContaining('Adire Stores'),
      bankCode: '50515',
      accountNumber: made.paymentCode.slice(9, 19),
      amount: '1234.50',
    },
  })
  await untilPaid(h, main, made.transactionReference)
  expect(await status(h, main, made.transactionReference)).toMatchObject({
    paymentMethod: 'USSD',
    amountPaid: '1234.50',
    collectionChannel: 'API_NOTIFICATION',
    accountDetails: { accountName: 'Ngozi Bello', bankCode: '058', amountPaid: '1234.50' },
  })
  await advance(h, 1)
  await h.until('the notice', async () => h.received.some(({ text }) => text.includes(made.paymentReference)))
  const event = JSON.parse(h.received.find(({ text }) => text.includes(made.paymentReference))?.text ?? '{}')
  expect(event).toMatchObject({
    eventType: 'SUCCESSFUL_TRANSACTION',
    eventData: { paymentMethod: 'USSD', paymentStatus: 'PAID', amountPaid: 1234.5 },
  })
})

test('the same account for every bank, and for a transfer; spelt 822, *822 or *822#', async () => {
  const h = harness()
  const { main } = h.merchants
  const { transactionReference, paymentCode: first } = await codeFor(h, main)
  const accountNumber = await issueAccount(h, main, transactionReference)
  expect(first).toBe(`*737*000*${accountNumber}#`)
  for (const spelt of ['822', '*822', '*822#'])
    expect((await ask(h, main, transactionReference, spelt)).json.responseBody).toMatchObject({
      ussdCode: '*822#',
      paymentCode: `*822*000*${accountNumber}#`,
    })
})

test('a code that the bank itself builds (ussdPayment) is a payment by USSD too, and can be refunded', async () => {
  const h = harness()
  const { main } = h.merchants
  const { transactionReference } = await initialise(h, main, { amount: 1_000 })
  const { ussdPayment } = (await h.as(main, 'POST', INIT_PAYMENT, { transactionReference, bankCode: '057' })).json
    .responseBody
  expect(ussdPayment).toMatch(/^\*966\*1000\*/)
  expect(await dial(h, ussdPayment)).toMatchObject({ status: 200, json: { status: 'ACCEPTED', amount: '1000.00' } })
  await untilPaid(h, main, transactionReference)
  expect(await status(h, main, transactionReference)).toMatchObject({
    paymentMethod: 'USSD',
    accountDetails: { bankCode: '057' },
  })
  expect(await refunded(h, main, transactionReference)).toMatchObject({ refundType: 'FULL_REFUND' })
})

test('no string is built of a bank that is closed', async () => {
  const h = harness()
  const { main } = h.merchants
  const { transactionReference } = await initialise(h, main)
  expect(findBank('030')?.ussdTemplate).not.toBeNull()
  const answer = await h.as(main, 'POST', INIT_PAYMENT, { transactionReference, bankCode: '030' })
  expect([answer.status, answer.json.responseBody.ussdPayment]).toEqual([200, null])
})

test('a notice that comes ten minutes later still says how it was paid', async () => {
  const h = harness()
  const { main } = h.merchants
  const made = await codeFor(h, main)
  await dial(h, made.paymentCode, { scenario: 'delayed' })
  expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('PENDING')
  await advance(h, 605)
  expect(await status(h, main, made.transactionReference)).toMatchObject({
    paymentStatus: 'PAID',
    paymentMethod: 'USSD',
  })
})

test('a plain transfer to the account of a code stays ACCOUNT_TRANSFER', async () => {
  const h = harness()
  const { main } = h.merchants
  const made = await codeFor(h, main)
  await h.pay(made.paymentCode.slice(9, 19), made.amount)
  await untilPaid(h, main, made.transactionReference)
  expect((await status(h, main, made.transactionReference)).paymentMethod).toBe('ACCOUNT_TRANSFER')
})

describe('refused', () => {
  test.each(['710', '322', '058', '000', '*737*2#', 'gtb'])('422 USSD_BANK_UNKNOWN for %s', async (bankUssdCode) => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main)
    const answer = await ask(h, main, transactionReference, bankUssdCode)
    expect([answer.status, answer.json.problem.code]).toEqual([422, 'USSD_BANK_UNKNOWN'])
  })

  test('a transaction that does not offer USSD, one that is paid, one that has expired', async () => {
    const h = harness()
    const { main } = h.merchants
    const code = async (reference: string) => (await ask(h, main, reference)).json.problem?.code
    expect(await code((await initialise(h, main, { paymentMethods: ['CARD'] })).transactionReference)).toBe(
      'METHOD_NOT_ENABLED',
    )
    const made = await codeFor(h, main, { paymentMethods: ['USSD'] })
    await dial(h, made.paymentCode)
    await untilPaid(h, main, made.transactionReference)
    expect(await code(made.transactionReference)).toBe('TRANSACTION_CLOSED')
    const late = await initialise(h, main)
    await advance(h, 2_401)
    expect(await code(late.transactionReference)).toBe('TRANSACTION_CLOSED')
  })

  test("another merchant's transaction answers like one that is not there", async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { transactionReference } = await initialise(h, main)
    const [theirs, nobodys] = [
      await ask(h, other, transactionReference),
      await ask(h, other, 'CWRY|01|20260101000000|000000'),
    ]
    const shown = ({ status: code, json }: Answer) => [code, json.responseMessage, json.problem.code]
    expect(shown(theirs)).toEqual(shown(nobodys))
    expect(theirs.json.problem.code).toBe('TRANSACTION_REFERENCE_INVALID')
  })

  test('400 from the bank for a code that no bank answers, of no account, and of a payment that is done', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await codeFor(h, main)
    await dial(h, made.paymentCode)
    await untilPaid(h, main, made.transactionReference)
    const gtb = findBank('058')
    for (const code of ['*999#', '', paymentCode(gtb as NonNullable<typeof gtb>, '0000000000'), made.paymentCode])
      expect(await dial(h, code), code).toMatchObject({ status: 400, json: { error: expect.stringContaining('code') } })
  })
})

describe('many at once', () => {
  test('thirty requests with three banks get one account, with and without keys', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        h.as(
          main,
          'POST',
          USSD,
          { transactionReference, bankUssdCode: ['737', '822', '966'][at % 3] },
          at % 2 === 0 ? { 'Idempotency-Key': unique('key') } : {},
        ),
      ),
    )
    expect(new Set(answers.map(({ status: code }) => code))).toEqual(new Set([200]))
    const numbers = answers.map(({ json }) => json.responseBody.paymentCode.split('*')[3])
    expect(new Set(numbers).size).toBe(1)
  })

  test('a code that eight phones dial at the same moment is counted once; the rest is returned', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await codeFor(h, main)
    const dialled = await Promise.all(
      Array.from({ length: 8 }, (_, at) => dial(h, made.paymentCode, { scenario: at % 2 === 0 ? 'exact' : 'twice' })),
    )
    const accepted = dialled.filter(({ json }) => json.status === 'ACCEPTED').length
    expect(accepted).toBeGreaterThan(0)
    await h.until('every credit', async () => (await credits(h, made.transactionReference)).length === accepted)
    const outcomes = (await credits(h, made.transactionReference)).map(({ outcome }) => outcome)
    expect(outcomes.filter((outcome) => outcome === 'COUNTED')).toHaveLength(1)
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '1500.00',
    })
  })
})

test('the phone of the sandbox: a page that dials what it is given, and says what was wrong', async () => {
  const h = harness()
  const { main } = h.merchants
  const made = await codeFor(h, main)
  const address = `${h.simulatorUrl}/dial?${new URLSearchParams({ code: made.paymentCode }).toString()}`
  expect(await (await fetch(address)).text()).toContain(`value="${made.paymentCode}"`)
  const post = (code: string) =>
    fetch(`${h.simulatorUrl}/dial`, { method: 'POST', body: new URLSearchParams({ code }) })
  const wrong = await post('*999#')
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining('The code is not one that a bank answers.'),
  ])
  expect(await (await post(made.paymentCode)).text()).toContain('Transfer accepted')
  await untilPaid(h, main, made.transactionReference)
})
