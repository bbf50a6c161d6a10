import type { Feature } from '#core/feature.ts'
import { boardViews } from './board.ts'

export const board: Feature = { name: 'board', views: () => boardViews }
