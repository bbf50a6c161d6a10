// Charges whose acquirer stays silent, ended by two people (screens/work).
//   the acquirer says something → that counts, and nothing is decided
//   nothing, or that it never received the charge → REVERSED, because it has confirmed in writing that it
//     took nothing or gave it back
// Books: none; what was never approved was never posted. Who waits: nobody.
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './cards.sql.ts'
import { inquireCharge, reverseAt } from './issuer.ts'
import { confirmReversed, giveUp } from './outcome.ts'

export type Unanswered = sql.ChargeRow

export async function findUnanswered(ctx: Ctx, merchant: Merchant, reference: string): Promise<sql.ChargeRow | null> {
  const charge = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.findOwn(r, merchant.id, reference))
  return charge && sql.isWaiting(charge) ? charge : null
}

/** What the acquirer says of it now; null when it says nothing, or knows nothing of it. One whose money is
 *  asked back is asked for that once more; of another this is a question and nothing else. */
export async function hear(ctx: Ctx, cell: CellId, charge: sql.ChargeRow): Promise<string | null> {
  const said = await (charge.status === 'REVERSING' ? reverseAt(ctx, cell, charge) : inquireCharge(ctx, cell, charge))
  return said.kind === 'yes' ? said.value.state : null
}

/** In the caller's transaction; refuses when the acquirer's own word came first. */
export async function endUnanswered(t: Tx, seen: sql.ChargeRow): Promise<string> {
  await sql.lockById(t, seen.merchant_id, seen.transaction_id)
  const charge = await sql.find(t, seen.merchant_id, seen.id)
  if (charge === null || charge.version !== seen.version || !sql.isWaiting(charge))
    return fail('WRONG_STATE', {}, `card charge ${seen.reference} has moved meanwhile`)
  if (charge.status !== 'REVERSING') await giveUp(t, charge, 'The acquirer has confirmed that it took nothing')
  const given = (await sql.find(t, seen.merchant_id, seen.id)) ?? charge
  if (!(await confirmReversed(t, given))) fail('WRONG_STATE', {}, `card charge ${seen.reference} has moved meanwhile`)
  return 'REVERSED'
}
