// The adapter: a process between the gateway and NIBSS EasyPay.
import * as kit from '@cowrie/connector-kit'
import pg from 'pg'
import { ConfigError, readConfig } from './config.ts'
import { createMapping } from './mapping.ts'
import { createUpstream } from './upstream.ts'

function settings() {
  try {
    return readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

const config = settings()
const clock = kit.systemClock
const { clientSecret, account } = config.nibss
const log = kit.createLog({
  name: 'nibss-easypay',
  clock,
  secrets: () => [clientSecret, account.bvn, ...config.gatewayKeys],
})
const pool = new pg.Pool({ connectionString: config.databaseUrl, max: 10 })
pool.on('error', (error) => log.warn({ error }, 'a connection to the database was lost'))

const store = { pool, schema: config.schema, clock }
const keys = () => config.gatewayKeys
const upstream = createUpstream({ settings: config.nibss, clock })
const mapping = createMapping({ config, upstream, clock, log })
const outbox = kit.createOutbox({ ...store, gatewayUrl: config.gatewayUrl, keys, log })
const onEvent = ({ kind, ...event }: kit.OrderEvent): void =>
  kind === 'unknown' ? log.warn(event, 'the outcome of an order is not known') : log.error(event, `an order: ${kind}`)

await kit.migrate(store).catch((error: unknown) => {
  log.error({ error }, 'the database cannot be used')
  process.exit(1)
})
const { host, port, answerWithinMs, callMs } = config
const orders = kit.createOrders({ ...store, mapping, notify: outbox.notify, onEvent, answerWithinMs, callMs })
const server = await kit.serve({ ...store, mapping, orders, keys, log, host, port })
outbox.start()
kit.drainOnSignals(server, () => outbox.stop().then(() => pool.end()), log)
log.info({ url: server.url, environment: config.environment }, 'ready')
process.send?.({ url: server.url })
