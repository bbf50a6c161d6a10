// The mandate scheme: it asks customers, and notifies the gateway of what they decide.
//   registered → WAITING → [token paid] ACTIVE | [refused] DECLINED; ended by the customer, where that is
//     allowed, or by the gateway → CANCELLED
// Nothing expires here, but after its deadline a mandate can no longer be authorised.
import { findBank } from '@cowrie/contract/bank/banks'
import type { MandateAnswer } from '@cowrie/contract/bank/mandate-connector'
import { TOKEN_KOBO } from '@cowrie/contract/collections/direct-debit'
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import { momentWords, nairaWords } from '../kit/frame.ts'
import { LEASE_SECONDS, type Notices } from '../kit/notices.ts'
import { decideMandate, type Mandate, type MandateNoticeStatus } from './mandates.sql.ts'

export type Scheme = { readonly pool: pg.Pool; readonly clock: Clock; readonly notices: Notices }
export type Decision = 'authorize' | 'decline' | 'cancel'
export type Decided =
  | { readonly kind: 'decided'; readonly mandate: Mandate }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly mandate: Mandate; readonly why: string }

/** Where the token goes. */
export const COLLECTION = { accountName: 'SANDBOX MANDATE TOKENS', accountNumber: '5050505050', bankCode: '50515' }

export const bankName = (code: string): string => findBank(code)?.name ?? code

const instructionOf = ({ terms }: Mandate): string =>
  terms === null
    ? 'The mandate has ended.'
    : `Pay a token of ${nairaWords(TOKEN_KOBO)} from account ${terms.accountNumber} (${bankName(terms.bankCode)}) to account ${COLLECTION.accountNumber}, ${COLLECTION.accountName}, ${bankName(COLLECTION.bankCode)}. This authorises the mandate. Pay by ${momentWords(terms.authorizeBy)}, West Africa Time.`

export const answerOf = (mandate: Mandate, address: string): MandateAnswer => ({
  mandateCode: mandate.mandateCode,
  status: mandate.status,
  authorizationMessage: instructionOf(mandate),
  authorizationLink: `${address}/mandates/${encodeURIComponent(mandate.mandateCode)}?amount=${nairaText(TOKEN_KOBO)}`,
})

const STATUS_AFTER: Readonly<Record<Decision, MandateNoticeStatus>> = {
  authorize: 'ACTIVE',
  decline: 'DECLINED',
  cancel: 'CANCELLED',
}

export const isLate = ({ terms, status }: Mandate, now: Date): boolean =>
  status === 'WAITING' && terms !== null && terms.authorizeBy <= now

/** Why a customer cannot decide so; null when it is possible. */
function objection(mandate: Mandate, decision: Decision, now: Date): string | null {
  const { status, terms } = mandate
  if (decision === 'cancel') {
    if (status !== 'ACTIVE') return 'Only an active mandate can be cancelled.'
    return terms?.customerCancels ? null : 'Only the merchant can cancel this mandate.'
  }
  if (status !== 'WAITING') return 'This mandate has already been authorised, declined or cancelled.'
  return decision === 'authorize' && isLate(mandate, now) ? 'The time to authorise this mandate has passed.' : null
}

/** What the customer decides. Answers once the gateway was notified, or did not respond: then it is notified
 *  later. */
export async function decide(scheme: Scheme, mandateCode: string, decision: Decision): Promise<Decided> {
  const now = scheme.clock.now()
  let why: string | null = null
  const decided = await decideMandate(scheme.pool, mandateCode, now, LEASE_SECONDS, (mandate) => {
    if (mandate.status === STATUS_AFTER[decision]) return null // asked again
    why = objection(mandate, decision, now)
    return why === null ? STATUS_AFTER[decision] : null
  })
  if (decided === null) return { kind: 'unknown' }
  const { mandate, noticeId } = decided
  if (why !== null) return { kind: 'refused', mandate, why }
  if (noticeId !== null)
    await scheme.notices.deliver({ id: noticeId, mandate: { mandateCode, status: STATUS_AFTER[decision], at: now } })
  return { kind: 'decided', mandate }
}
