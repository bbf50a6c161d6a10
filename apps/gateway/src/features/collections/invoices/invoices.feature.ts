import type { Feature } from '#core/feature.ts'
import { invoiceBooks } from './invoices.books.ts'
import { invoiceRoutes } from './invoices.routes.ts'

export const invoices: Feature = { name: 'invoices', routes: invoiceRoutes, books: [invoiceBooks] }
