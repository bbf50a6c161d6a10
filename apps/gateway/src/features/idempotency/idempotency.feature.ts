import type { Feature } from '../../core/feature.ts'
import { idempotencyRoutes } from './idempotency.routes.ts'

export const idempotency: Feature = { name: 'idempotency', routes: idempotencyRoutes }
