import type { Feature } from '#core/feature.ts'
import { savedViewActs, savedViewViews } from './saved-views.acts.ts'
import { declared } from './saved-views.declared.sql.ts'

export const savedViews: Feature = { name: 'saved-views', ...declared, acts: savedViewActs, views: savedViewViews }
