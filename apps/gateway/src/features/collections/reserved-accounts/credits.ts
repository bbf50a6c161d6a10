// Money that comes to a reserved account: each transfer makes a transaction of its own.
//   from somebody who may pay in → PAID        from anybody else, above a limit, or for an account that takes
//     none → FAILED, and the
//   money in suspense
// Books: those of any collection (collections/credits.ts), or of suspense. The account is locked while it is
// judged, so that a transfer meets a deallocation or a change of sources either before it or after it.
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { payerKey } from '@cowrie/contract/collections/payment-policy'
import { transactionMachine } from '@cowrie/contract/collections/transactions'
import { type Kobo, parseNaira } from '@cowrie/contract/kit/money'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { engineTx, isRefusal, readAll } from '#core/cells/cells.ts'
import type { Booked, CreditOutcome, CustomerAccounts } from '#core/feature.ts'
import { mover } from '#core/ledger/move.ts'
import { countNew, freshRow } from '#features/collections/credits/counting.ts'
import { suspendIn } from '#features/collections/credits/suspense.ts'
import { countPayments } from '#features/collections/limit-profiles/limit-profiles.ts'
import type { Suspended } from '#features/collections/payment-policy/payment-policy.ts'
import { isOpen } from '#features/collections/transactions/status.ts'
import { makeTransactions, type NewTransaction } from '#features/collections/transactions/transactions.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './credits.sql.ts'
import { allows, identityDigest } from './sources.ts'

const refuseMoves = mover(transactionMachine, {
  name: 'transaction_refuse',
  set: { payment_method: 'text', closed_at: 'timestamptz' },
})

/** Told by the bank, or shown by its statement. */
type Arriving = CreditNotice & Booked

/** A transfer to an account that is somebody's, and what is done with it: null, it is counted. */
type Arrival = {
  readonly at: number
  readonly row: sql.HolderRow
  readonly notice: Arriving
  readonly paid: Kobo
  readonly merchant: Merchant
  refused: Suspended | null
}
type Outcome = CreditOutcome | 'UNKNOWN'

function judge(ctx: Ctx, row: sql.HolderRow, notice: CreditNotice, merchant: Merchant): Suspended | null {
  const { policy, barred, suspended } = merchant
  if (suspended) return { reason: 'MERCHANT_SUSPENDED', next: 'RETURN' }
  const payer = { bankCode: notice.senderBankCode, accountNumber: notice.senderAccountNumber }
  const next = policy.extra
  if (barred.size > 0 && barred.has(payerKey(payer))) return { reason: 'PAYER_BARRED', next }
  if (row.status === 'DEALLOCATED') return { reason: 'ACCOUNT_DEALLOCATED', next }
  // With an invoice attached the credit is its transaction's and does not come here.
  if (row.type === 'INVOICE') return { reason: 'ACCOUNT_INACTIVE', next }
  const { senderBvn } = notice
  const bvnDigest = senderBvn === undefined || !row.restricted ? undefined : identityDigest(ctx.keys, senderBvn)
  const who = { ...payer, name: notice.senderName, ...(bvnDigest ? { bvnDigest } : {}) }
  return allows(row, who) ? null : { reason: 'SOURCE_NOT_ALLOWED', next }
}

const initOf = ({ row, paid, merchant, refused }: Arrival) => ({
  merchant,
  kobo: paid,
  split: refused ? null : row.split,
  product: { type: 'RESERVED_ACCOUNT' as const, reference: row.reference },
  body: {
    amount: '',
    customerName: row.customer_name,
    customerEmail: row.customer_email,
    paymentDescription: row.name,
    currencyCode: 'NGN',
    contractCode: row.contract_code,
    paymentMethods: ['ACCOUNT_TRANSFER' as const],
  },
})

/** A transaction of its own that is over at once, and the money explained under its reference. */
async function refuseAll(ctx: Ctx, t: Tx, refusals: readonly (Arrival & { made: NewTransaction })[]): Promise<void> {
  if (refusals.length === 0) return
  await refuseMoves(
    t,
    refusals.map(({ made }) => ({
      on: 'fail' as const,
      id: made.id,
      merchantId: made.merchantId,
      from: 'PENDING' as const,
      set: { payment_method: 'ACCOUNT_TRANSFER', closed_at: t.now },
    })),
  )
  for (const { made, notice, paid, merchant, refused } of refusals) {
    if (!refused) continue
    const row = { ...freshRow(made, t.now), status: 'FAILED', version: 2 }
    await suspendIn(ctx, t, { row, notice, paid, merchant, paidAt: notice.bookedAt }, refused)
  }
}

/** What passed so far and is above a limit of its account's profile is refused too. It is always returned: a
 *  limit is not for the merchant to hold money against. */
async function holdToLimits(t: Tx, arrivals: Arrival[]): Promise<void> {
  const limited = arrivals.filter(({ row, refused }) => row.limit_profile_id !== null && !refused)
  if (limited.length === 0) return
  const reasons = await countPayments(
    t,
    limited.map(({ row, paid }) => ({ reservedId: row.id, kobo: paid })),
  )
  for (const [at, arrival] of limited.entries()) {
    const reason = reasons[at]
    if (reason) arrival.refused = { reason, next: 'RETURN' }
  }
}

async function takeIn(ctx: Ctx, t: Tx, notices: readonly Arriving[], merchants: Merchants): Promise<Outcome[]> {
  const rows = await sql.lockHolders(t, notices)
  const arrivals: Arrival[] = []
  for (const [at, row] of rows.entries()) {
    if (!row || row.known) continue
    const notice = notices[at] as Arriving
    const merchant = await merchants.must(t.cell, row.merchant_id)
    const paid = parseNaira(notice.amount) ?? fail('AMOUNT_INVALID', { field: 'amount' })
    arrivals.push({ at, row, notice, paid, merchant, refused: judge(ctx, row, notice, merchant) })
  }
  if (arrivals.length > 0) {
    await holdToLimits(t, arrivals)
    const made = await makeTransactions(ctx, t, arrivals.map(initOf), { expiresAt: t.now, timed: false })
    const all = arrivals.map((arrival, at) => ({ ...arrival, made: made[at] as NewTransaction }))
    await countNew(
      ctx,
      t,
      all.filter(({ refused }) => !refused),
    )
    await refuseAll(
      ctx,
      t,
      all.filter(({ refused }) => refused),
    )
  }
  const taken = new Map(arrivals.map(({ at, refused }) => [at, refused ? 'SUSPENDED' : 'COUNTED'] as const))
  return rows.map((row, at) => (row ? (taken.get(at) ?? 'REPEATED') : 'UNKNOWN'))
}

export function createReservedCredits(ctx: Ctx, merchants: Merchants): CustomerAccounts {
  /** All in one transaction; when the database refuses that (a session that comes twice at once), each in its
   *  own. */
  const take = async (cell: CellId, notices: readonly Arriving[]): Promise<(Outcome | Error)[]> => {
    try {
      return await engineTx(ctx, cell, (t) => takeIn(ctx, t, notices, merchants))
    } catch (error) {
      if (notices.length === 1 || !isRefusal(error)) return notices.map(() => error as Error)
      const each: (Outcome | Error)[] = []
      for (const notice of notices) each.push(...(await take(cell, [notice])))
      return each
    }
  }

  return {
    take,
    enquire: async (cell, { bankCode, accountNumber }) => {
      const found = await readAll(ctx, cell, (r) => sql.findHolder(r, accountNumber, bankCode))
      if (!found) return null
      const { suspended } = await merchants.must(cell, found.merchant_id)
      const invoice = found.invoice_status === null ? null : { ...found, status: found.invoice_status }
      const invoiced = invoice !== null && isOpen(invoice, ctx.clock.now())
      const open = !suspended && found.status === 'RESERVED' && (found.type === 'GENERAL' || invoiced)
      return { accountName: found.name, open, expiresAt: invoiced ? found.expires_at.toISOString() : null }
    },
  }
}
