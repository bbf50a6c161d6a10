import type { Feature } from '../../core/feature.ts'
import { walletBooks } from './wallets.books.ts'

export const wallets: Feature = { name: 'wallets', books: [walletBooks] }
