// Cards with several connectors: a charge goes to the first that says it charges cards and answers, and stays
// with it for ever.

import { cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import { cardNotice } from '@cowrie/contract/bank/v2/cards'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { send } from '#test/bank/notices.ts'
import { SECOND_KEY, type SecondBank, secondBank } from '#test/features/bank/second-bank.ts'
import { CHARGE, card, chargeBody, charges, chargeWith, issuerBooks, TOKEN } from '#test/features/collections/cards.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { orderOf, refunded, statusOf } from '#test/features/payouts/refunds.ts'
import { advance, type Harness, initialise, status, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { freePort } from '../../../../../../tools/ports.ts'

let second: SecondBank
const harness = useHarness({
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl, { cards: 2 })
    return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY }
  },
})
afterAll(() => second.end())
beforeEach(() => second.start())

/** Another api of the gateway, for which the bank at BANK_URL is away. */
let away: Awaited<ReturnType<typeof openSecondApi>> | null = null
afterEach(async () => {
  await away?.close()
  away = null
})
async function withoutFirst(h: Harness) {
  away ??= await openSecondApi(h, { bankUrl: `http://127.0.0.1:${await freePort()}` })
  return away
}
const nameOf = async (h: Harness, { connector }: { connector: number }): Promise<string> =>
  (await h.sql('01', 'select name from connectors where id = $1', [connector]))[0].name
/** What our books say that a connector owes us for cards, in kobo. */
const owed = async (h: Harness, name: string): Promise<number> => {
  const [row] = await h.sql(
    '01',
    `select coalesce(-sum(e.kobo), 0)::int as kobo from entries e
     where e.account_id = (select case c.id when 1 then 0 else c.id * 16 end + 1 from connectors c where c.name = $1)`,
    [name],
  )
  return row.kobo
}
const follow = async (h: Harness): Promise<void> => second.follow(h.gateway.ctx.clock.now().getTime() - Date.now())
/** Charged while the first is away: by the second. */
async function bySecond(h: Harness, who: TestMerchant, amount: string | number = 1500) {
  const api = await withoutFirst(h)
  const made = await initialise(h, who, { amount })
  const answer = await api.post(who, CHARGE, chargeBody(made.transactionReference, card('plain')))
  expect(answer.status).toBe(200)
  const [row] = await charges(h, who, made.transactionReference)
  return { ...made, said: answer.json.responseBody, row }
}

test('the one at BANK_URL charges while it answers, in its own version; the other never hears of it', async () => {
  const h = harness()
  const { main } = h.merchants
  const made = await chargeWith(h, main, 'plain')
  expect(made.body.status).toBe('SUCCESS')
  const [row] = await charges(h, main, made.transactionReference)
  expect([await nameOf(h, row), row.protocol]).toEqual(['bank', 1])
  expect(await second.charge(row.reference)).toBeNull()
})

test('one that does not say what it can is passed over; what another was given stays with it, its token and its refund too', async () => {
  const h = harness()
  const payer = await newMerchant(h, { naira: 100_000 })
  await follow(h)
  const [ofFirst, ofSecond] = [await owed(h, 'bank'), await owed(h, 'second')]
  const made = await bySecond(h, payer)
  expect(made.said.status).toBe('SUCCESS')
  expect([await nameOf(h, made.row), made.row.protocol]).toEqual(['second', 2])
  expect(await second.charge(made.row.reference)).toMatchObject({ state: 'APPROVED', taken: '1500.00' })
  expect(await issuerBooks(h, payer, made.transactionReference)).toEqual([])

  // The first is back for the other process: a token of the second is still the second's.
  const { cardDetails } = await status(h, payer, made.transactionReference)
  const body = {
    ...{ cardToken: cardDetails.cardToken, amount: 700, customerName: 'Ngozi Bello', currencyCode: 'NGN' },
    ...{ customerEmail: 'ngozi@example.com', paymentReference: unique('token'), paymentDescription: 'Plan' },
    ...{ contractCode: payer.contractCode, apiKey: payer.apiKey },
  }
  const again = await h.as(payer, 'POST', TOKEN, body)
  expect(again.json.responseBody.paymentStatus).toBe('PAID')
  const [stored] = await charges(h, payer, again.json.responseBody.transactionReference)
  expect(await nameOf(h, stored)).toBe('second')
  expect(await second.charge(stored.reference)).toMatchObject({ state: 'APPROVED', taken: '700.00' })
  expect((await owed(h, 'second')) - ofSecond).toBe(220_000)

  const refund = await refunded(h, payer, made.transactionReference, { refundAmount: 1500 })
  await advance(h, 5)
  expect(await statusOf(h, payer, refund.refundReference)).toBe('COMPLETED')
  const order = await orderOf(h, payer, refund.refundReference)
  expect(await nameOf(h, order)).toBe('second')
  expect((await owed(h, 'second')) - ofSecond).toBe(70_000)
  const word = {
    sessionId: order.session_id,
    status: 'REVERSED',
    responseCode: '00',
    message: 'no',
    at: new Date().toISOString(),
  }
  expect(await send(h, cardRefundNotice.path, word)).toMatchObject({ status: 404 })
  expect(await send(h, cardRefundNotice.path, word, { key: SECOND_KEY })).toMatchObject({ status: 200 })
  expect([(await owed(h, 'second')) - ofSecond, (await owed(h, 'bank')) - ofFirst]).toEqual([220_000, 0])
})

test('a process of the version before posts to the account of the first; the posting gets to the one that it is of', async () => {
  const h = harness()
  const payer = await newMerchant(h, { naira: 100_000 })
  await follow(h)
  const made = await bySecond(h, payer)
  const plain = await chargeWith(h, payer, 'plain', { amount: 900 })
  const refund = await refunded(h, payer, made.transactionReference, { refundAmount: 1500 })
  await advance(h, 5)
  expect(await statusOf(h, payer, refund.refundReference)).toBe('COMPLETED')
  /** Its posting once more, as such a process writes it: the accounts that are kept. By the role that works
   *  for one merchant, too. */
  const again = async (role: string, kind: string, of: string, reference: string): Promise<unknown> => {
    const client = new pg.Client({ connectionString: h.databases['01'] })
    await client.connect()
    try {
      await client.query(`begin; set local cowrie.merchant = '${payer.id}'; set local role ${role}`)
      const { rows } = await client.query(
        `insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
         select 1, merchant_id, kind, object, object_id, at, array_replace(accounts, 33::bigint, 1::bigint), amounts from transfers
         where kind = $1 and object_id = (select id from ${of} = $2)
         returning (select array_agg(a) from unnest(accounts) a where a % 16 = 1)::text as owed`,
        [kind, reference],
      )
      return rows
    } finally {
      await client.end()
    }
  }
  const paid = 'transactions where reference'
  expect(await again('cowrie_app', 'COLLECTION', paid, made.transactionReference)).toEqual([{ owed: '{33}' }])
  expect(await again('cowrie_app', 'COLLECTION', paid, plain.transactionReference)).toEqual([{ owed: '{1}' }])
  const back = 'refunds where refund_reference'
  expect(await again('cowrie_engine', 'REFUND', back, refund.refundReference)).toEqual([{ owed: '{33}' }])
})

test('a notice counts only from the connector that has the charge; to another it does not exist', async () => {
  const h = harness()
  const { main } = h.merchants
  await follow(h)
  const made = await bySecond(h, main, '3911.37')
  expect(made.said.status).toBe('PENDING')
  const body = { chargeReference: made.row.reference }
  const foreign = await send(h, cardNotice.path, body)
  expect([foreign.status, foreign.json.problem.code]).toEqual([404, 'CHARGE_UNKNOWN'])
  expect(await send(h, cardNotice.path, body, { key: SECOND_KEY })).toMatchObject({ status: 200 })
  expect(await send(h, cardNotice.path, body, { key: 'the key of nobody, of 32 bytes and more' })).toMatchObject({
    status: 401,
  })
  await advance(h, 30)
  await follow(h)
  await advance(h, 60)
  expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('PAID')
})

test('while its connector is away a charge waits there, whatever time passes, and nobody else is asked', async () => {
  const h = harness()
  const { main } = h.merchants
  await follow(h)
  const made = await bySecond(h, main, '3911.37')
  await second.stop()
  await advance(h, 3600)
  expect((await charges(h, main, made.transactionReference)).map((row) => row.status)).toEqual(['SENT'])
  expect(await issuerBooks(h, main, made.transactionReference)).toEqual([])
  await second.start()
  await follow(h)
  await advance(h, 600)
  expect((await charges(h, main, made.transactionReference)).map((row) => row.status)).not.toEqual(['SENT'])
  expect(await second.charge(made.row.reference)).toMatchObject({ taken: '3911.37' })
})
