// Redeeming a paycode at an agent: the network enquires what a code is worth, then redeems it under a session
// of its own.
//   wrong code → counted; five of an agent within fifteen minutes → every code of that agent is refused
// A repeated redemption gets the first response, also from an agent that is throttled: cash may depend on it.
// Locks: the agent, then the paycode, then what is held.
import {
  type enquirePaycode,
  type redeemPaycode,
  WRONG_PAYCODES_MAX,
  WRONG_PAYCODES_MINUTES,
} from '@cowrie/contract/bank/agent-connector'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { engineTx, findCell } from '#core/cells/cells.ts'
import { findSuspended } from '#core/outgoing.ts'
import { sameBytes } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { type CellId, cellOfPaycode } from '#kit/ids.ts'
import { redeem, stateAt } from './outcome.ts'
import * as sql from './paycodes.sql.ts'
import { codeDigest } from './paycodes.ts'

type Enquired = ReplyOf<typeof enquirePaycode>
type Redeemed = ReplyOf<typeof redeemPaycode>

const WINDOW_MS = WRONG_PAYCODES_MINUTES * 60_000

/** Where a code would be; one of no cell of ours is counted in the first, like any other wrong one. */
const cellFor = (ctx: Ctx, code: string): CellId =>
  findCell(ctx, cellOfPaycode(code))?.id ?? [...ctx.cells.keys()][0] ?? fail('INTERNAL', {}, 'no cell is configured')

/** The wrong codes of an agent that still count, under their lock. */
const recentOf = async (t: Tx, agentId: string): Promise<Date[]> =>
  (await sql.lockGuard(t, agentId)).filter((at) => at.getTime() > t.now.getTime() - WINDOW_MS)

const throttled = (recent: readonly Date[], now: Date): Failure | null => {
  const oldest = recent[0]
  if (!oldest || recent.length < WRONG_PAYCODES_MAX) return null
  const seconds = Math.ceil((oldest.getTime() + WINDOW_MS - now.getTime()) / 1000)
  return new Failure('AGENT_THROTTLED', { retryAfter: String(Math.max(1, seconds)) })
}

/** One more wrong code: counted in a transaction that commits, although the answer is a refusal. */
async function wrong(t: Tx, agentId: string, recent: readonly Date[], failure: Failure): Promise<Failure> {
  await sql.setGuard(t, agentId, [...recent, t.now])
  return failure
}

const overOf = async (t: Tx, row: sql.PaycodeRow): Promise<Failure | null> => {
  const state = stateAt(row, t.now)
  if (state !== 'PENDING') return new Failure('PAYCODE_OVER', { state })
  return (await findSuspended(t, [row.merchant_id])).size > 0 ? new Failure('MERCHANT_SUSPENDED') : null
}

const answerOf = (row: sql.PaycodeRow): Redeemed => ({
  sessionId: row.session_id ?? '',
  transactionReference: row.reference,
  beneficiaryName: row.beneficiary_name,
  amount: nairaText(row.kobo),
  redeemedAt: (row.ended_at ?? fail('INTERNAL', {}, `paycode ${row.id} has not ended`)).toISOString(),
})

export function createRedemptions(ctx: Ctx) {
  const decided = async <T extends object>(code: string, work: (t: Tx) => Promise<T | Failure>): Promise<T> => {
    const verdict = await engineTx(ctx, cellFor(ctx, code), work)
    if (verdict instanceof Failure) throw verdict
    return verdict
  }

  return {
    enquire: ({ paycode, agentId }: BodyOf<typeof enquirePaycode>): Promise<Enquired> =>
      decided<Enquired>(paycode, async (t) => {
        const recent = await recentOf(t, agentId)
        const refusal = throttled(recent, t.now)
        if (refusal) return refusal
        const row = await sql.byCode(t, codeDigest(ctx, paycode))
        if (!row) return wrong(t, agentId, recent, new Failure('PAYCODE_UNKNOWN'))
        return (
          (await overOf(t, row)) ?? {
            beneficiaryName: row.beneficiary_name,
            amount: nairaText(row.kobo),
            expiresAt: row.expires_at.toISOString(),
          }
        )
      }),

    redeem: async (body: BodyOf<typeof redeemPaycode>): Promise<Redeemed> => {
      const kobo = parseNaira(body.amount) ?? fail('AMOUNT_INVALID', { field: 'amount' })
      const answer = await decided<Redeemed>(body.paycode, (t) => redeemOnce(ctx, t, body, kobo))
      ctx.wake(cellFor(ctx, body.paycode))
      return answer
    },
  }
}

async function redeemOnce(
  ctx: Ctx,
  t: Tx,
  { sessionId, paycode, agentId }: BodyOf<typeof redeemPaycode>,
  kobo: bigint,
): Promise<Redeemed | Failure> {
  const digest = codeDigest(ctx, paycode)
  const recent = await recentOf(t, agentId)
  const known = await sql.bySession(t, sessionId)
  if (known) {
    const same = sameBytes(known.code_digest, digest) && known.kobo === kobo && known.agent_id === agentId
    return same ? answerOf(known) : new Failure('PAYCODE_SESSION_USED')
  }
  const refusal = throttled(recent, t.now)
  if (refusal) return refusal
  const row = await sql.lockByCode(t, digest)
  if (!row) return wrong(t, agentId, recent, new Failure('PAYCODE_UNKNOWN'))
  const over = await overOf(t, row)
  if (over) return over
  if (row.kobo !== kobo) return wrong(t, agentId, recent, new Failure('PAYCODE_OTHER_AMOUNT', { field: 'amount' }))
  return answerOf(await redeem(ctx, t, row, { sessionId, agentId }))
}
