// The statements that find what was sent, with what its bank said of it.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

export type SentRow = Pick<Rows['payout_details'], 'network_reference' | 'fee_kobo'> & {
  state: string
  kobo: bigint
  connector: Rows['connectors']['name']
  session_id: string | null
  reported_at: Date | null
  reference: Rows['disbursements']['reference']
}
const sent = (name: string, table: string, reference: string, which: string): Statement => ({
  name,
  text: `select ${reference} as reference, o.status as state, o.kobo, c.name as connector, o.session_id, p.network_reference, p.fee_kobo, p.reported_at
from ${table} o join connectors c on c.id = o.connector left join payout_details p on p.session_id = o.session_id and p.merchant_id = o.merchant_id
where o.merchant_id = $1 and ${which}`,
})
const FIND = {
  PAYOUT: sent(
    'payout_shown',
    'disbursements',
    'o.reference',
    'o.id = (select r.disbursement_id from payout_references r where r.merchant_id = $1 and r.reference = $2)',
  ),
  ORDER: sent('payout_shown_order', 'bank_orders', 'o.id::text', 'o.id = $2::bigint'),
}
/** With what its bank said of it beside its outcome. */
export const findSent = async (
  read: Read,
  merchantId: bigint,
  kind: keyof typeof FIND,
  reference: string,
): Promise<SentRow | null> => (await read.query<SentRow>(FIND[kind], [merchantId, reference]))[0] ?? null
