// The invariant of placement: nobody lives in a cell that was closed.
import type { Books } from '#core/books/invariants.ts'

export const placementBooks: Books = {
  invariants: {
    'a cell that was closed has no merchant left': `
      select f.id from cell_intake i join merchant_files f on f.status not in ('CLOSED', 'REJECTED') where i.state = 'CLOSED'`,
  },
}
