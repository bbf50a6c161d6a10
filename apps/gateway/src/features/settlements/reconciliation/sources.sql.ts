// What of our books a line of the bank's statement belongs to, kind by kind. A feature that moves money at a
// bank joins by one more entry here, and by one in follow.ts if something is done automatically when the bank
// knows more than we do.
import { connectorOfMoneyIn, moneyNameIn, referenceOfMoneyIn } from '#core/routing/names.ts'
import { HOUSE_LINES } from '#features/settlements/house-bookings/house-bookings.ts'

export type Source = {
  readonly name: string
  /** The kind of the lines, as the statement names it. */
  readonly kind: string
  /** Of the line `l`: select merchant_id, kobo, booked, state. `booked`: it is in our books as the line
   *  says. */
  readonly ours: string
  /** What we booked from $1 until $2 by the connector $5: select session_id, merchant_id, kobo. $3 is the
   *  first session of a payout of the days before, $4 the first that is too young. */
  readonly booked: string
}

/** What ended soon is found by its session, which begins with its time, so that the many need no index on
 *  when they ended; what ended more than two days later, by an index of those few. */
const endedPayouts = (table: 'disbursements' | 'bank_orders', state: string): string => {
  const ended = `completed_at >= $1::timestamptz and completed_at < $2::timestamptz and connector = $5::smallint and ${state}`
  return `select session_id, merchant_id, kobo from ${table} where session_id >= $3::text and session_id < $4::text and ${ended}
      union select session_id, merchant_id, kobo from ${table} where completed_at - created_at > interval '48 hours' and ${ended}`
}

/** Money that was received by the connector. */
const ofConnector = (name: string): string => `${connectorOfMoneyIn(name)} = $5::smallint`

/** What goes back to a card is settled with the card scheme, and no bank's statement has it. */
const BY_BANK = 'charge_reference is null'

export const SOURCES: readonly Source[] = [
  {
    name: 'credit',
    kind: 'CREDIT',
    ours: `select c.merchant_id, c.kobo, true as booked, c.outcome as state from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id
      where s.bank_reference = ${moneyNameIn('l.connector', 'l.session_id')}`,
    booked: `select ${referenceOfMoneyIn('c.bank_reference')} as session_id, c.merchant_id, c.kobo from inbound_credits c
      where c.received_at >= $1::timestamptz and c.received_at < $2::timestamptz and ${ofConnector('c.bank_reference')}`,
  },
  {
    name: 'return',
    kind: 'RETURN',
    ours: `select s.merchant_id, s.kobo, s.status = 'RETURNED' and s.return_session_id = ${moneyNameIn('l.connector', 'l.session_id')} as booked, s.status as state
      from suspense_items s where s.bank_reference = ${moneyNameIn('l.connector', 'l.of_session_id')}`,
    booked: `select ${referenceOfMoneyIn('s.return_session_id')} as session_id, s.merchant_id, s.kobo from suspense_items s
      where s.closed_at >= $1::timestamptz and s.closed_at < $2::timestamptz and s.status = 'RETURNED'
      and ${ofConnector('s.bank_reference')} and not exists (select from credit_reversals r where r.reversal_reference = s.return_session_id)`,
  },
  {
    name: 'reversal',
    kind: 'REVERSAL',
    ours: `select r.merchant_id, r.kobo, r.transfer_id is not null as booked, r.outcome as state from credit_reversals r where r.reversal_reference = ${moneyNameIn('l.connector', 'l.session_id')}`,
    booked: `select ${referenceOfMoneyIn('r.reversal_reference')} as session_id, r.merchant_id, r.kobo from credit_reversals r
      where r.heard_at >= $1::timestamptz and r.heard_at < $2::timestamptz and r.transfer_id is not null
      and ${ofConnector('r.bank_reference')}`,
  },
  {
    name: 'disbursement',
    kind: 'PAYOUT',
    ours: `select d.merchant_id, d.kobo, d.status in ('SUCCESS', 'REVERSED') as booked, d.status as state from disbursements d
      where d.session_id = l.session_id and d.connector = l.connector`,
    booked: endedPayouts('disbursements', `status in ('SUCCESS', 'REVERSED')`),
  },
  {
    name: 'disbursement',
    kind: 'PAYOUT_REVERSAL',
    ours: `select d.merchant_id, d.kobo, d.status = 'REVERSED' as booked, d.status as state from disbursements d
      where d.session_id = l.session_id and d.connector = l.connector`,
    booked: `select session_id, merchant_id, kobo from disbursements where completed_at >= $1::timestamptz and completed_at < $2::timestamptz
      and connector = $5::smallint and status = 'REVERSED'`,
  },
  {
    name: 'order',
    kind: 'PAYOUT',
    ours: `select o.merchant_id, o.kobo, o.status in ('PAID', 'REVERSED') as booked, o.status as state from bank_orders o
      where o.session_id = l.session_id and o.connector = l.connector and ${BY_BANK}`,
    booked: endedPayouts('bank_orders', `status in ('PAID', 'REVERSED') and ${BY_BANK}`),
  },
  {
    name: 'order',
    kind: 'PAYOUT_REVERSAL',
    ours: `select o.merchant_id, o.kobo, o.status = 'REVERSED' as booked, o.status as state from bank_orders o
      where o.session_id = l.session_id and o.connector = l.connector and ${BY_BANK}`,
    booked: `select session_id, merchant_id, kobo from bank_orders where completed_at >= $1::timestamptz and completed_at < $2::timestamptz
      and connector = $5::smallint and status = 'REVERSED' and ${BY_BANK}`,
  },
  {
    name: 'debit',
    kind: 'DEBIT',
    ours: `select d.merchant_id, d.kobo, t.status = 'PAID' as booked, t.status as state from debits d
      join transactions t on t.id = d.id and t.merchant_id = d.merchant_id where d.session_id = l.session_id and d.connector = l.connector`,
    booked: `select d.session_id, d.merchant_id, d.kobo from debits d join transactions t on t.id = d.id and t.merchant_id = d.merchant_id
      where d.session_id >= $3::text and d.session_id < $4::text and t.closed_at >= $1::timestamptz and t.closed_at < $2::timestamptz
      and t.status = 'PAID' and d.connector = $5::smallint`,
  },
  ...HOUSE_LINES.map((kind) => ({
    name: 'house',
    kind,
    ours: `select 0::bigint as merchant_id, h.kobo, true as booked, 'BOOKED' as state from house_bookings h
      where h.kind = l.kind and h.session_id = l.session_id and h.connector = l.connector`,
    // The line is what it is booked by, so none can be missing on the statement.
    booked: 'select h.session_id, 0::bigint as merchant_id, h.kobo from house_bookings h where false',
  })),
]
