import type { Feature } from '#core/feature.ts'
import { declared } from './authorisation.declared.sql.ts'

export const authorisation: Feature = { name: 'authorisation', ...declared }
