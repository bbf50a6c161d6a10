import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { rejectedPayment, successfulTransaction } from '@cowrie/contract/events/collections'
import { mayHoldCardNumber } from '@cowrie/contract/kit/card-data'
import { nairaNumber } from '@cowrie/contract/kit/money'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Credits, createCredits, takeCredit } from '#features/collections/credits/credits.ts'
import { createReservedCredits } from '#features/collections/reserved-accounts/credits.ts'
import type { Tx } from '#kit/ctx.ts'
import { Failure } from '#kit/fail.ts'
import { readJson } from '#kit/validation/json.ts'
import {
  advance,
  type Harness,
  initialise,
  issueAccount,
  paid,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'
import { type Gateway, openGateway } from '../gateway.ts'
import { cellById, engineTx } from './cells/cells.ts'
import { announce, eventBody, sequence } from './events.ts'

const harness = useHarness()
const CELL = '01'

const numbersOf = async (h: Harness, merchant: TestMerchant) =>
  (await h.sql(CELL, 'select number::int, event_id from event_numbers where merchant_id = $1 order by number', [
    merchant.id,
  ])) as {
    number: number
    event_id: string
  }[]
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)
const waitingCount = async (h: Harness): Promise<number> =>
  (await h.sql(CELL, 'select count(*)::int as count from outbox'))[0].count

/** An event of no move, as unmatched money has one. */
async function tell(h: Harness, merchant: TestMerchant): Promise<{ id: bigint; write: (t: Tx) => Promise<void> }> {
  const [id, objectId] = (await cellById(h.gateway.ctx, CELL).takeIds(2)) as [bigint, bigint]
  const [type, object] = ['TEST', `object ${objectId}`]
  return {
    id,
    write: (t) => announce(t, { id, merchantId: merchant.id, type, object, objectId, objectVersion: 1, body: '{}' }),
  }
}

let sessions = 0
const noticeFor = (accountNumber: string, amount: string): CreditNotice => {
  sessions += 1
  return {
    sessionId: `${Date.now()}`.padStart(20, '9') + String(sessions).padStart(10, '0'),
    bankCode: '50515',
    accountNumber,
    amount,
    senderName: 'Ada Eze',
    senderAccountNumber: '0123456789',
    senderBankCode: '011',
    paidAt: '2026-05-02T14:15:00Z',
  }
}

describe('sequence', () => {
  test('numbers have no gaps while two processes count payments and number them at the same time', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const second: Gateway = await openGateway(h.config, 'second')
    const payees = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const merchant = at % 3 === 0 ? other : main
        const { transactionReference } = await initialise(h, merchant)
        return issueAccount(h, merchant, transactionReference)
      }),
    )
    const processes = [h.gateway, second].map(({ ctx, merchants }) =>
      createCredits(ctx, merchants, createReservedCredits(ctx, merchants)),
    )
    let busy = true
    const numbering = processes
      .flatMap(({ ctx }) => [ctx, ctx])
      .map(async (ctx) => {
        while (busy) await sequence(ctx, CELL)
      })
    let looks = 0
    const looking = (async () => {
      while (busy) {
        const gaps = await h.sql(
          CELL,
          'select merchant_id from event_numbers group by merchant_id having max(number) <> count(*) or min(number) <> 1',
        )
        expect(gaps).toEqual([])
        looks += 1
      }
    })()
    const outcomes = await Promise.all(
      payees.map(async (accountNumber, at) => {
        // Between the looks: five waves, of which the last comes after the fourth look.
        await h.until('the look before it', async () => looks >= (at % 10) >> 1)
        return takeCredit(processes[at % 2] as Credits, noticeFor(accountNumber, '1500'))
      }),
    )
    busy = false
    await Promise.all([...numbering, looking])
    await sequence(h.gateway.ctx, CELL)
    await second.close()
    expect(outcomes.every((answer) => answer?.outcome === 'COUNTED')).toBe(true)
    expect(looks).toBeGreaterThan(3)
    expect(await waitingCount(h)).toBe(0)
    for (const [merchant, count] of [
      [main, 40],
      [other, 20],
    ] as const) {
      const numbers = await numbersOf(h, merchant)
      expect(numbers.map(({ number }) => number)).toEqual(upTo(count))
      expect(new Set(numbers.map(({ event_id }) => event_id)).size).toBe(count)
    }
  })

  test('many calls at once number every event once', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = (await numbersOf(h, main)).length
    const events = await Promise.all(Array.from({ length: 30 }, () => tell(h, main)))
    await Promise.all(events.map(({ write }) => engineTx(h.gateway.ctx, CELL, write)))
    const done = await Promise.all(Array.from({ length: 8 }, () => sequence(h.gateway.ctx, CELL)))
    expect(done.reduce((sum, n) => sum + n, 0)).toBe(30)
    expect((await numbersOf(h, main)).map(({ number }) => number)).toEqual(upTo(before + 30))
  })

  test('an event that was rolled back leaves no gap', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = (await numbersOf(h, main)).length
    const [first, lost, last] = [await tell(h, main), await tell(h, main), await tell(h, main)]
    await engineTx(h.gateway.ctx, CELL, first.write)
    const rolledBack = engineTx(h.gateway.ctx, CELL, async (t) => {
      await lost.write(t)
      throw new Failure('INTERNAL')
    })
    await expect(rolledBack).rejects.toMatchObject({ code: 'INTERNAL' })
    await engineTx(h.gateway.ctx, CELL, last.write)
    expect(await sequence(h.gateway.ctx, CELL)).toBe(2)
    expect((await numbersOf(h, main)).slice(before)).toEqual([
      { number: before + 1, event_id: String(first.id) },
      { number: before + 2, event_id: String(last.id) },
    ])
  })

  test('an event of a transaction that commits late gets the next number when it comes, and none before', async () => {
    const h = harness()
    const { main } = h.merchants
    const before = (await numbersOf(h, main)).length
    const [early, quick] = [await tell(h, main), await tell(h, main)]
    const gate = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const open = engineTx(h.gateway.ctx, CELL, async (t) => {
      await early.write(t)
      written.resolve()
      await gate.promise
    })
    await written.promise
    await engineTx(h.gateway.ctx, CELL, quick.write)
    expect(await sequence(h.gateway.ctx, CELL)).toBe(1)
    gate.resolve()
    await open
    expect(await sequence(h.gateway.ctx, CELL)).toBe(1)
    expect((await numbersOf(h, main)).slice(before).map(({ event_id }) => event_id)).toEqual([
      String(quick.id),
      String(early.id),
    ])
  })

  test('more events than one batch holds are numbered in the order of the outbox', async () => {
    const h = harness()
    const { other } = h.merchants
    const before = (await numbersOf(h, other)).length
    const { ctx } = h.gateway
    const ids = await cellById(ctx, CELL).takeIds(700)
    await engineTx(ctx, CELL, async (t) => {
      for (const id of ids)
        await announce(t, {
          id,
          merchantId: other.id,
          type: 'TEST',
          object: '',
          objectId: id,
          objectVersion: 1,
          body: '{}',
        })
    })
    expect(await sequence(ctx, CELL)).toBe(700)
    const numbers = await numbersOf(h, other)
    expect(numbers.slice(before).map(({ event_id }) => event_id)).toEqual(ids.map(String))
    expect(numbers.map(({ number }) => number)).toEqual(upTo(before + 700))
  })
})

// A widely used client verifies the signature over JSON.stringify of what it parsed: the bytes must survive
// that.
const again = (body: string): string => JSON.stringify(JSON.parse(body))

describe('eventBody', () => {
  /** What can arrive: any JSON, read once. Keys like "10" and "2" are in it, which objects put in an order of
   *  their own. */
  const keys = fc.oneof(
    fc.string(),
    fc.nat(20).map(String),
    fc.constantFrom('__proto__', 'toJSON', 'constructor', '-0', '1e3', '007'),
  )
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'binary' }),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(keys, tie('tree'), { maxKeys: 6 }),
    ),
  }))
  const metaData = fc
    .dictionary(keys, tree, { maxKeys: 6 })
    .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

  test('its bytes equal those of parsing and writing them again, whatever the metaData', () => {
    fc.assert(
      fc.property(
        metaData,
        fc.string({ unit: 'grapheme' }),
        fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }),
        (meta, name, kobo) => {
          for (const spec of [successfulTransaction, rejectedPayment] as const) {
            const data = { metaData: meta, customer: { name }, amountPaid: nairaNumber(kobo) }
            const body = eventBody(spec as typeof rejectedPayment, data as never)
            expect(again(body)).toBe(body)
            expect(JSON.parse(body)).toMatchObject({ eventType: spec.type })
          }
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('the event of a real payment has these bytes too, and the metaData that was sent', async () => {
    const h = harness()
    const metas: Record<string, unknown>[] = [
      {},
      { '10': 'ten', '2': 'two', b: 1, a: 2 },
      { price: 20.1, small: 1e-7, large: 9007199254740991, tiny: 1.5e-300, negative: -0.5 },
      {
        name: 'Ọmọ́wùnmí 😀 \u2028\u2029 </script> "quoted" \\ / \t',
        nested: { list: [[], {}, [null, true, { x: 'ß' }]] },
      },
      { amount: 20.5, constructor: { name: {} }, toJSON: 'no function', '': '' },
    ]
    for (const meta of metas) {
      const { transactionReference } = await paid(h, h.merchants.main, {
        metaData: meta,
        customerName: 'Ọlá "O" Bello',
      })
      const [event] = await h.sql(CELL, 'select event_body(shape, body) as body from events where object = $1', [
        transactionReference,
      ])
      expect(again(event.body)).toBe(event.body)
      expect(JSON.parse(event.body).eventData.metaData).toEqual(meta)
    }
  })

  test('of a kind that is known only what varies is stored, and what is sent is the same to the byte', async () => {
    const h = harness()
    await h.as(h.merchants.main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl('/shapes') })
    const stored = async (reference: string) =>
      (
        await h.sql(CELL, 'select shape, body, event_body(shape, body) as whole from events where object = $1', [
          reference,
        ])
      )[0]
    // The first of its kind is whole; its shape is added beside it.
    await h.until('the shape is known', async () => {
      const { transactionReference } = await paid(h, h.merchants.main)
      return (await stored(transactionReference)).shape !== null
    })
    const { transactionReference } = await paid(h, h.merchants.main, { customerName: 'Ọlá "O" Bello' })
    const { body, whole } = await stored(transactionReference)
    expect(body.length).toBeLessThan(whole.length / 2)
    expect(body).not.toContain('paymentSourceInformation')
    expect(again(whole)).toBe(whole)
    await advance(h, 5)
    await h.until('it is delivered', async () =>
      h.received.some(({ path, text }) => path === '/shapes' && text === whole),
    )
  })

  test('a payment with any metaData the reader takes: the bytes survive', async () => {
    const h = harness()
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }), async (given) => {
        const clean = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
        fc.pre(readJson(JSON.stringify(clean)) !== undefined)
        fc.pre(!mayHoldCardNumber(JSON.stringify(clean))) // a random number of sixteen digits may be a card's: refused
        const { transactionReference } = await paid(h, h.merchants.main, { metaData: clean })
        const [event] = await h.sql(CELL, 'select event_body(shape, body) as body from events where object = $1', [
          transactionReference,
        ])
        expect(again(event.body)).toBe(event.body)
        expect(JSON.parse(event.body).eventData.metaData).toEqual(clean)
      }),
      { numRuns: 15 },
    )
  })
})
