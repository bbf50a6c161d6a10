// What balancers, orchestrators and Prometheus ask of a process, api or worker: a server of its own, on a
// private port. It says what is wrong in words, so it is not for everybody.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Pool } from 'pg'
import { monotonicMs } from '#kit/clock.ts'
import type { Cell } from '#kit/ctx.ts'
import { blockList } from '#kit/http/addresses.ts'
import { createAnonymousLimit } from '#kit/http/anonymous-limit.ts'
import { sendJson, sendText } from '#kit/http/answers.ts'
import { createHttp, type FastifyInstance } from '#kit/http/http.ts'
import type { CellId } from '#kit/ids.ts'
import { metricsText } from '#kit/metrics.ts'
import * as series from '#kit/series.ts'
import type { Shared } from './feature.ts'
import type { Readiness } from './readiness.ts'

const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8'
const LOOP_MS = 20

function showPool(cell: CellId, name: string, pool: Pool, lent = 0): void {
  series.POOL(cell, name, 'in_use').n = pool.totalCount - pool.idleCount - lent
  series.POOL(cell, name, 'idle').n = pool.idleCount + lent
  series.POOL(cell, name, 'waiting').n = pool.waitingCount
}
function showPools({ id, engine, hot, app }: Cell): void {
  showPool(id, 'engine', engine.pool, engine.idleConnections.length)
  showPool(id, 'hot', hot.pool, hot.idleConnections.length)
  showPool(id, 'app', app)
}

/** What this process knows of itself, and, of a worker, what it reads of the cells. */
function createCollector(shared: Shared, readiness: Readiness): () => Promise<string> {
  const { ctx, features } = shared
  const delay = monitorEventLoopDelay({ resolution: LOOP_MS })
  delay.enable()
  const figures = features.flatMap((feature) => feature.figures?.(shared) ?? [])
  return async () => {
    const { role, version, ready, cells } = await readiness.look()
    series.BUILD(version, role).n = 1
    series.READY().n = ready ? 1 : 0
    for (const [cell, standing] of Object.entries(cells)) {
      series.CELL_READY(cell).n = standing.ready ? 1 : 0
      if (standing.clockSkewMs !== null) series.CLOCK_OFFSET(cell).n = standing.clockSkewMs / 1000
    }
    for (const cell of ctx.cells.values()) showPools(cell)
    const { user, system } = process.cpuUsage()
    series.CPU().n = (user + system) / 1_000_000
    series.MEMORY().n = process.memoryUsage.rss()
    series.EVENT_LOOP().n = Math.max(0, delay.percentile(99) / 1_000_000 - LOOP_MS) / 1000
    delay.reset()
    if (role === 'worker') {
      for (const cell of ctx.cells.keys()) series.ROUND_AGE(cell).n = readiness.sinceRoundMs(cell) / 1000
      await Promise.all([...ctx.cells.keys()].flatMap((cell) => figures.map((look) => look(cell))))
    }
    return metricsText(role)
  }
}

export function createPrivateServer(shared: Shared, readiness: Readiness): FastifyInstance {
  const { ctx } = shared
  // A probe every second is not worth a line each.
  const log = { ...ctx.log, infoEnabled: false }
  const anonymous = createAnonymousLimit({ perSecond: 1_000, trustedProxies: blockList([]), log, now: monotonicMs })
  const app = createHttp({ log, publicUrl: ctx.publicUrl, anonymous })
  const collect = createCollector(shared, readiness)
  app.get('/health', async (_request, reply) => sendJson(reply, 200, '{"alive":true}'))
  app.get('/ready', async (request, reply) => {
    const standing = await readiness.look()
    const { cell } = request.query as { readonly cell?: string }
    const ready = cell === undefined ? standing.ready : standing.ready && standing.cells[cell]?.ready === true
    return sendJson(reply, ready ? 200 : 503, JSON.stringify(standing))
  })
  app.get('/metrics', async (_request, reply) => sendText(reply, 200, PROMETHEUS_TEXT, await collect()))
  return app
}
