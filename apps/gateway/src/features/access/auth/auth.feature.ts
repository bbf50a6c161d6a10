import type { Feature } from '#core/feature.ts'
import { authDue } from './auth.due.ts'
import { authRoutes } from './auth.routes.ts'

export const auth: Feature = {
  name: 'auth',
  routes: authRoutes,
  due: ({ merchants }) => authDue(merchants),
}
