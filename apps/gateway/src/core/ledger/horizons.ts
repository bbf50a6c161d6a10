// Horizons: roll-ups and settlements read the ledger below the oldest transaction that is still open, so that
// none of its transfers is missed. One transaction that stays open anywhere in the cluster, in another
// database too, holds both back: balances stay right and grow slower to read, but nobody is settled. So the
// lag is watched, and who causes it is named.
//
// A transfer's number is that of its transaction in this cluster plus the cell's offset (migration 0020).
// Numbers that lie ahead of the cluster's counter come from another cluster, by a logical restore: such a
// cell does not start until tools/operator/horizons.ts has raised the offset.
import type { Ctx, Read, Statement } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { readAll } from '../cells/cells.ts'
import { isOwed } from './chart.ts'

/** The horizon no open transaction can cross, and one above everything that is committed by now. */
export const HORIZON = '(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + ledger_offset())'
export const NEWEST = '(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ledger_offset())'

/** Transfers that one statement reads. A backlog of millions in one statement would meet its time limit, be
 *  given up, and begin again for ever. */
export const SLICE = 100_000

/** Where reading from a number on ends: at the horizon, or after a slice. What one transaction posted is
 *  never divided. */
export const endOfSlice = (from: string, slice: string): string => `least(${HORIZON},
  (select greatest(t.xid, ${from} + 1) from transfers t where t.xid >= ${from} order by t.xid offset ${slice}::int limit 1))`

/** One above every number of the ledger. None can lie ahead of the counter it was taken from. */
export const HIGHEST = `greatest((select upto_xid from rollup_horizon), (select upto_xid from settlement_horizon),
  (select max(xid) + 1 from transfers))`

/** Transfers are read within seconds. What waits longer than this is worth a warning. */
export const LAG_MAX_MS = 60_000

const LAGS: Statement = {
  name: 'horizons_lags',
  text: `
-- all merchants: the oldest transfer that each horizon has not passed; of settlements, the oldest with anything owed
select 'roll-ups' as horizon, (select t.at from transfers t where t.xid >= (select upto_xid from rollup_horizon)
  order by t.xid limit 1) as oldest
union all
select 'settlements', (select t.at from transfers t where t.xid >= (select upto_xid from settlement_horizon) and t.object <> 'settlement'
  and exists (select from unnest(t.accounts) as account_id where ${isOwed('account_id')}) order by t.xid limit 1)`,
}
const HOLDER: Statement = {
  name: 'horizons_holder',
  text: `select h.who, h.database, h.since, pg_snapshot_xmin(s.now) < pg_snapshot_xmax(s.now) as open
    from (select pg_current_snapshot() as now) s left join horizon_holder() h on true`,
}
const AHEAD: Statement = {
  name: 'horizons_ahead',
  text: `
-- all merchants: the numbers of the cell's ledger
select ${HIGHEST} - ${NEWEST} as ahead`,
}

export type HorizonLag = {
  readonly horizon: 'roll-ups' | 'settlements'
  /** When the oldest transfer was made that is not read yet; null when all are. */
  readonly oldest: Date | null
  /** How long that one has waited. */
  readonly lagMs: number
}

/** How far each horizon of the cell is behind. */
export async function horizonLags(read: Read): Promise<HorizonLag[]> {
  const rows = await read.query<Pick<HorizonLag, 'horizon' | 'oldest'>>(LAGS, [])
  return rows.map((row) => ({ ...row, lagMs: row.oldest === null ? 0 : read.now.getTime() - row.oldest.getTime() }))
}

/** The transaction that holds the horizons back, in words, as far as it can be seen. */
export async function heldBackBy(read: Read): Promise<string> {
  type Holder = { who: string | null; database: string | null; since: Date | null; open: boolean }
  const [held] = await read.query<Holder>(HOLDER, [])
  if (!held?.open) return 'no open database transaction; is a worker running?'
  if (held.who === null) return 'an open database transaction that cannot be seen'
  return `${held.who} in database ${held.database}, open since ${held.since?.toISOString() ?? 'an unknown time'}`
}

/** How far the ledger's numbers lie ahead of the cluster's counter; 0 or less in every cell that was not
 *  moved. */
export const aheadOfCluster = async (read: Read): Promise<bigint> =>
  (await read.query<{ ahead: bigint }>(AHEAD, []))[0]?.ahead ?? 0n

/** Warns of horizons that are behind, with the one who holds them; each at most once in `LAG_MAX_MS` of the
 *  clock. */
export function createHorizonWatch(ctx: Ctx): (cell: CellId) => Promise<void> {
  const warned = new Map<string, number>()
  return (cell) =>
    readAll(ctx, cell, async (r) => {
      const now = r.now.getTime()
      for (const { horizon, oldest, lagMs } of await horizonLags(r)) {
        const place = `${cell}/${horizon}`
        if (oldest === null || lagMs < LAG_MAX_MS || now - (warned.get(place) ?? 0) < LAG_MAX_MS) continue
        warned.set(place, now)
        ctx.log.warn('horizon held back; newer entries are waiting', {
          cell,
          kind: horizon,
          ms: lagMs,
          detail: `since ${oldest.toISOString()} by ${await heldBackBy(r)}`,
        })
      }
    })
}
