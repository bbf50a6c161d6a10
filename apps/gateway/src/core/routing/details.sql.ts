import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

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

// A reference that two payouts have says nothing, and one that is itself a session is taken at its word.
const SESSIONS: Statement = {
  name: 'payout_details_sessions',
  text: `
-- all merchants: the statement of a bank is about all of them
select p.network_reference, min(p.session_id) as session_id
from unnest($2::text[]) as x(reference) join payout_details p on p.network_reference = x.reference and p.connector = $1::smallint
where not exists (select from disbursements d where d.session_id = x.reference)
  and not exists (select from bank_orders o where o.session_id = x.reference)
group by p.network_reference having count(distinct p.session_id) = 1`,
}
/** The payouts of a connector that the network knows by these references. */
export const sessionsOf = (
  read: Read,
  connector: number,
  references: readonly string[],
): Promise<{ network_reference: string; session_id: string }[]> => read.query(SESSIONS, [connector, texts(references)])
