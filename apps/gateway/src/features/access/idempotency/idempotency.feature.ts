// Idempotency: a merchant looks up what became of a request that it sent under a key. core/idempotency.ts
// keeps the keys.
import type { Feature } from '#core/feature.ts'
import { sealedAnswers } from '#core/idempotency.ts'
import { idempotencyRoutes } from './idempotency.routes.ts'

export const idempotency: Feature = { name: 'idempotency', routes: idempotencyRoutes, sealed: [sealedAnswers] }
