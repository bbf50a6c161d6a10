// The statements that list customers' wallets; those that make and find one are wallets' own.
import type { CustomerWalletRow } from '#features/wallets/wallets/customers.ts'
import type { Read, Statement } from '#kit/ctx.ts'

const SHOWN = `id, merchant_id, reference, name, customer_name, customer_email, birth_date::text as birth_date, bvn_tail, fee_owner, account_number,
  top_up_number, bank_code, created_at`

const IS_USED: Statement = {
  name: 'customer_wallets_is_used',
  text: 'select 1 from customer_wallets where merchant_id = $1 and reference = $2',
}
export const isUsed = async (read: Read, merchantId: bigint, reference: string): Promise<boolean> =>
  (await read.query(IS_USED, [merchantId, reference])).length > 0

export type Filter = { readonly reference: string | null; readonly email: string | null }
/** One text for each way to ask, so that each has a plan of its own. */
const statementsOf = (name: string, ...conditions: readonly string[]) => {
  const found = `from customer_wallets where ${['merchant_id = $1', ...conditions].join(' and ')}`
  const next = conditions.length + 2
  return {
    count: { name: `customer_wallets_count_${name}`, text: `select count(*)::int as total ${found}` },
    page: {
      name: `customer_wallets_list_${name}`,
      text: `select ${SHOWN} ${found} order by id desc offset $${next} limit $${next + 1}`,
    },
  } satisfies Record<string, Statement>
}
const email = (place: string): string => `lower(customer_email) = lower(${place})`
const ALL = statementsOf('all')
const BY_REFERENCE = statementsOf('by_reference', 'reference = $2')
const BY_EMAIL = statementsOf('by_email', email('$2'))
const BY_BOTH = statementsOf('by_both', 'reference = $2', email('$3'))

/** Newest first. */
export async function list(
  read: Read,
  merchantId: bigint,
  filter: Filter,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ rows: CustomerWalletRow[]; total: number }> {
  const given = [filter.reference, filter.email].filter((one) => one !== null)
  const one = filter.reference === null ? BY_EMAIL : BY_REFERENCE
  const { count, page } = given.length === 0 ? ALL : given.length === 2 ? BY_BOTH : one
  const asked = [merchantId, ...given]
  const [counted] = await read.query<{ total: number }>(count, asked)
  return { rows: await read.query<CustomerWalletRow>(page, [...asked, offset, size]), total: counted?.total ?? 0 }
}
