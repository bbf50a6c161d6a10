// What a merchant keeps under an e-mail address beside payments; each by an index of its own, the newest
// first, with the count of all.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

type Listed = { readonly email: string; readonly total: bigint; readonly created_at: Date }

export type CardRow = Listed &
  Readonly<Pick<Rows['card_tokens'], 'token' | 'scheme' | 'last4' | 'exp_month' | 'exp_year' | 'bank_name'>>
const CARDS: Statement = {
  name: 'customers_cards',
  text: `
select customer_email as email, token, scheme, last4, exp_month, exp_year, bank_name, created_at, count(*) over () as total
from card_tokens where merchant_id = $1 and search_key(customer_email) = search_key($2::text) order by created_at desc limit $3`,
}
export const listCards = (read: Read, merchantId: bigint, email: string, limit: number): Promise<CardRow[]> =>
  read.query<CardRow>(CARDS, [merchantId, email, limit])

export type AccountRow = Listed &
  Readonly<Pick<Rows['reserved_accounts'], 'reference' | 'status' | 'contract_code'>> & {
    readonly name: Rows['reserved_accounts']['customer_name']
    readonly account_name: Rows['reserved_accounts']['name']
  }
const ACCOUNTS: Statement = {
  name: 'customers_accounts',
  text: `
select customer_email as email, customer_name as name, reference, name as account_name, status, contract_code, created_at,
  count(*) over () as total
from reserved_accounts where merchant_id = $1 and search_key(customer_email) = search_key($2::text) order by created_at desc limit $3`,
}
export const listAccounts = (read: Read, merchantId: bigint, email: string, limit: number): Promise<AccountRow[]> =>
  read.query<AccountRow>(ACCOUNTS, [merchantId, email, limit])

export type MandateRow = Listed &
  Readonly<Pick<Rows['mandates'], 'code' | 'reference' | 'status' | 'kobo' | 'debited_kobo' | 'ends_at'>> & {
    readonly name: Rows['mandates']['customer_name']
  }
const MANDATES: Statement = {
  name: 'customers_mandates',
  text: `
select customer_email as email, customer_name as name, code, reference, status, kobo, debited_kobo, ends_at, created_at,
  count(*) over () as total
from mandates where merchant_id = $1 and lower(customer_email) = lower($2::text) order by created_at desc limit $3`,
}
export const listMandates = (read: Read, merchantId: bigint, email: string, limit: number): Promise<MandateRow[]> =>
  read.query<MandateRow>(MANDATES, [merchantId, email, limit])
