// The rows of the notices: claimed under a lease, sent, and marked.
import type { Queryable } from '../database/database.ts'
import type { Packed } from './notices.ts'

export type NoticeRow = {
  readonly id: string
  readonly key: string
  readonly path: string
  readonly body: string
  readonly attempts: number
}

export function noticeRows(schema: string) {
  const table = `${schema}.notices`
  return {
    /** Null when there was one under this key already. */
    insert: async (
      db: Queryable,
      { key, reference, path, body, digest, account }: Packed,
      now: Date,
    ): Promise<true | null> =>
      (
        await db.query(
          `insert into ${table} (key, reference, path, body, digest, number_id, made_at, due_at)
           values ($1, $2, $3, $4, $5, (select id from ${schema}.numbers where bank_code = $6 and account_number = $7), $8, $8)
           on conflict (key) do nothing`,
          [key, reference, path, body, digest, account?.bankCode ?? null, account?.accountNumber ?? null, now],
        )
      ).rowCount === 1
        ? true
        : null,

    digest: async (db: Queryable, key: string): Promise<string | null> =>
      (await db.query<{ digest: string }>(`select digest from ${table} where key = $1`, [key])).rows[0]?.digest ?? null,

    /** The first of each reference that is due and nobody's, leased to the caller. */
    claim: async (db: Queryable, now: Date, until: Date, most: number): Promise<readonly NoticeRow[]> =>
      (
        await db.query<NoticeRow>(
          `with mine as (
             select n.id from ${table} n
             where n.accepted_at is null and n.due_at <= $1 and (n.leased_until is null or n.leased_until <= $1)
               and not exists (
                 select 1 from ${table} e where e.reference = n.reference and e.accepted_at is null and e.id < n.id)
             order by n.due_at, n.id limit $3 for update skip locked
           )
           update ${table} n set leased_until = $2 from mine where n.id = mine.id
           returning n.id::text, n.key, n.path, n.body, n.attempts`,
          [now, until, most],
        )
      ).rows,

    accepted: (db: Queryable, id: string, now: Date) =>
      db.query(
        `update ${table} set accepted_at = $2, body = null, leased_until = null, attempts = attempts + 1, last_status = 200
         where id = $1 and accepted_at is null`,
        [id, now],
      ),

    failed: (db: Queryable, id: string, status: number | null, dueAt: Date) =>
      db.query(
        `update ${table} set due_at = $3, leased_until = null, attempts = attempts + 1, last_status = $2
         where id = $1 and accepted_at is null`,
        [id, status, dueAt],
      ),

    waiting: async (db: Queryable): Promise<{ readonly count: number; readonly oldest: Date | null }> =>
      (
        await db.query<{ count: number; oldest: Date | null }>(
          `select count(*)::int as count, min(made_at) as oldest from ${table} where accepted_at is null`,
        )
      ).rows[0] ?? { count: 0, oldest: null },
  }
}
