// The statements of the limit of a day: what left each wallet on it.
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Statement, Tx } from '#kit/ctx.ts'

const SPENT: Statement = {
  name: 'day_limit_spent',
  text: `
-- all merchants: what each sent today; a day has one row
select merchant_id, kobo from disbursement_days where merchant_id = any($1::bigint[]) and day = $2`,
}
export async function spentToday(t: Tx, merchantIds: readonly bigint[], day: string): Promise<Map<bigint, bigint>> {
  const rows = await t.query<Pick<Rows['disbursement_days'], 'merchant_id' | 'kobo'>>(SPENT, [
    numbers(merchantIds),
    day,
  ])
  return new Map(rows.map((row) => [row.merchant_id, row.kobo]))
}

const SPEND: Statement = {
  name: 'day_limit_spend',
  text: `
-- all merchants: under the locks of their wallets
insert into disbursement_days as d (merchant_id, day, kobo) select merchant_id, $3, kobo from unnest($1::bigint[], $2::bigint[]) as x(merchant_id, kobo)
on conflict (merchant_id, day) do update set kobo = d.kobo + excluded.kobo`,
}
export const spend = (t: Tx, sums: ReadonlyMap<bigint, bigint>, day: string): Promise<unknown> =>
  t.query(SPEND, [numbers([...sums.keys()]), numbers([...sums.values()]), day])
