// What became of everything, as the gateway's rows say it.
import { CELLS, type Harness } from '../../../apps/gateway/test/kit/harness.ts'

const ENDS = `select 'transaction ' || status as what, count(*)::int as count from transactions group by 1
  union all select 'payout ' || status, count(*)::int from disbursements group by 1
  union all select 'refund ' || status, count(*)::int from refunds group by 1
  union all select 'settlement ' || status, count(*)::int from settlements group by 1
  union all select 'suspense ' || status, count(*)::int from suspense_items group by 1
  union all select 'reversed ' || outcome, count(*)::int from credit_reversals group by 1`

export async function readEnds(h: Harness): Promise<(readonly [string, number])[]> {
  const ends = new Map<string, number>()
  for (const cell of CELLS)
    for (const { what, count } of await h.sql<{ what: string; count: number }>(cell, ENDS))
      ends.set(what, (ends.get(what) ?? 0) + count)
  return [...ends].sort(([a], [b]) => (a < b ? -1 : 1))
}
