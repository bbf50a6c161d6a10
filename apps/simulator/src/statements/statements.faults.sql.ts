// What is printed wrong on purpose, as SQL on the lines that are being printed.
import type pg from 'pg'
import type { Fault, MUTE_NOTICE } from './statements.faults.ts'

type LineFault = Exclude<Fault, typeof MUTE_NOTICE>
type Step = { readonly text: string; readonly values: unknown[] }
const ofFault = (
  fault: LineFault,
  more = 'true',
): string => `exists (select from statement_faults f where f.fault = '${fault}'
  and f.spec->>'sessionId' = p.session_id and coalesce(f.spec->>'kind', p.kind) = p.kind and ${more})`
/** The columns of a line that every book of the bank has. */
export const BOOK_COLUMNS = `kind, direction, session_id, of_session_id, kobo, booked_at, bank_code, account_number,
  sender_name, sender_account_number, sender_bank_code, says`
/** Those of the day that is being printed and of the one that was. */
export const LINE_COLUMNS = `${BOOK_COLUMNS}, acquirer, day_only`

/** The steps that inject the faults of a day into the table `printing`. */
export const PRINT_FAULTS = (date: string): readonly Step[] => [
  // Withheld yesterday, so it is on today's.
  {
    text: `with late as (
        delete from statement_faults where fault = 'late' and spec ? 'keptOn' and (spec->>'keptOn')::date < $1::date
        returning spec
      )
      insert into printing (${LINE_COLUMNS})
      select l.kind, l.direction, l.session_id, l.of_session_id, l.kobo, l.booked_at, l.bank_code, l.account_number,
        l.sender_name, l.sender_account_number, l.sender_bank_code, l.says, l.acquirer, l.day_only
      from late, jsonb_to_record(spec->'line') as l(kind text, direction text, session_id text, of_session_id text,
        kobo int8, booked_at timestamptz, bank_code text, account_number text, sender_name text,
        sender_account_number text, sender_bank_code text, says text, acquirer text, day_only boolean)`,
    values: [date],
  },
  {
    text: `update statement_faults f set spec = f.spec || jsonb_build_object('keptOn', $1::text, 'line', to_jsonb(p))
      from printing p
      where f.fault = 'late' and not f.spec ? 'keptOn'
        and f.spec->>'sessionId' = p.session_id and coalesce(f.spec->>'kind', p.kind) = p.kind`,
    values: [date],
  },
  {
    text: `delete from printing p where ${ofFault('missing')} or ${ofFault('late', `f.spec->>'keptOn' = $1`)}`,
    values: [date],
  },
  // As a bank's file has it: the day, and nothing of the time.
  {
    text: `update printing p set booked_at = $1::date::timestamp at time zone 'Africa/Lagos' + interval '12 hours', day_only = true
      where ${ofFault('dayOnly')}`,
    values: [date],
  },
  { text: `update printing p set kobo = kobo + 1 where ${ofFault('amount')}`, values: [] },
  {
    text: `insert into printing (${LINE_COLUMNS}) select ${LINE_COLUMNS} from printing p where ${ofFault('duplicate')}`,
    values: [],
  },
  {
    text: `with made as (delete from statement_faults where fault in ('stranger', 'invented') returning fault, spec)
      insert into printing (${LINE_COLUMNS})
      select case fault when 'stranger' then 'CREDIT' else coalesce(spec->>'kind', 'PAYOUT') end,
        case when fault = 'stranger' or spec->>'kind' in ('CARD_SETTLEMENT', 'SWEEP_IN') then 'IN' else 'OUT' end, spec->>'sessionId', null, (spec->>'kobo')::int8,
        $1::date::timestamp at time zone 'Africa/Lagos' + interval '12 hours', '50515', spec->>'accountNumber',
        case fault when 'stranger' then 'ADA NNEKA OBI' end, case fault when 'stranger' then '0123456789' end,
        case fault when 'stranger' then '058' end, '', spec->>'acquirer', false
      from made`,
    values: [date],
  },
]

export async function insertFault(
  pool: pg.Pool,
  fault: LineFault,
  spec: Readonly<Record<string, unknown>>,
): Promise<void> {
  await pool.query('insert into statement_faults (fault, spec) values ($1, $2)', [fault, JSON.stringify(spec)])
}

/** A notice that was never sent looks, to the bank, like one that was taken. */
export async function muteNotice(pool: pg.Pool, sessionId: string): Promise<void> {
  await pool.query(
    `update notices set taken_at = coalesce(taken_at, now())
     where taken_at is null and $1 in (session_id, payout_session_id, debit_session_id)`,
    [sessionId],
  )
}

export async function deleteFaults(pool: pg.Pool): Promise<void> {
  await pool.query('delete from statement_faults')
}
