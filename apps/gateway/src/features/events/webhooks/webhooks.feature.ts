import type { Feature } from '#core/feature.ts'
import { fail } from '#kit/fail.ts'
import { endpointRoutes } from './endpoints.routes.ts'
import { createForgetting } from './retention.ts'
import { webhookBooks } from './webhooks.books.ts'
import { declared } from './webhooks.declared.sql.ts'
import { sharedDispatchers } from './webhooks.ts'

export const webhooks: Feature = {
  name: 'webhooks',
  ...declared,
  routes: endpointRoutes,
  rounds: (shared, cell) =>
    sharedDispatchers(shared).get(cell) ?? fail('INTERNAL', {}, `cell ${cell} is not configured`),
  housekeeping: ({ ctx }) => ({ 'old attempts': createForgetting(ctx) }),
  books: [webhookBooks],
}
