// The invariants of the days of a bank's statement.

import type { Books } from '#core/books/invariants.ts'
import { CONNECTOR_STEP, DAY_TIMER } from '#core/routing/statement-days.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'

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
}

export const reconciliationBooks: Books = { invariants: INVARIANTS }
