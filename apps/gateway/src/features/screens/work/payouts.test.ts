// What a bank says of a payout beside its outcome: kept, shown to the operator, found by, and used to find
// the payout on a statement. Nothing is booked by it.

import { payoutNotice } from '@cowrie/contract/bank/connector'
import { payoutNoticeV2 } from '@cowrie/contract/bank/v2/payouts'
import { afterAll, describe, expect, test } from 'vitest'
import { send } from '#test/bank/notices.ts'
import { actorOf, show } from '#test/features/access/acts.ts'
import { bola, byTwo, refusal } from '#test/features/access/merchants.ts'
import { nightWith, SECOND_KEY, type SecondBank, secondBank } from '#test/features/bank/second-bank.ts'
import { account, newMerchant, sent, statusOf } from '#test/features/payouts/disbursements.ts'
import { type Harness, useHarness } from '#test/kit/harness.ts'

let second: SecondBank
const harness = useHarness({
  settings: async ({ apiUrl }) => {
    second = await secondBank(apiUrl, { payouts: 2 })
    return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY }
  },
})
afterAll(() => second.end())

/** Paid by the second bank, 0002 two hours later. */
async function payout(h: Harness, ending?: string) {
  const [, connector] = h.gateway.ctx.connectors.all
  await connector?.learn()
  const routes = (await show(h, bola, 'routes.list', { cell: '01' })).routes as unknown[]
  if (routes.length === 0)
    await byTwo(h, 'routes.set', { cell: '01', input: { connectors: ['second'] }, reason: 'a test wants it' })
  const payer = await newMerchant(h)
  const answer = await sent(h, payer, { destinationAccountNumber: account(ending) })
  const reference = answer.reference as string
  const [row] = await h.sql('01', 'select session_id, status from disbursements where reference = $1', [reference])
  return { payer, reference, answer, row }
}
const details = (h: Harness, sessionId: string): Promise<any[]> =>
  h.sql('01', 'select network_reference, fee_kobo::int as fee_kobo from payout_details where session_id = $1', [
    sessionId,
  ])
const word = (h: Harness, sessionId: string, over: object, path: string = payoutNoticeV2.path) =>
  send(
    h,
    path,
    { sessionId, status: 'SUCCESS', responseCode: '00', message: 'word', at: new Date().toISOString(), ...over },
    { key: SECOND_KEY },
  )

describe('what a bank says of a payout', () => {
  test('in its answer is kept and shown to the operator, and finds it; a merchant is answered as ever', async () => {
    const h = harness()
    const { payer, reference, answer, row } = await payout(h)
    expect(row.status).toBe('SUCCESS')
    const networkReference = `NET${row.session_id}`
    expect(await details(h, row.session_id)).toEqual([{ network_reference: networkReference, fee_kobo: 1075 }])
    const shown = await show(h, bola, 'payouts.show', { merchant: payer.apiKey, reference })
    expect(shown).toMatchObject({
      ...{ reference, state: 'SUCCESS', connector: 'second', sessionId: row.session_id },
      ...{ networkReference, bankFee: '10.75', reportedAt: expect.any(String) },
    })
    const { found } = await show(h, bola, 'find.everywhere', { text: networkReference })
    expect(found).toMatchObject([{ kind: 'PAYOUT', reference }])
    expect(JSON.stringify(answer)).not.toMatch(/NET|10\.75/)
  })

  test('is for people of the operator who see work; of nobody there is nothing', async () => {
    const h = harness()
    const query = { merchant: h.merchants.main.apiKey, reference: 'none' }
    expect(await refusal(show(h, bola, 'payouts.show', query))).toBe('WORK_NOT_FOUND')
    expect(await refusal(show(h, bola, 'payouts.show', { ...query, kind: 'ORDER' }))).toBe('WORK_NOT_FOUND')
    expect(await refusal(show(h, actorOf('merchant', 'owner'), 'payouts.show', query))).not.toBeNull()
  })

  test('while it is under way is kept too, and what comes later is added: the same notice 20 times at once is one', async () => {
    const h = harness()
    const { payer, reference, row } = await payout(h, '0002')
    expect(await details(h, row.session_id)).toEqual([{ network_reference: `NET${row.session_id}`, fee_kobo: null }])
    const said = Array.from({ length: 20 }, (_, turn) =>
      word(h, row.session_id, { networkReference: `OTHER-${turn}`, fee: 26.88 }),
    )
    expect(new Set((await Promise.all(said)).map(({ status }) => status))).toEqual(new Set([200]))
    expect(await statusOf(h, payer, reference)).toBe('SUCCESS')
    // The first word counts, and nothing is booked by it: the payout and its own fee, once.
    expect(await details(h, row.session_id)).toEqual([{ network_reference: `NET${row.session_id}`, fee_kobo: 2688 }])
    const booked = await h.sql(
      '01',
      `select t.kind, count(*)::int as times from transfers t join disbursements d on d.id = t.object_id
       where t.object = 'disbursement' and d.reference = $1 group by 1 order by 1`,
      [reference],
    )
    expect(booked).toEqual([
      { kind: 'PAYOUT', times: 1 },
      { kind: 'PAYOUT_HOLD', times: 1 },
    ])
  })

  test('in a notice of version 1 is not read; a bank that was not given the payout has no say', async () => {
    const h = harness()
    const { row } = await payout(h, '0002')
    await h.sql('01', 'delete from payout_details where session_id = $1', [row.session_id])
    expect(await word(h, row.session_id, { networkReference: 'NEW', fee: 'free' }, payoutNotice.path)).toMatchObject({
      status: 200,
    })
    expect(await details(h, row.session_id)).toEqual([])
    const foreign = { sessionId: row.session_id, networkReference: 'NEW', status: 'SUCCESS', responseCode: '00' }
    const at = new Date().toISOString()
    expect(await send(h, payoutNoticeV2.path, { ...foreign, message: 'word', at })).toMatchObject({ status: 404 })
    expect(await word(h, row.session_id, { fee: 1.005 })).toMatchObject({ status: 400 })
    expect(await details(h, row.session_id)).toEqual([])
  })
})

test('a statement that calls payouts by names of the network is compared with ours: none is missing on either side', async () => {
  const h = harness()
  const { row } = await payout(h)
  // A name that two payouts have, or that is a session, finds nothing: such a line is left as it is.
  const [, other] = [await payout(h), await payout(h)]
  await h.sql('01', 'update payout_details set network_reference = $2 where session_id = $1', [
    other.row.session_id,
    'NETWRONG',
  ])
  await nightWith(h, second)
  const lines = await h.sql(
    '01',
    `select l.session_id from statement_booked l join connectors c on c.id = l.connector where c.name = 'second' and l.kind = 'PAYOUT'`,
  )
  expect(lines).toContainEqual({ session_id: row.session_id })
  expect(lines).toContainEqual({ session_id: `NET${other.row.session_id}` })
  const breaks = await h.sql(
    '01',
    `select b.class, b.session_id from recon_breaks b join connectors c on c.id = b.connector where c.name = 'second' and b.class <> 'BALANCE' order by 1, 2`,
  )
  expect(breaks.map(({ session_id }) => session_id)).not.toContain(row.session_id)
  expect(breaks).toContainEqual(expect.objectContaining({ session_id: `NET${other.row.session_id}` }))
})
