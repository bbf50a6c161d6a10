// Card numbers in names, descriptions and metaData: refused, kept nowhere, and not repeated.

import { ROUTES } from '@cowrie/contract'
import { cardGuard } from '@cowrie/contract/kit/card-data'
import { expect, test } from 'vitest'
import { notice, outcomeOf, tell, waiting } from '#test/bank/notices.ts'
import { BATCH, batchBody, rowTo } from '#test/features/payouts/batches.ts'
import { newMerchant, order, SINGLE } from '#test/features/payouts/disbursements.ts'
import { INIT, initBody, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const VISA = '4111111111111111'

test.each([
  ['metaData', { metaData: { card: VISA } }, 'metaData'],
  ['metaData, deep inside', { metaData: { order: { notes: ['x', `card ${VISA}.`] } } }, 'metaData'],
  ['metaData, as a number', { metaData: { card: Number(VISA) } }, 'metaData'],
  ['metaData, as a name', { metaData: { [VISA]: 1 } }, 'metaData'],
  ['metadata', { metadata: { card: VISA } }, 'metadata'],
  ['customerName', { customerName: `Ada ${VISA}` }, 'customerName'],
  ['paymentDescription', { paymentDescription: 'Card 4111-1111-1111-1111 10/30' }, 'paymentDescription'],
])(
  '400 CARD_DATA_REFUSED for a card number in %s of init-transaction; nothing is stored or repeated',
  async (_, over, field) => {
    const h = harness()
    const { main } = h.merchants
    const paymentReference = unique('data')
    const answer = await h.as(main, 'POST', INIT, initBody(main, { paymentReference, ...over }))
    expect([answer.status, answer.json.problem.code, answer.json.problem.field]).toEqual([
      400,
      'CARD_DATA_REFUSED',
      field,
    ])
    expect(answer.text.replace(/\D/g, '')).not.toContain(VISA)
    expect(await h.sql('01', 'select 1 from transactions where payment_reference = $1', [paymentReference])).toEqual([])
  },
)

test('escaped digits and numbers with an exponent are read as what they are', async () => {
  const h = harness()
  const { main } = h.merchants
  const token = await h.token(main)
  for (const value of ['"\\u0034111\\u0020111111111111"', '411111.1111111111e10', '4111111111111111.0']) {
    const raw = JSON.stringify(initBody(main, { metaData: { card: 'here' } })).replace('"here"', value)
    const answer = await h.call('POST', INIT, { raw, headers: { authorization: `Bearer ${token}` } })
    expect([value, answer.json.problem?.code]).toEqual([value, 'CARD_DATA_REFUSED'])
  }
})

test.each(['4111111111111112', '9111111111111110', '000015261115141530004417829301', '+2348031234561'])(
  '%s passes in metaData and paymentDescription',
  async (text) => {
    const h = harness()
    const { main } = h.merchants
    const over = { metaData: { order: text, list: [text] }, paymentDescription: `Order ${text}` }
    expect((await h.as(main, 'POST', INIT, initBody(main, over))).status).toBe(200)
  },
)

test('in a row of a list the field is named with its place; a payout’s narration is a description', async () => {
  const h = harness()
  const payer = await newMerchant(h)
  const batch = batchBody(payer, [rowTo(), rowTo('7777', { narration: `For ${VISA}` })])
  const list = await h.as(payer, 'POST', BATCH, batch)
  expect([list.status, list.json.problem.code, list.json.problem.field]).toEqual([
    ...[400, 'CARD_DATA_REFUSED', 'transactionList.1.narration'],
  ])
  const sent = await h.as(payer, 'POST', SINGLE, order(payer, { narration: `For ${VISA}` }))
  expect([sent.status, sent.json.problem.code]).toEqual([400, 'CARD_DATA_REFUSED'])
})

test('what a bank tells is not refused: the money has come, whatever its sender wrote', async () => {
  const h = harness()
  const made = await waiting(h, h.merchants.main)
  expect(outcomeOf(await tell(h, notice(made.accountNumber, 1500, { narration: VISA })))).toBe('COUNTED')
})

test('every body of a merchant with a name, a description or metaData is guarded', () => {
  const guarded = ROUTES.filter((route) => route.auth !== 'bank' && route.body && cardGuard(route.body)).map(
    ({ id }) => id,
  )
  for (const id of ['transactions.init', 'invoices.create', 'cards.chargeToken'])
    expect(
      guarded.some((known) => known === id),
      `${id} in ${guarded.join(' ')}`,
    ).toBe(true)
})
