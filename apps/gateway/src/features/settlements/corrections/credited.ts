// What a merchant was credited with and should not have been, where a break shows it: it is taken back out of
// the wallet that got it, and what that does not hold is owed (features/wallets/receivables).
import { HOUSE } from '#core/ledger/chart.ts'
import { naira } from '#features/events/mails/mail-look.ts'
import type { Difference } from '#features/settlements/reconciliation/difference.ts'
import type { Read } from '#kit/ctx.ts'
import * as sql from './corrections.sql.ts'

export type Credited = {
  /** Of a customer of the merchant; null: the merchant's own. */
  readonly customer: { readonly id: bigint; readonly accountNumber: string; readonly bankCode: string } | null
  /** What of its fee goes back with it. */
  readonly feeKobo: bigint
}

const absolute = (kobo: bigint): bigint => (kobo < 0n ? -kobo : kobo)

/** The money is not the bank's any more, or never was: as large a part of its fee is returned. */
function credited(row: sql.CreditedRow | null, { kobo, row: { our_kobo } }: Difference): Credited {
  const customer =
    row?.id != null && row.account_number !== null && row.bank_code !== null
      ? { id: row.id, accountNumber: row.account_number, bankCode: row.bank_code }
      : null
  const whole = our_kobo ?? 0n
  const feeKobo = row && whole > 0n ? (row.fee_kobo * absolute(kobo)) / whole : 0n
  return { customer, feeKobo }
}

/** What its merchant was credited with; null where nobody was, or where the break names no merchant. */
export async function findCredited(read: Read, found: Difference): Promise<Credited | null> {
  const { row, kobo, state } = found
  if (kobo >= 0n || row.merchant_id === HOUSE) return null
  if (row.kind === 'PAYOUT' || row.kind === 'PAYOUT_REVERSAL') return credited(await sql.findPayer(read, row), found)
  if (row.kind === 'REVERSAL' || (row.kind === 'RETURN' && state === 'REASSIGNED')) return credited(null, found)
  const got =
    row.kind === 'CREDIT'
      ? await sql.findReceiver(read, row)
      : row.kind === 'DEBIT'
        ? await sql.findDebited(read, row)
        : null
  return got && credited(got, found)
}

/** Why it is taken back, as its merchant is told. */
export function explainTaking({ row, kobo }: Difference): string {
  const amount = naira(absolute(kobo))
  const reference = `the bank's reference is ${row.session_id}`
  if (row.kind === 'PAYOUT')
    return `A bank has paid ${amount} that it had said it would not pay (${reference}), and that had therefore been returned to you.`
  if (row.kind === 'PAYOUT_REVERSAL')
    return `${amount} had been returned to you because a bank said that it had reversed a payment (${reference}), and it has not.`
  if (row.kind === 'CREDIT' || row.kind === 'DEBIT')
    return `${amount} had been credited to you for a payment (${reference}) that the bank has not paid to us.`
  return `A bank has taken back ${amount} that had been credited to you (${reference}).`
}
