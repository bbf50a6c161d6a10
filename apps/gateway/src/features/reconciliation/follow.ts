// What is done by itself about a line that the bank has booked and we have not: what its notice would have done, by the same
// commands. Each answers in words what was done; null leaves the break to a person.
import { nairaText } from '@cowrie/contract/money'
import type { Ctx } from '../../kit/ctx.ts'
import { Failure } from '../../kit/fail.ts'
import type { Payouts } from '../disbursements/bank.ts'
import type { Credits } from '../transactions/credits.ts'
import type { Reversals } from '../transactions/reversals.ts'
import type { Compared } from './match.sql.ts'

export type Hands = { readonly credits: Credits; readonly reversals: Reversals; readonly payouts: Payouts }
type Follow = (hands: Hands, line: Compared) => Promise<string | null>

/** No notice came: it is credited as if it had, and judged as of the moment the bank booked it. */
const creditIt: Follow = async ({ credits }, line) => {
  if (!line.bank_code || !line.account_number || !line.sender_name) return null
  const { outcome } = await credits.credit({
    sessionId: line.session_id,
    bankCode: line.bank_code,
    accountNumber: line.account_number,
    amount: nairaText(line.kobo),
    senderName: line.sender_name,
    senderAccountNumber: line.sender_account_number ?? '',
    senderBankCode: line.sender_bank_code ?? '',
    ...(line.says === '' ? {} : { narration: line.says }),
    paidAt: line.booked_at.toISOString(),
    bookedAt: line.booked_at,
  })
  return outcome === 'REPEATED' ? 'Its notice came after all.' : `Credited from the statement: ${outcome}.`
}

const takeItBack: Follow = async ({ reversals }, line) => {
  if (!line.of_session_id || !line.bank_code || !line.account_number) return null
  const { outcome } = await reversals.hear({
    sessionId: line.of_session_id,
    reversalSessionId: line.session_id,
    bankCode: line.bank_code,
    accountNumber: line.account_number,
    amount: nairaText(line.kobo),
    reason: line.says,
    at: line.booked_at.toISOString(),
  })
  return outcome === 'REVERSED' ? 'Taken back from the statement.' : null
}

/** The bank paid, or took back, a transfer that we still take for something else. What it had refused before stays with a person: its money
 *  is free. */
const endPayout: Follow = async ({ payouts }, line) => {
  const isBack = line.kind === 'PAYOUT_REVERSAL'
  const follows = line.state === 'PENDING' || (isBack && line.state === 'SUCCESS')
  if (!follows || line.kobo !== line.our_kobo) return null
  const status = isBack ? 'REVERSED' : 'SUCCESS'
  await payouts.hear({ sessionId: line.session_id, status, message: isBack ? 'Reversed by the bank' : 'Paid' })
  return `Told by the statement: ${status}.`
}

/** By the source that has the line, or by the kind of a line that none has. */
const FOLLOW: Readonly<Record<string, Follow>> = {
  CREDIT: creditIt,
  REVERSAL: takeItBack,
  disbursement: endPayout,
}

/** Follows the bank; null when nothing can be done by itself. */
export async function follow(ctx: Ctx, hands: Hands, line: Compared): Promise<string | null> {
  try {
    return (await FOLLOW[line.source ?? line.kind]?.(hands, line)) ?? null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    ctx.log.warn('a line of the statement could not be followed', { kind: line.kind, code: error.code })
    return null
  }
}
