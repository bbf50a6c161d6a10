// What a merchant was credited with and should not have been, where a break shows it: it is taken back out of
// the wallet that got it, and what that does not hold is owed (features/wallets/receivables).
import { HOUSE } from '#core/ledger/chart.ts'
import { takenBack } from '#features/bank/breaks/breaks.ts'
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
function credited(row: sql.CreditedRow | null, { kobo }: Difference): Credited {
  const customer =
    row?.id != null && row.account_number !== null && row.bank_code !== null
      ? { id: row.id, accountNumber: row.account_number, bankCode: row.bank_code }
      : null
  const feeKobo = row && row.kobo > 0n ? (row.fee_kobo * absolute(kobo)) / row.kobo : 0n
  return { customer, feeKobo }
}

/** States of ours in which what a payout had taken was given back. */
const GIVEN_BACK: ReadonlySet<string> = new Set(['FAILED', 'EXPIRED', 'REVERSED'])

/** What its merchant was credited with; null where nobody was, or where the break names no merchant. What a
 *  bank pays, or takes, on its own is the bank's: a payout made twice or of another amount, money that we had
 *  returned, a second reversal of one credit. */
export async function findCredited(read: Read, found: Difference): Promise<Credited | null> {
  const { row, kobo, line, state } = found
  if (kobo >= 0n || row.merchant_id === HOUSE) return null
  switch (row.kind) {
    case 'PAYOUT':
      return row.class === 'MISSING_HERE' && GIVEN_BACK.has(state ?? '')
        ? credited(await sql.findPayer(read, row), found)
        : null
    case 'PAYOUT_REVERSAL':
      return (await sql.isPaidThere(read, row)) ? credited(await sql.findPayer(read, row), found) : null
    case 'CARD_REFUND':
    case 'CARD_REFUND_REVERSAL':
      return credited(null, found)
    case 'DEBIT': {
      const got = await sql.findDebited(read, row)
      return got && credited(got, found)
    }
    case 'CREDIT':
      return ofCredit(read, found, row.session_id)
    case 'RETURN':
      return state === 'REASSIGNED' && line?.of_session_id ? ofCredit(read, found, line.of_session_id) : null
    case 'REVERSAL': {
      if (!line?.of_session_id) return null
      if (line.of_session_id !== row.session_id) return ofCredit(read, found, line.of_session_id)
      const got = await sql.findDebited(read, row)
      return got && credited(got, found)
    }
    default:
      return null
  }
}

/** Of a credit that its merchant still has: no bank has reversed it, and no correction has taken so much of
 *  it. */
async function ofCredit(read: Read, found: Difference, sessionId: string): Promise<Credited | null> {
  const { merchant_id: merchantId, connector } = found.row
  const got = await sql.findReceiver(read, { merchant_id: merchantId, connector, session_id: sessionId })
  if (!got) return null
  const left = got.kobo - (await takenBack(read, { merchantId, connector, sessionId }))
  return left >= absolute(found.kobo) ? credited(got, found) : null
}

/** Why it is taken back, as its merchant is told. */
export function explainTaking({ row, kobo }: Difference): string {
  const amount = naira(absolute(kobo))
  const reference = `the bank's reference is ${row.session_id}`
  if (row.kind === 'PAYOUT')
    return `A bank has paid ${amount} that it had said it would not pay (${reference}), and that had therefore been returned to you.`
  if (row.kind === 'PAYOUT_REVERSAL')
    return `${amount} had been returned to you because a bank said that it had reversed a payment (${reference}), and it has not.`
  if (row.kind === 'CARD_REFUND')
    return `A refund of ${amount} to a card was made that its issuer had said it would not make (its reference is ${row.session_id}), and that had therefore been returned to you.`
  if (row.kind === 'CARD_REFUND_REVERSAL')
    return `${amount} had been returned to you because an issuer said that it had reversed a refund to a card (its reference is ${row.session_id}), and it has not.`
  if (row.kind === 'CREDIT' || row.kind === 'DEBIT')
    return `${amount} had been credited to you for a payment (${reference}) that the bank has not paid to us.`
  return `A bank has taken back ${amount} that had been credited to you (${reference}).`
}
