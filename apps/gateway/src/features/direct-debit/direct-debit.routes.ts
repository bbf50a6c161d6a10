import { debitNotice, mandateNotice } from '@cowrie/contract/bank/mandate-connector'
import {
  cancelMandate,
  createMandate,
  debitMandate,
  getDebit,
  getMandates,
  listMandates,
} from '@cowrie/contract/collections/direct-debit'
import { bind, bindBank, type Desk } from '../../core/bind.ts'
import type { DebitBank } from './bank.ts'
import { createDebits } from './debits.ts'
import { createLists } from './lists.ts'
import type { Mandates } from './mandates.ts'

export function directDebitRoutes(desk: Desk, mandates: Mandates, bank: DebitBank): void {
  const { ctx } = desk
  const [debits, lists] = [createDebits(ctx), createLists(ctx)]
  bind(desk, createMandate, { multiStep: mandates.create })
  bind(desk, getMandates, { read: ({ merchant, query }) => lists.byReferences(merchant, query.mandateReferences) })
  bind(desk, listMandates, { read: ({ merchant, query }) => lists.page(merchant, query) })
  bind(desk, cancelMandate, { command: mandates.cancel, after: ({ cell }) => ctx.wake(cell) })
  bind(desk, debitMandate, { multiStep: debits.debit })
  bind(desk, getDebit, { read: ({ merchant, query }) => debits.status(merchant, query.paymentReference) })
  bindBank(desk, mandateNotice, async (notice) => {
    await mandates.onNotice(notice)
    return { mandateCode: notice.mandateCode, outcome: 'TAKEN' as const }
  })
  bindBank(desk, debitNotice, async (notice) => {
    await bank.onNotice(notice)
    return { sessionId: notice.sessionId, outcome: 'TAKEN' as const }
  })
}
