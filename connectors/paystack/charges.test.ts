// Each step of a charge and each input, through a running adapter.
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { expect, test } from 'vitest'
import { call } from '../../packages/connector-kit/test/gateway.ts'
import type { Json } from '../../packages/connector-kit/test/store.ts'
import { CARDS, OTP } from './fake/books.ts'
import { cardOf, newCharge, newReference, seal, usePaystack } from './test/processes.ts'

const paystack = usePaystack()
const { fake } = paystack

const idOf = (answer: Json): unknown => ((answer['otp'] ?? answer['input']) as Json | undefined)?.['id']

test('it says that it takes cards of version 2, and shows its key', async () => {
  const { url } = await paystack.adapter()
  expect((await call(url, 'GET', CONNECTOR_PATHS.capabilities))?.json).toMatchObject({
    bankName: 'Paystack',
    environment: 'TEST',
    capabilities: ['card'],
    cards: { version: 2, pin: 'ASKED', key: { kty: 'RSA', alg: 'RSA-OAEP-256', e: 'AQAB' } },
  })
})

test('a card that needs nothing is approved, once, however often it is repeated', async () => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge()
  const answers = await Promise.all(Array.from({ length: 20 }, () => gateway.charge(charge)))
  for (const answer of [...answers, await gateway.inquire(charge.chargeReference)])
    expect(answer).toMatchObject({
      status: 200,
      chargeReference: charge.chargeReference,
      state: 'APPROVED',
      code: '00',
      card: { scheme: 'VISA', bankCode: '057', bankName: 'Zenith Bank', countryCode: 'NG' },
      cardReference: expect.stringMatching(/^AUTH_/),
    })
  expect(await fake.times(charge.chargeReference)).toBe(1)
  expect(await fake.orders()).toMatchObject([{ kobo: '1250050', status: 'SUCCESS' }])
  expect(await gateway.charge({ ...charge, amount: '1.00' })).toMatchObject({ status: 409 })
  expect(await gateway.inquire(newReference())).toMatchObject({ status: 404 })
})

test('what Paystack is sent: kobo, our reference, the payer, the card', async () => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge(CARDS.pin, { card: { ...cardOf(CARDS.pin), pin: '1111' } })
  expect(await gateway.charge(charge)).toMatchObject({ state: 'APPROVED' })
  expect((await fake.get('/fake/bodies'))['bodies']).toMatchObject([
    {
      email: 'ada@example.com',
      amount: '1250050',
      reference: charge.chargeReference,
      card: { number: CARDS.pin, cvv: '408', expiry_month: '12', expiry_year: '30' },
      pin: '1111',
    },
  ])
})

test.each([
  ['declined', CARDS.declined, '05'],
  ['empty', CARDS.empty, '51'],
])('a card that is %s: DECLINED, with a code', async (_name, number, code) => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge(number)
  const declined = { state: 'DECLINED', code }
  expect(await gateway.charge(charge)).toMatchObject(declined)
  expect(await gateway.inquire(charge.chargeReference)).toMatchObject(declined)
})

test('PIN, telephone number, OTP: each is asked for, and passed on once', async () => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge(CARDS.pinPhoneOtp)
  const { chargeReference: reference } = charge
  const pin = await gateway.charge(charge)
  expect(pin).toMatchObject({ state: 'INPUT', code: '', input: { kind: 'PIN', wrong: false } })
  expect(await gateway.charge(charge)).toEqual(pin)
  expect(await gateway.inquire(reference)).toEqual(pin)

  const phones = await Promise.all(Array.from({ length: 10 }, () => gateway.input(reference, idOf(pin), 'PIN', '0000')))
  const [phone = {}] = phones
  expect(phone).toMatchObject({ state: 'INPUT', input: { kind: 'PHONE' } })
  for (const one of phones) expect(one).toEqual(phone)

  const otp = await gateway.input(reference, idOf(phone), 'PHONE', '08031234567')
  expect(otp).toMatchObject({ state: 'OTP', otp: { triesLeft: 3, wrong: false } })
  // The PIN again, under its old name: nothing is passed on.
  expect(await gateway.input(reference, idOf(pin), 'PIN', '9999')).toEqual(otp)
  expect(await gateway.input(reference, idOf(otp), 'OTP', OTP)).toMatchObject({ state: 'APPROVED', code: '00' })
  const { bodies } = await fake.get('/fake/bodies')
  expect(bodies).toHaveLength(4)
})

test('an OTP that is wrong is asked for again, under another name; the right one is approved', async () => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge(CARDS.pinOtp, { card: { ...cardOf(CARDS.pinOtp), pin: '1234' } })
  const { chargeReference: reference } = charge
  const first = await gateway.charge(charge)
  expect(first).toMatchObject({ state: 'OTP', otp: { wrong: false, triesLeft: 3 } })
  const second = await gateway.input(reference, idOf(first), 'OTP', '000000')
  expect(second).toMatchObject({ state: 'OTP', otp: { wrong: true, triesLeft: 2 } })
  expect(idOf(second)).not.toBe(idOf(first))
  // The right one, under the name of the first: that was used.
  expect(await gateway.input(reference, idOf(first), 'OTP', OTP)).toEqual(second)
  expect(await gateway.input(reference, idOf(second), 'OTP', OTP)).toMatchObject({ state: 'APPROVED' })
})

test('a PIN that is wrong: DECLINED with 55', async () => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge(CARDS.pin)
  const asked = await gateway.charge(charge)
  const declined = { state: 'DECLINED', code: '55', message: 'The PIN is wrong.' }
  expect(await gateway.input(charge.chargeReference, idOf(asked), 'PIN', '2222')).toMatchObject(declined)
})

test.each([
  ['BIRTHDAY', CARDS.birthday, '1990-02-28'],
  ['ADDRESS', CARDS.address, { street: '1 Broad Street', city: 'Lagos', state: 'Lagos', zip: '101001' }],
])('%s is asked for and passed on', async (kind, number, value) => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge(number)
  const asked = await gateway.charge(charge)
  expect(asked).toMatchObject({ state: 'INPUT', input: { kind } })
  expect(await gateway.input(charge.chargeReference, idOf(asked), kind, value)).toMatchObject({ state: 'APPROVED' })
})

test('an input of another kind, or without its value, is not used up', async () => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge(CARDS.pin)
  const { chargeReference: reference } = charge
  const asked = await gateway.charge(charge)
  expect(await gateway.input(reference, idOf(asked), 'OTP', '123456')).toEqual(asked)
  expect(await gateway.input(reference, idOf(asked), 'PIN', 'abcd')).toMatchObject({ status: 400 })
  expect(await gateway.input(newReference(), idOf(asked), 'PIN', '1111')).toMatchObject({ status: 404 })
  expect(await gateway.input(reference, idOf(asked), 'PIN', '1111')).toMatchObject({ state: 'APPROVED' })
})

test("a bank's page: CHALLENGE, then what became of it when the gateway inquires", async () => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge(CARDS.page)
  const challenge = await gateway.charge(charge)
  expect(challenge).toMatchObject({ state: 'CHALLENGE', challenge: { pageUrl: 'https://bank.example/3ds' } })
  expect(await gateway.inquire(charge.chargeReference)).toEqual(challenge)
  await fake.settle(charge.chargeReference, 'SUCCESS')
  expect(await gateway.inquire(charge.chargeReference)).toMatchObject({ state: 'APPROVED' })
})

test('pending: PENDING until Paystack knows', async () => {
  const { gateway } = await paystack.adapter()
  await fake.next('charge', 'pend')
  const charge = newCharge()
  expect(await gateway.charge(charge)).toMatchObject({ state: 'PENDING', code: '' })
  expect(await gateway.inquire(charge.chargeReference)).toMatchObject({ state: 'PENDING' })
  await fake.settle(charge.chargeReference, 'FAILED', 'Expired Card')
  expect(await gateway.inquire(charge.chargeReference)).toMatchObject({ state: 'DECLINED', code: '54' })
})

test('a card that was approved before is charged by its name; a page may be needed', async () => {
  const { gateway } = await paystack.adapter()
  const first = await gateway.charge(newCharge())
  const { card: _card, ...rest } = newCharge()
  const again = { ...rest, cardReference: first['cardReference'] }
  expect(await gateway.charge(again)).toMatchObject({ state: 'APPROVED', cardReference: first['cardReference'] })
  await fake.next('charge', 'code', { code: 'paused' })
  const paused = { ...again, chargeReference: newReference() }
  expect(await gateway.charge(paused)).toMatchObject({
    state: 'CHALLENGE',
    challenge: { pageUrl: 'https://checkout.example/resume/1' },
  })
  const unknown = { ...rest, chargeReference: newReference(), cardReference: 'AUTH_nobody' }
  expect(await gateway.charge(unknown)).toMatchObject({ state: 'DECLINED', code: '30' })
})

test('a card and a PIN that were sealed in the browser', async () => {
  const { gateway } = await paystack.adapter()
  const { card, ...rest } = newCharge(CARDS.pin)
  const asked = await gateway.charge({ ...rest, sealedCard: seal(JSON.stringify(card)) })
  expect(asked).toMatchObject({ state: 'INPUT', input: { kind: 'PIN' } })
  const input = { chargeReference: rest.chargeReference, inputId: idOf(asked), kind: 'PIN' }
  const sealed = await gateway.post('/bank/v2/cards/inputs', { ...input, sealedValue: seal('1111') })
  expect(sealed).toMatchObject({ state: 'APPROVED' })

  // What cannot be opened was never sent.
  const broken = {
    ...rest,
    chargeReference: newReference(),
    sealedCard: `${seal(JSON.stringify(card)).slice(0, -4)}AAAA`,
  }
  expect(await gateway.charge(broken)).toMatchObject({ state: 'DECLINED', code: '30' })
  expect(await fake.times(broken.chargeReference)).toBe(0)
  expect(await gateway.charge({ ...rest, card, sealedCard: seal('{}') })).toMatchObject({ status: 400 })
})

test('a webhook makes the adapter ask, and the gateway is notified once; a forged one does nothing', async () => {
  const { gateway } = await paystack.adapter()
  const [open, charge] = [newCharge(CARDS.page), newCharge(CARDS.page)]
  const { chargeReference } = charge
  await gateway.charge(open)
  await gateway.charge(charge)
  // It says success, and the books do not.
  expect(await fake.webhook(open.chargeReference)).toEqual([200])
  expect(await gateway.inquire(open.chargeReference)).toMatchObject({ state: 'CHALLENGE' })
  expect(paystack.gateway.accepted()).toEqual([])

  await fake.settle(chargeReference, 'SUCCESS')
  expect(await fake.webhook(chargeReference, { forged: 'signature' })).toEqual([401])
  expect(await fake.webhook(chargeReference, { forged: 'contents' })).toEqual([401])
  expect(paystack.gateway.accepted()).toEqual([])
  expect(await fake.webhook(chargeReference, { times: 3 })).toEqual([200, 200, 200])
  await expect
    .poll(() => paystack.gateway.received)
    .toMatchObject([{ path: '/connector/v2/cards', message: { chargeReference }, accepted: true }])
  expect(await gateway.inquire(chargeReference)).toMatchObject({ state: 'APPROVED' })
  expect(paystack.gateway.received).toHaveLength(1)
})

test('a webhook that comes while Paystack does not answer is asked about again, without the gateway', async () => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge(CARDS.page)
  await gateway.charge(charge)
  await fake.settle(charge.chargeReference, 'SUCCESS')
  await fake.next('verify', 'status', { status: 500 })
  expect(await fake.webhook(charge.chargeReference)).toEqual([200])
  expect(paystack.gateway.accepted()).toEqual([])
  await expect.poll(() => paystack.gateway.accepted()).toEqual([{ chargeReference: charge.chargeReference }])
})

test('webhooks about what is not ours are answered and leave no row; disputes are logged without data', async () => {
  const { gateway, log } = await paystack.adapter()
  const foreign = { event: 'charge.success', data: { reference: 'T99887766', status: 'success', amount: 100 } }
  const charge = newCharge()
  await gateway.charge(charge)
  const data = { transaction: { reference: charge.chargeReference, customer: { email: 'canary@example.com' } } }
  for (const body of [foreign, { event: 'charge.dispute.create', data }, { event: 'transfer.success' }, { event: 7 }])
    expect((await fake.post('/fake/raw', { body }))['statuses']).toEqual([200])
  expect(await paystack.query(`select id from ${paystack.store().schema}.claims`)).toEqual([])
  expect(log()).toContain('charge.dispute.create')
  expect(log()).not.toContain('canary@example.com')
})
