import { EXPIRE_TRANSACTION } from '@cowrie/contract/kit/timers'
import { type DueHandlers, listSubjects } from '#core/agenda.ts'
import { engineTx } from '#core/cells/cells.ts'
import { expire } from './transactions.ts'

export const transactionsDue: DueHandlers = {
  [EXPIRE_TRANSACTION]: (ctx, cell, rows) => engineTx(ctx, cell, (t) => expire(t, listSubjects(rows))),
}
