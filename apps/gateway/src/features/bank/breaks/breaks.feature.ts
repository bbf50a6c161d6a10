import type { Feature } from '#core/feature.ts'
import { declared } from './breaks.declared.sql.ts'

export const breaks: Feature = { name: 'breaks', ...declared }
