// Disputes of card charges: recorded once, shown to the operator, and no money moved.

import { disputeNotice } from '@cowrie/contract/bank/v2/disputes'
import { expect, test } from 'vitest'
import { send } from '#test/bank/notices.ts'
import { show } from '#test/features/access/acts.ts'
import { bola } from '#test/features/access/merchants.ts'
import { charges, chargeWith } from '#test/features/collections/cards.ts'
import { type Harness, unique, useHarness } from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'

const OTHER_KEY = 'the key of another bank, of 32 bytes and more'
const harness = useHarness({
  settings: async () => ({
    CONNECTORS: `other=http://127.0.0.1:${await freePort()}`,
    CONNECTOR_OTHER_KEY: OTHER_KEY,
  }),
})

async function charged(h: Harness) {
  const { main } = h.merchants
  const { transactionReference } = await chargeWith(h, main, 'plain')
  const [row] = await charges(h, main, transactionReference)
  const said = {
    chargeReference: row.reference as string,
    disputeReference: unique('DSP'),
    ...{ amount: 1500, state: 'OPENED', reasonCode: '10.4', reason: 'Fraud', dueAt: '2026-12-01T12:00:00.000Z' },
    at: '2026-11-18T10:00:00.000Z',
  }
  const tell = (over: object = {}, key?: string) =>
    send(h, disputeNotice.path, { ...said, ...over }, key === undefined ? {} : { key })
  return { transactionReference, said, tell }
}
const listed = async (h: Harness, reference: string, query: object = {}): Promise<any> => {
  const { content } = await show(h, bola, 'disputes.list', { cell: '01', ...query })
  return content.find((one: any) => one.reference === reference)
}
const inWork = async (h: Harness, reference: string): Promise<any> => {
  const { content } = await show(h, bola, 'work.list', { cell: '01' })
  return content.find((one: any) => one.kind === 'DISPUTE' && one.reference === reference)
}
const books = async (h: Harness): Promise<unknown> =>
  h.sql('01', 'select (select count(*) from transfers)::int as transfers, (select count(*) from events)::int as events')

test('a dispute is recorded once, however often it is reported at once, and shown with what is due; no money is moved', async () => {
  const h = harness()
  const { transactionReference, said, tell } = await charged(h)
  const before = await books(h)
  const answers = await Promise.all(Array.from({ length: 20 }, () => tell()))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(answers[0]?.json.responseBody).toEqual({ disputeReference: said.disputeReference, outcome: 'TAKEN' })
  const rows = await h.sql('01', 'select state from card_disputes where reference = $1', [said.disputeReference])
  expect(rows).toEqual([{ state: 'OPENED' }])
  expect(await listed(h, said.disputeReference)).toMatchObject({
    ...{ connector: 'bank', merchant: h.merchants.main.apiKey, chargeReference: said.chargeReference },
    ...{ transactionReference, amount: '1500.00', state: 'OPENED', reasonCode: '10.4', reason: 'Fraud' },
    dueAt: said.dueAt,
  })
  expect(await inWork(h, said.disputeReference)).toMatchObject({ state: 'OPENED', amount: '1500.00' })
  const one = { kind: 'DISPUTE', reference: said.disputeReference, merchant: h.merchants.main.apiKey }
  expect((await show(h, bola, 'work.show', one)).path).toEqual([])
  expect(await books(h)).toEqual(before)
})

test('what happened later counts, in whatever order it is reported; one that is over waits for nobody', async () => {
  const h = harness()
  const { said, tell } = await charged(h)
  const { disputeReference: reference } = said
  const later = { state: 'LOST', at: '2026-11-20T10:00:00.000Z', reason: undefined }
  const all = [{}, { state: 'ANSWERED', at: '2026-11-19T10:00:00.000Z' }, later, {}]
  for (const over of [...all.toReversed(), ...all]) expect(await tell(over)).toMatchObject({ status: 200 })
  expect(await inWork(h, reference)).toBeUndefined()
  expect(await listed(h, reference)).toBeUndefined()
  expect(await listed(h, reference, { all: 'true' })).toMatchObject({ state: 'LOST', reason: 'Fraud' })
})

test('of a charge that nobody knows, or that another connector made: 404; malformed: 400; unsigned: 401', async () => {
  const h = harness()
  const { said, tell } = await charged(h)
  expect(await tell({ chargeReference: 'CWCH01202611000000099999' })).toMatchObject({ status: 404 })
  expect(await tell({}, OTHER_KEY)).toMatchObject({ status: 404 })
  expect(await tell({}, 'a key that nobody was ever given, at all')).toMatchObject({ status: 401 })
  for (const wrong of [{ state: 'SETTLED' }, { amount: 1.005 }, { disputeReference: 'a b' }, { at: undefined }])
    expect(await tell(wrong)).toMatchObject({ status: 400 })
  expect(await h.sql('01', 'select from card_disputes where reference = $1', [said.disputeReference])).toEqual([])
  // Under its name there is one charge for ever.
  await tell()
  const other = await charged(h)
  const taken = { disputeReference: said.disputeReference, state: 'WON', at: '2026-11-21T10:00:00.000Z' }
  expect(await other.tell(taken)).toMatchObject({ status: 200 })
  expect(await listed(h, said.disputeReference)).toMatchObject({
    chargeReference: said.chargeReference,
    state: 'OPENED',
  })
})
