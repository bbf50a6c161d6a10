// The invariants of the days of a bank's statement, and of the breaks that they leave.

import type { Books } from '#core/books/invariants.ts'
import { FIRST_WHOLE_DAY } from '#core/cells/departed.ts'
import { CONNECTOR_STEP, DAY_TIMER } from '#core/routing/statement-days.ts'
import { LACKING, ofLine } from '#features/bank/breaks/breaks.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { everyKind, FIRST, KNOWN_KINDS, WINDOW_DAYS } from './match.sql.ts'

/** Every night looks at the days of the last three comparisons again: a lost line is found by the first of
 *  them, and what was asked for each day of a year would take as long as the year. */
const LOOKED_AT_DAYS = 3
const lastCompared = (of: string): string =>
  `(select max(m.day) from statement_days m where m.connector = ${of}.connector and m.matched_at is not null)`
/** What was paid in a month that has left is not here to be compared with. A session begins with its day. */
const MAY_BE_HERE = `(l.kind not in ('PAYOUT', 'PAYOUT_REVERSAL', 'DEBIT')
  or substr(l.session_id, 7, 6) >= coalesce((select to_char(max(past_day) + 1, 'YYMMDD') from departed_months), ''))`
const LATELY = `l.day > ${lastCompared('l')} - ${LOOKED_AT_DAYS} and l.day <= ${lastCompared('l')} and l.day >= ${FIRST_WHOLE_DAY}
  and ${FIRST} and ${MAY_BE_HERE}`
const has = (line: string, which: string): string =>
  `exists (select b.merchant_id from recon_breaks b where b.class in (${LACKING}) and ${ofLine(line)} and ${which})`

const INVARIANTS: Readonly<Record<string, string>> = {
  'a day of the statement that is not compared has its timer': `
    select d.day from statement_days d
    where d.matched_at is null
      and not exists (select from agenda a where a.kind = '${DAY_TIMER}' and a.subject = d.day - date '1970-01-01' + (d.connector - ${FIRST_CONNECTOR_ID}) * ${CONNECTOR_STEP}::bigint)`,
  'days of the statement follow each other, and only the last is not compared': `
    select day from (select day, matched_at, lead(day) over (partition by connector order by day) as next from statement_days) d
    where (next is not null and next <> day + 1) or (matched_at is null) <> (next is null)`,
  'a day of the statement has exactly the lines that were kept of it': `
    select d.day from statement_days d
    left join statement_lines l on l.day = d.day and l.connector = d.connector and l.reading = d.reading
    group by d.day, d.connector
    having (
      count(l.line), coalesce(sum(l.kobo) filter (where l.direction = 'IN'), 0),
      coalesce(sum(l.kobo) filter (where l.direction = 'OUT'), 0)
    ) is distinct from (d.own_lines::bigint, d.own_in_kobo::numeric, d.own_out_kobo::numeric)
    union all
    select l.day from statement_lines l
    join statement_days d on d.day = l.day and d.connector = l.connector
    where l.reading > d.reading`,
  'a statement that was read is what it says of itself': `
    select day from statement_days
    where read_at is not null and (lines, in_kobo, out_kobo) is distinct from (said_lines, said_in_kobo, said_out_kobo)
      or own_lines > lines`,
  'what a bank has booked and our books have not, or have otherwise, is a break': `
    select c.session_id from (${everyKind(LATELY)}) c
    where (not c.booked and not ${has('c', 'true')})
      or (c.booked and c.kobo <> c.our_kobo and not ${has('c', `(b.status = 'OPEN' or b.class = 'AMOUNT')`)})
    union all
    select l.session_id from statement_booked l
    where l.kind not in (${KNOWN_KINDS.map((kind) => `'${kind}'`).join(', ')}) and ${LATELY} and not ${has('l', 'true')}`,
  'of a line that our books lack, or have otherwise, one break is open': `
    select session_id from recon_breaks where status = 'OPEN' and class in (${LACKING})
    group by kind, session_id, connector having count(*) > 1`,
  'what no statement had for days is missing there, and not late any more': `
    select b.id from recon_breaks b
    where b.class = 'TIMING' and b.status = 'OPEN' and b.day < ${lastCompared('b')} - ${WINDOW_DAYS}`,
  // The night ends it; one that was opened again after a correction waits for the next.
  'what a statement has shown is missing there no more': `
    select b.id from recon_breaks b
    join statement_booked l on ${ofLine('l')}
    join statement_days d on d.connector = b.connector and d.day = ${lastCompared('b')}
    where b.class in ('TIMING', 'MISSING_THERE') and b.status = 'OPEN' and b.opened_at < d.matched_at and l.day < d.day
      and not exists (select from corrections_undone u where u.break_id = b.id)`,
}

export const reconciliationBooks: Books = { invariants: INVARIANTS }
