// Cards of version 2: an issuer that needs time, that asks the payer for more than a code, and that reports
// changes.

import { cardNotice } from '@cowrie/contract/bank/v2/cards'
import { describe, expect, test } from 'vitest'
import type { Merchant } from '#core/access/merchants.ts'
import { runDue } from '#core/agenda.ts'
import { send } from '#test/bank/notices.ts'
import {
  CHARGE,
  card,
  chargeBody,
  charges,
  chargeWith,
  issuerBooks,
  OTP,
  otpBody,
  SECURE,
} from '#test/features/collections/cards.ts'
import {
  advance,
  type Harness,
  type Initialised,
  initialise,
  status,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { createBank } from '../../../outside/bank.ts'
import { cardsDue } from './cards.due.ts'
import { charge, readCard } from './cards.ts'

const harness = useHarness({ cards: 2 })
type Gate = PromiseWithResolvers<void>

/** What the simulator plays, by amount (apps/simulator/src/issuer/acquirer.rules.ts). */
const LATE = '3911.37'
const LATE_DECLINED = '3912.37'
const INPUTS = {
  PIN: ['3921.37', 'pin', '1234', '9999'],
  PHONE: ['3922.37', 'phone', '0803 123 4567', '08000000000'],
  BIRTHDAY: ['3923.37', 'birthday', '31/12/1990', '01/01/1991'],
} as const
const ADDRESS = '3924.37'
const PIN_THEN_OTP = '3925.37'
const REVERSES_LATE = '3931.37'

type Made = Omit<Initialised, 'amount'>
const page = async (made: Made, query = '?way=card'): Promise<string> =>
  (await fetch(`${made.checkoutUrl}${query}`)).text()
const post = (made: Made, path: string, fields: Record<string, string>) =>
  fetch(`${made.checkoutUrl}${path}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
const { number, cvv } = card('plain')
/** A payer types a card on the page of a payment of this amount. */
async function typed(h: Harness, who: TestMerchant, amount: string): Promise<Initialised> {
  const made = await initialise(h, who, { amount })
  expect((await post(made, '/card', { number, cvv, expiry: '10/30' })).status).toBe(303)
  return made
}
const paymentStatus = async (h: Harness, who: TestMerchant, made: Made): Promise<string> =>
  (await status(h, who, made.transactionReference)).paymentStatus
const states = async (h: Harness, who: TestMerchant, made: Made): Promise<string[]> =>
  (await charges(h, who, made.transactionReference)).map((row) => row.status)
const notify = (h: Harness, chargeReference: string) => send(h, cardNotice.path, { chargeReference })

describe('an issuer that does not know yet', () => {
  test('is PENDING to the merchant; the charge stays SENT, nothing else is charged meanwhile, and it pays once', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'plain', { amount: LATE })
    expect(made.body.status).toBe('PENDING')
    const [row] = await charges(h, main, made.transactionReference)
    expect([row.status, row.protocol]).toEqual(['SENT', 2])
    const again = await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain')))
    expect(again.json.problem.code).toBe('CHARGE_UNDER_WAY')
    expect(await page(made)).toContain('Checking with your bank')
    await advance(h, 16) // the timer asks, and the answer is the same
    expect(await paymentStatus(h, main, made)).toBe('PENDING')
    await advance(h, 60)
    expect(await paymentStatus(h, main, made)).toBe('PAID')
    expect(await issuerBooks(h, main, made.transactionReference)).toMatchObject([
      { state: 'APPROVED', returned: '0.00' },
    ])
  })

  test('and declines then: FAILED', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'plain', { amount: LATE_DECLINED })
    expect(made.body.status).toBe('PENDING')
    await advance(h, 60)
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      ...{ paymentStatus: 'FAILED', declineCode: 'INSUFFICIENT_FUNDS' },
    })
  })

  test('reports it: the notice has the issuer asked at once, before the timer would', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'plain', { amount: LATE })
    await advance(h, 21) // the timer asks after 15 s, and then half as much later
    expect(await paymentStatus(h, main, made)).toBe('PAID')
  })

  test('silence releases nothing: after days the charge is SENT, the payment cannot be cancelled, and it pays when it is known', async () => {
    const h = harness()
    const { main } = h.merchants
    const { ctx, merchants } = h.gateway
    const made = await chargeWith(h, main, 'plain', { amount: LATE })
    const silent = createBank(`http://127.0.0.1:${await freePort()}`, h.config.keys.bank[0].key)
    const nobody = { ...ctx, connectors: { ...ctx.connectors, of: () => silent } }
    const [row] = await charges(h, main, made.transactionReference)
    for (let time = 0; time < 4; time += 1) {
      await h.sql(
        '01',
        `update agenda set due_at = now() - interval '1 day' where subject = $1 and kind = 'cards.look'`,
        [row.id],
      )
      await runDue(nobody, main.cell, cardsDue(merchants))
    }
    expect(await states(h, main, made)).toEqual(['SENT'])
    expect((await post(made, '/cancel', {})).status).toBe(409)
    await advance(h, 600)
    expect(await states(h, main, made)).toEqual(['APPROVED'])
  })
})

describe('a notice', () => {
  test('of a charge that does not exist is 404; of one that is over it is taken and does nothing', async () => {
    const h = harness()
    const { main } = h.merchants
    expect(await notify(h, 'CWCH01ZZZZZZZZZZZZ')).toMatchObject({
      status: 404,
      json: { problem: { code: 'CHARGE_UNKNOWN' } },
    })
    const made = await chargeWith(h, main, 'plain')
    const [row] = await charges(h, main, made.transactionReference)
    expect((await notify(h, row.reference)).status).toBe(200)
    const rows = await h.sql('01', `select 1 from agenda where subject = $1 and kind = 'cards.noticed'`, [row.id])
    expect(rows).toEqual([])
  })

  test('carries no state, and ten leave one timer that goes on asking', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'plain', { amount: LATE })
    const [row] = await charges(h, main, made.transactionReference)
    await Promise.all(Array.from({ length: 10 }, () => notify(h, row.reference)))
    const body = { chargeReference: row.reference, state: 'APPROVED', code: '00' }
    await send(h, cardNotice.path, body)
    await advance(h, 1)
    expect(await states(h, main, made)).toEqual(['SENT'])
    const kinds = await h.sql('01', `select kind from agenda where subject = $1 and kind <> 'cards.forget'`, [row.id])
    expect(kinds).toEqual([{ kind: 'cards.look' }])
    await advance(h, 60)
  })
})

describe('an issuer that wants to know more, on the page', () => {
  test.each(Object.entries(INPUTS))(
    '%s: a form without scripts; a wrong one is asked for again, the right one pays',
    async (kind, row) => {
      const h = harness()
      const { main } = h.merchants
      const [amount, field, right, wrong] = row
      const made = await typed(h, main, amount)
      const [open] = await charges(h, main, made.transactionReference)
      expect([open.status, open.input_kind]).toEqual(['INPUT', kind])
      const asked = await page(made)
      expect(asked).toContain('Your bank needs one more detail')
      expect(asked).toMatch(new RegExp(`<input[^>]* name="${field}"`))
      expect(asked).toMatch(/<form class="form" method="post" action="[^"]*\/input/)
      const nonsense = await post(made, '/input', { [field]: 'x' })
      expect(nonsense.status).toBe(422)
      expect((await post(made, '/input', { [field]: wrong })).status).toBe(303)
      const again = await page(made)
      expect(again).toContain('Your bank did not accept this')
      expect(again).not.toContain(wrong)
      expect((await post(made, '/input', { [field]: right })).status).toBe(303)
      expect(await paymentStatus(h, main, made)).toBe('PAID')
    },
  )

  test('ADDRESS: every line is needed', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await typed(h, main, ADDRESS)
    const lines = { street: '1 Broad Street', city: 'Lagos', state: 'Lagos', zip: '100001' }
    expect((await post(made, '/input', { ...lines, city: '' })).status).toBe(422)
    expect((await post(made, '/input', lines)).status).toBe(303)
    expect(await paymentStatus(h, main, made)).toBe('PAID')
  })

  test('a PIN, and then a code: both on the page, and a form of the one is not taken for the other', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await typed(h, main, PIN_THEN_OTP)
    expect((await post(made, '/input', { pin: '1234' })).status).toBe(303)
    expect(await states(h, main, made)).toEqual(['OTP'])
    expect((await post(made, '/input', { pin: '1234' })).status).toBe(303)
    expect(await states(h, main, made)).toEqual(['OTP'])
    expect((await post(made, '/otp', { otp: '999999' })).status).toBe(422)
    expect((await post(made, '/otp', { otp: '123456' })).status).toBe(303)
    expect(await paymentStatus(h, main, made)).toBe('PAID')
    const [row] = await charges(h, main, made.transactionReference)
    expect([row.codes_sent, row.codes_wrong]).toEqual([1, 1])
  })

  test('six wrong answers end the payment, whatever they were', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await typed(h, main, INPUTS.PIN[0])
    for (const pin of ['1111', '2222']) await post(made, '/input', { pin })
    await post(made, '/card', { number, cvv, expiry: '10/30' })
    for (const pin of ['3333', '4444']) await post(made, '/input', { pin })
    await post(made, '/card', { number, cvv, expiry: '10/30' })
    for (const pin of ['5555', '6666']) await post(made, '/input', { pin })
    expect(await paymentStatus(h, main, made)).toBe('FAILED')
    await advance(h, 60)
    expect(await states(h, main, made)).toEqual(['REVERSED', 'REVERSED', 'REVERSED'])
  })

  test('a payer who does not answer: given up after its time, and reversed', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await typed(h, main, INPUTS.PHONE[0])
    await advance(h, 1000)
    expect(await states(h, main, made)).toEqual(['REVERSED'])
    expect(await paymentStatus(h, main, made)).toBe('PENDING')
  })
})

describe('an issuer that wants to know more, by API', () => {
  test('BANK_AUTHORIZATION_REQUIRED with a page of ours, which leads to the question; both ways of sending a browser work', async () => {
    const h = harness()
    const { main } = h.merchants
    const begun = await initialise(h, main, { amount: INPUTS.PIN[0], redirectUrl: 'https://shop.example/thanks' })
    const asked = chargeBody(begun.transactionReference, card('plain', { pin: undefined }))
    const made = { ...begun, body: (await h.as(main, 'POST', CHARGE, asked)).json.responseBody }
    expect(made.body.status).toBe('BANK_AUTHORIZATION_REQUIRED')
    const { redirectUrl, acsUrl, method, id } = made.body.secure3dData
    expect([method, redirectUrl.startsWith(`${h.apiUrl}/cards/input/`)]).toEqual(['POST', true])
    for (const [address, how] of [
      [redirectUrl, 'GET'],
      [acsUrl, 'POST'],
    ]) {
      const form = how === 'POST' ? { body: new URLSearchParams({ id }) } : {}
      const answer = await fetch(address, { method: how, redirect: 'manual', ...form })
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${made.checkoutUrl}?way=card`])
    }
    expect((await fetch(`${redirectUrl.slice(0, -2)}xx`)).status).toBe(404)
    // The same card again gets the same page, as with the issuer's own.
    const body = { ...chargeBody(made.transactionReference, card('plain')), apiKey: main.apiKey }
    const second = await h.as(main, 'POST', SECURE, body)
    expect(second.json.responseBody.secure3dData).toEqual(made.body.secure3dData)
    expect((await post(made, '/input', { pin: '1234' })).status).toBe(303)
    expect(await paymentStatus(h, main, made)).toBe('PAID')
  })

  test('a PIN that came with the card is not asked for again; a wrong one is', async () => {
    const h = harness()
    const { main } = h.merchants
    expect((await chargeWith(h, main, 'plain', { amount: INPUTS.PIN[0] })).body.status).toBe('SUCCESS')
    const begun = await initialise(h, main, { amount: INPUTS.PIN[0] })
    const wrong = chargeBody(begun.transactionReference, card('plain', { pin: '9999' }))
    const { json } = await h.as(main, 'POST', CHARGE, wrong)
    expect(json.responseBody.status).toBe('BANK_AUTHORIZATION_REQUIRED')
    expect(await page(begun)).toContain('Your bank did not accept this')
  })

  test('a code goes by API as ever, and the id that the merchant has stays good after a wrong one', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'otp')
    expect(made.body.status).toBe('OTP_AUTHORIZATION_REQUIRED')
    const { id } = made.body.otpData
    const wrong = await h.as(main, 'POST', OTP, otpBody(made.transactionReference, id, '999999'))
    expect(wrong.json.responseMessage).toBe('Wrong OTP; 2 tries left')
    const right = await h.as(main, 'POST', OTP, otpBody(made.transactionReference, id))
    expect(right.json.responseBody).toMatchObject({ status: 'SUCCESS', paymentStatus: 'SUCCESSFUL' })
  })
})

test('a reversal that takes its time: REVERSING until the issuer confirms it', async () => {
  const h = harness()
  const { main } = h.merchants
  const made = await typed(h, main, REVERSES_LATE)
  await post(made, '/card', { number, cvv, expiry: '10/30' }) // another takes its place
  await advance(h, 1)
  expect(await states(h, main, made)).toEqual(['REVERSING', 'INPUT'])
  await advance(h, 10)
  expect(await states(h, main, made)).toEqual(['REVERSING', 'INPUT'])
  await advance(h, 60)
  expect((await states(h, main, made))[0]).toBe('REVERSED')
})

describe('at once', () => {
  test("notices, the timer and the payer's answer, twice: paid once", async () => {
    const h = harness()
    const { main } = h.merchants
    const { ctx, merchants } = h.gateway
    for (let round = 0; round < 5; round += 1) {
      const made = await typed(h, main, INPUTS.PIN[0])
      const [row] = await charges(h, main, made.transactionReference)
      await h.sql(
        '01',
        `update agenda set due_at = now() - interval '1 day' where subject = $1 and kind = 'cards.look'`,
        [row.id],
      )
      const work = () => runDue(ctx, main.cell, cardsDue(merchants))
      const answers = await Promise.all([
        notify(h, row.reference),
        post(made, '/input', { pin: '1234' }),
        work(),
        notify(h, row.reference),
        post(made, '/input', { pin: '1234' }),
        work(),
      ])
      expect(answers.flatMap((one) => (typeof one === 'number' ? [] : [one.status]))).toEqual([200, 303, 200, 303])
      await work()
      expect(await paymentStatus(h, main, made)).toBe('PAID')
      expect(await issuerBooks(h, main, made.transactionReference)).toHaveLength(1)
      const [after] = await charges(h, main, made.transactionReference)
      expect(after.codes_sent).toBe(after.codes_wrong)
    }
    await advance(h, 60)
  })

  test('a late answer of an earlier question does not undo what the payer has done since', async () => {
    const h = harness()
    const { main } = h.merchants
    const { ctx, merchants } = h.gateway
    const made = await typed(h, main, PIN_THEN_OTP)
    const [row] = await charges(h, main, made.transactionReference)
    // An inquiry that learns of the first wrong PIN, and comes back after the second.
    const [begun, mayAsk, answered, mayEnd] = Array.from({ length: 4 }, () => Promise.withResolvers<void>()) as [
      ...[Gate, Gate, Gate, Gate],
    ]
    const slow: typeof ctx.bank.inquireV2 = async (asked) => {
      begun.resolve()
      await mayAsk.promise
      const outcome = await ctx.bank.inquireV2(asked)
      answered.resolve()
      await mayEnd.promise
      return outcome
    }
    const late = { ...ctx, connectors: { ...ctx.connectors, of: () => ({ ...ctx.bank, inquireV2: slow }) } }
    await h.sql(
      '01',
      `update agenda set due_at = now() - interval '1 day' where subject = $1 and kind = 'cards.look'`,
      [row.id],
    )
    const looking = runDue(late, main.cell, cardsDue(merchants))
    await begun.promise
    expect((await post(made, '/input', { pin: '9999' })).status).toBe(303) // asked again, under another id
    mayAsk.resolve()
    await answered.promise
    expect((await post(made, '/input', { pin: '9998' })).status).toBe(303) // and again
    const [asked] = await charges(h, main, made.transactionReference)
    mayEnd.resolve()
    await looking
    const [after] = await charges(h, main, made.transactionReference)
    expect([after.status, after.input_id, after.input_wrong]).toEqual(['INPUT', asked.input_id, true])
    expect((await post(made, '/input', { pin: '1234' })).status).toBe(303)
    expect(await states(h, main, made)).toEqual(['OTP'])
    await advance(h, 1000)
  })
})

describe('a process that dies with the answer', () => {
  const dyingWith = async (h: Harness, amount: string) => {
    const { main } = h.merchants
    const { ctx, merchants } = h.gateway
    const merchant = (await merchants.byId(main.cell, main.id)) as Merchant
    const authoriseV2: typeof ctx.bank.authoriseV2 = async (asked) => {
      await ctx.bank.authoriseV2(asked)
      throw new Error('the process died here')
    }
    const dying = { ...ctx, connectors: { ...ctx.connectors, of: () => ({ ...ctx.bank, authoriseV2 }) } }
    const made = await initialise(h, main, { amount })
    const request = {
      reference: made.transactionReference,
      card: readCard(ctx, card('plain')),
      channel: 'CHECKOUT',
      keepCard: true,
      address: null,
    } as const
    await expect(charge(dying, merchant, request, async () => undefined)).rejects.toThrow('died here')
    expect(await states(h, main, made)).toEqual(['SENT'])
    return made
  }

  test('the timer finds that the issuer asks, the page asks the payer, and it is paid once', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await dyingWith(h, INPUTS.BIRTHDAY[0])
    await advance(h, 16)
    expect(await states(h, main, made)).toEqual(['INPUT'])
    expect((await post(made, '/input', { birthday: '31/12/1990' })).status).toBe(303)
    expect(await paymentStatus(h, main, made)).toBe('PAID')
    expect(await issuerBooks(h, main, made.transactionReference)).toMatchObject([{ state: 'APPROVED' }])
  })

  test('and with a decision that comes late: paid once', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await dyingWith(h, LATE)
    await advance(h, 60)
    expect(await paymentStatus(h, main, made)).toBe('PAID')
    expect(await issuerBooks(h, main, made.transactionReference)).toHaveLength(1)
  })
})
