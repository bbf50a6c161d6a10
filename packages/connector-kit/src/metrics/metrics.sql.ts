// What whoever watches an adapter must see, from indexes that hold open work only: a scrape costs the same
// after ten million payouts.
import type { Queryable } from '../database/database.ts'

export type OpenWork = { readonly state: string; readonly count: number; readonly oldest: Date | null }

export function metricRows(schema: string) {
  const many = async <T extends object>(db: Queryable, text: string): Promise<readonly T[]> =>
    (await db.query<T>(text)).rows
  return {
    orders: async (db: Queryable): Promise<readonly OpenWork[]> => [
      ...(await many<OpenWork>(
        db,
        `select 'accepted' as state, count(*)::int as count, min(accepted_at) as oldest from ${schema}.orders where state = 'ACCEPTED'`,
      )),
      ...(await many<OpenWork>(
        db,
        `select names.state, count(o.session_id)::int as count, min(o.forwarded_at) as oldest
         from (values ('forwarded'), ('pending')) as names (state)
         left join (select session_id, forwarded_at, state as own from ${schema}.orders where state = 'FORWARDED' or status = 'PENDING') o
           on names.state = case o.own when 'FORWARDED' then 'forwarded' else 'pending' end
         group by names.state order by names.state`,
      )),
    ],
    charges: (db: Queryable): Promise<readonly OpenWork[]> =>
      many<OpenWork>(
        db,
        `select names.state, count(c.reference)::int as count, min(c.forwarded_at) as oldest
         from (values ('forwarded'), ('pending'), ('payer'), ('reversing')) as names (state)
         left join (select reference, forwarded_at, case when reversal_at is not null then 'reversing' when status in ('ASKED', 'CHALLENGE') then 'payer'
             when status = 'PENDING' then 'pending' else 'forwarded' end as own
           from ${schema}.charges
           where state = 'FORWARDED' or status in ('PENDING', 'ASKED', 'CHALLENGE') or (status = 'APPROVED' and reversal_at is not null)) c
           on names.state = c.own
         group by names.state order by names.state`,
      ),
  }
}
