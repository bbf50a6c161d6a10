// A debit that its bank reverses at the moment at which it is settled.
import pg from 'pg'
import { expect, test } from 'vitest'
import { readAll } from '#core/cells/cells.ts'
import { type AccountKind, accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import { gatherAll } from '#features/settlements/settlements/lines/lines.ts'
import { createSettlements } from '#features/settlements/settlements/settlements.ts'
import { accepted, active, debitStatus, sessionOf, tellDebit } from '#test/features/collections/direct-debit.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { advance, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })

test('the reversal waits for the settlement, and takes out of the wallet what that has paid', async () => {
  const h = harness()
  const { ctx } = h.gateway
  const merchant = await newMerchant(h, { naira: 0 })
  const held = (kind: AccountKind) => readAll(ctx, '01', (r) => balance(r, accountId(merchant.id, kind)))
  const made = await active(h, merchant)
  const { paymentReference } = await accepted(h, made)
  const session = await sessionOf(h, made, paymentReference)
  await advance(h, 1)
  expect((await debitStatus(h, made, paymentReference)).transactionStatus).toBe('PAID')
  await h.horizonPassed()
  await gatherAll(ctx, '01')
  const due = await held('PENDING')
  expect(due).toBeGreaterThan(0n)

  // The settlement has begun, and stops at the wallet.
  const blocker = new pg.Client({ connectionString: h.databases['01'] })
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('select from accounts where id = $1 for update', [accountId(merchant.id, 'WALLET')])
  const waits = async () =>
    (await h.sql('01', `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
      .length
  const settling = createSettlements(ctx).settle('01', [merchant.id])
  await h.until('the settlement waits', async () => (await waits()) === 1)
  let isThrough = false
  const reversing = tellDebit(h, session, 'REVERSED').then((answer) => {
    isThrough = true
    return answer
  })
  await h.until('the reversal waits too, or has not', async () => isThrough || (await waits()) === 2)
  await blocker.query('commit')
  await blocker.end()

  expect((await settling).map(({ kobo }) => kobo)).toEqual([due])
  expect((await reversing).status).toBe(200)
  expect([await held('PENDING'), await held('WALLET'), await held('RECEIVABLE')]).toEqual([0n, 0n, 0n])
})
