// Limits as people set them, and what they refuse.
import { expect, test } from 'vitest'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { invoiceBody } from '#test/features/collections/invoices.ts'
import { ask as askPayout, newMerchant, sent } from '#test/features/payouts/disbursements.ts'
import {
  advance,
  type Harness,
  INIT,
  initBody,
  initialise,
  issueAccount,
  paid,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'

const harness = useHarness()
const risk = actorOf('operator', 'risk')
const admin = actorOf('operator', 'admin')

const ask = (h: Harness, merchant: TestMerchant, input: object) => doAct(h, risk, 'limits.set', { merchant, input })
async function setLimits(h: Harness, merchant: TestMerchant, input: object): Promise<any> {
  const { outcome, reference } = await ask(h, merchant, input)
  expect(outcome).toBe('WAITING')
  return (await approveAs(h, admin, reference)).reply.reply
}
/** Until noon in Lagos: nothing here crosses midnight. */
const toMidday = (h: Harness) => {
  const hours = (h.gateway.ctx.clock.now().getTime() / 3_600_000 + 1) % 24
  return advance(h, Math.ceil(((36 - hours) % 24) * 3600))
}
const listed = (h: Harness, merchant: TestMerchant) => show(h, admin, 'limits.list', { merchant: merchant.apiKey })

test('400 PAYMENT_LIMIT for a transaction or an invoice above the limit of a payment, which two people set', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  await initialise(h, merchant, { amount: 5000 })
  await setLimits(h, merchant, { kind: 'COLLECTIONS', perPayment: '1000.50' })
  await initialise(h, merchant, { amount: 1000.5 })
  const above = await h.as(merchant, 'POST', INIT, initBody(merchant, { amount: 1000.51 }))
  expect([above.status, above.json.problem.code, above.json.responseMessage]).toEqual([
    400,
    'PAYMENT_LIMIT',
    'Amount must not be more than 1000.50',
  ])
  const invoice = await h.as(merchant, 'POST', '/api/v1/invoice/create', invoiceBody(h, merchant, { amount: 2000 }))
  expect(invoice.json.problem.code).toBe('PAYMENT_LIMIT')
  await setLimits(h, merchant, { kind: 'COLLECTIONS' })
  await initialise(h, merchant, { amount: 5000 })
  const { inForce, before } = await listed(h, merchant)
  expect(inForce[0]).toMatchObject({ kind: 'COLLECTIONS', perPayment: null, perDay: null })
  expect(before).toEqual([expect.objectContaining({ kind: 'COLLECTIONS', perPayment: '1000.50' })])
})

test('400 PAYMENT_DAY_LIMIT: what is paid today or can still be counts, what has expired does not, and tomorrow is another day', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  await setLimits(h, merchant, { kind: 'COLLECTIONS', perDay: '3000' })
  await toMidday(h)
  await paid(h, merchant, { amount: 1000 })
  await initialise(h, merchant, { amount: 1500 })
  const refused = async (amount: number) => {
    const { status, json } = await h.as(merchant, 'POST', INIT, initBody(merchant, { amount }))
    return [status, json.problem?.code, json.responseMessage]
  }
  const LEFT = (naira: string) => [400, 'PAYMENT_DAY_LIMIT', `Amount must not be more than ${naira} today`]
  expect(await refused(500.01)).toEqual(LEFT('500.00'))
  await initialise(h, merchant, { amount: 500 })
  expect(await refused(20)).toEqual(LEFT('0.00'))
  await advance(h, 41 * 60)
  expect(await refused(2000.01)).toEqual(LEFT('2000.00'))
  await initialise(h, merchant, { amount: 2000 })
  await advance(h, 86_400)
  await initialise(h, merchant, { amount: 3000 })
})

test('400 PAYMENT_DAY_LIMIT: of a transaction that takes the rest the whole counts, not only what was paid', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
  expect((await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)).status).toBe(200)
  await setLimits(h, merchant, { kind: 'COLLECTIONS', perDay: '3000' })
  await toMidday(h)
  const { transactionReference } = await initialise(h, merchant, { amount: 2000 })
  await h.pay(await issueAccount(h, merchant, transactionReference), 500)
  const above = await h.as(merchant, 'POST', INIT, initBody(merchant, { amount: 1000.01 }))
  expect([above.json.problem?.code, above.json.responseMessage]).toEqual([
    'PAYMENT_DAY_LIMIT',
    'Amount must not be more than 1000.00 today',
  ])
  await initialise(h, merchant, { amount: 1000 })
})

test('payouts are held to the limits of a transfer and of a day; what no limit may be is refused', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const refusal = (input: object): Promise<string> =>
    ask(h, merchant, input).then(
      ({ outcome }) => outcome,
      ({ code }) => code,
    )
  expect(await refusal({ kind: 'COLLECTIONS', perPayment: '5', perDay: '4' })).toBe('LIMIT_WRONG')
  expect(await refusal({ kind: 'PAYOUTS', perPayment: '5' })).toBe('LIMIT_WRONG')
  expect(await refusal({ kind: 'PAYOUTS', perPayment: '5', perDay: '4' })).toBe('LIMIT_WRONG')
  expect(await refusal({ kind: 'PAYOUTS', perPayment: '0', perDay: '4' })).toBe('AMOUNT_INVALID')
  const made = await setLimits(h, merchant, { kind: 'PAYOUTS', perPayment: 300, perDay: '500' })
  expect(made).toMatchObject({ kind: 'PAYOUTS', perPayment: '300.00', perDay: '500.00' })
  const code = async (amount: number) => (await askPayout(h, merchant, { amount })).json.problem?.code
  await sent(h, merchant, { amount: 300 })
  expect([await code(300.01), await code(200.01)]).toEqual(['TRANSFER_LIMIT', 'DAILY_LIMIT'])
  await sent(h, merchant, { amount: 200 })
  expect((await listed(h, merchant)).inForce[1]).toEqual(made)
})

test('the overview of a cell has the limits in force of each merchant, and none where nothing was set', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const overview = async (): Promise<unknown[]> =>
    (await show(h, risk, 'limits.overview', { cell: '01', search: merchant.apiKey })).limits.map((one: any) => [
      one.merchant,
      one.kind,
      one.perPayment,
    ])
  const payouts = [merchant.apiKey, 'PAYOUTS', expect.any(String)]
  expect(await overview()).toEqual([payouts])
  for (const perPayment of [500, 700]) await setLimits(h, merchant, { kind: 'COLLECTIONS', perPayment })
  expect(await overview()).toEqual([[merchant.apiKey, 'COLLECTIONS', '700.00'], payouts])
})
