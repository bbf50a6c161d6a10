// The statements of finding over all merchants of a cell. What is ours is unique in its cell, and has an
// index; what merchants call a thing is looked up under each merchant, by the key that their own requests
// use. None reads more for more payments.
import type { EverywhereKind } from '@cowrie/contract/screens/find-everywhere'
import type { Declarations } from '#core/declarations.ts'
import { everywhereParts } from '#core/findable.ts'
import type { Read, Statement } from '#kit/ctx.ts'

export type EverywhereRow = {
  kind: EverywhereKind
  /** What its screen is found by, where that is not the reference. */
  id: string | null
  reference: string
  name: string | null
  kobo: bigint | null
  state: string | null
  at: Date
  api_key: string | null
  merchant_name: string | null
}

const withOwner = (parts: readonly string[]): string => `
-- all merchants: the operator looks through all of them
select f.kind, f.id, f.reference, f.name, f.kobo, f.state, f.at, m.api_key, m.name as merchant_name
from (${parts.join('\nunion\n')}) f left join merchants m on m.id = f.merchant_id order by f.at desc limit $2`

/** The look-ups that features declare. */
export type EverywhereLookups = Readonly<Record<'ours' | 'theirs' | 'number', Statement>>
export function gatherEverywhere(features: readonly Declarations[]): EverywhereLookups {
  const findable = features.flatMap((feature) => feature.findable ?? [])
  return {
    ours: { name: 'everywhere_ours', text: withOwner(everywhereParts(findable, 'ours')) },
    theirs: { name: 'everywhere_theirs', text: withOwner(everywhereParts(findable, 'theirs')) },
    number: { name: 'everywhere_number', text: withOwner(everywhereParts(findable, 'number')) },
  }
}

export const ours = (read: Read, { ours }: EverywhereLookups, text: string, most: number): Promise<EverywhereRow[]> =>
  read.query(ours, [text, most])

/** Under every merchant, by the key of the merchant and its own name for the thing. */
export const theirs = (
  read: Read,
  { theirs }: EverywhereLookups,
  text: string,
  most: number,
): Promise<EverywhereRow[]> => read.query(theirs, [text, most])

/** Whose an account number is that payers pay to. */
export const ofNumber = (
  read: Read,
  { number: by }: EverywhereLookups,
  number: string,
  most: number,
): Promise<EverywhereRow[]> => read.query(by, [number, most])

// The filters of inbound_credits_sender say which pages may hold the account; they know no merchant, so all
// cost what one costs.
const PAYER: Statement = {
  name: 'everywhere_payer',
  text: `
-- all merchants: one account may pay several of them
with own as materialized (
  select c.transaction_id from inbound_credits c
  where c.sender_account_number = $1 and c.transaction_id is not null group by c.transaction_id order by max(c.received_at) desc limit $2
)
${withOwner([
  `select 'PAYMENT' as kind, null::text as id, t.merchant_id, t.reference, t.customer_name as name, t.kobo, t.status as state, t.created_at as at
   from own join transactions t on t.id = own.transaction_id`,
])}`,
}
export const ofPayer = (read: Read, number: string, most: number): Promise<EverywhereRow[]> =>
  read.query(PAYER, [number, most])

const MERCHANTS: Statement = {
  name: 'everywhere_merchants',
  text: `
-- all merchants: the operator looks through all of them
select 'MERCHANT' as kind, f.id::text, f.email as reference, null as name, null::bigint as kobo, f.status as state, f.created_at as at,
  m.api_key, f.name as merchant_name
from merchant_files f left join merchants m on m.id = f.id
where position(lower($1) in lower(f.name)) > 0 or position(lower($1) in lower(f.email)) > 0 or f.id = $3
  or m.id in (select id from merchants where api_key = $1 or wallet_number = $1 union all select merchant_id from api_keys where api_key = $1
    union all select merchant_id from contracts where code = $1 union all
    select merchant_id from customer_wallets where account_number = $1 or top_up_number = $1)
order by lower(f.name) = lower($1) desc, f.name, f.id limit $2`,
}
/** By a part of the name or the e-mail address, or by the whole of what only one has: key, contract code,
 *  number of a wallet. */
export const merchants = (read: Read, text: string, most: number, id: bigint | null): Promise<EverywhereRow[]> =>
  read.query(MERCHANTS, [text, most, id])
