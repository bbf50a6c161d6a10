import type { Feature } from '#core/feature.ts'
import { declared } from './persons.declared.sql.ts'

export const persons: Feature = { name: 'persons', ...declared }
