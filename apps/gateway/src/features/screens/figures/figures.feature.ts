import type { Feature } from '#core/feature.ts'
import { createFigures } from './figures.ts'

export const figures: Feature = { name: 'figures', figures: ({ ctx }) => createFigures(ctx) }
