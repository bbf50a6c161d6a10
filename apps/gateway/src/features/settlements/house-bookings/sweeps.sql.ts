// The statements of sweeps. Their sides are rows of house bookings.
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Side = Pick<Rows['house_bookings'], 'transfer_id' | 'session_id' | 'kobo' | 'booked_at' | 'connector'> & {
  kind: 'SWEEP_OUT' | 'SWEEP_IN'
}
// One that two people wrote off is over: what arrives after all is alone in its turn, and a break.
const ALONE_TEXT = `
-- all merchants: sweeps are no merchant's
select transfer_id, kind, session_id, kobo, booked_at, connector from house_bookings h
where kind in ('SWEEP_OUT', 'SWEEP_IN') and other_side is null
  and not exists (select b.merchant_id from recon_breaks b where b.class = 'TRANSIT' and b.kind = h.kind and b.session_id = h.session_id
    and b.connector = h.connector and b.approval_id is not null)
order by transfer_id`
const ALONE: Statement = { name: 'sweeps_alone', text: ALONE_TEXT }
const LOCK_ALONE: Statement = { name: 'sweeps_lock_alone', text: `${ALONE_TEXT} for update` }
/** Sides whose other side was not seen yet. */
export const listAlone = (read: Read): Promise<Side[]> => read.query(ALONE, [])
/** The same, for nobody else until the end of the transaction. */
export const lockAlone = (t: Tx): Promise<Side[]> => t.query(LOCK_ALONE, [])

const PAIR: Statement = {
  name: 'sweeps_pair',
  text: `update house_bookings h set other_side = x.other_side
from unnest($1::bigint[], $2::bigint[]) as x(transfer_id, other_side) where h.transfer_id = x.transfer_id and h.other_side is null`,
}
/** Each names the other from now on. */
export const pair = async (t: Tx, pairs: readonly { readonly out: Side; readonly into: Side }[]): Promise<void> => {
  if (pairs.length === 0) return
  const [outs, ins] = [pairs.map(({ out }) => out.transfer_id), pairs.map(({ into }) => into.transfer_id)]
  await t.query(PAIR, [numbers([...outs, ...ins]), numbers([...ins, ...outs])])
}

const ENDED: Statement = {
  name: 'sweeps_ended',
  text: `
-- all merchants: sweeps are no merchant's
select b.id from recon_breaks b
join house_bookings h on h.kind = b.kind and h.session_id = b.session_id and h.connector = b.connector
where b.status = 'OPEN' and b.class = 'TRANSIT' and h.other_side is not null order by b.id`,
}
/** Breaks of sides whose other side was seen since. */
export const listEnded = (read: Read): Promise<Pick<Rows['recon_breaks'], 'id'>[]> => read.query(ENDED, [])
