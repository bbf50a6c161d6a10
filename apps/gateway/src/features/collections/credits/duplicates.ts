// Duplicates: the bank booked one credit twice, or more often, and each line too many is a break (DUPLICATE).
// When it takes one back, our books never had it, and nothing is posted: the break ends, and with it what the
// statement shows of the reversal. Only while that break is open: after a correction our books have the
// second one as well, and the bank's reversal is one as any other.
import { HOUSE } from '#core/ledger/chart.ts'
import { connectorOfMoney, referenceOfMoney } from '#core/routing/names.ts'
import { openBreak, resolveAll } from '#features/bank/breaks/breaks.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import * as sql from './duplicates.sql.ts'

const SAYS = 'The bank reversed a credit that it had booked twice.'
const DONE = 'It was the second booking of a credit that the bank had booked twice: nothing to post.'

/** REVERSED: it was the second booking, and its break has ended. REPEATED: it was, and is known. Null: there
 *  is no such break. */
export async function endDuplicate(
  ctx: Ctx,
  t: Tx,
  asked: { readonly bankReference: string; readonly reversalReference: string; readonly kobo: bigint },
): Promise<'REVERSED' | 'REPEATED' | null> {
  const { bankReference, reversalReference, kobo } = asked
  const connector = connectorOfMoney(bankReference)
  const sessionId = referenceOfMoney(reversalReference)
  const all = await sql.lockDuplicates(t, { connector, sessionId: referenceOfMoney(bankReference), kobo })
  if (all.length === 0) return null
  if ((await sql.findReversal(t, connector, sessionId))?.done === DONE) return 'REPEATED'
  // Of several too many each reversal takes one back.
  const twice = all.find(({ status }) => status === 'OPEN')
  if (!twice) return null
  // The statement may have shown it already.
  const common = { class: 'REVERSAL', kind: 'REVERSAL', merchantId: HOUSE } as const
  await openBreak(ctx, t, { ...common, connector, sessionId, bankKobo: kobo, ourKobo: null, says: SAYS })
  const reversal = await sql.findReversal(t, connector, sessionId)
  await resolveAll(t, [
    { id: twice.id, merchantId: twice.merchant_id, done: `The bank has taken the second one back: ${sessionId}.` },
    ...(reversal ? [{ id: reversal.id, merchantId: reversal.merchant_id, done: DONE }] : []),
  ])
  return 'REVERSED'
}
