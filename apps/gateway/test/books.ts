// The invariants, each a query that lists violations. They hold at every instant, so they are asked after every test, on
// one snapshot, of a database that knows nothing of the code under test.
import pg from 'pg'
import { MACHINES } from '../../../packages/contract/src/index.ts'
import { startsOf } from '../../../packages/contract/src/kit.ts'
import { DEBIT_INVARIANTS } from './books.debits.ts'
import { PAYOUT_INVARIANTS } from './books.payouts.ts'
import { RECON_INVARIANTS } from './books.recon.ts'
import { REFUND_INVARIANTS } from './books.refunds.ts'
import { SETTLEMENT_INVARIANTS } from './books.settlements.ts'

export type Violation = { readonly invariant: string; readonly rows: number; readonly example: string }

const edges = MACHINES.flatMap((m) =>
  m.moves.flatMap((move) => move.from.map((from) => [m.name, move.on, from, move.to])),
)
const edgeList = edges.map((edge) => `(${edge.map((word) => `'${word}'`).join(', ')})`).join(', ')
const starts = MACHINES.flatMap((m) => startsOf(m).map((state) => `('${m.name}', '${state}')`)).join(', ')
const bookKeepers = MACHINES.flatMap((m) =>
  m.moves.filter((move) => move.books).map((move) => `('${m.name}', '${move.on}')`),
).join(', ')
const tellers = MACHINES.flatMap((m) =>
  m.moves.filter((move) => move.emits).map((move) => `('${m.name}', '${move.on}', '${move.emits}')`),
).join(', ')

/** Every object of every machine with the state and version it shows. */
const objects = MACHINES.map(
  (m) =>
    `select '${m.name}' as object, id, status, version, '{${startsOf(m).join(',')}}'::text[] as starts from ${m.table}`,
).join(' union all ')
const waiting = MACHINES.filter((m) => m.name === 'transaction')
  .flatMap((m) => Object.entries(m.states).flatMap(([name, state]) => (state.waits ? [`'${name}'`] : [])))
  .join(', ')

/** name → the query of its violations. */
export const INVARIANTS: Readonly<Record<string, string>> = {
  'entries of a transfer sum to zero and are two or more': `select transfer_id from entries group by 1 having sum(kobo) <> 0 or count(*) < 2`,
  'every transfer has entries': `select t.id from transfers t where not exists (select from entries e where e.transfer_id = t.id)`,
  'every entry has its transfer': `select e.transfer_id from entries e where not exists (select from transfers t where t.id = e.transfer_id)`,
  'every entry has its account': `select e.account_id from entries e where not exists (select from accounts a where a.id = e.account_id)`,
  'a running balance equals its entries': `select a.id from accounts a left join entries e on e.account_id = a.id where a.balance_kobo is not null
    group by a.id, a.balance_kobo having a.balance_kobo <> coalesce(sum(e.kobo), 0)`,
  'no running balance is below zero': `select id from accounts where balance_kobo < 0`,
  'a roll-up equals the entries below the horizon': `select a.id from accounts a left join rollups r on r.account_id = a.id where a.balance_kobo is null
    and coalesce(r.kobo, 0) <> coalesce((select sum(e.kobo) from entries e join transfers t on t.id = e.transfer_id where e.account_id = a.id and t.xid < (select upto_xid from rollup_horizon)), 0)`,
  'a posting touches one merchant and the house only': `select t.id from transfers t join entries e on e.transfer_id = t.id
    left join accounts a on a.id = e.account_id where coalesce(a.merchant_id, e.account_id / 16) not in (0, t.merchant_id)`,
  'an account belongs to the merchant, or the sub account of the merchant, that its id names': `select a.id from accounts a
    left join sub_accounts s on s.id = a.id / 16 where (a.kind = 'SHARE') <> (a.id % 16 = 11)
    or case when a.kind = 'SHARE' then s.merchant_id is distinct from a.merchant_id else a.id / 16 <> a.merchant_id end`,
  'every sub account has its account': `select s.id from sub_accounts s where not exists (select from accounts a where a.id = s.id * 16 + 11)`,
  'a paid transaction has exactly its money': `select t.id from transactions t where t.paid_kobo <> coalesce((select sum(c.kobo) from inbound_credits c
    where c.transaction_id = t.id and c.outcome = 'COUNTED'), 0) + coalesce((select sum(c.kobo) from card_charges c
    where c.transaction_id = t.id and c.status = 'APPROVED'), 0) + coalesce((select d.kobo from debits d where d.id = t.id and t.status = 'PAID'), 0)`,
  'an approved charge paid its transaction, by card, with its amount': `select c.id from card_charges c join transactions t on t.id = c.transaction_id
    where c.status = 'APPROVED' and (t.status, t.payment_method, t.paid_kobo, t.merchant_id) is distinct from ('PAID', 'CARD', c.kobo, c.merchant_id)`,
  'an approved charge is posted once, to what card schemes owe us, and nothing else of a transaction is': `select coalesce(c.transaction_id, p.object_id)
    from (select * from card_charges where status = 'APPROVED') c
    full join (select f.object_id, -sum(e.kobo) as kobo from transfers f join transactions t on t.id = f.object_id
      join entries e on e.transfer_id = f.id and e.account_id = 1 where f.object = 'transaction' group by 1) p on p.object_id = c.transaction_id
    where c.kobo is distinct from p.kobo`,
  'a charge that waits has its timer': `select c.id from card_charges c where c.status in ('SENT', 'OTP', 'CHALLENGE', 'REVERSING')
    and not exists (select from agenda a where a.kind = 'cards.look' and a.subject = c.id)`,
  'a stored card comes from an approved charge of its merchant': `select k.token from card_tokens k left join card_charges c on c.id = k.charge_id
    where (c.status, c.token, c.merchant_id) is distinct from ('APPROVED', k.token, k.merchant_id)`,
  'the money of a transaction is in the ledger, less its fee': `select t.id from transactions t
    where t.paid_kobo - t.fee_kobo - coalesce((select sum(r.kobo - r.fee_kobo) from credit_reversals r where r.transaction_id = t.id and r.outcome = 'COUNTED'), 0) <> coalesce((
    select sum(e.kobo) from transfers f join entries e on e.transfer_id = f.id join accounts a on a.id = e.account_id
    where f.object = 'transaction' and f.object_id = t.id and f.merchant_id = t.merchant_id
    and a.merchant_id = t.merchant_id and a.kind in ('PENDING', 'SHARE')), 0)`,
  'a share goes to a sub account that the split names, and none is below zero': `select f.id from transfers f
    join entries e on e.transfer_id = f.id and e.account_id % 16 = 11 join transactions t on t.id = f.object_id
    where f.object = 'transaction' group by f.id, t.id, e.account_id
    having bool_and(not coalesce(t.split::jsonb @> jsonb_build_array(jsonb_build_object('id', (e.account_id / 16)::text)), false))
    union all select t.id from transactions t join transfers f on f.object = 'transaction' and f.object_id = t.id
    join entries e on e.transfer_id = f.id and e.account_id % 16 in (8, 11) group by t.id, e.account_id having sum(e.kobo) < 0`,
  'status fits the amounts': `select id from transactions where (status = 'PAID' and abs(paid_kobo - kobo) > least(tolerance_kobo, kobo / 10)) or (status = 'OVERPAID' and paid_kobo <= kobo)
    or (status = 'PARTIALLY_PAID' and not (paid_kobo > 0 and paid_kobo < kobo)) or (status in ('PENDING', 'EXPIRED', 'FAILED', 'CANCELLED') and paid_kobo <> 0)`,
  'every credit is posted once, with its amount': `select c.bank_reference from inbound_credits c where c.kobo is distinct from (
    select -sum(e.kobo) from transfers t join entries e on e.transfer_id = t.id and e.account_id = 0 where t.id = c.transfer_id)`,
  'every suspended credit has its item, and every item its credit': `select coalesce(c.bank_reference, s.bank_reference)
    from (select * from inbound_credits where outcome = 'SUSPENDED') c full join suspense_items s using (bank_reference)
    where c.bank_reference is null or s.bank_reference is null or c.kobo <> s.kobo`,
  'suspense holds what its items say': `select 1 where coalesce((select sum(kobo) from entries where account_id = 3), 0)
    <> coalesce((select sum(kobo) from suspense_items where status <> 'RETURNED'), 0)`,
  'an item in suspense holds its money until it is returned, and nothing after': `select s.id from suspense_items s
    where case s.status when 'RETURNED' then 0 else s.kobo end <> coalesce((select sum(e.kobo) from transfers t
    join entries e on e.transfer_id = t.id and e.account_id = 3 where t.object = 'suspense_item' and t.object_id = s.id), 0)`,
  'an item in suspense has the timer of its day, and one that goes back a timer that asks': `select s.id from suspense_items s
    where (s.status <> 'RETURNED' and not exists (select from agenda a where a.kind = 'suspense.overdue' and a.subject = s.id))
    or (s.status = 'RETURNING' and not exists (select from agenda a where a.kind = 'suspense.return' and a.subject = s.id))`,
  'history follows the edges of its machine': `select object_id from state_changes s where (object, action, from_state, to_state) not in (${edgeList})`,
  'history has no gaps and each step begins where the last ended': `select object_id from (
    select object, object_id, version, from_state, lag(to_state) over w as before, row_number() over w as place from state_changes
    window w as (partition by object, object_id order by version)) h
    where version <> place + 1 or (before is not null and before <> from_state) or (before is null and (object, from_state) not in (${starts}))`,
  'an object shows its last step': `select o.id from (${objects}) o where (o.status, o.version) is distinct from coalesce((
    select (s.to_state, s.version) from state_changes s where s.object = o.object and s.object_id = o.id order by s.version desc limit 1),
    case when o.status = any(o.starts) then (o.status, 1) end)`,
  'a move that books has its transfer': `select s.object_id from state_changes s where (s.object, s.action) in (${bookKeepers})
    and not exists (select from transfers t where t.id = s.transfer_id)`,
  'a move that tells has its event': `select s.object_id from state_changes s join (values ${tellers}) as m(object, action, type) using (object, action)
    where not exists (select from events e where e.object_id = s.object_id and e.object_version = s.version and e.type = m.type)`,
  'every suspended credit was told': `select transaction_id from suspense_items s where merchant_id <> 0 group by transaction_id, merchant_id having count(*) <> (
    select count(*) from events e where e.object_id = s.transaction_id and e.type = 'REJECTED_PAYMENT' and e.merchant_id = s.merchant_id)`,
  'an event is numbered or waits in the outbox, never both': `select e.id from events e
    where (select count(*) from event_numbers n where n.event_id = e.id) + (select count(*) from outbox o where o.event_id = e.id) <> 1`,
  'numbers of a merchant have no gaps': `select merchant_id from event_numbers group by merchant_id having max(number) <> count(*) or min(number) <> 1`,
  'the counter of a merchant is its last number': `select merchant_id from event_counters c
    full join (select merchant_id, max(number) as number from event_numbers group by 1) n using (merchant_id) where c.last_number is distinct from n.number`,
  'a delivery goes to the merchant of its event': `select d.event_id, d.endpoint_id from deliveries d join events e on e.id = d.event_id where d.merchant_id <> e.merchant_id`,
  'a delivery goes to an endpoint of its merchant': `select d.event_id, d.endpoint_id from deliveries d
    left join endpoints p on p.id = d.endpoint_id where p.merchant_id is distinct from d.merchant_id`,
  'what waits for an endpoint that was removed is given up': `select d.event_id, d.endpoint_id from deliveries d
    join endpoints p on p.id = d.endpoint_id where d.state = 'PENDING' and p.status = 'REMOVED'`,
  'an activity has one address': `select merchant_id from endpoints, unnest(activities) as activity where status <> 'REMOVED'
    group by merchant_id, activity having count(*) > 1`,
  'a delivered delivery has an attempt that was answered 200': `select d.event_id, d.endpoint_id from deliveries d where d.state = 'DELIVERED'
    and not exists (select from delivery_attempts a where a.event_id = d.event_id and a.endpoint_id = d.endpoint_id and a.status = 200)`,
  'a transaction takes money until it is closed': `select id from transactions where case status when 'PENDING' then closed_at is not null
    when 'PARTIALLY_PAID' then false else closed_at is null end`,
  'a waiting transaction has its timer': `select t.id from transactions t where (t.status = 'PENDING' or (t.status = 'PARTIALLY_PAID' and t.closed_at is null))
    and t.product_type is distinct from 'DIRECT_DEBIT' and not exists (select from agenda a where a.kind = 'transactions.expire' and a.subject = t.id)`,
  'the keys of a transaction are those of its customer': `select id from transactions
    where email_key <> search_key(customer_email) or name_key <> search_key(customer_name)`,
  'blocks of a merchant follow each other without gap or overlap': `select merchant_id, number from (
    select *, row_number() over w as place, lag(last_at, 1, '-infinity') over w as before_at, lag(last_id, 1, 0::bigint) over w as before_id
    from search_blocks window w as (partition by merchant_id order by number)) b
    where number <> place or (after_at, after_id) <> (before_at, before_id)`,
  'a sealed block says what its rows say': `select b.merchant_id, b.number from search_blocks b cross join lateral (
      select jsonb_agg(p order by p.status) as parts from (
        select status, count(*) as rows, array_agg(kobo order by kobo, place) as amounts, array_agg(id order by kobo, place) as ids, array_agg(place order by kobo, place) as places
        from (select id, kobo, status, row_number() over (order by created_at, id) as place from transactions t where t.merchant_id = b.merchant_id
          and (t.created_at, t.id) > (b.after_at, b.after_id) and (t.created_at, t.id) <= (b.last_at, b.last_id)) t
        group by status) p) truth cross join lateral (
      select jsonb_agg(p order by p.status) as parts, sum(p.rows) as rows from (
        select status, rows, amounts, ids, places from search_parts q where q.merchant_id = b.merchant_id and q.number = b.number) p) said
    where b.sealed and (said.parts is distinct from truth.parts or b.rows is distinct from said.rows)`,
  'a value that a sealed block counts has that many rows': `select v.merchant_id, v.number from search_values v join search_blocks b using (merchant_id, number)
    where b.sealed and v.rows <> (select count(*) from transactions t where t.merchant_id = b.merchant_id and (t.created_at, t.id) > (b.after_at, b.after_id)
      and (t.created_at, t.id) <= (b.last_at, b.last_id) and case v.kind when 'email' then t.email_key else t.name_key end = v.key)`,
  'a sealed block holds final states only': `select q.merchant_id, q.number from search_parts q join search_blocks b using (merchant_id, number)
    where b.sealed and q.status in (${waiting})`,
  'an account number leads to a transaction or a reserved account of the same merchant': `select v.account_number from virtual_accounts v
    left join transactions t on t.id = v.transaction_id and t.merchant_id = v.merchant_id
    left join merchants m on (m.id, m.id, m.wallet_number, m.wallet_bank_code) = (v.transaction_id, v.merchant_id, v.account_number, v.bank_code)
    left join reserved_accounts r on r.id = v.reserved_id and r.merchant_id = v.merchant_id
    where t.id is null and m.id is null and r.id is null`,
  'the number of a wallet is taken for ever': `select m.id from merchants m left join virtual_accounts v
    on (v.account_number, v.bank_code, v.transaction_id) = (m.wallet_number, m.wallet_bank_code, m.id) where v.expires_at is distinct from 'infinity'`,
  'a top-up is in the wallet whose number it names, and nothing else is posted as one': `select coalesce(c.bank_reference, f.id::text)
    from (select * from inbound_credits where outcome = 'TOPPED_UP') c full join (select * from transfers where kind = 'TOP_UP') f on f.id = c.transfer_id
    left join merchants m on m.id = c.merchant_id left join entries e on e.transfer_id = f.id and e.account_id = m.id * 16 + 9
    where (f.merchant_id, m.wallet_number, m.wallet_bank_code, e.kobo) is distinct from (c.merchant_id, c.account_number, c.bank_code, c.kobo)`,
  'a top-up was told once': `select c.bank_reference from inbound_credits c where c.outcome = 'TOPPED_UP' and 1 <> (select count(*) from events e
    where e.type = 'ACCOUNT_ACTIVITY' and (e.object_id, e.object, e.merchant_id) = (c.transfer_id, c.bank_reference, c.merchant_id))`,
  'transfers have places without gaps in the order of their times': `select merchant_id from (
    select merchant_id, place, row_number() over w as nth, created_at, lag(created_at) over w as before from disbursements
    window w as (partition by merchant_id order by place)) d where place <> nth or before > created_at`,
  'single transfers have places without gaps in the order of all': `select merchant_id from (select merchant_id, single_place,
    row_number() over (partition by merchant_id order by place) as nth from disbursements where batch_id is null) d where single_place <> nth`,
  'batches have places without gaps': `select merchant_id from (select merchant_id, place,
    row_number() over (partition by merchant_id order by place) as nth from batches) b where place <> nth`,
  'a merchant has as many transfers and batches as its counters say': `select coalesce(c.merchant_id, d.merchant_id, b.merchant_id) from transfer_counters c
    full join (select merchant_id, count(*) as transfers, count(*) filter (where batch_id is null) as singles, max(created_at) as last_at
      from disbursements group by 1) d using (merchant_id)
    full join (select merchant_id, count(*) as batches from batches group by 1) b using (merchant_id)
    where (c.transfers, c.singles, c.batches, c.last_at) is distinct from
      (coalesce(d.transfers, 0), coalesce(d.singles, 0), coalesce(b.batches, 0), coalesce(d.last_at, '-infinity'))`,
  'every whole block of transfers is there and says what its rows say': `select merchant_id, number from transfer_blocks b
    full join (select merchant_id, (place - 1) / 4096 as number, array_agg(kobo order by kobo, place) as amounts,
      array_agg(place order by kobo, place) as places from disbursements group by 1, 2 having count(*) = 4096) d using (merchant_id, number)
    where (b.amounts, b.places) is distinct from (d.amounts, d.places)`,
  ...PAYOUT_INVARIANTS,
  ...DEBIT_INVARIANTS,
  ...RECON_INVARIANTS,
  ...REFUND_INVARIANTS,
  ...SETTLEMENT_INVARIANTS,
}

/** What is wrong in the snapshot of a connection's transaction. */
export async function violationsIn(client: pg.Client): Promise<Violation[]> {
  const violations: Violation[] = []
  for (const [invariant, query] of Object.entries(INVARIANTS)) {
    const { rows } = await client.query({ text: query, rowMode: 'array' })
    if (rows.length > 0)
      violations.push({
        invariant,
        rows: rows.length,
        example: JSON.stringify(rows[0], (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)),
      })
  }
  return violations
}

export async function checkBooks(url: string): Promise<Violation[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    return await violationsIn(client)
  } finally {
    await client.end()
  }
}
