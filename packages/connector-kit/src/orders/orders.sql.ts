// The rows of the orders. One changes by comparing the state that it has, or under its own lock.
import { parseNaira } from '@cowrie/contract/kit/money'
import type { Queryable } from '../database/database.ts'
import type { Kept, Status } from './rules.ts'

export type OrderRow<C> = Kept & {
  readonly sessionId: string
  readonly digest: string | null
  /** Null once the outcome is final. */
  readonly contents: C | null
  readonly reference: string | null
  readonly bankReference: string | null
  readonly networkReference: string | null
  /** Digits. */
  readonly feeKobo: string | null
  /** The version of the protocol in which it was ordered. */
  readonly protocol: number
}

const COLUMNS = `session_id as "sessionId", state, status, code, digest, contents, reference, bank_reference as "bankReference",
  network_reference as "networkReference", fee_kobo::text as "feeKobo", protocol`

/** The commit must survive a crash of the database, whatever the login's setting is. An order whose mark is
 *  lost would be forwarded again, and one whose bar is lost would be forwarded after the gateway was answered
 *  that it never will be. */
const DURABLE = `with durable as (select set_config('synchronous_commit', 'on', true))`

export function orderRows<C extends { readonly sessionId: string; readonly amount: string }>(
  schema: string,
  name: string,
) {
  type Row = OrderRow<C>
  const table = `${schema}.${name}`
  const one = async (db: Queryable, text: string, values: readonly unknown[]): Promise<Row | null> =>
    (await db.query<Row>(text, [...values])).rows[0] ?? null

  return {
    find: (db: Queryable, sessionId: string) =>
      one(db, `select ${COLUMNS} from ${table} where session_id = $1`, [sessionId]),

    lock: (db: Queryable, sessionId: string) =>
      one(db, `select ${COLUMNS} from ${table} where session_id = $1 for update`, [sessionId]),

    /** Null when the session was known already. Without naming what conflicts: of two that come at once the
     *  second may meet the reference first. */
    accept: (db: Queryable, contents: C, digest: string, reference: string, protocol: number, now: Date) =>
      one(
        db,
        `insert into ${table} (session_id, state, digest, reference, contents, protocol, accepted_at, kobo)
         values ($1, 'ACCEPTED', $2, $3, $4, $5, $6, $7)
         on conflict do nothing returning ${COLUMNS}`,
        [contents.sessionId, digest, reference, JSON.stringify(contents), protocol, now, parseNaira(contents.amount)],
      ),

    /** Exactly one caller gets the row. */
    forward: (db: Queryable, sessionId: string, now: Date) =>
      one(
        db,
        `${DURABLE} update ${table} set state = 'FORWARDED', forwarded_at = $2 from durable
         where session_id = $1 and state = 'ACCEPTED' returning ${COLUMNS}`,
        [sessionId, now],
      ),

    /** Bars what was not forwarded, received or not. Null: it was forwarded, or is barred already. Waits for
     *  whoever marks it at this moment. */
    bar: (db: Queryable, sessionId: string, now: Date) =>
      one(
        db,
        `${DURABLE} insert into ${table} as o (session_id, state, barred_at) select $1, 'BARRED', $2::timestamptz from durable
         on conflict (session_id) do update set state = 'BARRED', barred_at = $2, contents = null
         where o.state = 'ACCEPTED' returning ${COLUMNS}`,
        [sessionId, now],
      ),

    /** Ends what was not forwarded: from here on nobody can. Null: somebody forwards it, or it is barred. */
    refuse: (db: Queryable, sessionId: string, code: string, now: Date) =>
      one(
        db,
        `${DURABLE} update ${table} set state = 'BARRED', code = $2, barred_at = $3, contents = null from durable
         where session_id = $1 and state = 'ACCEPTED' returning ${COLUMNS}`,
        [sessionId, code, now],
      ),

    know: (db: Queryable, sessionId: string, status: Status, code: string, settledBy: string | null, now: Date) =>
      one(
        db,
        `update ${table} set state = 'KNOWN', status = $2, code = $3, known_at = $5, settled_by = coalesce($4, settled_by), forwarded_at = coalesce(forwarded_at, $5),
           contents = case when $2 = 'PENDING' then contents end
         where session_id = $1 returning ${COLUMNS}`,
        [sessionId, status, code, settledBy, now],
      ),

    /** What else the bank says of it. Of the network's name and of the fee the first word counts. */
    name: (
      db: Queryable,
      sessionId: string,
      said: {
        readonly bankReference: string | null
        readonly networkReference: string | null
        readonly feeKobo: bigint | null
      },
    ) =>
      one(
        db,
        `update ${table} set bank_reference = coalesce($2, bank_reference), network_reference = coalesce(network_reference, $3),
           fee_kobo = coalesce(fee_kobo, $4::bigint)
         where session_id = $1 returning ${COLUMNS}`,
        [sessionId, said.bankReference, said.networkReference, said.feeKobo === null ? null : String(said.feeKobo)],
      ),

    contradict: (db: Queryable, sessionId: string, said: string) =>
      db.query(`update ${table} set contradicted_by = $2 where session_id = $1`, [sessionId, said]),

    /** Accepted by a process that did not forward them. */
    left: async (db: Queryable, before: Date, most: number): Promise<readonly Row[]> =>
      (
        await db.query<Row>(
          `select ${COLUMNS} from ${table} where state = 'ACCEPTED' and accepted_at <= $1 order by accepted_at limit $2`,
          [before, most],
        )
      ).rows,

    /** Those of a charge that may still change, whose contents name it. */
    openOf: async (db: Queryable, chargeReference: string): Promise<readonly Row[]> =>
      (
        await db.query<Row>(
          `select ${COLUMNS} from ${table}
           where (state = 'FORWARDED' or status = 'PENDING') and contents ->> 'chargeReference' = $1`,
          [chargeReference],
        )
      ).rows,

    /** By what we call it at the bank, or by what the bank calls it. */
    sessionOf: async (
      db: Queryable,
      reference: string | null,
      bankReference: string | null,
    ): Promise<string | null> => {
      const { rows } = await db.query<{ session_id: string }>(
        `select session_id from ${table} where reference = $1 or bank_reference = $2 limit 2`,
        [reference, bankReference],
      )
      return rows.length === 1 ? (rows[0]?.session_id ?? null) : null
    },
  }
}
