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
import { debit, findDebit } from './debits.ts'
import { findMandates, searchMandates } from './lists.ts'
import { cancel, create, takeMandateNotice } from './mandates.ts'

export function directDebitRoutes(deps: RouteDeps, bank: DebitBank): void {
  const { ctx } = deps
  bind(deps, createMandate, { multiStep: (call, store) => create(ctx, call, store) })
  bind(deps, getMandates, { read: ({ merchant, query }) => findMandates(ctx, merchant, query.mandateReferences) })
  bind(deps, listMandates, { read: ({ merchant, query }) => searchMandates(ctx, merchant, query) })
  bind(deps, cancelMandate, { command: cancel, after: ({ cell }) => ctx.wake(cell) })
  bind(deps, debitMandate, { multiStep: (call, store) => debit(ctx, call, store) })
  bind(deps, getDebit, { read: ({ merchant, query }) => findDebit(ctx, merchant, query.paymentReference) })
  const takeMandate = async (notice: MandateNotice, connector: string) => {
    await takeMandateNotice(ctx, notice, connector)
    return { mandateCode: notice.mandateCode, outcome: 'TAKEN' as const }
  }
  const takeDebit = async (notice: DebitNotice, connector: string) => {
    await bank.onNotice(notice, connector)
    return { sessionId: notice.sessionId, outcome: 'TAKEN' as const }
  }
  bindBank(deps, mandateNotice, takeMandate, 'all')
  bindBank(deps, debitNotice, takeDebit, 'all')
}
