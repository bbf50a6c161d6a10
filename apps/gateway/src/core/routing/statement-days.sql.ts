// The first day of a connector's statements.
import type { Statement, Tx } from '#kit/ctx.ts'

/** A day of the statement of one bank. */
export type Day = { readonly day: string; readonly connector: number }

const FIRST: Statement = {
  name: 'statement_days_first',
  text: `insert into statement_days (day, connector) select $1::date, $2::smallint
  where not exists (select from statement_days where connector = $2::smallint) on conflict do nothing returning day`,
}
/** The first day of a bank; false when there is one. */
export const insertFirst = async (t: Tx, { day, connector }: Day): Promise<boolean> =>
  (await t.query(FIRST, [day, connector])).length > 0
