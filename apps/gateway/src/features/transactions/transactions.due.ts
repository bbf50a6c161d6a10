import type { DueHandlers } from '../../core/agenda.ts'
import { engineTx } from '../../core/cells/cells.ts'
import { expire } from './transactions.ts'

export const transactionsDue: DueHandlers = {
  'transactions.expire': (ctx, cell, rows) =>
    engineTx(ctx, cell, (t) =>
      expire(
        t,
        rows.map((row) => row.subject),
      ),
    ),
}
