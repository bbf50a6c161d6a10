// The mirror of the connector exam: the gateway between its merchants and a recording connector that
// misbehaves. Numbers are those of the exam's groups (packages/connector-exam/README.md). What the connector
// has in its books decides, as there: a payout that the gateway calls successful was paid, one that it calls
// failed never was, and no order arrived twice. Statements (10), secrets (11) and numbers in stock (12) have
// tests beside their features.

import { BANK_PATHS, payoutNotice } from '@cowrie/contract/bank/connector'
import { afterEach, describe, expect, test } from 'vitest'
import { behindFaultyBank, type Fate } from '#test/bank/faulty-bank.ts'
import { send } from '#test/bank/notices.ts'
import { money, newMerchant, notify, order, SINGLE } from '#test/features/payouts/disbursements.ts'
import { type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { signedBy } from '../../../packages/connector-exam/src/kit/signing.ts'

const harness = useHarness()
type Gateway = Awaited<ReturnType<typeof behindFaultyBank>>
let gateway: Gateway | null = null
afterEach(async () => {
  await gateway?.close()
  gateway = null
})

type Said = 'SUCCESS' | 'FAILED' | 'PENDING' | 'UNKNOWN'
const CODES: Readonly<Record<Said, string>> = { SUCCESS: '00', FAILED: '51', PENDING: '09', UNKNOWN: '25' }
const say = (sessionId: string, status: Said): Fate => ({
  answers: JSON.stringify({ sessionId, status, responseCode: CODES[status], message: status }),
})

/** What the connector does with an order: whether it pays it, and what it answers; null: the truth. */
type Play = { readonly pays: boolean; readonly order: Fate | null; readonly inquiry?: Fate }
const page = (status: number): Fate => ({ status, answers: '<html><h1>Bad Gateway</h1></html>' })
const problem = (status: number): Fate => ({ status, answers: '{"message":"no"}' })

/** A connector with books of its own. The gateway's calls and the orders of each session are recorded. */
async function examine(play: Play) {
  const h = harness()
  const payer = await newMerchant(h)
  const paid = new Map<string, Said>()
  const orders: string[] = []
  let isWell = false
  const fateOf = (path: string, body: string): Fate => {
    const { sessionId = '' } = (body === '' ? {} : JSON.parse(body)) as { readonly sessionId?: string }
    const known = paid.get(sessionId)
    switch (path) {
      case BANK_PATHS.payouts:
        orders.push(sessionId)
        if (!paid.has(sessionId) && play.pays) paid.set(sessionId, 'SUCCESS')
        return play.order ?? say(sessionId, paid.get(sessionId) ?? 'FAILED')
      case BANK_PATHS.payoutInquiries:
        return (isWell ? null : play.inquiry) ?? say(sessionId, known ?? 'UNKNOWN')
      case BANK_PATHS.payoutBars:
        if (known === undefined) paid.set(sessionId, 'FAILED')
        return say(sessionId, known ?? 'FAILED')
      default:
        return 'passes'
    }
  }
  const at = await behindFaultyBank(h, fateOf)
  gateway = at
  const later = async (seconds: number): Promise<void> => {
    at.setClock(h.gateway.ctx.clock.now().getTime() - Date.now() + seconds * 1000)
    await at.work(payer.cell)
  }
  const stateOf = async (reference: string): Promise<string> =>
    (await h.sql(payer.cell, 'select status from disbursements where reference = $1', [reference]))[0].status
  return {
    ...{ at, payer, paid, orders, later, stateOf },
    recover: (): void => {
      isWell = true
    },
  }
}
const orderOf = (payer: TestMerchant, over: object = {}) => order(payer, { reference: unique('exam'), ...over })

describe('1 signatures, 9 amounts, 13 clocks', () => {
  test('every call is signed over its bytes by real time, also when the clock was moved, and has the amount to the kobo', async () => {
    const { at, payer, orders, later } = await examine({ pays: true, order: 'loses its answer' })
    await at.post(payer, SINGLE, orderOf(payer, { amount: 1234.56 }))
    await later(86_400)
    const keys = [harness().config.keys.bank[0].key]
    const calls = at.recorded.filter(({ path }) => path.startsWith('/bank/v1/payouts'))
    expect(calls.map(({ path }) => path)).toEqual([BANK_PATHS.payouts, BANK_PATHS.payoutInquiries])
    for (const call of calls) expect(signedBy(keys, call, call.headers)).toEqual({ key: keys[0] })
    expect(
      signedBy(keys, { ...calls[0], body: `${calls[0]?.body} ` } as never, calls[0]?.headers ?? {}),
    ).toHaveProperty('wrong')
    expect(JSON.parse(calls[0]?.body ?? '{}')).toMatchObject({ amount: '1234.56', sessionId: orders[0] })
  })
})

describe('2 idempotence', () => {
  test('one order of a merchant, twenty times at once: one session at the connector', async () => {
    const { at, payer, orders } = await examine({ pays: true, order: null })
    const one = orderOf(payer)
    await Promise.all(Array.from({ length: 20 }, () => at.post(payer, SINGLE, one)))
    expect(orders).toHaveLength(1)
  })
})

describe('5 outcomes, 7 notices', () => {
  test('a forged notice is refused; ten true ones at once end the payout once; a later word to the contrary changes nothing', async () => {
    const h = harness()
    const { at, payer, orders, stateOf } = await examine({
      pays: true,
      ...{ order: 'loses its answer', inquiry: problem(500) },
    })
    const one = orderOf(payer)
    await at.post(payer, SINGLE, one)
    const [sessionId = ''] = orders
    const said = { sessionId, status: 'FAILED', responseCode: '91', message: '', at: new Date().toISOString() }
    const forged = await send(h, payoutNotice.path, said, { key: 'a key that nobody shares with us' })
    expect([forged.status, await stateOf(one.reference)]).toEqual([401, 'PENDING'])
    const before = await money(h, payer)
    await Promise.all(Array.from({ length: 10 }, () => notify(h, sessionId, 'SUCCESS')))
    expect(await stateOf(one.reference)).toBe('SUCCESS')
    const after = await money(h, payer)
    expect([after.wallet, after.hold]).toEqual([before.wallet, 0n])
    await notify(h, sessionId, 'FAILED')
    expect([await stateOf(one.reference), await money(h, payer)]).toEqual(['SUCCESS', after])
    expect(orders).toEqual([sessionId])
  })
})

// 3 silence, 6 faults, 8 codes.
const FAULTS: readonly (readonly [string, Fate])[] = [
  ['silence before it arrives', 'is lost'],
  ['silence after it arrived', 'loses its answer'],
  ...[401, 404, 409, 429, 500, 503].map((status) => [`${status}`, problem(status)] as const),
  ['a page of HTML', page(200)],
  ['a page of HTML with 502', page(502)],
  ['half an answer', { answers: '{"sessionId":"0' }],
  ['nothing of an answer', { answers: '{}' }],
  ['an answer about another session', say('000013261118020500000000000009', 'FAILED')],
  ['a status that is in no table', { answers: '{"sessionId":"0","status":"MAYBE","responseCode":"00","message":""}' }],
]
describe.each([true, false])('3, 6, 8: the connector pays: %s', (pays) => {
  test.each(FAULTS)(
    'an order is answered by %s: nothing is concluded, and in the end the books decide',
    async (name, fault) => {
      const reaches = name !== 'silence before it arrives'
      const { at, payer, paid, orders, later, stateOf, recover } = await examine({
        pays: pays && reaches,
        ...{ order: fault, inquiry: problem(500) },
      })
      const one = orderOf(payer)
      expect((await at.post(payer, SINGLE, one)).json.responseBody.status).toBe('PENDING')
      await later(60)
      expect(await stateOf(one.reference), 'while nobody answers').toBe('PENDING')
      recover()
      for (const seconds of [600, 3_600, 7_200]) await later(seconds)
      const [sessionId = ''] = orders
      expect(orders, 'orders').toEqual([sessionId])
      const ours = await stateOf(one.reference)
      expect([ours, paid.get(sessionId)]).toEqual(pays && reaches ? ['SUCCESS', 'SUCCESS'] : ['FAILED', 'FAILED'])
      // 4: what was not paid is barred before the money is given back.
      expect(at.calls.includes(BANK_PATHS.payoutBars)).toBe(!(pays && reaches))
    },
  )
})
