import {
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  enableEndpoint,
  getWebhookUrls,
  listEndpoints,
  putWebhookUrls,
  removeEndpoint,
} from '@cowrie/contract/events/endpoints'
import type { Merchant } from '#core/access/merchants.ts'
import { bind, type RouteDeps } from '#core/bind.ts'
import { readAs } from '#core/cells/cells.ts'
import {
  change,
  create,
  enable,
  list,
  locked,
  pause,
  remove,
  requestedUrls,
  setWebhookUrls,
  show,
  webhookUrls,
} from './endpoints.ts'

export function endpointRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  const after = ({ cell }: Merchant): void => ctx.wake(cell)
  bind(deps, getWebhookUrls, {
    read: ({ merchant }) => readAs(ctx, merchant.cell, merchant.id, (r) => webhookUrls(r, merchant.id)),
  })
  bind(deps, putWebhookUrls, {
    command: async (t, { merchant, body }) => {
      await setWebhookUrls(ctx, t, merchant.id, requestedUrls(ctx, body))
      return webhookUrls(t, merchant.id)
    },
    after,
  })
  bind(deps, createEndpoint, {
    command: async (t, { merchant, body }) => show(t, merchant.id, await create(ctx, t, merchant.id, body)),
  })
  bind(deps, listEndpoints, {
    read: ({ merchant }) => readAs(ctx, merchant.cell, merchant.id, (r) => list(r, merchant.id)),
  })
  bind(deps, changeEndpoint, {
    command: (t, { merchant, params, body }) => change(ctx, t, merchant.id, params['endpointId'] ?? '', body),
    after,
  })
  bind(deps, removeEndpoint, {
    command: async (t, { merchant, params }) => {
      await remove(t, merchant.id, await locked(t, merchant.id, params['endpointId'] ?? ''))
      return undefined
    },
  })
  for (const [route, act] of [
    [enableEndpoint, enable],
    [disableEndpoint, pause],
  ] as const) {
    bind(deps, route, {
      command: async (t, { merchant, params }) => {
        const row = await locked(t, merchant.id, params['endpointId'] ?? '')
        await act(t, merchant.id, row)
        return show(t, merchant.id, row.id)
      },
      after,
    })
  }
}
