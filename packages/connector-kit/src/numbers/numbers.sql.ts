// Orders of account numbers, and the numbers. A number is a row before it is handed out, and belongs to one
// order for ever.
import type { NumbersOrder } from '@cowrie/contract/bank/v2/connectors'
import type { Queryable } from '../database/database.ts'

export type NumberOrderRow = {
  readonly reference: string
  readonly count: number
  readonly digest: string
  /** Null once all numbers are there. */
  readonly accountName: string | null
}
export type NumberRow = {
  readonly accountNumber: string
  readonly bankCode: string
  readonly validUntil: Date | null
}

const ORDER = 'reference, count, digest, account_name as "accountName"'
const NUMBER = 'account_number as "accountNumber", bank_code as "bankCode", valid_until as "validUntil"'

export function numberRows(schema: string) {
  const orders = `${schema}.number_orders`
  const numbers = `${schema}.numbers`
  const order = async (db: Queryable, text: string, values: readonly unknown[]): Promise<NumberOrderRow | null> =>
    (await db.query<NumberOrderRow>(text, [...values])).rows[0] ?? null

  return {
    accept: (db: Queryable, { reference, count, accountName }: NumbersOrder, digest: string, now: Date) =>
      db.query(
        `insert into ${orders} (reference, count, account_name, digest, made_at) values ($1, $2, $3, $4, $5)
         on conflict (reference) do nothing`,
        [reference, count, accountName, digest, now],
      ),

    find: (db: Queryable, reference: string) =>
      order(db, `select ${ORDER} from ${orders} where reference = $1`, [reference]),

    /** Whoever gives numbers to an order waits here for whoever does. The commit must survive a crash of the
     *  database: a number whose owner is forgotten would be given away again. */
    lock: (db: Queryable, reference: string) =>
      order(
        db,
        `with durable as (select set_config('synchronous_commit', 'on', true))
         select ${ORDER} from ${orders}, durable where reference = $1 for update of number_orders`,
        [reference],
      ),

    given: async (db: Queryable, reference: string): Promise<readonly NumberRow[]> =>
      (await db.query<NumberRow>(`select ${NUMBER} from ${numbers} where reference = $1 order by place`, [reference]))
        .rows,

    /** Gives the oldest spare numbers to an order that has `have`. */
    take: (db: Queryable, reference: string, have: number, most: number) =>
      db.query(
        `with mine as (
           select id, row_number() over (order by id) as turn
           from (select id from ${numbers} where spare order by id limit $3 for update skip locked) free
         )
         update ${numbers} n set spare = false, reference = $1, place = $2 + mine.turn from mine where n.id = mine.id`,
        [reference, have, most],
      ),

    /** False: the bank has given this number before. `place` null: for nobody. */
    add: async (
      db: Queryable,
      number: NumberRow,
      owner: { readonly reference: string; readonly place: number } | null,
      spare: boolean,
      now: Date,
    ): Promise<boolean> => {
      const { accountNumber, bankCode, validUntil } = number
      const { rowCount } = await db.query(
        `insert into ${numbers} (bank_code, account_number, valid_until, made_at, reference, place, spare)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (bank_code, account_number) do nothing`,
        [bankCode, accountNumber, validUntil, now, owner?.reference ?? null, owner?.place ?? null, spare],
      )
      return rowCount === 1
    },

    filled: (db: Queryable, reference: string, now: Date) =>
      db.query(`update ${orders} set filled_at = $2, account_name = null where reference = $1 and filled_at is null`, [
        reference,
        now,
      ]),

    /** Orders that nobody is at any more, if whoever received them has died. */
    left: async (db: Queryable, before: Date, now: Date, most: number): Promise<readonly string[]> =>
      (
        await db.query<{ reference: string }>(
          `select reference from ${orders} where filled_at is null and made_at <= $1 and (due_at is null or due_at <= $2)
           order by coalesce(due_at, made_at) limit $3`,
          [before, now, most],
        )
      ).rows.map(({ reference }) => reference),

    /** Not looked at before then, unless the gateway repeats it: one under a name that the bank never takes
     *  would stand in the way of the others. */
    later: (db: Queryable, reference: string, now: Date) =>
      db.query(
        `update ${orders} set attempts = attempts + 1, due_at = $2::timestamptz + least(interval '15 s' * power(2, least(attempts, 10)), interval '15 min')
         where reference = $1 and filled_at is null`,
        [reference, now],
      ),

    stock: async (db: Queryable): Promise<{ readonly spare: number; readonly missing: number }> =>
      (
        await db.query<{ spare: number; missing: number }>(
          `select (select count(*)::int from ${numbers} where spare) as spare,
             (select coalesce(sum(o.count - (select count(*) from ${numbers} n where n.reference = o.reference)), 0)::int
              from ${orders} o where o.filled_at is null) as missing`,
        )
      ).rows[0] ?? { spare: 0, missing: 0 },
  }
}
