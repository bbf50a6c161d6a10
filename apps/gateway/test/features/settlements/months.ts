// A month with everything in it that a cell can have, in every state; and the step into the next one.
import { expect } from 'vitest'
import { cellById } from '#core/cells/cells.ts'
import { rollUp } from '#core/ledger/ledger.ts'
import { monthAfter, monthAt } from '#kit/ids.ts'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '../../bank/notices.ts'
import { billScene } from '../../books/plants/bills.plants.ts'
import { debitScene } from '../../books/plants/direct-debit.plants.ts'
import { feeScene } from '../../books/plants/fees.plants.ts'
import { invoiceScene } from '../../books/plants/invoices.plants.ts'
import { payoutScene } from '../../books/plants/payouts.plants.ts'
import { receivableScene } from '../../books/plants/receivables.plants.ts'
import { reconScene } from '../../books/plants/reconciliation.plants.ts'
import { refundScene } from '../../books/plants/refunds.plants.ts'
import { reservedScene } from '../../books/plants/reserved-accounts.plants.ts'
import { settlementScene } from '../../books/plants/settlements.plants.ts'
import { walletScene } from '../../books/plants/wallets.plants.ts'
import { advance, CELLS, type CellName, type Harness, paid, subAccount, unique } from '../../kit/harness.ts'
import { chargeWith } from '../collections/cards.ts'
import { accepted, active, DAY, inSeconds } from '../collections/direct-debit.ts'
import { invoice } from '../collections/invoices.ts'
import { reserve } from '../collections/reserved-accounts.ts'
import { vended } from '../payouts/bills.ts'
import { newMerchant, notify, sentTo } from '../payouts/disbursements.ts'
import { ask as askRefund } from '../payouts/refunds.ts'
import { send, sendBatch } from '../wallets/wallets.ts'

export const monthOf = (h: Harness): bigint => monthAt(h.gateway.ctx.clock.now())

/** To the last quarter of an hour of the month, for a payment in parts that is completed and settled in the
 *  next, and then into that. */
export async function intoNextMonth(h: Harness): Promise<bigint> {
  const month = String(monthAfter(monthOf(h)))
  const begins = Date.parse(`${month.slice(0, 4)}-${month.slice(4)}-01T00:00:00+01:00`)
  const left = () => Math.ceil((begins - h.gateway.ctx.clock.now().getTime()) / 1000)
  await advance(h, left() - 900)
  await paid(h, h.merchants.main)
  const patient = await newMerchant(h)
  const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
  await h.as(patient, 'PUT', '/api/v1/payment-policy', policy)
  const { accountNumber } = await waiting(h, patient, { amount: 1000 })
  expect(outcomeOf(await tell(h, notice(accountNumber, '400.00')))).toBe('COUNTED')
  await advance(h, left() + 600)
  expect(outcomeOf(await tell(h, notice(accountNumber, '600.00')))).toBe('COUNTED')
  return monthOf(h)
}

/** What the worker does all the time: everything so far is below the horizon of the roll-ups, and the present
 *  month has its partitions. */
export async function rollUpAll(h: Harness): Promise<void> {
  await h.horizonPassed()
  for (const cell of CELLS) {
    await rollUp(h.gateway.ctx, cell)
    await cellById(h.gateway.ctx, cell).takeIds(1)
  }
}

/** Moves the clock by days. What waits at the end is over a month later, except one item in suspense, whose
 *  sender takes nothing back. */
export async function everything(h: Harness) {
  const { main } = h.merchants
  await h.as(main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
  const payouts = await payoutScene(h)
  await settlementScene(h)
  const debits = await debitScene(h)
  const payment = await paid(h, main)
  await h.pay(payment.accountNumber, 700)
  const held = notice(payment.accountNumber, '800.00', { senderAccountNumber: '0123450009' })
  expect(outcomeOf(await tell(h, held))).toBe('SUSPENDED')
  const toReverse = await waiting(h, main)
  const credit = notice(toReverse.accountNumber, '1500.00')
  expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  await advance(h, 1)
  await chargeWith(h, main, 'plain')
  await chargeWith(h, main, 'otp')
  const { subAccountCode } = await subAccount(h, main)
  await paid(h, main, { incomeSplitConfig: [{ subAccountCode, splitPercentage: 20 }] })
  await h.pay(main.walletNumber, 9_000)
  const account = await reserve(h, main)
  await h.pay(account.accounts[0].accountNumber, 400)
  await reservedScene(h)
  await walletScene(h)
  await receivableScene(h)
  await feeScene(h)
  await reconScene(h)
  await invoiceScene(h)
  const bill = await invoice(h, main)
  await h.pay(bill.accountNumber, 2500)
  const mandate = await active(h, main, { mandateEndDate: inSeconds(h, 300 * DAY) })
  await accepted(h, mandate)
  const refunds = await refundScene(h)
  await billScene(h)
  const { vendReference } = await vended(h, main)
  const payout = await sentTo(h, main, '7788')
  expect((await send(h, main)).status).toBe(200)
  const batch = await sendBatch(h, main, [20, 30])
  expect(batch.status, batch.text).toBe(200)
  for (const rest of [payouts, refunds, debits]) await rest()
  return {
    ...{ payment, held, credit, toReverse, account, mandate, payout },
    batchReference: batch.json.responseBody.batchReference as string,
    invoiceReference: bill.invoiceReference as string,
    vendReference: vendReference as string,
  }
}
export type Everything = Awaited<ReturnType<typeof everything>>

/** What is of one month goes on in the next. */
export async function goOn(h: Harness, made: Everything): Promise<void> {
  const { main } = h.merchants
  expect((await askRefund(h, main, made.payment.transactionReference, { refundAmount: 1500 })).status).toBe(200)
  await h.pay(made.payment.accountNumber, 90) // it is paid already: suspense, and back
  expect(outcomeOf(await reverseCredit(h, made.credit))).toBe('REVERSED')
  expect((await notify(h, made.payout.sessionId, 'REVERSED')).status).toBe(200)
  await h.pay(made.account.accounts[0].accountNumber, 450)
  await accepted(h, made.mandate, { debitAmount: '500.00' })
}

/** Gives everything in a cell's database to a new role that is no superuser, as in live: row-level security
 *  holds for it too. Its address. */
export async function plainOwner(h: Harness, cell: CellName): Promise<string> {
  const name = unique('owner').replaceAll('-', '_')
  await h.sql(cell, `create role ${name} login password 'plain'`)
  await h.sql(
    cell,
    `do $$ declare one record; begin
      for one in select c.oid::regclass as it, case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end as kind
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S')
          and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S') loop
        execute format('alter %s %s owner to ${name}', one.kind, one.it);
      end loop;
      for one in select p.oid::regprocedure as it from pg_proc p where p.pronamespace = 'public'::regnamespace loop
        execute format('alter routine %s owner to ${name}', one.it);
      end loop;
      execute 'alter schema public owner to ${name}';
      execute format('alter database %I owner to ${name}', current_database());
    end $$`,
  )
  const url = new URL(h.databases[cell])
  url.username = name
  url.password = 'plain'
  return url.href
}
