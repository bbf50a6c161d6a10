import { listRequests, requestsOfMerchant, requestsOfNobody, requestsOfOurs } from '@cowrie/contract/access/requests'
import { type BoundView, bindView, needMerchant } from '#core/acts/acts.ts'
import { bind, type RouteDeps } from '#core/bind.ts'
import { readAll, readAs } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import { list, sharedRecorder } from './request-log.ts'

/** Has a server tell the recorder of its requests, until it closes. */
export function recordRequests({ app, http }: RouteDeps, shared: Shared): void {
  const recorder = sharedRecorder(shared)
  if (recorder === null) return
  app.answered = recorder.listener((request) => http.anonymous.addressOf(request))
  app.addHook('onClose', () => recorder.close())
}

export function requestLogRoutes(deps: RouteDeps, shared: Shared): void {
  recordRequests(deps, shared)
  bind(deps, listRequests, {
    read: ({ merchant, query }) =>
      readAs(deps.ctx, merchant.cell, merchant.id, (read) => list(deps.ctx, read, merchant.id, query)),
  })
}

export const requestLogViews = (): readonly BoundView[] => [
  ...[requestsOfOurs, requestsOfMerchant].map((spec) =>
    bindView(spec, (ctx, { merchant, query }) => {
      const { cell, id } = needMerchant({ merchant }, 'a log of requests')
      return readAs(ctx, cell, id, (read) => list(ctx, read, id, query))
    }),
  ),
  bindView(requestsOfNobody, (ctx, { cell, query }) => readAll(ctx, cell, (read) => list(ctx, read, 0n, query))),
]
