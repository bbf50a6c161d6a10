import { EXPIRE_TRANSACTION } from '@cowrie/contract/kit/timers'
import { type DueHandlers, subjectsOf } from '#core/agenda.ts'
import { engineTx } from '#core/cells/cells.ts'
import { expire } from './transactions.ts'

export const transactionsDue: DueHandlers = {
  [EXPIRE_TRANSACTION]: (ctx, cell, rows) => engineTx(ctx, cell, (t) => expire(t, subjectsOf(rows))),
}
