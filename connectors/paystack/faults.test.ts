// Whatever goes wrong between the adapter and Paystack, the gateway gets PENDING, and the truth when it
// inquires. A charge is made once, and what was not taken stays PENDING: nobody can tell that from one that
// is still on its way.
import { expect, test } from 'vitest'
import { CARDS } from './fake/books.ts'
import { newCharge, usePaystack } from './test/processes.ts'

const paystack = usePaystack()
const { fake } = paystack

const FAULTS: readonly (readonly [string, string, object])[] = [
  ...[401, 429, 500, 503].flatMap((status) => [
    [`${status}, not taken`, 'status', { status }] as const,
    [`${status}, taken`, 'status', { status, taken: true }] as const,
  ]),
  ['a page of HTML', 'html', {}],
  ['a page of HTML, taken', 'html', { taken: true }],
  ['half a body', 'half', {}],
  ['a status that nobody publishes, taken', 'code', { code: 'settling' }],
  ['a status that looks like a name of the language', 'code', { code: 'constructor' }],
  ['timeout, which is not the end', 'code', { code: 'timeout' }],
]

test('faults of the call for a charge: PENDING or what the books say, never DECLINED, never twice', async () => {
  const { gateway } = await paystack.adapter()
  for (const [what, behaviour, how] of FAULTS) {
    await fake.next('charge', behaviour, how)
    const charge = newCharge()
    const { chargeReference } = charge
    const first = await gateway.charge(charge)
    const taken = (await fake.orders()).some(({ reference }) => reference === chargeReference)
    const truths = taken ? ['PENDING', 'APPROVED'] : ['PENDING']
    expect([what, truths]).toEqual([what, expect.arrayContaining([first['state']])])
    // The gateway repeats when it is in doubt.
    await gateway.charge(charge)
    expect([what, await gateway.inquire(chargeReference)]).toMatchObject([
      what,
      { state: taken ? 'APPROVED' : 'PENDING' },
    ])
    expect([what, await fake.times(chargeReference)]).toEqual([what, 1])
  }
})

test('silence: PENDING in time, then the truth', async () => {
  const { gateway } = await paystack.adapter()
  await fake.next('charge', 'mute')
  await fake.next('charge', 'deaf')
  await fake.next('charge', 'slow', { delayMs: 9_000 })
  const charges = [newCharge(), newCharge(), newCharge()]
  const answers = []
  for (const charge of charges) answers.push(gateway.charge(charge))
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ state: 'PENDING' })
  // Of the slow one the gateway has been answered already, so it is notified.
  await expect.poll(() => paystack.gateway.accepted()).toHaveLength(1)
  const taken = (await fake.orders()).map(({ reference }) => reference)
  expect(taken).toHaveLength(2)
  const [noticed] = paystack.gateway.accepted()
  expect(await gateway.inquire(String(noticed?.['chargeReference']))).toMatchObject({ state: 'APPROVED' })
  for (const { chargeReference } of charges) expect(await fake.times(chargeReference)).toBe(1)
})

test('a reference that Paystack calls a duplicate is asked about, and never declined', async () => {
  const { gateway } = await paystack.adapter()
  const charge = newCharge()
  // Somebody else has it under the same reference: our own, of a process that died.
  const { card, payer, chargeReference } = charge
  const body = JSON.stringify({ email: payer.email, amount: '1250050', reference: chargeReference, card })
  const headers = { authorization: `Bearer ${paystack.settings()['PAYSTACK_SECRET_KEY']}` }
  await fetch(`${paystack.settings()['PAYSTACK_URL']}/charge`, { method: 'POST', headers, body })
  expect(await gateway.charge(charge)).toMatchObject({ state: 'APPROVED' })
})

test('an approval of another amount, of another charge or of the live system is none', async () => {
  const { gateway } = await paystack.adapter()
  await fake.next('charge', 'pend')
  const charge = newCharge()
  await gateway.charge(charge)
  const { chargeReference: reference } = charge
  await fake.settle(reference, 'SUCCESS')
  const wrongs = [
    { amount: 1250051, requested_amount: null },
    { reference: 'X' },
    { domain: 'live' },
    { currency: 'USD' },
  ]
  for (const as of wrongs) {
    await fake.post('/fake/twist', { reference, as })
    expect([as, await gateway.inquire(reference)]).toMatchObject([as, { state: 'PENDING' }])
  }
  await fake.post('/fake/twist', { reference, as: {} })
  expect(await gateway.inquire(reference)).toMatchObject({ state: 'APPROVED' })
})

test('a question that fails changes nothing', async () => {
  const { gateway } = await paystack.adapter()
  await fake.next('charge', 'pend')
  const { chargeReference, ...rest } = newCharge()
  await gateway.charge({ chargeReference, ...rest })
  await fake.settle(chargeReference, 'SUCCESS')
  for (const [behaviour, how] of [
    ['html', {}],
    ['half', {}],
    ['status', { status: 429 }],
    ['status', { status: 500 }],
    ['status', { status: 401 }],
  ] as const) {
    await fake.next('verify', behaviour, how)
    expect(await gateway.inquire(chargeReference)).toMatchObject({ state: 'PENDING' })
  }
  expect(await gateway.inquire(chargeReference)).toMatchObject({ state: 'APPROVED' })
})

test('an input whose answer is lost is not passed on again; the charge is asked about', async () => {
  const { gateway } = await paystack.adapter()
  for (const [behaviour, how] of [
    ['half', {}],
    ['html', { taken: true }],
    ['status', { status: 500, taken: true }],
  ] as const) {
    const charge = newCharge(CARDS.pin)
    const { chargeReference } = charge
    const asked = (await gateway.charge(charge))['input'] as { readonly id: string }
    const before = ((await fake.get('/fake/bodies'))['bodies'] as unknown[]).length
    await fake.next('input', behaviour, how)
    expect(await gateway.input(chargeReference, asked.id, 'PIN', '1111')).toMatchObject({ state: 'PENDING' })
    await gateway.input(chargeReference, asked.id, 'PIN', '1111')
    expect(await gateway.inquire(chargeReference)).toMatchObject({ state: 'APPROVED' })
    expect((await fake.get('/fake/bodies'))['bodies']).toHaveLength(before + 1)
  }
  // One that Paystack never received is asked for again.
  const charge = newCharge(CARDS.pin)
  const first = (await gateway.charge(charge))['input'] as { readonly id: string }
  await fake.next('input', 'status', { status: 500 })
  expect(await gateway.input(charge.chargeReference, first.id, 'PIN', '1111')).toMatchObject({ state: 'PENDING' })
  const again = (await gateway.inquire(charge.chargeReference))['input'] as { readonly id: string }
  expect(again.id).not.toBe(first.id)
  expect(await gateway.input(charge.chargeReference, again.id, 'PIN', '1111')).toMatchObject({ state: 'APPROVED' })
})
