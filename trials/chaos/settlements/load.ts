// Paid transactions by the hundred thousand, as if they had come in one by one: rows, history, ledger,
// credits and events, so that the books are in order afterwards. Every tenth merchant is settled to a bank,
// every fifth shares a tenth with a sub account.
import type { Client } from 'pg'

const RULES = `
insert into settlement_rules (id, merchant_id, destination, schedule, bank_code, account_number, account_name, valid_from)
select nextval('ids'), id, 'BANK', 'SAME_DAY', '058', lpad((1000000000 + place * 10 + 7)::text, 10, '0'), 'MERCHANT ' || place, now()
from unnest($1::bigint[]) with ordinality as m(id, place) where place % 10 = 0`

const SUB_ACCOUNTS = `
with made as (
  insert into sub_accounts (id, merchant_id, code, bank_code, account_number, account_name, email, default_split, created_at, changed_at)
  select x.id, x.merchant, 'CWRY_SUB_01' || lpad(x.id::text, 10, '0'), '058', lpad((2000000000 + x.place * 10 + 7)::text, 10, '0'),
    'SHARE ' || x.place, 'share@bench.example', 100000, now(), now()
  from (select nextval('ids') as id, m.id as merchant, place from unnest($1::bigint[]) with ordinality as m(id, place) where place % 5 = 0) x
  returning id, merchant_id
)
insert into accounts (id, merchant_id, kind) select id * 16 + 11, merchant_id, 'SHARE' from made`

/** The payments are of an hour ago; their fees must be of a schedule that was in force then. */
const SCHEDULES = `update fee_schedules set valid_from = valid_from - interval '2 hours', created_at = created_at - interval '2 hours' where merchant_id = any($1::bigint[])`

/** Numbers of their own for the rows: a block of the sequence that all processes take from. */
const RESERVE = `select setval('ids', nextval('ids') + $1::bigint) - $1::bigint as first`

const PLAN = `
create temporary table load as
select $2::bigint + n as id, $2::bigint + $3::bigint + n as transfer_id, $2::bigint + 2 * $3::bigint + n as event_id, m.id as merchant_id, f.id as schedule_id,
  s.id as sub_id, s.code as sub_code, kobo, least((kobo * 150 + 5000) / 10000, 200000) as fee, case when s.id is null then 0 else kobo / 10 end as share,
  'CWRY|01|' || lpad(($2::bigint + n)::text, 14, '0') || '|' || lpad((n % 1000000)::text, 6, '0') as reference,
  date_trunc('milliseconds', clock_timestamp() - interval '1 hour') as at
from (select n, 10000 + n * 7919 % 500000 as kobo from generate_series(0, $3::bigint - 1) n) x
join unnest($1::bigint[]) with ordinality as m(id, place) on m.place - 1 = x.n % cardinality($1::bigint[])
join fee_schedules f on f.merchant_id = m.id
left join sub_accounts s on s.merchant_id = m.id`

const ROWS = [
  `insert into transactions (id, merchant_id, reference, payment_reference, contract_code, status, version, kobo, customer_name, customer_email,
     description, methods, meta_data, payment_method, paid_kobo, fee_kobo, created_at, expires_at, closed_at, email_key, name_key, split)
   select id, merchant_id, reference, 'order-' || id, '0100000000', 'PAID', 2, kobo, 'Ngozi Bello', 'ngozi@example.com', 'Two yards of adire',
     'T', '{}', 'ACCOUNT_TRANSFER', kobo, fee, at, at + interval '40 minutes', at, search_key('ngozi@example.com'),
     search_key('Ngozi Bello'), case when sub_id is not null then json_build_array(json_build_object('id', sub_id::text, 'code', sub_code,
     'percent', '100000', 'fee', 'NONE'))::text end from load`,
  `insert into payment_references (merchant_id, payment_reference, transaction_id) select merchant_id, 'order-' || id, id from load`,
  `insert into bank_sessions (bank_reference, merchant_id, transfer_id) select lpad(id::text, 30, '0'), merchant_id, transfer_id from load`,
  `insert into transfers (id, merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts)
   select transfer_id, merchant_id, 'COLLECTION', 'transaction', id, schedule_id, at,
     array[0, merchant_id * 16 + 8, 2] || case when share > 0 then array[sub_id * 16 + 11] else '{}' end,
     array[-kobo, kobo - fee - share, fee] || case when share > 0 then array[share] else '{}' end from load`,
  `insert into inbound_credits (bank_reference, merchant_id, transaction_id, transfer_id, outcome, kobo, account_number, bank_code, sender_name,
     sender_account_number, sender_bank_code, received_at)
   select lpad(id::text, 30, '0'), merchant_id, id, transfer_id, 'COUNTED', kobo, '0100000000', '50515', 'ADA NNEKA OBI', '0123456789', '058', at from load`,
  `insert into state_changes (object, object_id, version, merchant_id, action, from_state, to_state, transfer_id, at)
   select 'transaction', id, 2, merchant_id, 'pay', 'PENDING', 'PAID', transfer_id, at from load`,
  `insert into events (id, merchant_id, type, object, object_id, object_version, body, at)
   select event_id, merchant_id, 'SUCCESSFUL_TRANSACTION', reference, id, 2, '{}', at from load`,
  `insert into event_numbers (merchant_id, number, event_id) select l.merchant_id, coalesce(c.last_number, 0)
     + row_number() over (partition by l.merchant_id order by l.event_id), l.event_id from load l left join event_counters c on c.merchant_id = l.merchant_id`,
  `insert into event_counters as c (merchant_id, last_number) select merchant_id, count(*) from load group by 1
   on conflict (merchant_id) do update set last_number = c.last_number + excluded.last_number`,
]

/** Once, before payments are loaded. */
export async function prepareMerchants(client: Client, merchantIds: readonly bigint[]): Promise<void> {
  await client.query(RULES, [merchantIds])
  await client.query(SCHEDULES, [merchantIds])
  await client.query(SUB_ACCOUNTS, [merchantIds])
}

/** Answers with what is owed to everybody by it, in kobo. */
export async function loadPayments(client: Client, merchantIds: readonly bigint[], count: number): Promise<bigint> {
  await client.query('begin')
  const { rows } = await client.query<{ first: string }>(RESERVE, [Math.ceil((3 * count) / 10_000 + 1) * 10_000])
  await client.query(PLAN, [merchantIds, rows[0]?.first, count])
  for (const statement of ROWS) await client.query(statement)
  const sum = await client.query<{ kobo: string }>('select sum(kobo - fee)::text as kobo from load')
  await client.query('drop table load')
  await client.query('commit')
  return BigInt(sum.rows[0]?.kobo ?? 0)
}
