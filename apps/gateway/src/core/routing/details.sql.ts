import { numbers, texts } from '#kit/arrays.ts'
import type { Statement, Tx } from '#kit/ctx.ts'

export type Details = {
  readonly sessionId: string
  readonly merchantId: bigint
  readonly connector: number
  readonly networkReference: string | null
  readonly feeKobo: bigint | null
}

const KEEP: Statement = {
  name: 'payout_details_keep',
  text: `insert into payout_details as p (session_id, merchant_id, connector, network_reference, fee_kobo, reported_at)
select session_id, merchant_id, connector, network_reference, fee_kobo, $6::timestamptz
from unnest($1::text[], $2::bigint[], $3::smallint[], $4::text[], $5::bigint[]) as x(session_id, merchant_id, connector, network_reference, fee_kobo)
order by session_id
on conflict (session_id) do update set network_reference = coalesce(p.network_reference, excluded.network_reference),
  fee_kobo = coalesce(p.fee_kobo, excluded.fee_kobo), reported_at = excluded.reported_at
where p.merchant_id = excluded.merchant_id and (p.network_reference is null and excluded.network_reference is not null
  or p.fee_kobo is null and excluded.fee_kobo is not null)`,
}
/** Of sessions that differ. The first word counts; what is repeated writes nothing. */
export const keep = (t: Tx, all: readonly Details[]): Promise<unknown> =>
  t.query(KEEP, [
    texts(all.map(({ sessionId }) => sessionId)),
    numbers(all.map(({ merchantId }) => merchantId)),
    numbers(all.map(({ connector }) => connector)),
    texts(all.map(({ networkReference }) => networkReference)),
    numbers(all.map(({ feeKobo }) => feeKobo)),
    t.now,
  ])
