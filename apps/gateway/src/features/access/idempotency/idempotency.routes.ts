import { getIdempotencyKey } from '@cowrie/contract/access/idempotency'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { bind, type RouteDeps } from '#core/bind.ts'
import { readAs } from '#core/cells/cells.ts'
import { lookUp } from '#core/idempotency.ts'
import { fail } from '#kit/fail.ts'

export function idempotencyRoutes(deps: RouteDeps): void {
  bind(deps, getIdempotencyKey, {
    read: async ({ merchant, params }) => {
      const key = params['key'] ?? ''
      const row =
        (await readAs(deps.ctx, merchant.cell, merchant.id, (r) => lookUp(deps.ctx, r, merchant.id, key))) ??
        fail('IDEMPOTENCY_KEY_UNKNOWN')
      return {
        key,
        method: row.method,
        path: row.path,
        status: row.status,
        createdAt: row.created_at.toISOString(),
        completedAt: row.completed_at?.toISOString() ?? null,
        answer: row.answer === null ? null : parseExact(row.answer),
      }
    },
  })
}
