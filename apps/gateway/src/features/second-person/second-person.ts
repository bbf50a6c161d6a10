// Second person: above what the merchant chose, a transfer, batch or refund waits for one of its people: a line in the merchant's queue, put
// there in the transaction that holds the money, and a mail to the owner. The code by mail does not release it. Nobody decides within a day:
// it ends like one that nobody authorised.
import { nairaText } from '@cowrie/contract/kit/money'
import { AUTHORISE_WITHIN_HOURS } from '@cowrie/contract/payouts/disbursements'
import { releasePayout, releaseRefund } from '@cowrie/contract/payouts/second-person'
import type { Actor } from '../../core/access/actor.ts'
import type { Merchant } from '../../core/access/merchants.ts'
import { queueAct } from '../../core/acts/approvals.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import { queueMail } from '../mails/mails.ts'

const HOUR_MS = 3_600_000
const REASON = 'above the amount that needs a second person'

/** Until when somebody may authorise what was accepted then. */
export const authoriseBy = (acceptedAt: Date): Date => new Date(acceptedAt.getTime() + AUTHORISE_WITHIN_HOURS * HOUR_MS)

export const needsPerson = ({ transfers: { approvalAboveKobo } }: Merchant, kobo: bigint): boolean =>
  approvalAboveKobo !== null && kobo > approvalAboveKobo

/** Who asks: the person who sent the request, else whoever has the key. Only a person approves, and never what they asked for. */
const askerOf = ({ apiKey, person }: Merchant): Actor =>
  person ?? {
    kind: 'key',
    side: 'merchant',
    personId: null,
    name: apiKey,
    role: null,
    may: () => true,
    address: null,
    requestId: null,
  }

/** What may wait: the act that lets it go, what it is called, and what becomes of it if nobody decides. */
const KINDS = {
  TRANSFER: { act: releasePayout, called: 'A transfer', ends: 'expires' },
  BATCH: { act: releasePayout, called: 'A batch', ends: 'expires' },
  REFUND: { act: releaseRefund, called: 'A refund', ends: 'fails' },
} as const

export async function askPerson(
  t: Tx,
  merchant: Merchant,
  ids: { readonly approval: bigint; readonly mail: bigint },
  what: { readonly kind: keyof typeof KINDS; readonly reference: string; readonly to: string; readonly kobo: bigint },
): Promise<void> {
  const { kind, reference, to, kobo } = what
  const { act, called, ends } = KINDS[kind]
  const input = { kind, reference, amount: nairaText(kobo), to: to.slice(0, 300) }
  const call = { merchant, cell: t.cell, input, by: askerOf(merchant), reason: REASON, approvalId: null }
  const waiting = await queueAct(t, ids.approval, act, call, { expiresAt: authoriseBy(t.now) })
  await queueMail(t, ids.mail, merchant, {
    subject: `${called} waits for approval: ${reference}`,
    text: [
      `NGN ${nairaText(kobo)} to ${to}, reference ${reference}, is above the amount for which you ask for a second person. Its money is held.`,
      `One of your people with the right to approve decides about it in the dashboard: ${waiting}. If nobody does within ${AUTHORISE_WITHIN_HOURS} hours, it ${ends} and the money is back in the wallet.`,
    ].join('\n\n'),
  })
}

/** An act that only the queue calls: whoever asks for it by name learns that no such act exists. */
export const onlyQueued =
  (act: { readonly id: string }) =>
  async (_: Ctx, { approvalId }: { readonly approvalId: bigint | null }): Promise<null> =>
    approvalId === null ? fail('ACT_UNKNOWN', { act: act.id }) : null
