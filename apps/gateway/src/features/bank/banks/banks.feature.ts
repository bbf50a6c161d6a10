import type { Feature } from '#core/feature.ts'
import { bankRoutes } from './banks.routes.ts'

export const banks: Feature = { name: 'banks', routes: bankRoutes }
