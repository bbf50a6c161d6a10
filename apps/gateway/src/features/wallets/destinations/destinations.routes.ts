// The page behind the stop link of a mail. Its address is the secret: it is not in the contract, and nothing
// of it is logged or cached.
import { type StopPage, stopPage } from '@cowrie/checkout'
import type { RouteDeps } from '#core/bind.ts'
import { sendPage } from '#kit/http/pages.ts'
import { look, stop } from './destinations.ts'

const STATUS: Readonly<Record<StopPage['kind'], number>> = { READY: 200, STOPPED: 200, UNKNOWN: 404 }

export function destinationRoutes({ ctx, app, http }: RouteDeps): void {
  const tokenOf = (request: { readonly params: unknown }): string => (request.params as { token: string }).token
  app.get('/destinations/:token', async (request, reply) => {
    const page = await look(ctx, tokenOf(request))
    return sendPage(reply, STATUS[page.kind], stopPage(page))
  })
  app.post('/destinations/:token', { bodyLimit: 1024 }, async (request, reply) => {
    const from = { address: http.anonymous.addressOf(request), requestId: request.id }
    const page = await stop(ctx, tokenOf(request), from)
    return sendPage(reply, STATUS[page.kind], stopPage(page))
  })
}
