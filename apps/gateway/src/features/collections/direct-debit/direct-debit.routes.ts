import {
  type DebitNotice,
  debitNotice,
  type MandateNotice,
  mandateNotice,
} from '@cowrie/contract/bank/mandate-connector'
import {
  cancelMandate,
  createMandate,
  debitMandate,
  getDebit,
  getMandates,
  listMandates,
} from '@cowrie/contract/collections/direct-debit'
import { bind, bindBank, type RouteDeps } from '#core/bind.ts'
import type { DebitBank } from './bank.ts'
import { createDebits } from './debits.ts'
import { createLists } from './lists.ts'
import type { Mandates } from './mandates.ts'

export function directDebitRoutes(deps: RouteDeps, mandates: Mandates, bank: DebitBank): void {
  const { ctx } = deps
  const [debits, lists] = [createDebits(ctx), createLists(ctx)]
  bind(deps, createMandate, { multiStep: mandates.create })
  bind(deps, getMandates, { read: ({ merchant, query }) => lists.byReferences(merchant, query.mandateReferences) })
  bind(deps, listMandates, { read: ({ merchant, query }) => lists.page(merchant, query) })
  bind(deps, cancelMandate, { command: mandates.cancel, after: ({ cell }) => ctx.wake(cell) })
  bind(deps, debitMandate, { multiStep: debits.debit })
  bind(deps, getDebit, { read: ({ merchant, query }) => debits.status(merchant, query.paymentReference) })
  const takeMandate = async (notice: MandateNotice, connector: string) => {
    await mandates.onNotice(notice, connector)
    return { mandateCode: notice.mandateCode, outcome: 'TAKEN' as const }
  }
  const takeDebit = async (notice: DebitNotice, connector: string) => {
    await bank.onNotice(notice, connector)
    return { sessionId: notice.sessionId, outcome: 'TAKEN' as const }
  }
  bindBank(deps, mandateNotice, takeMandate, 'all')
  bindBank(deps, debitNotice, takeDebit, 'all')
}
