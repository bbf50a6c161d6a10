import type { Feature } from '#core/feature.ts'
import { payoutView } from './payouts.ts'
import { workActs, workViews } from './work.acts.ts'

export const work: Feature = { name: 'work', acts: workActs, views: (shared) => [...workViews(shared), payoutView] }
