// The adapter as a process.
import * as kit from '@cowrie/connector-kit'
import pg from 'pg'
import { OWN_BANK } from './banks.ts'
import { config } from './config.ts'
import { claimOfSession, createBankList, createVerify } from './credits.ts'
import { createMapping } from './mapping.ts'
import { createUpstream, signatureOf } from './upstream.ts'
import { createWebhook } from './webhook.ts'

const settings = config()
const clock = kit.systemClock
const secrets = [settings.password, settings.clientSecret, signatureOf(settings), ...settings.keys]
const log = kit.createLog({ name: 'providus', clock, secrets: () => secrets, secretNames: ['X-Auth-Signature'] })
const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 })
pool.on('error', (error) => log.error({ error }, 'a connection to the database was lost'))

const store = { pool, schema: settings.schema, clock }
const keys = () => settings.keys
const meter = kit.createMeter()
const upstream = createUpstream(settings)
await kit.migrate(store)

const outbox = kit.createOutbox({ ...store, gatewayUrl: settings.gatewayUrl, keys, log })
const onEvent = (event: kit.OrderEvent): void =>
  event.kind === 'unknown'
    ? log.warn(event, 'the bank has not said what became of a payout')
    : log.error(event, 'payout')
const { answerWithinMs, callMs } = settings
const verify = createVerify(upstream, createBankList(upstream, clock))
const claims = kit.createClaims({ ...store, verify, outbox, log, meter, answerWithinMs })

/** Money on a statement that the bank never reported: it is asked for the transfer by the session that the
 *  line shows. */
const recover = async (sessions: readonly string[]) => {
  const standing = await claims.standingOf(sessions.map(claimOfSession))
  return new Map(sessions.map((session) => [session, standing.get(claimOfSession(session)) ?? 'open'] as const))
}
const account = { bankCode: OWN_BANK, accountNumber: settings.debitAccount }
const statement =
  settings.statements === null
    ? undefined
    : kit.createStatementFiles({ ...store, ...settings.statements, account, log, recover })
const mapping = { ...createMapping(settings, upstream, clock), ...(statement === undefined ? {} : { statement }) }
const orders = kit.createOrders({ ...store, mapping, notify: outbox.notify, onEvent, meter, answerWithinMs, callMs })
const numbers = kit.createNumbers({ ...store, mapping, log, meter, answerWithinMs })

const { webhookHost, webhookPort, webhookPath } = settings
const server = await kit.serve({ ...settings, ...store, mapping, orders, numbers, claims, keys, log, meter })
const routes = { [webhookPath]: createWebhook(settings, claims, log) }
const webhooks = await kit.serveWebhooks({ host: webhookHost, port: webhookPort, log, routes })

outbox.start()
numbers.start()
claims.start()
log.info({ url: server.url, webhooks: webhooks.url }, 'started')
process.send?.({ url: server.url, webhooks: webhooks.url })

const stop = async (): Promise<void> => {
  await webhooks.close(10_000)
  await claims.stop()
  await outbox.stop()
  await upstream.close()
  await pool.end()
}
kit.drainOnSignals(server, stop, log)
