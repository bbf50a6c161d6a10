// Fees that payers bear: quoted when the payer chooses how to pay, paid on top of the amount, and held to
// whatever is set later.
import { describe, expect, test } from 'vitest'
import type { Merchant } from '#core/access/merchants.ts'
import { charge, readCard } from '#features/collections/cards/cards.ts'
import { events, notice, outcomeOf, reverseCredit, secondApi, tell, waiting } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct } from '#test/features/access/acts.ts'
import { CHARGE, card, chargeBody, charges, chargeWith, TOKEN } from '#test/features/collections/cards.ts'
import { invoice } from '#test/features/collections/invoices.ts'
import { reserve } from '#test/features/collections/reserved-accounts.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { refunded } from '#test/features/payouts/refunds.ts'
import {
  advance,
  type Harness,
  INIT_PAYMENT,
  initBody,
  initialise,
  status,
  subAccount,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'

const harness = useHarness()
const finance = actorOf('operator', 'finance')
const admin = actorOf('operator', 'admin')

type Input = Readonly<Record<string, unknown>>
async function setFee(h: Harness, merchant: TestMerchant, input: Input): Promise<any> {
  const { reference } = await doAct(h, finance, 'fees.set', { merchant, input })
  return (await approveAs(h, admin, reference)).reply.reply
}
const PAYER = { method: 'ANY', basisPoints: 150, cap: 2000, bearer: 'CUSTOMER' }
const DEARER = { method: 'ANY', basisPoints: 0, flat: 100, cap: 2000, bearer: 'CUSTOMER' }
async function payersMerchant(h: Harness, policy: Input = {}): Promise<{ merchant: TestMerchant; version: string }> {
  const merchant = await newMerchant(h)
  const { id } = await setFee(h, merchant, PAYER)
  const whole = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [], ...policy }
  expect((await h.as(merchant, 'PUT', '/api/v1/payment-policy', whole)).status).toBe(200)
  return { merchant, version: id }
}

const initPayment = async (h: Harness, merchant: TestMerchant, transactionReference: string, over: Input = {}) =>
  (await h.as(merchant, 'POST', INIT_PAYMENT, { transactionReference, ...over })).json.responseBody
const pay = async (h: Harness, accountNumber: string, amount: string, over: Input = {}) => {
  const credit = notice(accountNumber, amount, over)
  expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  return credit
}
const money = async (h: Harness, merchant: TestMerchant, reference: string): Promise<string[]> => {
  const { paymentStatus, totalPayable, amountPaid, settlementAmount } = await status(h, merchant, reference)
  return [paymentStatus, totalPayable, amountPaid, settlementAmount]
}
/** The postings of a transaction: version and fee, in their order. */
const postings = async (h: Harness, reference: string): Promise<[string, number][]> =>
  (
    await h.sql(
      '01',
      `select f.fee_schedule_id::text as version, coalesce((select sum(e.kobo) from entries e where e.transfer_id = f.id and e.account_id = 2), 0)::int as fee
       from transfers f join transactions t on t.id = f.object_id and f.object = 'transaction' where t.reference = $1 order by f.xid`,
      [reference],
    )
  ).map((row) => [row.version, row.fee])

describe('by transfer', () => {
  test('init-payment quotes the fee of the amount; the quote holds when the schedule changes, and the merchant gets the amount', async () => {
    const h = harness()
    const { merchant, version } = await payersMerchant(h)
    const { transactionReference: reference } = await initialise(h, merchant, { amount: '1000.33' })
    const quoted = await initPayment(h, merchant, reference, { bankCode: '058' })
    expect(quoted).toMatchObject({ amount: 1000.33, fee: 15, totalPayable: 1015.33 })
    expect(quoted.ussdPayment).toContain('1015.33')
    await setFee(h, merchant, DEARER)
    expect(await initPayment(h, merchant, reference)).toMatchObject({ fee: 15, totalPayable: 1015.33 })
    const later = await initialise(h, merchant, { amount: 1000 })
    expect(await initPayment(h, merchant, later.transactionReference)).toMatchObject({ fee: 100, totalPayable: 1100 })
    await pay(h, quoted.accountNumber, '1015.33', { channel: 'USSD' })
    expect(await money(h, merchant, reference)).toEqual(['PAID', '1015.33', '1015.33', '1000.33'])
    expect(await postings(h, reference)).toEqual([[version, 1500]])
    await advance(h, 1)
    const [event] = await events(h, merchant, reference)
    expect(event.body.eventData).toMatchObject({
      totalPayable: 1015.33,
      amountPaid: 1015.33,
      settlementAmount: '1000.33',
    })
    const found = await h.as(
      merchant,
      'GET',
      `/api/v1/transactions/search?transactionReference=${encodeURIComponent(reference)}`,
    )
    expect(found.json.responseBody.content[0]).toMatchObject({ amount: 1000.33, fee: 15, payableAmount: 1015.33 })
    // A refund is of what was paid, and the fee of the payment stays.
    expect((await refunded(h, merchant, reference, { refundAmount: 1015.33 })).refundStatus).toBe('PENDING')
  })

  test('an account that was given out without a quote stays without one: the merchant bears the fee', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { accountNumber, transactionReference } = await waiting(h, merchant, { amount: 1000 })
    const { id } = await setFee(h, merchant, PAYER)
    expect(await initPayment(h, merchant, transactionReference)).toMatchObject({ fee: 0, totalPayable: 1000 })
    await pay(h, accountNumber, '1000.00')
    expect(await money(h, merchant, transactionReference)).toEqual(['PAID', '1000.00', '1000.00', '985.00'])
    expect(await postings(h, transactionReference)).toEqual([[id, 1500]])
  })

  test('less and more are measured against the total: parts add up to the quote, and money beyond it bears nothing', async () => {
    const h = harness()
    const { merchant, version } = await payersMerchant(h)
    const parts = await waiting(h, merchant, { amount: 1000 })
    await pay(h, parts.accountNumber, '600.00')
    await setFee(h, merchant, DEARER)
    await pay(h, parts.accountNumber, '400.00')
    expect(await money(h, merchant, parts.transactionReference)).toEqual([
      'PARTIALLY_PAID',
      '1015.00',
      '1000.00',
      '985.00',
    ])
    const last = await pay(h, parts.accountNumber, '15.00')
    expect(await money(h, merchant, parts.transactionReference)).toEqual(['PAID', '1015.00', '1015.00', '1000.00'])
    expect(outcomeOf(await reverseCredit(h, last))).toBe('REVERSED')
    expect(await postings(h, parts.transactionReference)).toEqual([
      ...[
        [version, 900],
        [version, 600],
      ],
      ...[
        [version, 0],
        [version, 0],
      ],
    ])
    const more = await waiting(h, merchant, { amount: 1000 })
    await pay(h, more.accountNumber, '1200.00')
    expect(await money(h, merchant, more.transactionReference)).toEqual(['OVERPAID', '1100.00', '1200.00', '1100.00'])
    const { merchant: strict } = await payersMerchant(h, { less: 'RETURN', more: 'RETURN' })
    const short = await waiting(h, strict, { amount: 1000 })
    expect(outcomeOf(await tell(h, notice(short.accountNumber, '1000.00')))).toBe('SUSPENDED')
    await advance(h, 1)
    const [rejected] = await events(h, strict, short.transactionReference)
    expect(rejected.body.eventData.paymentRejectionInformation).toMatchObject({
      ...{ rejectionReason: 'UNDER_PAYMENT', expectedAmount: 1015 },
    })
  })

  test('shares are of the amount, and a sub account that bears fees bears none of the payer’s', async () => {
    const h = harness()
    const { merchant } = await payersMerchant(h)
    await setFee(h, merchant, DEARER)
    const codes = [(await subAccount(h, merchant)).subAccountCode, (await subAccount(h, merchant)).subAccountCode]
    const incomeSplitConfig = [
      { subAccountCode: codes[0], splitPercentage: 50 },
      { subAccountCode: codes[1], splitPercentage: 30, feeBearer: true },
    ]
    const made = await waiting(h, merchant, { amount: 1000, incomeSplitConfig })
    await pay(h, made.accountNumber, '15.00') // all of it is fee: nothing is left to share
    await pay(h, made.accountNumber, '1085.00')
    const shares = await h.sql(
      '01',
      `select sum(e.kobo)::int as kobo from transfers f join transactions t on t.id = f.object_id and f.object = 'transaction'
       join entries e on e.transfer_id = f.id join accounts a on a.id = e.account_id and a.kind = 'SHARE'
       where t.reference = $1 group by a.id order by a.id`,
      [made.transactionReference],
    )
    expect(shares).toEqual([{ kobo: 50_000 }, { kobo: 30_000 }])
    expect(await money(h, merchant, made.transactionReference)).toEqual(['PAID', '1100.00', '1100.00', '1000.00'])
  })

  test('race: schedules change in two processes while accounts are quoted and paid: each is paid as it was quoted', async () => {
    const h = harness()
    const { merchant } = await payersMerchant(h)
    const made = await Promise.all(Array.from({ length: 24 }, () => initialise(h, merchant, { amount: 1000 })))
    const second = await secondApi(h)
    const changes = (async () => {
      for (const flat of [20, 30, 40]) await setFee(h, merchant, { ...PAYER, basisPoints: 0, flat })
    })()
    const quotes = await Promise.all(
      made.map(async ({ transactionReference }, at) => {
        const [quote, again] = await Promise.all([
          initPayment(h, merchant, transactionReference),
          initPayment(h, merchant, transactionReference),
        ])
        expect(again).toMatchObject({ fee: quote.fee, accountNumber: quote.accountNumber })
        const credit = notice(quote.accountNumber, quote.totalPayable.toFixed(2))
        expect(at % 2 === 0 ? await second.tell(credit) : outcomeOf(await tell(h, credit))).toBe('COUNTED')
        return quote
      }),
    )
    await changes
    await second.close()
    for (const { transactionReference, totalPayable } of quotes) {
      const total = totalPayable.toFixed(2)
      expect(await money(h, merchant, transactionReference)).toEqual(['PAID', total, total, '1000.00'])
    }
  })
})

describe('by card', () => {
  test('the card is charged amount and fee, whatever an account was quoted before, and the merchant gets the amount', async () => {
    const h = harness()
    const { merchant } = await payersMerchant(h)
    const { id } = await setFee(h, merchant, { ...DEARER, method: 'CARD' })
    const { transactionReference } = await waiting(h, merchant, { amount: 1000 })
    expect((await money(h, merchant, transactionReference))[1]).toBe('1015.00')
    const answer = await h.as(merchant, 'POST', CHARGE, chargeBody(transactionReference, card('plain')))
    expect(answer.json.responseBody).toMatchObject({ status: 'SUCCESS', authorizedAmount: 1100 })
    expect(await money(h, merchant, transactionReference)).toEqual(['PAID', '1100.00', '1100.00', '1000.00'])
    expect(await postings(h, transactionReference)).toEqual([[id, 10_000]])
    await setFee(h, merchant, { method: 'CARD', basisPoints: 150, cap: 2000 })
    const { transactionReference: borne } = await waiting(h, merchant, { amount: 1000 })
    await h.as(merchant, 'POST', CHARGE, chargeBody(borne, card('plain')))
    expect(await money(h, merchant, borne)).toEqual(['PAID', '1000.00', '1000.00', '985.00'])
  })

  test('crash: the issuer has granted, the process dies, the schedule changes: the inquiry pays by the quote', async () => {
    const h = harness()
    const { merchant: who, version } = await payersMerchant(h)
    const { ctx, merchants } = h.gateway
    const merchant = (await merchants.byId(who.cell, who.id)) as Merchant
    const authorise: typeof ctx.bank.authorise = async (asked) => {
      await ctx.bank.authorise(asked)
      throw new Error('the process died here')
    }
    const { transactionReference: reference } = await initialise(h, who, { amount: 1000 })
    const request = {
      reference,
      card: readCard(ctx, card('plain')),
      channel: 'API',
      keepCard: true,
      address: null,
    } as const
    const dying = { ...ctx, connectors: { ...ctx.connectors, of: () => ({ ...ctx.bank, authorise }) } }
    await expect(charge(dying, merchant, request, async () => undefined)).rejects.toThrow('died here')
    expect((await charges(h, who, reference)).map((row) => row.status)).toEqual(['SENT'])
    await setFee(h, who, DEARER)
    await advance(h, 16)
    expect(await money(h, who, reference)).toEqual(['PAID', '1015.00', '1015.00', '1000.00'])
    expect(await postings(h, reference)).toEqual([[version, 1500]])
  })

  test('the hosted page shows amount, fee and total of each way, and charges the card what it has shown', async () => {
    const h = harness()
    const { merchant } = await payersMerchant(h)
    const { id: shown } = await setFee(h, merchant, { ...DEARER, method: 'CARD' })
    const { transactionReference, checkoutUrl } = await initialise(h, merchant, { amount: 1000 })
    const path = new URL(checkoutUrl).pathname
    const page = async (query: string): Promise<string> => (await h.call('GET', `${path}?${query}`)).text
    const transfer = await page('lang=en')
    expect(transfer).toContain('₦1,000.00 and a fee of ₦15.00')
    expect(transfer).toContain('data-copy="1015"')
    for (const lang of ['pcm', 'ha', 'yo', 'ig']) expect(await page(`lang=${lang}`)).toMatch(/₦1,000\.00 [^<]*₦15\.00</)
    const form = await page('way=card')
    expect(form).toContain('₦1,000.00 and a fee of ₦100.00')
    expect(form).toContain('Pay ₦1,100.00')
    expect(form).toContain(`name="fees" value="${shown}"`)
    await setFee(h, merchant, { ...DEARER, method: 'CARD', flat: 300 })
    expect(await page('way=card')).toContain('Pay ₦1,300.00')
    const { number, expiryMonth, expiryYear, cvv } = card('plain')
    const typed = { number, cvv, expiry: `${expiryMonth}/${String(expiryYear).slice(-2)}` }
    const answer = await fetch(`${h.apiUrl}${path}/card`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...typed, fees: shown }).toString(),
    })
    expect(answer.status).toBe(303)
    expect(await money(h, merchant, transactionReference)).toEqual(['PAID', '1100.00', '1100.00', '1000.00'])
    expect(await page('')).toContain('₦1,000.00 and a fee of ₦100.00')
  })
})

test('nobody who cannot be shown a fee is asked for more: reserved accounts, invoices and stored cards', async () => {
  const h = harness()
  const { merchant } = await payersMerchant(h)
  const paidWith = await chargeWith(h, merchant, 'plain', { amount: 1000 })
  const { cardToken } = (await status(h, merchant, paidWith.transactionReference)).cardDetails
  const body = { ...initBody(merchant, { amount: 1000 }), cardToken, apiKey: merchant.apiKey }
  const stored = await h.as(merchant, 'POST', TOKEN, body)
  expect(stored.json.responseBody).toMatchObject({ amountPaid: '1000.00', settlementAmount: '985.00' })
  const { accounts } = await reserve(h, merchant)
  await pay(h, accounts[0].accountNumber, '1000.00', { bankCode: accounts[0].bankCode })
  const [held] = await h.sql(
    '01',
    `select reference from transactions where merchant_id = $1 and product_type = 'RESERVED_ACCOUNT'`,
    [merchant.id],
  )
  expect(await money(h, merchant, held.reference)).toEqual(['PAID', '1000.00', '1000.00', '985.00'])
  const { transactionReference, accountNumber, bankCode } = await invoice(h, merchant, { amount: 1000 })
  await pay(h, accountNumber, '1000.00', { bankCode })
  expect(await money(h, merchant, transactionReference)).toEqual(['PAID', '1000.00', '1000.00', '985.00'])
})
