// The rows of the claims: what somebody says that the bank has booked, by its identifier alone.
import type { Queryable } from '../database/database.ts'

export type ClaimRow = { readonly id: string; readonly madeAt: Date; readonly attempts: number }
export type ClaimState = 'WAITING' | 'CONFIRMED' | 'GIVEN_UP'
/** `absent`: the bank has answered, and knows none such so far. */
export type Standing = { readonly id: string; readonly standing: 'confirmed' | 'absent' | 'open' }

export function claimRows(schema: string) {
  const table = `${schema}.claims`
  const COLUMNS = 'id, made_at as "madeAt", attempts'
  return {
    /** Null when it was claimed before. It is leased to the caller, who verifies it at once. */
    insert: async (db: Queryable, id: string, now: Date, until: Date): Promise<ClaimRow | null> =>
      (
        await db.query<ClaimRow>(
          `insert into ${table} (id, state, made_at, due_at, leased_until) values ($1, 'WAITING', $2, $2, $3)
           on conflict (id) do nothing returning ${COLUMNS}`,
          [id, now, until],
        )
      ).rows[0] ?? null,

    state: async (db: Queryable, id: string): Promise<ClaimState | null> =>
      (await db.query<{ state: ClaimState }>(`select state from ${table} where id = $1`, [id])).rows[0]?.state ?? null,

    /** One that is claimed again is worth another look, unless somebody has it. One that was given up begins
     *  anew. */
    again: async (db: Queryable, id: string, now: Date, until: Date): Promise<ClaimRow | null> =>
      (
        await db.query<ClaimRow>(
          `update ${table} set leased_until = $3, state = 'WAITING', settled_at = null,
             made_at = case state when 'GIVEN_UP' then $2 else made_at end
           where id = $1 and state <> 'CONFIRMED' and (leased_until is null or leased_until <= $2) returning ${COLUMNS}`,
          [id, now, until],
        )
      ).rows[0] ?? null,

    /** Due at once; nothing changes of those that were claimed before. */
    insertAll: (db: Queryable, ids: readonly string[], now: Date) =>
      db.query(
        `insert into ${table} (id, state, made_at, due_at) select id, 'WAITING', $2, $2 from unnest($1::text[]) as t(id)
         on conflict (id) do nothing`,
        [ids, now],
      ),

    standing: async (db: Queryable, ids: readonly string[]): Promise<readonly Standing[]> =>
      (
        await db.query<Standing>(
          `select id, case when state = 'CONFIRMED' then 'confirmed' when state = 'GIVEN_UP' or absent_at is not null then 'absent' else 'open' end as standing
           from ${table} where id = any($1::text[])`,
          [ids],
        )
      ).rows,

    due: async (db: Queryable, now: Date, until: Date, most: number): Promise<readonly ClaimRow[]> =>
      (
        await db.query<ClaimRow>(
          `with mine as (
             select id from ${table} where state = 'WAITING' and due_at <= $1 and (leased_until is null or leased_until <= $1)
             order by due_at limit $3 for update skip locked
           )
           update ${table} c set leased_until = $2 from mine where c.id = mine.id
           returning c.id, c.made_at as "madeAt", c.attempts`,
          [now, until, most],
        )
      ).rows,

    /** `absentAt`: the bank has answered that it knows none such. */
    later: (db: Queryable, id: string, dueAt: Date, absentAt: Date | null) =>
      db.query(
        `update ${table} set due_at = $2, leased_until = null, attempts = attempts + 1, absent_at = coalesce($3, absent_at)
         where id = $1 and state = 'WAITING'`,
        [id, dueAt, absentAt],
      ),

    settle: (db: Queryable, id: string, state: Exclude<ClaimState, 'WAITING'>, now: Date) =>
      db.query(
        `update ${table} set state = $2, settled_at = $3, leased_until = null, attempts = attempts + 1
         where id = $1 and state <> 'CONFIRMED'`,
        [id, state, now],
      ),

    waiting: async (db: Queryable): Promise<{ readonly count: number; readonly oldest: Date | null }> =>
      (
        await db.query<{ count: number; oldest: Date | null }>(
          `select count(*)::int as count, min(made_at) as oldest from ${table} where state = 'WAITING'`,
        )
      ).rows[0] ?? { count: 0, oldest: null },
  }
}
