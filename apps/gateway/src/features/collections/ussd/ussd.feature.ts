import type { Feature } from '#core/feature.ts'
import { ussdRoutes } from './ussd.routes.ts'

export const ussd: Feature = { name: 'ussd', routes: ussdRoutes }
