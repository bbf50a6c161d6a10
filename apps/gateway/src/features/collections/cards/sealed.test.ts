// Connectors that have a key: they get cards and PINs sealed, and nothing of them in clear text. What the
// payer's browser has sealed is passed on as it came, to whoever can open it.

import { CARD_PATHS_V2 } from '@cowrie/contract/bank/v2/cards'
import { CARD_TRIES_MAX } from '@cowrie/contract/collections/cards'
import { afterEach, describe, expect, test } from 'vitest'
import type { Merchant } from '#core/access/merchants.ts'
import type { Ctx } from '#kit/ctx.ts'
import { type Acquirer, startAcquirer } from '#test/bank/acquirer.ts'
import { card, charges } from '#test/features/collections/cards.ts'
import { advance, type Harness, initialise, status, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { createConnectors } from '../../../outside/connectors.ts'
import { charge, readCard } from './cards.ts'
import { readTaking } from './issuer.ts'
import { seal, sealedWith } from './jwe.ts'
import { type AtCheckout, createCheckoutCards } from './on-checkout.ts'

const harness = useHarness()
const acquirers: Acquirer[] = []
afterEach(() => {
  for (const one of acquirers.splice(0)) one.stop()
})
async function acquirer(how: Parameters<typeof startAcquirer>[0]): Promise<Acquirer> {
  const one = await startAcquirer(how)
  acquirers.push(one)
  return one
}
/** The gateway, with these in place of its bank. */
function withThese({ ctx }: Harness['gateway'], [first, ...others]: readonly [Acquirer, ...Acquirer[]]): Ctx {
  const settingsOf = ({ url }: Acquirer, name: string) => ({
    ...{ name, line: { url }, keys: () => ['k'], signingKey: () => 'k' },
  })
  const all = [settingsOf(first, 'bank'), ...others.map((one, at) => settingsOf(one, `other${at + 1}`))] as const
  return { ...ctx, connectors: createConnectors(all, ctx.clock, ctx.log).connectors }
}
async function atCheckout(h: Harness, merchant: TestMerchant) {
  const { transactionReference: reference } = await initialise(h, merchant)
  const [row] = await h.sql(merchant.cell, 'select id from transactions where reference = $1', [reference])
  const known = await h.gateway.merchants.byId(merchant.cell, merchant.id)
  return { reference, at: { merchant: known, row: { id: BigInt(row.id), reference } } as AtCheckout }
}
const PAYER = { keepCard: false, address: '197.210.1.1' }
/** As the page's script makes it of a card. */
function sealedCard({ key }: Acquirer, over: Record<string, string> = {}) {
  const { number, expiryMonth, expiryYear, cvv } = card('plain', over)
  const jwe = seal(JSON.stringify({ number, expiryMonth, expiryYear, cvv }), key)
  const [first6, last4] = [number.slice(0, 6), number.slice(-4)]
  return { jwe, kid: key.kid, first6, last4, expiryMonth, expiryYear }
}

describe('in the memory of the gateway', () => {
  test.each(['ASKED', 'ALWAYS'] as const)(
    'PIN %s: the card and the PIN arrive sealed, and in no message in clear text',
    async (pin) => {
      const h = harness()
      const { main } = h.merchants
      const { ctx, merchants } = h.gateway
      const sealing = await acquirer({ pin })
      const { transactionReference: reference } = await initialise(h, main)
      const typed = readCard(ctx, card('plain', { cvv: '864', pin: '975319' }))
      const request = { reference, card: typed, channel: 'API', keepCard: false, address: null } as const
      const merchant = (await merchants.byId(main.cell, main.id)) as Merchant
      await charge(withThese(h.gateway, [sealing]), merchant, request, async () => undefined)
      expect((await status(h, main, reference)).paymentStatus).toBe('PAID')
      expect((await charges(h, main, reference))[0]).toMatchObject({ bin: '411111', last4: '1111', protocol: 2 })

      const messages = sealing.messages()
      const { pin: secret, ...rest } = typed
      expect(JSON.parse(sealing.open(messages[0].sealedCard))).toEqual(pin === 'ALWAYS' ? typed : rest)
      const later = messages.slice(1).map(({ sealedValue }) => sealing.open(sealedValue))
      expect(later).toEqual(pin === 'ASKED' ? [secret] : [])
      expect(messages.map(({ path }) => path)).toEqual(
        pin === 'ASKED' ? [CARD_PATHS_V2.authorisations, CARD_PATHS_V2.inputs] : [CARD_PATHS_V2.authorisations],
      )
      for (const { text } of sealing.read)
        for (const clear of [typed.number, '"cvv"', '975319', '"card":{"number"']) expect(text).not.toContain(clear)
      await advance(h, 1)
    },
  )
})

describe("in the payer's browser", () => {
  test('it is passed on as it came, with what is known of it; so is the PIN that is asked for', async () => {
    const h = harness()
    const { main } = h.merchants
    const sealing = await acquirer({ pin: 'ASKED' })
    const cards = createCheckoutCards(withThese(h.gateway, [sealing]))
    const { at, reference } = await atCheckout(h, main)
    const given = sealedCard(sealing)
    const asked = await cards.chargeSealed(at, given, PAYER)
    expect(asked).toMatchObject({ state: 'INPUT', masked: '411111******1111' })
    expect(asked?.input).toEqual({ kind: 'PIN', wrong: false, key: sealing.key })
    const sealedValue = seal('975319', sealing.key)
    const paid = await cards.submit(at, asked?.chargeId ?? 0n, { kind: 'PIN', sealedValue })
    expect(paid.state).toBe('APPROVED')
    const [first, second] = sealing.messages()
    expect(first).toMatchObject({
      sealedCard: given.jwe,
      knownOfCard: { first6: '411111', last4: '1111', expiryMonth: '10', expiryYear: '2030' },
    })
    expect(first).not.toHaveProperty('card')
    expect(second).toMatchObject({ kind: 'PIN', inputId: 'i1', sealedValue })
    expect(second).not.toHaveProperty('value')
    expect((await status(h, main, reference)).paymentStatus).toBe('PAID')
  })

  test('it goes to whoever has the key, also if another would be asked first; for a key of nobody it is typed again', async () => {
    const h = harness()
    const { main } = h.merchants
    const [first, second] = [await acquirer({ pin: 'NEVER' }), await acquirer({ pin: 'NEVER', kid: 'k2' })]
    const cards = createCheckoutCards(withThese(h.gateway, [first, second]))
    const { at, reference } = await atCheckout(h, main)
    const stray = sealedCard(first)
    expect(await cards.chargeSealed(at, { ...stray, kid: 'k0' }, PAYER)).toBeNull()
    expect(await charges(h, main, reference)).toEqual([])
    expect((await cards.taking('01')).key).toEqual(first.key)
    expect(await cards.chargeSealed(at, sealedCard(second), PAYER)).toMatchObject({ state: 'APPROVED' })
    expect([first.messages().length, second.messages().length]).toEqual([0, 1])
  })

  test('a card is tried so often an hour, by what is known of it', async () => {
    const h = harness()
    const { main } = h.merchants
    const sealing = await acquirer({ pin: 'ASKED' })
    const cards = createCheckoutCards(withThese(h.gateway, [sealing]))
    const over = { number: '5399419753197532' }
    for (let nth = 0; nth < CARD_TRIES_MAX; nth += 1) {
      const { at } = await atCheckout(h, main)
      await cards.chargeSealed(at, sealedCard(sealing, over), PAYER)
    }
    const { at } = await atCheckout(h, main)
    await expect(cards.chargeSealed(at, sealedCard(sealing, over), PAYER)).rejects.toMatchObject({
      code: 'CARD_TRIED_TOO_OFTEN',
    })
    expect(await cards.chargeSealed(at, sealedCard(sealing), PAYER)).toMatchObject({ state: 'INPUT' })
  })

  test('only the one form that connectors take is passed on', async () => {
    const { key } = await acquirer({ pin: 'NEVER' })
    const jwe = seal('{}', key)
    expect(sealedWith(jwe)).toBe(key.kid)
    const [, ...rest] = jwe.split('.')
    const headed = (header: object): string =>
      [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.')
    const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'k1' }
    expect(sealedWith(headed(header))).toBe('k1')
    for (const wrong of [
      ...[
        '',
        '4111111111111111',
        'a.b.c.d.e',
        jwe.replace('.', ''),
        `${jwe}.x`,
        `${jwe} `,
        `x${'A'.repeat(6000)}${jwe}`,
      ],
      ...[
        { ...header, alg: 'RSA1_5' },
        { ...header, enc: 'A128GCM' },
        { ...header, zip: 'DEF' },
      ].map(headed),
      ...[{ alg: header.alg, enc: header.enc }, { ...header, kid: 1 }, []].map(headed),
    ])
      expect([wrong, sealedWith(wrong)]).toEqual([wrong, null])
  })
})

describe('what the page asks for', () => {
  const LIVE = { environment: 'live' } as const

  test.each([
    ['ALWAYS', 'MUST'],
    ['ASKED', 'NO'],
    ['NEVER', 'NO'],
  ] as const)('a connector that says PIN %s: with the card %s', async (says, pin) => {
    const h = harness()
    const one = await acquirer({ pin: says })
    expect(await readTaking(withThese(h.gateway, [one]), '01')).toEqual({
      onPage: false,
      key: one.key,
      pin,
      isOffered: true,
    })
  })

  test('one that has not said: a PIN may be typed in the sandbox, and is not asked for in live', async () => {
    const { ctx } = harness().gateway
    expect(await readTaking(ctx, '01')).toEqual({ onPage: false, key: null, pin: 'MAY', isOffered: true })
    expect(await readTaking({ ...ctx, ...LIVE }, '01')).toMatchObject({ pin: 'NO' })
  })

  test('live sends no card in clear text without mutual TLS: it is not offered, and a charge is refused before it begins', async () => {
    const h = harness()
    const { main } = h.merchants
    const open = await acquirer({ pin: 'NEVER', seals: false })
    const ctx = { ...withThese(h.gateway, [open]), ...LIVE }
    expect(await readTaking(ctx, '01')).toMatchObject({ isOffered: false })
    const { at, reference } = await atCheckout(h, main)
    await expect(createCheckoutCards(ctx).charge(at, card('plain'), PAYER)).rejects.toMatchObject({
      code: 'METHOD_NOT_ENABLED',
    })
    expect([open.messages(), await charges(h, main, reference)]).toEqual([[], []])
    const [one] = ctx.connectors.all
    const mutual = { ...ctx, connectors: { ...ctx.connectors, all: [{ ...one, mutualTls: true }] as const } }
    expect(await readTaking(mutual, '01')).toMatchObject({ isOffered: true })
  })
})
