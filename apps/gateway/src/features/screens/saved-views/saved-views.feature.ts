import type { Feature } from '#core/feature.ts'
import { savedViewActs, savedViewViews } from './saved-views.acts.ts'

export const savedViews: Feature = { name: 'saved-views', acts: savedViewActs, views: savedViewViews }
