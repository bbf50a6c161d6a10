// The rows of the charges. One changes by comparing what it has, or under its own lock.
import type { Queryable } from '../database/database.ts'
import type { CardFacts, KnownCard } from './mapping.ts'
import type { Charge, ChargeStatus } from './rules.ts'

type Row = Omit<Charge, 'kobo'> & { readonly kobo: string | null }

const COLUMNS = [
  'reference, state, kobo::text, status, code, bank_reference as "bankReference", scheme, bank_code as "bankCode", bank_name as "bankName"',
  'country_code as "countryCode", card_reference as "cardReference", asked_id as "askedId", asked_kind as "askedKind"',
  'asked_until as "askedUntil", asked_wrong as "askedWrong", tries, page_url as "pageUrl", changes, busy_until as "busyUntil"',
  'forwarded_at as "forwardedAt", reversal_at as "reversalAt", returned_at as "returnedAt", on_page as "onPage", known',
].join(', ')

/** What the next state of a charge has; what is left out is empty. */
export type Next = {
  readonly status: ChargeStatus
  readonly code: string
  readonly askedId: string | null
  readonly askedKind: string | null
  readonly askedUntil: Date | null
  readonly wrong: boolean
  readonly pageUrl: string | null
}

export function chargeRows(schema: string) {
  const table = `${schema}.charges`
  const one = async (db: Queryable, text: string, values: readonly unknown[]): Promise<Charge | null> => {
    const row = (await db.query<Row>(text, [...values])).rows[0]
    return row === undefined ? null : { ...row, kobo: row.kobo === null ? null : BigInt(row.kobo) }
  }
  const DURABLE = `with durable as (select set_config('synchronous_commit', 'on', true))`

  return {
    find: (db: Queryable, reference: string) =>
      one(db, `select ${COLUMNS} from ${table} where reference = $1`, [reference]),

    lock: (db: Queryable, reference: string) =>
      one(db, `select ${COLUMNS} from ${table} where reference = $1 for update`, [reference]),

    /** Null when the reference was known already. Exactly one caller gets the row. The commit must survive a
     *  crash of the database, whatever the login's setting is: a charge whose mark is lost would be forwarded
     *  again. */
    forward: (db: Queryable, reference: string, kobo: bigint, onPage: boolean, now: Date, busyUntil: Date) =>
      one(
        db,
        `${DURABLE} insert into ${table} (reference, state, kobo, on_page, forwarded_at, busy_until)
         select $1, 'FORWARDED', $2::bigint, $3::boolean, $4::timestamptz, $5::timestamptz from durable
         on conflict (reference) do nothing returning ${COLUMNS}`,
        [reference, kobo.toString(), onPage, now, busyUntil],
      ),

    /** Exactly one caller may pass on what was asked for under this name. */
    take: (db: Queryable, reference: string, askedId: string, kind: string, busyUntil: Date) =>
      one(
        db,
        `${DURABLE} update ${table} set status = 'PENDING', asked_id = null, asked_kind = null, asked_until = null, asked_wrong = false,
           busy_until = $4, changes = changes + 1
         from durable where reference = $1 and asked_id = $2 and asked_kind = $3 and reversal_at is null returning ${COLUMNS}`,
        [reference, askedId, kind, busyUntil],
      ),

    /** What never arrived is barred. What waits for the payer is over: nothing more is passed on. Of the rest
     *  it is noted that the money is wanted back. The answer says that nothing will be charged, so this
     *  survives a crash too. */
    reverse: (db: Queryable, reference: string, now: Date) =>
      one(
        db,
        `${DURABLE} insert into ${table} as c (reference, state, barred_at, reversal_at)
         select $1, 'BARRED', $2::timestamptz, $2::timestamptz from durable
         on conflict (reference) do update set reversal_at = coalesce(c.reversal_at, $2), changes = c.changes + 1,
           status = case c.status when 'ASKED' then 'REVERSED' else c.status end,
           asked_id = case c.status when 'ASKED' then null else c.asked_id end,
           asked_kind = null, asked_wrong = false, asked_until = case c.status when 'ASKED' then null else c.asked_until end
         returning ${COLUMNS}`,
        [reference, now],
      ),

    /** One caller at a time returns it. */
    returnAll: (db: Queryable, reference: string, now: Date, busyUntil: Date) =>
      one(
        db,
        `${DURABLE} update ${table} set busy_until = $3 from durable
         where reference = $1 and status = 'APPROVED' and reversal_at is not null and (busy_until is null or busy_until <= $2)
         returning ${COLUMNS}`,
        [reference, now, busyUntil],
      ),

    returned: (db: Queryable, reference: string, now: Date) =>
      db.query(`update ${table} set returned_at = coalesce(returned_at, $2) where reference = $1`, [reference, now]),

    free: (db: Queryable, reference: string) =>
      db.query(`update ${table} set busy_until = null where reference = $1`, [reference]),

    change: (db: Queryable, reference: string, next: Next, now: Date) =>
      one(
        db,
        `update ${table} set state = 'KNOWN', status = $2, code = $3, asked_id = $4, asked_kind = $5, asked_until = $6, asked_wrong = $7,
           tries = tries + case when $7 then 1 else 0 end, page_url = $8, known_at = $9, changes = changes + 1
         where reference = $1 returning ${COLUMNS}`,
        [
          ...[reference, next.status, next.code, next.askedId, next.askedKind, next.askedUntil],
          ...[next.wrong, next.pageUrl, now],
        ],
      ),

    /** What the acquirer calls the charge, and what it says of the card. */
    name: (
      db: Queryable,
      reference: string,
      bankReference: string | null,
      cardReference: string | null,
      { scheme, bankCode, bankName, countryCode }: CardFacts,
      known: KnownCard | null,
    ) =>
      db.query(
        `update ${table} set bank_reference = coalesce($2, bank_reference), card_reference = coalesce($3, card_reference),
           scheme = coalesce(nullif($4, ''), scheme), bank_code = coalesce(nullif($5, ''), bank_code),
           bank_name = coalesce(nullif($6, ''), bank_name), country_code = coalesce(nullif($7, ''), country_code),
           known = case when on_page then coalesce($8::jsonb, known) end
         where reference = $1`,
        [
          ...[reference, bankReference, cardReference, scheme, bankCode, bankName, countryCode],
          known === null ? null : JSON.stringify(known),
        ],
      ),

    contradict: (db: Queryable, reference: string, said: string) =>
      db.query(`update ${table} set contradicted_by = $2 where reference = $1`, [reference, said]),
  }
}
