// What one person has said of a payout, until another says the same.
import type { Queryable } from '../database/database.ts'

export const firstWords = (schema: string) => ({
  /** Who else has said the same since then; null when nobody has. */
  other: async (db: Queryable, sessionId: string, status: string, by: string, since: Date): Promise<string | null> =>
    (
      await db.query<{ said_by: string }>(
        `select said_by from ${schema}.words_by_hand
         where session_id = $1 and status = $2 and said_at > $4 and lower(said_by) <> lower(trim($3))`,
        [sessionId, status, by, since],
      )
    ).rows[0]?.said_by ?? null,

  /** The newest counts: whoever says otherwise begins anew. */
  keep: (db: Queryable, sessionId: string, status: string, by: string, now: Date) =>
    db.query(
      `insert into ${schema}.words_by_hand (session_id, status, said_by, said_at) values ($1, $2, trim($3), $4)
       on conflict (session_id) do update set status = excluded.status, said_by = excluded.said_by, said_at = excluded.said_at`,
      [sessionId, status, by, now],
    ),
})
