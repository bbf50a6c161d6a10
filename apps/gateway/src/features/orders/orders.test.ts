// Bank orders by themselves: each is sent once, its end is told to its owner once and in the transaction that moves it, and
// what nobody knows stays open. How refunds use them is in refunds.bank.test.ts.
import { describe, expect, test } from 'vitest'
import { accountName } from '../../../../simulator/src/names.ts'
import { type Harness, useHarness } from '../../../test/harness.ts'
import { account, BANK_CODE, newMerchant, paidTo } from '../../../test/single-transfers.ts'
import { runDue } from '../../core/agenda.ts'
import { engineTx } from '../../core/cells.ts'
import { createOrders, type OrderRow, type Orders, placeOrders } from './orders.ts'

const harness = useHarness()

type Told = { end: string; subject: bigint; status: string; why: string; committed: boolean }

/** An owner that writes down what it is told. */
function owner(h: Harness): { orders: Orders; told: Told[] } {
  const told: Told[] = []
  const note = (end: string) => async (_: unknown, __: unknown, rows: readonly OrderRow[]) => {
    for (const row of rows) {
      const [seen] = await h.sql('01', 'select status from bank_orders where id = $1', [row.id])
      const committed = seen.status === row.status
      told.push({ end, subject: row.subject, status: row.status, why: row.description, committed })
    }
  }
  const ends = { paid: note('paid'), failed: note('failed'), reversed: note('reversed') }
  return { orders: createOrders(h.gateway.ctx, h.gateway.merchants, { SETTLEMENT: ends }), told }
}

let subject = 0n
async function place(h: Harness, endings: readonly string[]): Promise<{ ids: bigint[]; accounts: string[] }> {
  const merchant = await newMerchant(h)
  const accounts = endings.map((ending) => account(ending))
  const orders = accounts.map((accountNumber) => {
    subject += 1n
    const destination = { bankCode: BANK_CODE, accountNumber, accountName: accountName(BANK_CODE, accountNumber) ?? '' }
    const purpose = 'SETTLEMENT' as const
    return { ...destination, merchantId: merchant.id, purpose, subject, kobo: 12_345n, narration: 'For a test' }
  })
  const { ctx } = h.gateway
  return { ids: await engineTx(ctx, '01', (t) => placeOrders(ctx, t, orders)), accounts }
}
const statesOf = async (h: Harness, ids: readonly bigint[]): Promise<string[]> =>
  (await h.sql('01', 'select status from bank_orders where id = any($1) order by id', [ids])).map(
    ({ status }) => status,
  )

/** What is due of orders, and only that. */
const run = (h: Harness, orders: Orders): Promise<number> => runDue(h.gateway.ctx, '01', orders.due)

describe('bank orders', () => {
  test('paid, refused and unanswered: each end is told once, before it is committed; what is unknown stays SENT', async () => {
    const h = harness()
    const { orders, told } = owner(h)
    const { ids, accounts } = await place(h, ['7788', '0001', '0004', '0002'])
    await run(h, orders)
    await run(h, orders)
    expect(await statesOf(h, ids)).toEqual(['PAID', 'FAILED', 'SENT', 'SENT'])
    expect(told.map(({ end, status, committed }) => ({ end, status, committed }))).toEqual(
      expect.arrayContaining([
        { end: 'paid', status: 'PAID', committed: false },
        { end: 'failed', status: 'FAILED', committed: false },
      ]),
    )
    expect(told).toHaveLength(2)
    expect(told.find(({ end }) => end === 'failed')?.why).toBe('Dormant beneficiary account')
    for (const accountNumber of accounts) expect(await paidTo(h, accountNumber)).toHaveLength(1)
    // Nobody else may look at them: the gateway of this file has no owner for settlements of a test.
    await h.sql('01', `update agenda set due_at = due_at - interval '20 seconds' where kind = 'orders.look'`)
    await h.sql('01', `update bank_orders set question_at = question_at - interval '20 seconds' where status = 'SENT'`)
    await run(h, orders)
    expect(await statesOf(h, ids)).toEqual(['PAID', 'FAILED', 'PAID', 'SENT'])
    expect(told).toHaveLength(3)
  })
})
