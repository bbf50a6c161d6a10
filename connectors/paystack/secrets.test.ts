// Canaries: card numbers, CVVs, PINs, OTPs, telephone numbers, birthdays, addresses, the payer's e-mail
// address and the secret key are in no row, no line of the log, no notice and no answer, whatever goes wrong.
import { CARD_PATHS_V2 } from '@cowrie/contract/bank/v2/cards'
import { expect, test } from 'vitest'
import { KEY } from '../../packages/connector-kit/test/gateway.ts'
import type { Json } from '../../packages/connector-kit/test/store.ts'
import { CARDS } from './fake/books.ts'
import { readConfig } from './src/config.ts'
import { newCharge, newReference, newSession, SECRET_KEY, seal, usePaystack } from './test/processes.ts'

const paystack = usePaystack()
const { fake } = paystack

const TYPED = {
  ...{ cvv: '7319', pin: '86420975', otp: '975310864', phone: '08031239876', birthday: '1987-06-05' },
  ...{ street: '17 Canary Close', city: 'Canarytown', zip: '987654', email: 'canary.payer@example.com' },
}
const CANARIES = [...Object.values(TYPED), ...Object.values(CARDS), SECRET_KEY, KEY, 'Bearer ']

/** A short number may be a part of any other, so that it counts only where it stands alone. */
const has = (text: string, canary: string): boolean =>
  /^\d{1,7}$/.test(canary) ? RegExp(`(?<![\\w.])${canary}(?![\\w.])`).test(text) : text.includes(canary)

const INPUTS: Readonly<Record<string, unknown>> = {
  ...{ PIN: TYPED.pin, OTP: TYPED.otp, PHONE: TYPED.phone, BIRTHDAY: TYPED.birthday },
  ADDRESS: { street: TYPED.street, city: TYPED.city, state: 'Lagos', zip: TYPED.zip },
}

test.each([
  ['right', SECRET_KEY],
  ['wrong', 'sk_test_anothercanary0123456789'],
])('stories and faults with a key that is %s leave no trace', async (_name, secretKey) => {
  const adapter = await paystack.adapter({ PAYSTACK_SECRET_KEY: secretKey })
  const { gateway, log, url } = adapter
  const answers: unknown[] = []
  for (const behaviour of ['pay', 'html', 'half', 'status', 'code'] as const)
    for (const number of Object.values(CARDS)) {
      const how = { status: 500, code: 'settling', text: `${number} ${TYPED.pin}` }
      await fake.next('input', behaviour, how)
      if (behaviour !== 'pay') await fake.next('verify', behaviour, how)
      const card = { number, expiryMonth: '12', expiryYear: '2030', cvv: TYPED.cvv }
      const payer = { name: 'Ada Obi', email: TYPED.email }
      const charge = newCharge(number, { payer, card, merchantName: `Shop ${number}` })
      let answer: Json = await gateway.charge(charge)
      const asked = (answer['otp'] ?? answer['input']) as { readonly id: string; readonly kind?: string } | undefined
      const kind = asked?.kind ?? 'OTP'
      if (asked !== undefined) answer = await gateway.input(charge.chargeReference, asked.id, kind, INPUTS[kind])
      answers.push(answer, await gateway.inquire(charge.chargeReference))
      answers.push(await gateway.refund(charge.chargeReference, '1.00', newSession()))
      answers.push(await gateway.reverse(charge.chargeReference))
    }
  const { card: _card, ...rest } = newCharge()
  const sealed = { ...rest, sealedCard: seal(`{"number":"${CARDS.plain}","cvv":"${TYPED.cvv}"}`) }
  answers.push(await gateway.charge({ ...sealed, chargeReference: newReference() }))
  answers.push(await gateway.post(CARD_PATHS_V2.authorisations, { ...newCharge(), amount: TYPED.pin }))
  answers.push(await (await fetch(`${url}/metrics`)).text())
  const stored = await paystack.rows()
  await adapter.stop()
  expect(log()).toContain('started')
  expect(stored.length).toBeGreaterThan(1_000)
  const told = JSON.stringify(paystack.gateway.received)
  for (const [where, text] of Object.entries({ stored, log: log(), told, answers: JSON.stringify(answers) }))
    for (const canary of [...CANARIES, secretKey])
      expect([where, canary, has(text, canary)]).toEqual([where, canary, false])
})

test('settings that are wrong are named, one sentence each, and their values are not', () => {
  const error = (env: Readonly<Record<string, string>>): string => {
    try {
      readConfig(env)
      return ''
    } catch (thrown) {
      return (thrown as Error).message
    }
  }
  const right = paystack.settings()
  expect(error(right)).toBe('')
  expect(error({}).split('\n')).toHaveLength(5)
  expect(error({ ...right, PAYSTACK_SECRET_KEY: 'sk_live_canary0123456789abcdef' })).toBe(
    'PAYSTACK_SECRET_KEY is not right: the secret key, which begins with sk_test_.',
  )
  expect(error({ ...right, PAYSTACK_URL: 'http://paystack.example' })).toBe('PAYSTACK_URL must be https.')
  expect(error({ ...right, CARD_KEY: 'canary' })).toBe(
    'CARD_KEY is not right: a private RSA key in PEM, of at least 2048 bits.',
  )
})
