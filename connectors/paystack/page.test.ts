// Cards that payers type on Paystack's page: the adapter never sees one.
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { expect, test } from 'vitest'
import { call } from '../../packages/connector-kit/test/gateway.ts'
import type { Json } from '../../packages/connector-kit/test/store.ts'
import { CARDS } from './fake/books.ts'
import { newCharge, usePaystack } from './test/processes.ts'

const paystack = usePaystack()
const { fake } = paystack
const adapter = () => paystack.adapter({ PAYSTACK_CARD_PAGE: 'yes' })

const onPage = () => {
  const { card: _, ...charge } = newCharge()
  return { ...charge, onPage: true }
}
const pageOf = (answer: Json): string => String((answer['challenge'] as Json | undefined)?.['pageUrl'])
const typeCard = (page: string, number: string) =>
  fetch(page, { method: 'POST', body: new URLSearchParams({ number }), redirect: 'manual' })

test('it says that it has a page, and takes no card', async () => {
  const { url, gateway } = await adapter()
  expect((await call(url, 'GET', CONNECTOR_PATHS.capabilities))?.json).toMatchObject({
    cards: { version: 2, pin: 'NEVER', page: true },
  })
  expect(await gateway.charge(newCharge())).toMatchObject({ status: 400 })
  expect(await fake.received()).toEqual([])
})

test('the payer gets one page, however often the charge is repeated; Paystack learns where they come from and go back to', async () => {
  const { gateway } = await adapter()
  const charge = onPage()
  const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.charge(charge)))
  const [first = {}] = answers
  expect(first).toMatchObject({ state: 'CHALLENGE', challenge: { pageUrl: expect.stringContaining('/page/') } })
  for (const answer of answers) expect(answer).toEqual(first)
  expect(await fake.times(charge.chargeReference)).toBe(1)
  expect((await fake.get('/fake/bodies'))['bodies']).toEqual([
    {
      ...{ email: 'ada@example.com', amount: '1250050', currency: 'NGN', reference: charge.chargeReference },
      ...{ callback_url: 'https://shop.example/back', channels: ['card'], metadata: expect.any(String) },
    },
  ])
})

test('a card that is refused there may be followed by another; what has paid is told, with the ends of its number', async () => {
  const { gateway } = await adapter()
  const charge = onPage()
  const asked = await gateway.charge(charge)
  const { chargeReference: reference } = charge
  expect((await typeCard(pageOf(asked), CARDS.declined)).status).toBe(200)
  expect(await gateway.inquire(reference)).toEqual(asked)
  const paid = await typeCard(pageOf(asked), CARDS.plain)
  expect([paid.status, paid.headers.get('location')]).toEqual([
    303,
    `https://shop.example/back?trxref=${reference}&reference=${reference}`,
  ])
  expect(await gateway.inquire(reference)).toMatchObject({
    ...{ state: 'APPROVED', code: '00', cardReference: expect.stringMatching(/^AUTH_/) },
    knownOfCard: { first6: '408408', last4: '4081', expiryMonth: '12', expiryYear: '2030' },
  })
  expect(await paystack.rows()).not.toContain(CARDS.plain)
})

test('while Paystack calls it under way the payer keeps the way back to the page', async () => {
  const { gateway } = await adapter()
  const charge = onPage()
  const asked = await gateway.charge(charge)
  for (const code of ['pending', 'processing', 'queued']) {
    await fake.next('verify', 'code', { code })
    expect([code, await gateway.inquire(charge.chargeReference)]).toEqual([code, asked])
  }
})

test('what is paid after the gateway gave it up is returned, once', async () => {
  const { gateway } = await adapter()
  const charge = onPage()
  const asked = await gateway.charge(charge)
  const { chargeReference: reference } = charge
  expect(await gateway.reverse(reference)).toMatchObject({ state: 'REVERSING' })
  expect((await typeCard(pageOf(asked), CARDS.plain)).status).toBe(303)
  await Promise.all(Array.from({ length: 10 }, () => gateway.reverse(reference)))
  expect(await fake.refunds()).toMatchObject([{ reference, kobo: '1250050' }])
})

test('an answer that is lost: the adapter asks, and nobody was sent to a page', async () => {
  const { gateway } = await adapter()
  const charge = onPage()
  await fake.next('charge', 'html')
  expect(await gateway.charge(charge)).toMatchObject({ state: 'PENDING' })
  expect(await gateway.inquire(charge.chargeReference)).toMatchObject({ state: 'DECLINED', code: '06' })
  expect(await fake.times(charge.chargeReference)).toBe(1)
})

test('a stored card needs no page', async () => {
  const { gateway } = await adapter()
  const first = onPage()
  await typeCard(pageOf(await gateway.charge(first)), CARDS.plain)
  const { cardReference } = await gateway.inquire(first.chargeReference)
  const { onPage: _, ...again } = { ...onPage(), cardReference }
  expect(await gateway.charge(again)).toMatchObject({ state: 'APPROVED' })
})
