// The invariant of the nightly run itself: somebody will go on with it.

import type { Books } from '#core/books/invariants.ts'
import { NIGHT_TIMER } from './books.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  'a run of the books that is not over has its timer': `
    select r.day from books_runs r
    where r.finished_at is null
      and not exists (select from agenda a where a.kind = '${NIGHT_TIMER}' and a.subject = r.day - date '1970-01-01')`,
}

export const runBooks: Books = { invariants: INVARIANTS }
