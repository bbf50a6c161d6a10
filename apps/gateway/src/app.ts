// The list of features, and the two processes that are made of them: a server (api) and a loop (worker).
import type { Side } from '@cowrie/contract/kit/permissions'
import { gatherContractStatements } from '#core/access/limited-keys.ts'
import { createLimits } from '#core/access/limits.ts'
import { createTokens } from '#core/access/tokens.ts'
import { createWrongLogins } from '#core/access/wrong-logins.ts'
import { sharedDoor } from '#core/acts/registry.ts'
import { serveActs } from '#core/acts/serve.ts'
import type { RouteDeps } from '#core/bind.ts'
import { cellById } from '#core/cells/cells.ts'
import { listen } from '#core/cells/wake.ts'
import type { Feature, Shared } from '#core/feature.ts'
import { createPrivateServer } from '#core/private-port.ts'
import { createReadiness } from '#core/readiness.ts'
import { runWorker, type Worker } from '#core/work-loop.ts'
import { PROGRAM_VERSION } from '#features/screens/board/version.ts'
import { monotonicMs } from '#kit/clock.ts'
import { blockList } from '#kit/http/addresses.ts'
import { createAnonymousLimit } from '#kit/http/anonymous-limit.ts'
import type { HttpOptions } from '#kit/http/answers.ts'
import { createHttp, type FastifyInstance } from '#kit/http/http.ts'
import { listenAt } from '#kit/process.ts'
import type { Config } from './config.ts'
import { FEATURES } from './feature-list.ts'
import type { Gateway } from './gateway.ts'
import { wrongTurns } from './wrong-turns.ts'

export const share = ({ ctx, merchants, clock }: Gateway, config: Config, features: readonly Feature[]): Shared => ({
  ctx,
  merchants,
  sandbox: clock && { clock, simulatorUrl: config.bankUrl },
  features,
  listen: (cell, channel, notify) => listen(cellById(ctx, cell), channel, ctx.log, notify),
})

/** A server without routes, and what all routes share. */
function prepareServer(
  { ctx, merchants }: Gateway,
  config: Config,
  shared: Shared,
  side: Side,
  now: () => number,
): RouteDeps {
  const publicUrl = side === 'merchant' ? config.publicUrl : config.operatorUrl
  const http: HttpOptions = {
    log: ctx.log,
    publicUrl,
    page: wrongTurns(side),
    anonymous: createAnonymousLimit({
      perSecond: config.anonymousPerSecond,
      trustedProxies: blockList(config.trustedProxies),
      log: ctx.log,
      now,
    }),
  }
  const app = createHttp(http)
  app.get('/health', { config: { knows: true } }, async (_request, reply) => reply.send({ ok: true }))
  return {
    ctx,
    app,
    http,
    merchants,
    tokens: createTokens(ctx),
    limits: createLimits(),
    contractStatements: gatherContractStatements(shared.features),
    wrongLogins: createWrongLogins(now),
    door: sharedDoor(shared),
  }
}

/** The api: every route on one server, not listening yet. */
export function createApi(
  gateway: Gateway,
  config: Config,
  now = monotonicMs,
  features: readonly Feature[] = FEATURES,
): FastifyInstance {
  const shared = share(gateway, config, features)
  const deps = prepareServer(gateway, config, shared, 'merchant', now)
  for (const feature of features) feature.routes?.(deps, shared)
  serveActs(deps, shared, 'merchant')
  return deps.app
}

/** What the operator's people reach: a server of its own, on a private port. */
export function createOperatorApi(
  gateway: Gateway,
  config: Config,
  now = monotonicMs,
  features: readonly Feature[] = FEATURES,
): FastifyInstance {
  const shared = share(gateway, config, features)
  const deps = prepareServer(gateway, config, shared, 'operator', now)
  for (const feature of features) feature.operatorRoutes?.(deps, shared)
  serveActs(deps, shared, 'operator')
  return deps.app
}

export const startWorker = (gateway: Gateway, config: Config, features: readonly Feature[] = FEATURES): Worker =>
  runWorker(share(gateway, config, features))

/** The private port, if there is one. `stop`: from now on the process is not ready. */
export async function openPrivately(
  gateway: Gateway,
  config: Config,
  role: 'api' | 'worker',
  worker?: Worker,
): Promise<{ stop(): void; close(): Promise<void> }> {
  const { ctx } = gateway
  const { privately } = config
  const since = worker ? { sinceRoundMs: worker.sinceRoundMs } : {}
  const readiness = createReadiness(ctx, { role, version: PROGRAM_VERSION, ...since })
  const server = privately && createPrivateServer(share(gateway, config, FEATURES), readiness)
  if (privately && server) {
    await listenAt(server, 'PRIVATE_PORT', privately)
    ctx.log.info('listening privately', { port: privately.port })
  }
  const close = async (): Promise<void> => {
    await server?.close()
  }
  return { stop: () => readiness.stop(), close }
}
