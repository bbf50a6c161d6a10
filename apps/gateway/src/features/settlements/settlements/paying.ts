// What became of a settlement to a bank account. Paid: clearing → bank, and the merchant is notified. Not
// paid, or reversed: clearing or bank → what the beneficiary is owed; its lines are free for the next
// settlement (the returned entry is not a line of its own, or they would be paid twice), and the merchant
// gets a mail. Part of the transaction that moves the bank order.

import { EVENT_TRANSACTIONS_MAX, settlementMachine } from '@cowrie/contract/settlements/settlements'
import { withIds } from '#core/cells/with-ids.ts'
import type { EndedOrder, OrderEnds } from '#core/feature.ts'
import { accountId, bankAccount } from '#core/ledger/chart.ts'
import type { Posting } from '#core/ledger/ledger.ts'
import { mover } from '#core/ledger/move.ts'
import { recordsByIds } from '#features/collections/transactions/status.ts'
import { naira } from '#features/events/mails/mail-look.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { freeLines, transactionIds } from './lines/lines.sql.ts'
import * as sql from './settlements.sql.ts'
import { toEvent } from './settlements.ts'

const moveSettlements = mover(settlementMachine, { name: 'settlement', set: { completed_at: 'timestamptz' } })

const settlementsOf = async (t: Tx, orders: readonly EndedOrder[]): Promise<sql.Row[]> =>
  sql.byIds(
    t,
    orders.map((order) => order.subject),
  )

/** Our account at the bank that each was paid by. */
const banksOf = (orders: readonly EndedOrder[]): ReadonlyMap<bigint, bigint> =>
  new Map(orders.map(({ subject, connector }) => [subject, bankAccount(connector)]))
const bankIn = (banks: ReadonlyMap<bigint, bigint>, row: sql.Row): bigint =>
  banks.get(row.id) ?? fail('INTERNAL', {}, `settlement ${row.id} has no bank order`)

const owedAccount = (row: sql.Row): bigint =>
  row.sub_account_id === null ? accountId(row.merchant_id, 'PENDING') : accountId(row.sub_account_id, 'SHARE')

const posted = (row: sql.Row, id: bigint, kind: string, from: bigint, into: bigint): Posting => ({
  id,
  merchantId: row.merchant_id,
  kind,
  object: 'settlement',
  objectId: row.id,
  entries: [
    { account: from, kobo: -row.kobo },
    { account: into, kobo: row.kobo },
  ],
})

/** Orders and settlements move together: one that is not where its order says is a fault that undoes both. */
const allMoved = (moved: ReadonlySet<bigint>, rows: readonly sql.Row[]): void => {
  if (moved.size !== rows.length)
    fail('INTERNAL', {}, `settlements ${rows.map(({ id }) => id).join(', ')}: state does not match the bank order`)
}

async function paid(ctx: Ctx, t: Tx, orders: readonly EndedOrder[]): Promise<void> {
  const rows = await settlementsOf(t, orders)
  const banks = banksOf(orders)
  const listed = new Map<bigint, bigint[]>()
  for (const row of rows)
    listed.set(row.id, await transactionIds(t, row.merchant_id, row.id, EVENT_TRANSACTIONS_MAX, 0))
  const records = await recordsByIds(t, [...new Set([...listed.values()].flat())])
  const moves = (await withIds(ctx, t.cell, rows, 'posting', 'event')).map(([row, ids]) => {
    const [clearing, bank] = [accountId(row.merchant_id, 'CLEARING'), bankIn(banks, row)]
    const announced = toEvent(row, t.now, listed.get(row.id) ?? [], records)
    return {
      on: 'complete' as const,
      id: row.id,
      merchantId: row.merchant_id,
      from: 'PAYING' as const,
      set: { completed_at: t.now },
      post: posted(row, ids.posting, 'SETTLEMENT', clearing, bank),
      event: { id: ids.event, object: row.reference, ...announced },
    }
  })
  allMoved(await moveSettlements(t, moves), rows)
}

const moneyReturned =
  (on: 'return' | 'takeBack') =>
  async (ctx: Ctx, t: Tx, orders: readonly EndedOrder[]): Promise<void> => {
    const rows = await settlementsOf(t, orders)
    const banks = banksOf(orders)
    // Nothing could be paid again without its lines: the notice is refused until the operator has attached
    // the month.
    const [gone] = await sql.withoutLines(
      t,
      rows.map((row) => row.id),
    )
    if (gone !== undefined)
      fail('INTERNAL', {}, `settlement ${gone} came back, and lines of it are of a month that has left`)
    const why = new Map(orders.map((order) => [order.subject, order.description]))
    const numbered = await withIds(ctx, t.cell, rows, 'posting', 'mail')
    const moves = numbered.map(([row, ids]) => {
      const from = on === 'return' ? accountId(row.merchant_id, 'CLEARING') : bankIn(banks, row)
      const common = { id: row.id, merchantId: row.merchant_id, set: { completed_at: row.completed_at } }
      const post = posted(row, ids.posting, 'SETTLEMENT_RETURN', from, owedAccount(row))
      return on === 'return'
        ? { ...common, on, from: 'PAYING' as const, post }
        : { ...common, on, from: 'COMPLETED' as const, post }
    })
    allMoved(await moveSettlements(t, moves), rows)
    await freeLines(
      t,
      rows.map((row) => row.id),
    )
    const payees = await sql.findPayees(
      t,
      rows.map((row) => row.merchant_id),
    )
    for (const [row, ids] of numbered) {
      const merchant = payees.get(row.merchant_id) ?? fail('INTERNAL', {}, `merchant ${row.merchant_id} not found`)
      await queueMail(t, ids.mail, merchant, returnMail(row, on, why.get(row.id) ?? ''))
    }
  }

const returnMail = (row: sql.Row, on: 'return' | 'takeBack', why: string) => ({
  subject: `Settlement ${row.reference} was not paid`,
  text: [
    on === 'return'
      ? `The bank did not pay settlement ${row.reference} of ${naira(row.kobo)}: ${why || 'no reason given'}.`
      : `The bank reversed settlement ${row.reference} of ${naira(row.kobo)}: ${why || 'no reason given'}.`,
    `It was sent to account ${row.account_number} (${row.account_name}), bank ${row.bank_code}.`,
    'Your money is safe: it will be paid with your next settlement. If the account is wrong, change it before then.',
  ].join('\n\n'),
})

export const settlementEnds: OrderEnds = { paid, failed: moneyReturned('return'), reversed: moneyReturned('takeBack') }
