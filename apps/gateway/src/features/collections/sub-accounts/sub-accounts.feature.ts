import type { Feature } from '#core/feature.ts'
import { subAccountRoutes } from './sub-accounts.routes.ts'

export const subAccounts: Feature = { name: 'sub-accounts', routes: subAccountRoutes }
