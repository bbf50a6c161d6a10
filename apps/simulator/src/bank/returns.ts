// A credit is returned to its sender, by order of the gateway.
//   the credit is known, the amount is its own, the sender's account is open → one return, whatever is
//     repeated
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import { refusesReturns } from '../kit/names.ts'
import { findCredit, findReturn, insertReturn, isReversed } from './returns.sql.ts'
import { newSessionId } from './transfers.ts'

export type Order = { readonly sessionId: string; readonly kobo: bigint; readonly reason: string }
export type Returned =
  | { readonly returnSessionId: string }
  | { readonly refusal: 'no such credit' | 'other amount' | 'account closed' | 'reversed' }

export async function returnCredit(pool: pg.Pool, clock: Clock, order: Order): Promise<Returned> {
  const { sessionId, kobo, reason } = order
  const credit = await findCredit(pool, sessionId)
  if (credit === null) return { refusal: 'no such credit' }
  if (credit.kobo !== kobo) return { refusal: 'other amount' }
  if (refusesReturns(credit.sender_account_number)) return { refusal: 'account closed' }
  if (await isReversed(pool, sessionId, clock.now())) return { refusal: 'reversed' }
  const returnSessionId = newSessionId(credit.bank_code, clock.now())
  return { returnSessionId: await insertReturn(pool, { sessionId, returnSessionId, reason, at: clock.now() }) }
}

export type ShownTransfer = {
  readonly sessionId: string
  readonly amount: string
  readonly returned: boolean
  readonly returnSessionId?: string
  /** What the sender reads. */
  readonly reason?: string
}

/** What the sender sees of a transfer; null when there is none. */
export async function showTransfer(pool: pg.Pool, sessionId: string): Promise<ShownTransfer | null> {
  const row = await findReturn(pool, sessionId)
  if (row === null) return null
  const { return_session_id: returnSessionId, reason } = row
  return {
    sessionId,
    amount: nairaText(row.kobo),
    returned: returnSessionId !== null,
    ...(returnSessionId !== null && reason !== null && { returnSessionId, reason }),
  }
}
