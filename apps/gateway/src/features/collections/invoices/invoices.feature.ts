import type { Feature } from '#core/feature.ts'
import { invoiceBooks } from './invoices.books.ts'
import { declared } from './invoices.declared.sql.ts'
import { invoiceRoutes } from './invoices.routes.ts'

export const invoices: Feature = { name: 'invoices', ...declared, routes: invoiceRoutes, books: [invoiceBooks] }
