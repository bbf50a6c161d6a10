import { DISPUTE_STATES, type DisputeState, OPEN_DISPUTES } from '@cowrie/contract/bank/v2/disputes'
import { ADDRESS, unlessEmpty, WORD } from '#core/personal/judging.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type NewDispute = {
  readonly connector: number
  readonly reference: string
  readonly merchantId: bigint
  readonly transactionId: bigint
  readonly chargeReference: string
  readonly kobo: bigint
  readonly state: DisputeState
  readonly reasonCode: string | null
  readonly reason: string | null
  readonly dueAt: Date | null
  /** When it happened at the acquirer. */
  readonly saidAt: Date
}

const quoted = (states: readonly string[]): string => states.map((state) => `'${state}'`).join(', ')
/** What happened at the same moment is ordered by how far it goes. */
const place = (state: string): string => `array_position(array[${quoted(DISPUTE_STATES)}], ${state})`

const KEEP: Statement = {
  name: 'card_disputes_keep',
  text: `with payer as materialized (select customer_email = '${ADDRESS}' as erased from transactions where merchant_id = $3 and id = $4 for share)
insert into card_disputes as d (connector, reference, merchant_id, transaction_id, charge_reference, kobo, state, reason_code, reason, due_at, said_at, reported_at, changed_at)
select $1, $2, $3, $4, $5, $6, $7, $8, case when exists (select from payer where erased) then ${unlessEmpty('$9::text', WORD)} else $9::text end, $10, $11, $12, $12
on conflict (connector, reference) do update set kobo = excluded.kobo, state = excluded.state, reason_code = coalesce(excluded.reason_code, d.reason_code),
  reason = coalesce(excluded.reason, d.reason), due_at = coalesce(excluded.due_at, d.due_at), said_at = excluded.said_at, changed_at = excluded.changed_at
where d.merchant_id = excluded.merchant_id and d.charge_reference = excluded.charge_reference
  and (excluded.said_at, ${place('excluded.state')}) > (d.said_at, ${place('d.state')})
returning reference`,
}
/** The acquirer's words may name a payer who was erased since; of such a payer none are kept. False when it
 *  was known already, or is about another charge than the dispute. */
export const keep = async (t: Tx, one: NewDispute): Promise<boolean> => {
  const { connector, reference, merchantId, transactionId, chargeReference, kobo, state } = one
  const { reasonCode, reason, dueAt, saidAt } = one
  const values = [
    ...[connector, reference, merchantId, transactionId, chargeReference, kobo, state],
    ...[reasonCode, reason, dueAt, saidAt, t.now],
  ]
  return (await t.query(KEEP, values)).length === 1
}

export type DisputeRow = Pick<
  Rows['card_disputes'],
  'reference' | 'charge_reference' | 'kobo' | 'reason_code' | 'reason' | 'due_at' | 'reported_at' | 'changed_at'
> & {
  connector: Rows['connectors']['name']
  api_key: string | null
  transaction_reference: string | null
  state: DisputeState
}
const LIST: Statement = {
  name: 'card_disputes_list',
  text: `
-- all merchants: the operator looks at all of them
select d.reference, c.name as connector, m.api_key, d.charge_reference, t.reference as transaction_reference, d.kobo, d.state, d.reason_code, d.reason, d.due_at,
  d.reported_at, d.changed_at
from card_disputes d join connectors c on c.id = d.connector join merchants m on m.id = d.merchant_id
  left join transactions t on t.id = d.transaction_id and t.merchant_id = d.merchant_id
where $1::boolean or d.state in (${quoted(OPEN_DISPUTES)})
order by d.state not in (${quoted(OPEN_DISPUTES)}), d.due_at nulls last, d.reported_at, d.reference limit $2`,
}
/** The open ones first, by when an answer is due; `all`: those that are over too. */
export const list = (read: Read, all: boolean, most: number): Promise<DisputeRow[]> => read.query(LIST, [all, most])
