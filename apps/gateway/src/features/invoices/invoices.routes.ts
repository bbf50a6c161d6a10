import { cancelInvoice, createInvoice, getInvoice, listInvoices } from '@cowrie/contract/collections/invoices'
import { bind, type Desk } from '../../core/bind.ts'
import { cancel, createInvoices, get, list } from './invoices.ts'

export function invoiceRoutes(desk: Desk): void {
  const { ctx } = desk
  const invoices = createInvoices(ctx)
  const after = ({ cell }: { cell: string }) => ctx.wake(cell) // a mail is due
  bind(desk, createInvoice, { command: invoices.create, after })
  bind(desk, getInvoice, { read: ({ merchant, params }) => get(ctx, merchant, params['invoiceReference'] ?? '') })
  bind(desk, listInvoices, { read: ({ merchant, query }) => list(ctx, merchant, query) })
  bind(desk, cancelInvoice, {
    command: (t, { merchant, params }) => cancel(ctx, t, merchant, params['invoiceReference'] ?? ''),
    after,
  })
}
