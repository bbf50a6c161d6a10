// Finding over all cells: whatever an operator pastes leads to its merchant and cell; a cell that is silent
// is named, and roles see only their kinds.

import type { FoundEverywhere } from '@cowrie/contract/screens/find-everywhere'
import { beforeAll, expect, test } from 'vitest'
import type { Cell } from '#kit/ctx.ts'
import { actorOf, show } from '#test/features/access/acts.ts'
import { newMerchant, sent, sentTo } from '#test/features/payouts/disbursements.ts'
import { type CellName, initialise, issueAccount, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { FEATURES } from '../../../feature-list.ts'
import { gatherEverywhere } from './everywhere.sql.ts'
import { findInCells } from './everywhere.ts'

const harness = useHarness()
const admin = actorOf('operator', 'admin')
const support = actorOf('operator', 'support')
const find = async (text: string, by = admin): Promise<FoundEverywhere[]> =>
  (await show(harness(), by, 'find.everywhere', { text })).found
const brief = (found: readonly FoundEverywhere[]): string[] =>
  found.map(({ kind, cell, merchant, path }) => [kind, cell, merchant, path].join(' '))

let merchant: TestMerchant
beforeAll(async () => {
  merchant = await newMerchant(harness())
})

test('a payment of either cell is found by its references, account number, bank session and payer, with merchant and cell', async () => {
  const h = harness()
  for (const [owner, cell] of [
    [h.merchants.main, '01'],
    [h.merchants.second, '02'],
  ] as const satisfies readonly (readonly [TestMerchant, CellName])[]) {
    const payer = cell === '01' ? '0690001133' : '0690001144'
    const made = await initialise(h, owner, { amount: 2500, customerName: 'Adaeze Chukwuemeka-Okonkwo' })
    const accountNumber = await issueAccount(h, owner, made.transactionReference)
    const { sessionId } = (await h.pay(accountNumber, 2500, { senderAccountNumber: payer })).json
    await h.until('the credit', async () => (await find(sessionId)).length === 1)
    const { transactionReference, paymentReference } = made
    const see = encodeURIComponent(`/payments/${encodeURIComponent(transactionReference)}`)
    const expected = [`PAYMENT ${cell} ${owner.apiKey} /merchants/${owner.apiKey}?see=${see}`]
    for (const text of [transactionReference, paymentReference, accountNumber, sessionId, ` ${payer} `])
      expect([text, brief(await find(text))]).toEqual([text, expected])
    expect(await find(paymentReference)).toMatchObject([
      { name: 'Adaeze Chukwuemeka-Okonkwo', amount: 2500, reference: transactionReference },
    ])
    expect(await find(paymentReference, support)).toMatchObject([{ name: 'A. C.' }])
  }
})

test('what two merchants call by the same name is found at both; a payout that waits leads to its work', async () => {
  const h = harness()
  const [again, reference] = [await newMerchant(h), unique('both')]
  await sent(h, merchant, { reference })
  await sentTo(h, again, '0002', { reference }) // the bank takes two hours
  expect(brief(await find(reference)).toSorted()).toEqual(
    [
      `PAYOUT 01 ${merchant.apiKey} /merchants/${merchant.apiKey}?see=${encodeURIComponent(`/payouts/${reference}`)}`,
      `PAYOUT 01 ${again.apiKey} /waiting/${again.apiKey}/PAYOUT/${reference}`,
    ].toSorted(),
  )
  const [row] = await h.sql('01', 'select session_id, transaction_reference from disbursements where reference = $1', [
    reference,
  ])
  for (const text of [row.session_id, row.transaction_reference]) expect(brief(await find(text)), text).toHaveLength(1)
})

test('a merchant is found by key, contract code and part of its name; a break and suspense by the session, for roles that may see them', async () => {
  const h = harness()
  const { second } = h.merchants
  for (const text of [second.apiKey, second.contractCode])
    expect(brief(await find(text))).toEqual([`MERCHANT 02 ${second.apiKey} /merchants/${second.apiKey}`])
  const [{ name }] = await h.sql('02', 'select name from merchants where id = $1', [second.id])
  expect(brief(await find(name.slice(1).toUpperCase()))).toContain(
    `MERCHANT 02 ${second.apiKey} /merchants/${second.apiKey}`,
  )
  const session = unique('session')
  await h.sql(
    '02',
    `insert into recon_breaks (id, merchant_id, class, kind, session_id, day, bank_kobo, says, opened_at)
     values (77, 0, 'MISSING_HERE', 'CREDIT', $1, '2026-11-16', 3600000, 'a test wants it', now())`,
    [session],
  )
  expect(await find(session)).toMatchObject([
    { kind: 'BREAK', cell: '02', merchant: null, amount: 36000, path: '/reconciliation/02/77' },
  ])
  expect(await find(session, support)).toEqual([])
  await h.sql('02', 'delete from recon_breaks where id = 77')
  expect(await find('')).toEqual([])
  expect(await find('nobody has ever used this')).toEqual([])
})

test('a cell that refuses, or does not answer in time, is named, and the others are shown', async () => {
  const { ctx } = harness().gateway
  const silent = (connect: () => Promise<unknown>) => {
    const engine: any = { pool: { connect, waitingCount: 0 }, idleConnections: [] }
    const cells = new Map([...ctx.cells, ['02', { ...(ctx.cells.get('02') as Cell), engine }] as const])
    return findInCells({ ...ctx, cells }, gatherEverywhere(FEATURES), admin, merchant.apiKey, 50)
  }
  for (const connect of [() => new Promise(() => undefined), () => Promise.reject(new Error('no connection'))]) {
    const answer = await silent(connect)
    expect(answer.silent).toEqual(['02'])
    expect(brief(answer.found)).toEqual([`MERCHANT 01 ${merchant.apiKey} /merchants/${merchant.apiKey}`])
  }
  // Without the deadline the first of them would never end.
})
