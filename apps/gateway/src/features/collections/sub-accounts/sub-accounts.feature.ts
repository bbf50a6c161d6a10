import type { Feature } from '#core/feature.ts'
import { declared } from './sub-accounts.declared.sql.ts'
import { subAccountRoutes } from './sub-accounts.routes.ts'

export const subAccounts: Feature = { name: 'sub-accounts', ...declared, routes: subAccountRoutes }
