import type { Feature } from '#core/feature.ts'
import { feeActs, feeViews } from './fees.acts.ts'
import { chargeBooks } from './fees.books.ts'
import { feeBooks } from './payments.books.ts'

export const fees: Feature = { name: 'fees', acts: feeActs, views: feeViews, books: [chargeBooks, feeBooks] }
