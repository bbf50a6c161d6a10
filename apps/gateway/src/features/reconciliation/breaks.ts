// Breaks: where a bank and we do not agree. OPEN → RESOLVED
// A break is opened once per class, kind of line and session, whoever finds it and however often. No money moves by one: what
// is posted to end it is posted by the feature whose money it is. Who waits: the operator (tools/reconciliation.ts).
import type { BreakClass } from '@cowrie/contract/reconciliation'
import { cellOf } from '../../core/cells.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import { localDay } from '../../kit/times.ts'
import * as sql from './breaks.sql.ts'

export type Found = {
  readonly class: BreakClass
  readonly merchantId: bigint
  readonly kind: string
  readonly sessionId: string
  readonly bankKobo: bigint | null
  readonly ourKobo: bigint | null
  readonly says: string
}

/** Opens a break that a feature came upon by itself; false when it is known already. */
export async function openBreak(ctx: Ctx, t: Tx, found: Found): Promise<boolean> {
  const [id] = (await cellOf(ctx, t.cell).takeIds(1)) as [bigint]
  return sql.insert(t, { ...found, id, day: localDay(t.now) })
}
