// Second person: above what the merchant chose, a transfer, batch or refund waits for one of its people: a
// line in the merchant's queue, put there in the transaction that holds the money, and a mail to the owner.
// The code by mail does not release it. Nobody decides within a day: it ends like one that nobody authorised.
// What an agent's key asks for waits in the same way, whatever its amount.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { nairaText } from '@cowrie/contract/kit/money'
import { AGENT_SCOPE } from '@cowrie/contract/kit/permissions'
import { AUTHORISE_WITHIN_HOURS } from '@cowrie/contract/payouts/disbursements'
import { releasePayout, releaseRefund } from '@cowrie/contract/wallets/second-person'
import type { Actor } from '#core/access/actor.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { countAsked, queueAct } from '#core/acts/approvals.ts'
import { readAs } from '#core/cells/cells.ts'
import { hasAnybody } from '#features/access/people/team.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

const REASON = 'above the amount that needs a second person'
const PROPOSED = 'proposed with an API key of scope AGENT'
/** Proposals of one key that may wait at once: each holds money and is mailed. Asked before the money is
 *  held, so that requests which race may pass it by their number. */
export const PROPOSALS_MAX = 20

/** Until when somebody may authorise what was accepted then. */
export const authoriseBy = (acceptedAt: Date): Date => new Date(acceptedAt.getTime() + AUTHORISE_WITHIN_HOURS * HOUR_MS)

const isAbove = ({ transfers: { approvalAboveKobo } }: Merchant, kobo: bigint): boolean =>
  approvalAboveKobo !== null && kobo > approvalAboveKobo
/** Also of every amount, where an agent's key asks. */
export const needsPerson = (merchant: Merchant, kobo: bigint): boolean =>
  merchant.key?.agent === true || isAbove(merchant, kobo)

/** Refuses what an agent proposes if nobody could decide about it, or if much waits already. Anybody else
 *  passes. */
export async function needDecider(ctx: Ctx, { cell, id, key }: Merchant): Promise<void> {
  if (!key?.agent) return
  if (!(await hasAnybody(ctx, { cell, id }, 'payouts.approve'))) fail('PROPOSAL_UNDECIDABLE')
  const waiting = await readAs(ctx, cell, id, (r) => countAsked(r, id, key.apiKey))
  if (waiting >= PROPOSALS_MAX) fail('PROPOSALS_TOO_MANY')
}

/** Who asks: the person who sent the request, else whoever has the key. Only a person approves, and never
 *  what they asked for, also by a key that they made. Where the merchant wants no second person, whoever made
 *  an agent's key may decide what the agent proposes: one person's will is enough there. */
export const toAsker = ({ apiKey, key, person }: Merchant, wantsTwo: boolean): Actor =>
  person ?? {
    kind: 'key',
    side: 'merchant',
    personId: null,
    name: key?.apiKey ?? apiKey,
    role: key?.agent ? AGENT_SCOPE : null,
    ...(key && wantsTwo ? { makers: key.makers } : {}),
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
  const { key } = merchant
  const reason = key?.agent ? PROPOSED : REASON
  const why = key?.agent
    ? `was proposed with your API key ${key.apiKey} (${key.name})`
    : 'is above the amount for which you ask for a second person'
  const call = {
    merchant,
    cell: t.cell,
    input,
    by: toAsker(merchant, isAbove(merchant, kobo)),
    reason,
    approvalId: null,
  }
  const waiting = await queueAct(t, ids.approval, act, call, { expiresAt: authoriseBy(t.now) })
  await queueMail(t, ids.mail, merchant, {
    subject: `${called} waits for approval: ${reference}`,
    text: [
      `NGN ${nairaText(kobo)} to ${to}, reference ${reference}, ${why}. Its money is held.`,
      `One of your people with the right to approve decides about it in the dashboard: ${waiting}. If nobody does within ${AUTHORISE_WITHIN_HOURS} hours, it ${ends} and the money is back in the wallet.`,
    ].join('\n\n'),
  })
}

/** An act that only the queue calls: whoever asks for it by name learns that no such act exists. */
export const onlyQueued =
  (act: { readonly id: string }) =>
  async (_: Ctx, { approvalId }: { readonly approvalId: bigint | null }): Promise<null> =>
    approvalId === null ? fail('ACT_UNKNOWN', { act: act.id }) : null
