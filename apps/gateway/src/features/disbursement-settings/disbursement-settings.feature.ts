import type { Feature } from '../../core/feature.ts'
import { disbursementSettingsRoutes } from './disbursement-settings.routes.ts'

export const disbursementSettings: Feature = { name: 'disbursement-settings', routes: disbursementSettingsRoutes }
