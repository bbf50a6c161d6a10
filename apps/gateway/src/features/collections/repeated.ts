// A credit that the bank tells again: nothing is counted, but what it says now is compared with what was taken.
import { type Kobo, nairaText } from '@cowrie/contract/kit/money'
import { engineTx, readAll } from '../../core/cells.ts'
import type { Ctx } from '../../kit/ctx.ts'
import type { CellId } from '../../kit/ids.ts'
import { openBreak } from '../breaks/breaks.ts'
import * as sql from './credits.sql.ts'

/** A session stands for one amount. A repetition with another one changes nothing, and is a break for the operator. */
export async function compareRepeated(ctx: Ctx, cell: CellId, sessionId: string, paid: Kobo): Promise<void> {
  const taken = await readAll(ctx, cell, (r) => sql.findTaken(r, sessionId))
  if (!taken || taken.kobo === paid) return
  const { merchant_id: merchantId, kobo } = taken
  const says = `The bank repeats the session with ${nairaText(paid)} naira; we have taken ${nairaText(kobo)}.`
  const found = { class: 'AMOUNT', merchantId, kind: 'CREDIT', sessionId, bankKobo: paid, ourKobo: kobo, says } as const
  const fresh = await engineTx(ctx, cell, (t) => openBreak(ctx, t, found))
  const about = { cell, merchantId, object: 'credit', sessionId, kind: 'CREDIT' }
  if (fresh) ctx.log.error('a bank repeats a credit with another amount', about)
}
