import { cancelInvoice, createInvoice, getInvoice, listInvoices } from '@cowrie/contract/collections/invoices'
import { bind, type RouteDeps } from '#core/bind.ts'
import { cancel, createInvoices, get, list } from './invoices.ts'

export function invoiceRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  const invoices = createInvoices(ctx)
  const after = ({ cell }: { cell: string }) => ctx.wake(cell) // a mail is due
  bind(deps, createInvoice, { command: invoices.create, after })
  bind(deps, getInvoice, { read: ({ merchant, params }) => get(ctx, merchant, params['invoiceReference'] ?? '') })
  bind(deps, listInvoices, { read: ({ merchant, query }) => list(ctx, merchant, query) })
  bind(deps, cancelInvoice, {
    command: (t, { merchant, params }) => cancel(ctx, t, merchant, params['invoiceReference'] ?? ''),
    after,
  })
}
