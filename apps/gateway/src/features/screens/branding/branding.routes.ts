import { getBranding, putBranding } from '@cowrie/contract/access/branding'
import { bind, type RouteDeps } from '#core/bind.ts'
import { FOR_EVER, sendNotFound, sendText } from '#kit/http/answers.ts'
import { findLogo, get, put } from './branding.ts'

export function brandingRoutes(deps: RouteDeps): void {
  const { ctx, app, merchants } = deps
  bind(deps, getBranding, { read: ({ merchant }) => get(ctx, merchant) })
  bind(deps, putBranding, { multiStep: (call, store) => put(ctx, merchants, call, store) })

  // Named by its digest: what is under an address never changes. A picture and nothing else, whatever a
  // browser makes of it.
  app.get('/brand/:name', async (request, reply) => {
    const logo = await findLogo(ctx, (request.params as { name: string }).name)
    if (!logo) return sendNotFound(reply, deps.http)
    reply.more.push(
      'content-security-policy',
      "default-src 'none'; sandbox",
      'cross-origin-resource-policy',
      'cross-origin',
    )
    return sendText(reply, 200, `image/${logo.type}`, logo.bytes, FOR_EVER)
  })
}
