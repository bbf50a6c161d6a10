// How a bank is asked to pay out, whoever the money is for: sent once under a session; then asked about, under the same
// session, until it is known; barred there when the bank never heard of it, so that what is still on its way cannot be paid
// after its money was freed. Silence changes nothing.
import type { PayoutAnswer } from '@cowrie/contract/bank/connector'
import type { Ctx, Outcome } from '../kit/ctx.ts'
import { createPermits } from '../kit/permits.ts'

/** How long whoever sends has to ask the bank by itself, before a timer does. */
export const LOOK_AFTER_MS = 15_000

/** Between two questions: short while the bank is silent, because it may be back any moment; longer once it has said that
 *  the payout is under way, because it tells us by itself when it is done. */
const SILENT_MS = [5_000, 10_000, 20_000, 30_000, 45_000]
const UNDER_WAY_MS = [30_000, 60_000, 300_000, 900_000]

/** When to ask next, after so many questions and this answer to the last of them. */
export function nextQuestion(now: Date, questions: number, { kind }: Outcome<PayoutAnswer>): Date {
  const pauses = kind === 'yes' ? UNDER_WAY_MS : SILENT_MS
  return new Date(now.getTime() + (pauses[Math.min(questions, pauses.length - 1)] as number))
}

/** A payout is asked about only if no other question has been planned meanwhile: a run that did not get to the end of its
 *  batch comes again, and a second chain of questions would never end. */
export const isAskedLater = (row: { question_at: Date | null }, now: Date): boolean =>
  row.question_at !== null && row.question_at > now

/** What the bank says of a session; after `yes` it has heard of it, or never will pay it. */
export async function askBank(ctx: Ctx, sessionId: string): Promise<Outcome<PayoutAnswer>> {
  const outcome = await ctx.bank.inquirePayout({ sessionId })
  return outcome.kind === 'yes' && outcome.value.status === 'UNKNOWN' ? ctx.bank.barPayout({ sessionId }) : outcome
}

const PAID = 'Transaction successful'
export type PayoutEnd = { readonly on: 'succeed' | 'fail' | 'reverse'; readonly description: string }

/** What an answer means for a payout that is under way: its ends, in their order. A refusal of the message is not the bank's
 *  word about the money; the question that follows gets that. */
export function endsOf(outcome: Outcome<Pick<PayoutAnswer, 'status' | 'message'>>): readonly PayoutEnd[] {
  if (outcome.kind !== 'yes') return []
  const { status, message } = outcome.value
  switch (status) {
    case 'SUCCESS':
      return [{ on: 'succeed', description: PAID }]
    case 'FAILED':
      return [{ on: 'fail', description: message }]
    case 'REVERSED':
      return [
        { on: 'succeed', description: PAID },
        { on: 'reverse', description: message },
      ]
    case 'PENDING':
    case 'UNKNOWN':
      return []
  }
}

/** So many in one commit, so many commits at once. */
const SENT_TOGETHER = 25
const SENDING_AT_ONCE = 4

/** Sends what waits for a worker, some at a time: the wish to send is committed only when there is room to send, or the
 *  question after it would come first and find the bank knowing nothing. */
export function inTurns<Where>(
  sendSome: (where: Where, ids: readonly bigint[]) => Promise<void>,
): (where: Where, ids: readonly bigint[]) => Promise<void> {
  const permits = createPermits(SENDING_AT_ONCE)
  return async (where, ids) => {
    const parts = Array.from({ length: Math.ceil(ids.length / SENT_TOGETHER) }, (_, at) =>
      ids.slice(at * SENT_TOGETHER, (at + 1) * SENT_TOGETHER),
    )
    await Promise.all(parts.map((part) => permits(() => sendSome(where, part))))
  }
}

/** What a bank tells by itself. */
export type Heard = {
  readonly sessionId: string
  readonly status: 'SUCCESS' | 'FAILED' | 'REVERSED'
  readonly message: string
}
/** False: no payout of this kind has the session. */
export type Hear = (notice: Heard) => Promise<boolean>
