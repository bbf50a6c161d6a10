// The statement that finds payouts by the network's names of them.
import { texts } from '#kit/arrays.ts'
import type { Read, Statement } from '#kit/ctx.ts'

// A reference that two payouts have says nothing, and one that is itself a session is taken at its word.
const SESSIONS: Statement = {
  name: 'payout_details_sessions',
  text: `
-- all merchants: the statement of a bank is about all of them
select p.network_reference, min(p.session_id) as session_id
from unnest($2::text[]) as x(reference) join payout_details p on p.network_reference = x.reference and p.connector = $1::smallint
where not exists (select from disbursements d where d.session_id = x.reference)
  and not exists (select from bank_orders o where o.session_id = x.reference)
group by p.network_reference having count(distinct p.session_id) = 1`,
}
/** The payouts of a connector that the network knows by these references. */
export const listSessions = (
  read: Read,
  connector: number,
  references: readonly string[],
): Promise<{ network_reference: string; session_id: string }[]> => read.query(SESSIONS, [connector, texts(references)])
