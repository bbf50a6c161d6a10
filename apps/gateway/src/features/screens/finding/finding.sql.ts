// The statements of finding: each looks up a key or reads an index, so none gets slower with what a merchant
// has. Those of a kind are declared by its feature (Feature.findable).

import type { FoundKind } from '@cowrie/contract/screens/find'
import type { Declarations } from '#core/declarations.ts'
import { ownParts } from '#core/findable.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

export type FoundRow = {
  kind: FoundKind
  name: string | null
  kobo: bigint | null
  state: string | null
  at: Date
  reference: Rows['transactions']['reference']
}

/** The look-ups that features declare. */
export type Lookups = { readonly named: Statement; readonly number: Statement }
export function gatherLookups(features: readonly Declarations[]): Lookups {
  const findable = features.flatMap((feature) => feature.findable ?? [])
  return {
    // A name that is the merchant's own may look like anything, so all of them are looked up, whatever the
    // text looks like. Ours are in other columns: those of several months have an index in each.
    named: { name: 'finding_named', text: ownParts(findable, 'named').join('\nunion\n') },
    number: { name: 'finding_number', text: ownParts(findable, 'number').join('\nunion\n') },
  }
}

export const named = (read: Read, { named }: Lookups, merchantId: bigint, text: string): Promise<FoundRow[]> =>
  read.query<FoundRow>(named, [merchantId, text])

/** Whose an account number is that payers pay to. */
export const ofNumber = (
  read: Read,
  { number: by }: Lookups,
  merchantId: bigint,
  number: string,
): Promise<FoundRow[]> => read.query<FoundRow>(by, [merchantId, number])

// The filters of inbound_credits_sender say which pages may hold the account.
const PAYER: Statement = {
  name: 'finding_payer',
  text: `
with own as materialized (
  select c.transaction_id, max(c.received_at) as at from inbound_credits c
  where c.merchant_id = $1 and c.sender_account_number = $2 and c.transaction_id is not null
  group by c.transaction_id order by 2 desc limit $3
)
select 'PAYMENT' as kind, t.reference, t.customer_name as name, t.kobo, t.status as state, t.created_at as at
 from own join transactions t on t.id = own.transaction_id where t.merchant_id = $1 order by at desc`,
}
/** What was paid from an account, the newest first. */
export const ofPayer = (read: Read, merchantId: bigint, number: string, limit: number): Promise<FoundRow[]> =>
  read.query<FoundRow>(PAYER, [merchantId, number, limit])

const CUSTOMER: Statement = {
  name: 'finding_customer',
  text: `
select 'CUSTOMER' as kind, $2::text as reference, x.name, null::bigint as kobo, null as state, x.at from (
  (select t.customer_name as name, t.created_at as at from transactions t
   where t.merchant_id = $1 and t.email_key = search_key($2::text) order by t.created_at desc, t.id desc limit 1)
  union all
  (select m.customer_name, m.created_at from mandates m
   where m.merchant_id = $1 and lower(m.customer_email) = lower($2::text) order by m.created_at desc limit 1)
) x order by x.at desc limit 1`,
}
export const customer = (read: Read, merchantId: bigint, email: string): Promise<FoundRow[]> =>
  read.query<FoundRow>(CUSTOMER, [merchantId, email])

const REQUEST: Statement = {
  name: 'finding_request',
  text: `
select 'REQUEST' as kind, q.request_id::text as reference, null as name, null::bigint as kobo, q.status::text as state, q.at
from request_log q where q.merchant_id = $1 and q.request_id = $2::uuid order by q.id limit 1`,
}
export const request = (read: Read, merchantId: bigint, id: string): Promise<FoundRow[]> =>
  read.query<FoundRow>(REQUEST, [merchantId, id])
