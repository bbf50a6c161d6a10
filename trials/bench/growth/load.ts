// Payments of months that are over, in every table that grows: as they would have been left by the gateway,
// put there by SQL.
import type pg from 'pg'
import { firstIdInMonth } from '../../../apps/gateway/src/kit/ids.ts'
import { split } from '../../../apps/gateway/src/kit/shape.ts'

const CHUNK = 50_000

const BODY = JSON.stringify({
  eventData: {
    product: { reference: 'order-', type: 'API_NOTIFICATION' },
    ...{ transactionReference: 'CWRY|01|20260101000000|', paymentReference: 'order-', paidOn: '2026-01-01 00:00:00.0' },
    ...{ paymentDescription: 'Two yards of adire', metaData: {} },
    paymentSourceInformation: [
      {
        bankCode: '058',
        amountPaid: 1500,
        accountName: 'BOLA ADE BALOGUN',
        sessionId: '0000132601010000',
        accountNumber: '2034454417',
      },
    ],
    destinationAccountInformation: {
      bankCode: '50515',
      bankName: 'Moniepoint Microfinance Bank',
      accountNumber: '0112345678',
    },
    ...{ amountPaid: 1500, totalPayable: 1500, cardDetails: {}, paymentMethod: 'ACCOUNT_TRANSFER', currency: 'NGN' },
    ...{
      settlementAmount: '1477.50',
      paymentStatus: 'PAID',
      customer: { name: 'Ngozi Bello', email: 'ngozi@example.com' },
    },
  },
  eventType: 'SUCCESSFUL_TRANSACTION',
})

/** $1 the first id of the month, $2 and $3 the places, $4 the merchants, $5 the month's first moment, $6 how
 *  many the month has. */
const ROWS = `
create temporary table load on commit drop as
select $1::bigint + n * 4 as id, $1::bigint + n * 4 + 1 as transfer_id, $1::bigint + n * 4 + 2 as event_id,
  ($4::bigint[])[1 + (hashint8(n) & 2147483647) % cardinality($4::bigint[])] as merchant_id, n, 10000 + n * 7919 % 500000 as kobo,
  150 + n * 119 % 7500 as fee, date_trunc('milliseconds', $5::timestamptz + interval '28 days' * (n::float8 / $6)) as at
from generate_series($2::bigint, $3::bigint) n`

const INSERTS: readonly string[] = [
  `insert into transactions (id, merchant_id, reference, payment_reference, contract_code, status, version, kobo, customer_name, customer_email,
     description, methods, meta_data, payment_method, paid_kobo, fee_kobo, created_at, expires_at, closed_at, email_key, name_key)
   select id, merchant_id, 'CWRY|01|' || to_char(at at time zone 'Africa/Lagos', 'YYYYMMDDHH24MISS') || '|' || lpad((id % 1000000)::text, 6, '0'),
     'order-' || id, '0112345678', 'PAID', 2, kobo, 'Customer ' || n % 262144, 'c' || n % 262144 || '@example.com', 'Two yards of adire',
     'TC', '{}', 'ACCOUNT_TRANSFER', kobo, fee, at, at + interval '40 min', at + interval '1 min',
     search_key('c' || n % 262144 || '@example.com'), search_key('Customer ' || n % 262144) from load`,
  `insert into payment_references select merchant_id, 'order-' || id, id from load`,
  `insert into transfers (id, merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts)
   select transfer_id, merchant_id, 'COLLECTION', 'transaction', id, 1, at + interval '1 min', array[0, merchant_id * 16 + 8, 2],
     array[-kobo, kobo - fee, fee] from load`,
  `insert into inbound_credits (bank_reference, merchant_id, transaction_id, transfer_id, outcome, kobo, account_number, bank_code, sender_name,
     sender_account_number, sender_bank_code, received_at)
   select '000013' || lpad(id::text, 24, '0'), merchant_id, id, transfer_id, 'COUNTED', kobo, lpad((n % 7000000 + 10000000)::text, 10, '0'), '50515',
     'BOLA ADE BALOGUN', (2030000000 + (n % 262144) * 7)::text, '058', at + interval '1 min' from load`,
  `insert into bank_sessions select '000013' || lpad(id::text, 24, '0'), merchant_id, transfer_id from load`,
  `insert into state_changes (object, object_id, version, merchant_id, action, from_state, to_state, transfer_id, at)
   select 'transaction', id, 2, merchant_id, 'pay', 'PENDING', 'PAID', transfer_id, at + interval '1 min' from load`,
  // settled the same day, as by default
  `insert into settlement_lines (transfer_id, account_id, merchant_id, object, object_id, at, kobo, amount_kobo, fee_kobo, settlement_id)
   select transfer_id, merchant_id * 16 + 8, merchant_id, 'transaction', id, at + interval '1 min', kobo - fee, kobo, fee,
     merchant_id + (at::date - date '2020-01-01') * 1000003::bigint from load`,
  `insert into event_numbers (merchant_id, number, event_id) select l.merchant_id, coalesce(c.last_number, 0)
     + row_number() over (partition by l.merchant_id order by l.event_id), l.event_id from load l left join event_counters c using (merchant_id)`,
  `insert into event_counters as c (merchant_id, last_number) select merchant_id, count(*) from load group by 1
   on conflict (merchant_id) do update set last_number = c.last_number + excluded.last_number`,
]
const EVENTS = `insert into events (id, merchant_id, type, object, object_id, object_version, shape, body, at)
  select event_id, merchant_id, 'SUCCESSFUL_TRANSACTION', 'CWRY|01|' || id, id, 2, $1, $2, at + interval '1 min' from load`

/** A month of so many payments; answers the seconds it took. */
export async function loadMonth(
  client: pg.Client,
  month: bigint,
  count: number,
  ids: readonly bigint[],
): Promise<number> {
  const began = performance.now()
  const { shape, values } = split(BODY)
  await client.query('select open_month($1)', [String(month)])
  await client.query('insert into event_shapes (shape) values ($1) on conflict do nothing', [shape])
  const { rows } = await client.query<{ id: number }>('select id from event_shapes where shape = $1', [shape])
  const text = String(month)
  const begins = new Date(`${text.slice(0, 4)}-${text.slice(4)}-01T00:00:00+01:00`)
  await client.query('set synchronous_commit = off')
  for (let from = 1; from <= count; from += CHUNK) {
    await client.query('begin')
    await client.query(ROWS, [
      String(firstIdInMonth(month)),
      from,
      Math.min(count, from + CHUNK - 1),
      ids.map(String),
      begins,
      count,
    ])
    for (const insert of INSERTS) await client.query(insert)
    await client.query(EVENTS, [rows[0]?.id, values])
    await client.query('commit')
  }
  return (performance.now() - began) / 1000
}
