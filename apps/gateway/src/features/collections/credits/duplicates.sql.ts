// The statements of breaks about a credit that a bank booked twice.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type BreakRow = Pick<Rows['recon_breaks'], 'id' | 'merchant_id' | 'status' | 'done'>

const DUPLICATE: Statement = {
  name: 'duplicates_lock',
  text: `
-- all merchants: the bank names a credit, not a merchant
select id, merchant_id, status, done from recon_breaks
where class = 'DUPLICATE' and kind = 'CREDIT' and session_id = $1 and connector = $2::smallint and bank_kobo = $3 order by place for update`,
}
/** The breaks of a credit that was booked too often, locked: a correction of one waits, or is seen here. */
export const lockDuplicates = (
  t: Tx,
  of: { readonly sessionId: string; readonly connector: number; readonly kobo: bigint },
): Promise<BreakRow[]> => t.query<BreakRow>(DUPLICATE, [of.sessionId, of.connector, of.kobo])

const REVERSAL: Statement = {
  name: 'duplicates_reversal',
  text: `
-- all merchants: the bank names its reversal, not a merchant
select id, merchant_id, status, done from recon_breaks
where class = 'REVERSAL' and kind = 'REVERSAL' and session_id = $1 and connector = $2::smallint`,
}
export const findReversal = async (read: Read, connector: number, sessionId: string): Promise<BreakRow | null> =>
  (await read.query<BreakRow>(REVERSAL, [sessionId, connector]))[0] ?? null
