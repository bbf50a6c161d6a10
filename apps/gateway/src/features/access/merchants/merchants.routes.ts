// The page behind a one-time link. Its address is the secret: it is not in the contract, and nothing of it is
// logged or cached.
import { type KeyPage, keyPage } from '@cowrie/checkout'
import type { RouteDeps } from '#core/bind.ts'
import { sendPage } from '#kit/http/pages.ts'
import { look, open } from './links/key-links.ts'

const STATUS: Readonly<Record<KeyPage['kind'], number>> = { READY: 200, SHOWN: 200, USED: 410, OVER: 410, UNKNOWN: 404 }

export function keyRoutes({ ctx, app, merchants, http }: RouteDeps): void {
  const tokenOf = (request: { readonly params: unknown }): string => (request.params as { token: string }).token
  app.get('/keys/:token', async (request, reply) => {
    const kind = await look(ctx, tokenOf(request))
    return sendPage(reply, STATUS[kind], keyPage({ kind }))
  })
  app.post('/keys/:token', { bodyLimit: 1024 }, async (request, reply) => {
    const from = { address: http.anonymous.addressOf(request), requestId: request.id }
    const opened = await open(ctx, merchants, tokenOf(request), from)
    return sendPage(reply, STATUS[opened.kind], keyPage(opened))
  })
}
