// What lines of a bank's file are about, looked up by the names that they show; and what they were named when
// the day was first given.
import type { Queryable } from '../database/database.ts'

export type OrderName = { readonly token: string; readonly session: string; readonly kobo: string | null }
export type CreditName = {
  readonly token: string
  readonly key: string
  readonly reference: string
  readonly account: string | null
}
/** The names of each line of a file, in its order. */
export type Given<Name> = { readonly digest: string; readonly names: readonly Name[] }

export function nameRows(schema: string) {
  const all = async <Row extends object>(db: Queryable, text: string, tokens: readonly string[]): Promise<Row[]> =>
    (await db.query<Row>(text, [tokens])).rows
  const by = (column: string): string =>
    `select o.${column} as token, o.session_id as session, o.kobo::text as kobo from ${schema}.orders o
     where o.${column} = any($1::text[]) and o.forwarded_at is not null`
  return {
    /** Payouts by any of the names that they have: the gateway's, ours at the bank, the bank's, the
     *  network's. */
    orders: (db: Queryable, tokens: readonly string[]) =>
      all<OrderName>(
        db,
        ['session_id', 'reference', 'bank_reference', 'network_reference'].map(by).join(' union '),
        tokens,
      ),

    /** Credits and their reversals that the gateway was, or is to be, notified of. */
    credits: (db: Queryable, tokens: readonly string[]) =>
      all<CreditName>(
        db,
        `select split_part(n.key, ' ', 2) as token, n.key, n.reference, m.account_number as account
         from ${schema}.notices n left join ${schema}.numbers m on m.id = n.number_id
         where n.key = any(select kind || token from unnest($1::text[]) as t(token), unnest(array['credit ', 'reversal ']) as k(kind))`,
        tokens,
      ),

    /** Account numbers that the bank issued for us. */
    numbers: (db: Queryable, tokens: readonly string[]) =>
      all<{ readonly token: string }>(
        db,
        `select n.account_number as token from ${schema}.numbers n where n.account_number = any($1::text[])`,
        tokens,
      ),

    /** Null: the day was not given yet. */
    given: async <Name>(db: Queryable, day: string): Promise<Given<Name> | null> =>
      (await db.query<Given<Name>>(`select digest, names from ${schema}.statements where day = $1`, [day])).rows[0] ??
      null,

    /** The first to give a day decides for all. */
    give: (db: Queryable, day: string, { digest, names }: Given<unknown>, now: Date) =>
      db.query(
        `insert into ${schema}.statements (day, digest, names, given_at) values ($1, $2, $3, $4) on conflict (day) do nothing`,
        [day, digest, JSON.stringify(names), now],
      ),
  }
}
