// The wiring: database, clock, gateway, notices, mailbox and web server of the sandbox's banks.
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { AGENT_TABLES } from './agents/agents.tables.ts'
import { createGateway, createPost } from './bank/gateway.ts'
import { NUMBER_TABLES } from './bank/numbers.sql.ts'
import { bindWithdrawals, issuing } from './bank/numbers.ts'
import { TRANSFER_TABLES } from './bank/transfers.tables.ts'
import { BILLER_TABLES } from './billers/billers.tables.ts'
import { createBillers } from './billers/billers.ts'
import { ISSUER_TABLES } from './issuer/issuer.tables.ts'
import { CARD_REFUND_TABLES } from './issuer/refunds.tables.ts'
import { createClock } from './kit/clock.ts'
import type { Config } from './kit/config.ts'
import { loadOffset, openDatabase } from './kit/database.ts'
import { startMailSink } from './kit/mail-sink.ts'
import { createDebits } from './mandates/debits.ts'
import { MANDATE_TABLES } from './mandates/mandates.tables.ts'
import { createNotices } from './notice-sender.ts'
import { PAYOUT_TABLES } from './payouts/payouts.tables.ts'
import { createPayouts } from './payouts/payouts.ts'
import { bindCustomer, bindGateway } from './routes.ts'
import { STATEMENT_TABLES } from './statements/statements.tables.ts'

export type Simulator = {
  readonly url: string
  readonly smtpPort: number
  stop(): Promise<void>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages of other sites may send their visitors here by a form; such a route changes nothing. */
    crossSite?: boolean
  }
}

/** The first has the notices, to which the later ones add columns. */
const TABLES = [
  ...[TRANSFER_TABLES, ISSUER_TABLES, PAYOUT_TABLES, STATEMENT_TABLES, MANDATE_TABLES],
  ...[BILLER_TABLES, AGENT_TABLES, CARD_REFUND_TABLES, NUMBER_TABLES],
]

const BODY_BYTES_MAX = 64 * 1024

export async function startSimulator(config: Config, log: Logger): Promise<Simulator> {
  // Only the code of a lost connection: the error holds the whole client. At every stop connections are lost.
  const pool = await openDatabase(config.databaseUrl, TABLES, (error) =>
    log.info({ code: (error as { code?: string }).code }, 'database connection lost'),
  )
  const clock = createClock(await loadOffset(pool))
  const stopping = new AbortController()
  const post = createPost(config.gatewayUrl, config.bankKeys, stopping.signal)
  const taken = async (path: string, body: unknown): Promise<boolean> => (await post(path, body))?.status === 200
  const asked = createGateway(post)
  const { issues } = config
  const gateway = issues === null ? asked : issuing(asked, { pool, bankCode: issues, post: taken })
  const notices = createNotices(pool, clock, gateway, (err) => log.error({ err }, 'could not send notices'))
  const mailSink = await startMailSink(pool, clock, { host: config.host, port: config.smtpPort }, (err) =>
    log.warn({ err }, 'mail sink error'),
  )
  const parts = { pool, clock, gateway, notices }

  const issuer = { pool, clock, stopping: stopping.signal }
  const payouts = await createPayouts({ pool, clock, notices, stopping: stopping.signal }, config)

  const debits = await createDebits(parts)
  const billers = createBillers({ pool, clock, stopping: stopping.signal }, config)

  const app = createApp(log)
  if (issues !== null) bindWithdrawals(app, { pool, bankCode: issues, clock, post: taken })
  bindCustomer(app, parts, issuer, payouts, debits, mailSink)
  app.register(async (scope) => bindGateway(scope, parts, issuer, payouts, debits, billers, config))
  const url = await app.listen({ host: config.host, port: config.port })
  log.info({ url, smtpPort: mailSink.port }, 'simulator ready')

  return {
    url,
    smtpPort: mailSink.port,
    stop: async () => {
      stopping.abort()
      await Promise.all([app.close(), mailSink.stop(), notices.stop()])
      await pool.end()
    },
  }
}

function createApp(log: Logger): FastifyInstance {
  const app = Fastify({ logger: false, bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true })
  // Bodies stay text: the signature is over their bytes, and amounts are read from their source.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  // Nobody logs in here, so a foreign web page must not be able to act through the visitor's browser (CSRF).
  app.addHook('onRequest', async (request, reply) => {
    const refused = request.method !== 'GET' && request.routeOptions.config.crossSite !== true
    if (refused && request.headers['sec-fetch-site'] === 'cross-site') {
      await reply.code(403).send({ error: 'Cross-site requests are not allowed' })
    }
  })
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ error: 'Not found' }))
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) log.error({ err: error, route: request.routeOptions.url }, 'request failed')
    return reply.code(status).send({ error: status >= 500 ? 'Internal error in the simulator' : error.message })
  })
  return app
}
