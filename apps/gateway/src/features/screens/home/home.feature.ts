import type { Feature } from '#core/feature.ts'
import { homeViews } from './home.ts'

export const home: Feature = { name: 'home', views: homeViews }
