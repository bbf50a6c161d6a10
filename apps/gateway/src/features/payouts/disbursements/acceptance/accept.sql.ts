// The statements of accepting transfers: what is known under the lock on the wallets, and the rows.
import type { Rows } from '#core/rows.ts'
import { moments, numbers, texts } from '#kit/arrays.ts'
import type { Statement, Tx } from '#kit/ctx.ts'

export type Question = { merchantId: bigint; reference: string; bankCode: string; accountNumber: string; kobo: bigint }

// In a statement of its own, after the locks: its snapshot shows what was committed by whoever had them
// before.
const KNOWN: Statement = {
  name: 'accept_known',
  text: `
-- all merchants: each question names its own
select x.place::int as place,
  exists (select from payout_references p where p.merchant_id = x.merchant_id and p.reference = x.reference) as used,
  exists (select from disbursements d where d.merchant_id = x.merchant_id and d.batch_id is null and d.account_number = x.account_number
    and d.kobo = x.kobo and d.bank_code = x.bank_code and d.created_at > $6 and d.status not in ('FAILED', 'EXPIRED')) as likely_duplicate
from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[]) with ordinality
  as x(merchant_id, reference, bank_code, account_number, kobo, place) order by x.place`,
}
export const findKnown = (
  t: Tx,
  questions: readonly Question[],
  since: Date,
): Promise<{ used: boolean; likely_duplicate: boolean }[]> =>
  t.query(KNOWN, [
    numbers(questions.map((one) => one.merchantId)),
    texts(questions.map((one) => one.reference)),
    texts(questions.map((one) => one.bankCode)),
    texts(questions.map((one) => one.accountNumber)),
    numbers(questions.map((one) => one.kobo)),
    since,
  ])

export type Status =
  | 'AWAITING_PROCESSING'
  | 'PENDING'
  | 'PENDING_AUTHORIZATION'
  | 'PENDING_BATCH_AUTHORIZATION'
  | 'OTP_EMAIL_DISPATCH_FAILED'
  | 'SUCCESS'
  | 'FAILED'
  | 'REVERSED'
  | 'EXPIRED'

export type Row = Pick<
  Rows['disbursements'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'transaction_reference'
  | 'batch_id'
  | 'version'
  | 'kobo'
  | 'fee_kobo'
  | 'narration'
  | 'source_account'
  | 'bank_code'
  | 'account_number'
  | 'account_name'
  | 'given_name'
  | 'name_score'
  | 'two_fa'
  | 'sender_info'
  | 'description'
  | 'session_id'
  | 'questions'
  | 'question_at'
  | 'created_at'
  | 'completed_at'
> & {
  status: Status
  /** Of the price; null: the tariff for all. */
  fee_schedule_id: Rows['disbursements']['fee_schedule_id']
  /** The customer's wallet it is paid from; null: the merchant's own. */
  wallet_id: Rows['disbursements']['wallet_id']
  /** Whose wallet the fee is taken from; null: the same. */
  fee_owner: Rows['disbursements']['fee_owner']
  /** The number of the connector that it goes through; decided when it is sent. */
  connector: Rows['disbursements']['connector']
  /** What the merchant's server said of it; PERSON: it waits for one of the merchant's people; null:
   *  neither. */
  approval: Rows['disbursements']['approval']
}

/** A transfer as it comes into the table. */
export type NewRow = Row & { readonly batch_row: number | null; readonly held: boolean }

/** So many transfers of a merchant make a block (migration 0007). */
export const BLOCK = 4096

// Under the locks of the wallets: numbers have no gaps, and no time is before that of the number before.
const INSERT: Statement = {
  name: 'accept_insert',
  text: `
with x as materialized (
  select *, row_number() over (partition by merchant_id order by at) as nth,
    case when batch_id is null then count(*) filter (where batch_id is null) over (partition by merchant_id order by at) end as single_nth
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::int[], $7::text[], $8::bigint[], $9::bigint[],
    $10::boolean[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::int[], $18::boolean[], $19::text[],
    $20::text[], $21::text[], $22::timestamptz[], $23::timestamptz[], $24::timestamptz[], $25::bigint[], $26::bigint[], $27::text[], $28::bigint[], $29::smallint[]) with ordinality
    as x(id, merchant_id, reference, transaction_reference, batch_id, batch_row, status, kobo, fee_kobo, held, narration, source_account,
      bank_code, account_number, account_name, given_name, name_score, two_fa, sender_info, description, session_id, question_at,
      created_at, completed_at, wallet_id, fee_owner, approval, fee_schedule_id, connector, at)
), added as (
  select merchant_id, count(*) as transfers, count(*) filter (where batch_id is null) as singles, max(created_at) as last_at from x group by 1
), counted as (
  insert into transfer_counters as c (merchant_id, transfers, singles, last_at)
  select merchant_id, transfers, singles, last_at from added order by merchant_id
  on conflict (merchant_id) do update set transfers = c.transfers + excluded.transfers, singles = c.singles + excluded.singles,
    last_at = greatest(c.last_at, excluded.last_at)
  returning merchant_id, transfers, singles, last_at
), before as (
  select merchant_id, c.transfers - a.transfers as transfers, c.singles - a.singles as singles, c.last_at from counted c join added a using (merchant_id)
), named as (
  insert into payout_references (merchant_id, reference, disbursement_id) select merchant_id, reference, id from x
)
insert into disbursements (id, merchant_id, reference, transaction_reference, batch_id, batch_row, status, kobo, fee_kobo, held, narration,
  source_account, bank_code, account_number, account_name, given_name, name_score, two_fa, sender_info, description, session_id,
  question_at, created_at, completed_at, wallet_id, fee_owner, approval, fee_schedule_id, connector, place, single_place)
select id, merchant_id, reference, transaction_reference, batch_id, batch_row, status, kobo, fee_kobo, held, narration, source_account, bank_code,
  account_number, account_name, given_name, name_score, two_fa, sender_info, description, session_id, question_at, b.last_at, completed_at,
  wallet_id, fee_owner, approval, fee_schedule_id, connector, b.transfers + nth, b.singles + single_nth
from x join before b using (merchant_id)
returning id, merchant_id, created_at, place`,
}
type Inserted = Pick<Rows['disbursements'], 'id' | 'merchant_id' | 'created_at' | 'place'>

const SEAL: Statement = {
  name: 'accept_seal_block',
  text: `insert into transfer_blocks (merchant_id, number, first_id, last_id, amounts, places)
  select merchant_id, (place - 1) / ${BLOCK}, min(id), max(id), array_agg(kobo order by kobo, place),
    array_agg(((place - 1) % ${BLOCK} + 1)::smallint order by kobo, place) from disbursements
  where merchant_id = $1 and place > $2::bigint * ${BLOCK} and place <= $3::bigint * ${BLOCK} group by 1, 2`,
}
/** Blocks that have their last transfer now. */
async function sealBlocks(t: Tx, inserted: readonly Inserted[]): Promise<void> {
  for (const [merchantId, rows] of Map.groupBy(inserted, (row) => row.merchant_id)) {
    const places = rows.map(({ place }) => place).sort((a, b) => (a < b ? -1 : 1))
    const [before, after] = [((places[0] ?? 1n) - 1n) / BigInt(BLOCK), (places.at(-1) ?? 0n) / BigInt(BLOCK)]
    if (after > before) await t.query(SEAL, [merchantId, before, after])
  }
}

/** Answers when each was created, for all who ask later: never before the one before. */
export async function insert(t: Tx, rows: readonly NewRow[]): Promise<Map<bigint, Date>> {
  const flags = (values: readonly boolean[]): string => `{${values.join(',')}}`
  const inserted = await t.query<Inserted>(INSERT, [
    numbers(rows.map((row) => row.id)),
    numbers(rows.map((row) => row.merchant_id)),
    texts(rows.map((row) => row.reference)),
    texts(rows.map((row) => row.transaction_reference)),
    numbers(rows.map((row) => row.batch_id)),
    numbers(rows.map((row) => row.batch_row)),
    texts(rows.map((row) => row.status)),
    numbers(rows.map((row) => row.kobo)),
    numbers(rows.map((row) => row.fee_kobo)),
    flags(rows.map((row) => row.held)),
    texts(rows.map((row) => row.narration)),
    texts(rows.map((row) => row.source_account)),
    texts(rows.map((row) => row.bank_code)),
    texts(rows.map((row) => row.account_number)),
    texts(rows.map((row) => row.account_name)),
    texts(rows.map((row) => row.given_name)),
    numbers(rows.map((row) => row.name_score)),
    flags(rows.map((row) => row.two_fa)),
    texts(rows.map((row) => row.sender_info)),
    texts(rows.map((row) => row.description)),
    texts(rows.map((row) => row.session_id)),
    moments(rows.map((row) => row.question_at)),
    moments(rows.map((row) => row.created_at)),
    moments(rows.map((row) => row.completed_at)),
    numbers(rows.map((row) => row.wallet_id)),
    numbers(rows.map((row) => row.fee_owner)),
    texts(rows.map((row) => row.approval)),
    numbers(rows.map((row) => row.fee_schedule_id)),
    numbers(rows.map((row) => row.connector)),
  ])
  await sealBlocks(t, inserted)
  return new Map(inserted.map((row) => [row.id, row.created_at]))
}
