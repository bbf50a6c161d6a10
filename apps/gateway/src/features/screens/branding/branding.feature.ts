import type { Feature } from '#core/feature.ts'
import { brandingRoutes } from './branding.routes.ts'

export const branding: Feature = { name: 'branding', routes: brandingRoutes }
