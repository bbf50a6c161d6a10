// The rows of the mandate scheme. One changes only under its own lock, and the notice of it is written with
// the change.
import type { MandateNotice } from '@cowrie/contract/bank/mandate-connector'
import type pg from 'pg'
import { inTransaction } from '../kit/database.ts'

export type MandateStatus = 'WAITING' | 'ACTIVE' | 'DECLINED' | 'CANCELLED'
export type MandateNoticeStatus = MandateNotice['status']

/** What the customer is asked for. */
export type Terms = {
  readonly merchantName: string
  readonly customerName: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly accountName: string
  readonly description: string
  readonly startsAt: Date
  readonly endsAt: Date
  readonly autoRenew: boolean
  readonly kobo: bigint | null
  readonly debitKobo: bigint | null
  readonly customerCancels: boolean
  readonly authorizeBy: Date
}
export type Mandate = { readonly mandateCode: string; readonly status: MandateStatus; readonly changedAt: Date } & {
  /** Null when it was ended before it was registered. */
  readonly terms: Terms | null
}

type Row = { mandateCode: string; status: MandateStatus; changedAt: Date; accountNumber: string | null } & Terms
const COLUMNS = `mandate_code as "mandateCode", status, changed_at as "changedAt", merchant_name as "merchantName",
  customer_name as "customerName", bank_code as "bankCode", account_number as "accountNumber", account_name as "accountName",
  description, starts_at as "startsAt", ends_at as "endsAt", auto_renew as "autoRenew", kobo, debit_kobo as "debitKobo",
  customer_cancels as "customerCancels", authorize_by as "authorizeBy"`

const mandateOf = ({ mandateCode, status, changedAt, ...terms }: Row): Mandate => ({
  mandateCode,
  status,
  changedAt,
  terms: terms.accountNumber === null ? null : terms,
})

export async function findMandate(
  db: Pick<pg.Pool, 'query'>,
  mandateCode: string,
  lock: '' | 'for update' | 'for share' = '',
): Promise<Mandate | null> {
  const { rows } = await db.query<Row>(`select ${COLUMNS} from mandates where mandate_code = $1 ${lock}`, [mandateCode])
  return rows[0] ? mandateOf(rows[0]) : null
}

/** Null when the code belongs to a mandate with other terms. */
export const registerMandate = (pool: pg.Pool, mandateCode: string, terms: Terms, now: Date): Promise<Mandate | null> =>
  inTransaction(pool, async (client) => {
    await client.query(
      `insert into mandates (mandate_code, status, merchant_name, customer_name, bank_code, account_number, account_name,
         description, starts_at, ends_at, auto_renew, kobo, debit_kobo, customer_cancels, authorize_by, asked, changed_at)
       values ($1, 'WAITING', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, $15) on conflict (mandate_code) do nothing`,
      [
        ...[mandateCode, terms.merchantName, terms.customerName, terms.bankCode, terms.accountNumber],
        ...[terms.accountName, terms.description, terms.startsAt, terms.endsAt, terms.autoRenew, terms.kobo],
        ...[terms.debitKobo, terms.customerCancels, terms.authorizeBy, now],
      ],
    )
    await client.query('update mandates set asked = asked + 1 where mandate_code = $1', [mandateCode])
    const known = await findMandate(client, mandateCode)
    return known === null || (known.terms !== null && !sameTerms(known.terms, terms)) ? null : known
  })

const sameTerms = (one: Terms, other: Terms): boolean =>
  one.accountNumber === other.accountNumber &&
  one.bankCode === other.bankCode &&
  one.kobo === other.kobo &&
  one.debitKobo === other.debitKobo

export type Decided = { readonly mandate: Mandate; readonly noticeId: bigint | null }

/** Changes a mandate as `decide` says, with the notice of it, which is leased to the caller. Null changes
 *  nothing. */
export const decideMandate = (
  pool: pg.Pool,
  mandateCode: string,
  now: Date,
  leaseSeconds: number,
  decide: (mandate: Mandate) => MandateNoticeStatus | null,
): Promise<Decided | null> =>
  inTransaction(pool, async (client) => {
    const mandate = await findMandate(client, mandateCode, 'for update')
    if (mandate === null) return null
    const status = decide(mandate)
    if (status === null) return { mandate, noticeId: null }
    await client.query('update mandates set status = $2, changed_at = $3 where mandate_code = $1', [
      ...[mandateCode, status, now],
    ])
    const { rows } = await client.query<{ id: bigint }>(
      `insert into notices (mandate_code, said, due_at, leased_until)
       values ($1, $2, $3, now() + make_interval(secs => $4)) returning id`,
      [mandateCode, status, now, leaseSeconds],
    )
    return { mandate: { ...mandate, status, changedAt: now }, noticeId: rows[0]?.id ?? null }
  })

/** The gateway ends it; one that was never registered is ended from the start. No notice: the gateway
 *  knows. */
export const endMandate = (pool: pg.Pool, mandateCode: string, now: Date): Promise<Mandate | null> =>
  inTransaction(pool, async (client) => {
    await client.query(
      `insert into mandates (mandate_code, status, asked, changed_at) values ($1, 'CANCELLED', 0, $2)
       on conflict (mandate_code) do update set status = 'CANCELLED', changed_at = $2
       where mandates.status in ('WAITING', 'ACTIVE')`,
      [mandateCode, now],
    )
    return findMandate(client, mandateCode)
  })
