// The list of features, and the two processes that are made of them: a server (api) and a loop (worker).
import type { Config } from './config.ts'
import { createLimits } from './core/access/limits.ts'
import { createTokens } from './core/access/tokens.ts'
import { createWrongLogins } from './core/access/wrong-logins.ts'
import type { RouteDeps } from './core/bind.ts'
import { listen } from './core/cells/wake.ts'
import type { Feature, Shared } from './core/feature.ts'
import { runWorker, type Worker } from './core/work-loop.ts'
import { FEATURES } from './feature-list.ts'
import type { Gateway } from './gateway.ts'
import { monotonicMs } from './kit/clock.ts'
import { blockList } from './kit/http/addresses.ts'
import { createAnonymousLimit } from './kit/http/anonymous-limit.ts'
import type { HttpOptions } from './kit/http/answers.ts'
import { createHttp, type FastifyInstance } from './kit/http/http.ts'

const share = ({ ctx, merchants, clock }: Gateway, config: Config, features: readonly Feature[]): Shared => ({
  ctx,
  merchants,
  sandbox: clock && { clock, simulatorUrl: config.bankUrl },
  features,
  listen: (cell, channel, notify) => listen(config.cells.get(cell)?.engine ?? '', channel, ctx.log, notify),
})

/** The api: every route on one server, not listening yet. */
export function createApi(
  gateway: Gateway,
  config: Config,
  now = monotonicMs,
  features: readonly Feature[] = FEATURES,
): FastifyInstance {
  const { ctx, merchants } = gateway
  const http: HttpOptions = {
    log: ctx.log,
    publicUrl: config.publicUrl,
    anonymous: createAnonymousLimit({
      perSecond: config.anonymousPerSecond,
      trustedProxies: blockList(config.trustedProxies),
      log: ctx.log,
      now,
    }),
  }
  const app = createHttp(http)
  const deps: RouteDeps = {
    ctx,
    app,
    http,
    merchants,
    tokens: createTokens(ctx),
    limits: createLimits(),
    wrongLogins: createWrongLogins(now),
  }
  app.get('/health', { config: { knows: true } }, async (_request, reply) => reply.send({ ok: true }))
  const shared = share(gateway, config, features)
  for (const feature of features) feature.routes?.(deps, shared)
  return app
}

export const startWorker = (gateway: Gateway, config: Config, features: readonly Feature[] = FEATURES): Worker =>
  runWorker(share(gateway, config, features))
