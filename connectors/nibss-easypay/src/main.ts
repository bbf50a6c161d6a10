// The adapter: a process between the gateway and NIBSS EasyPay.
import * as kit from '@cowrie/connector-kit'
import pg from 'pg'
import { config } from './config.ts'
import { createMapping } from './mapping.ts'
import { createUpstream } from './upstream.ts'

const settings = config()
const clock = kit.systemClock
const { clientSecret } = settings.nibss
const log = kit.createLog({
  name: 'nibss-easypay',
  clock,
  secrets: () => [clientSecret, settings.nibss.account.bvn, ...settings.keys],
})
const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 })
pool.on('error', (error) => log.warn({ error }, 'a connection to the database was lost'))

const store = { pool, schema: settings.schema, clock }
const keys = () => settings.keys
const upstream = createUpstream({ settings: settings.nibss, clock })
const bank = createMapping({ config: settings, upstream, clock, log })
const { statements } = settings
const account = { bankCode: settings.bankCode, accountNumber: settings.nibss.account.number }
const mapping =
  statements === null
    ? bank
    : {
        ...bank,
        capabilities: [...bank.capabilities, 'statement' as const],
        statement: kit.createStatementFiles({ ...store, ...statements, account, log }),
      }
const outbox = kit.createOutbox({ ...store, gatewayUrl: settings.gatewayUrl, keys, log })
const onEvent = ({ kind, ...event }: kit.OrderEvent): void =>
  kind === 'unknown' ? log.warn(event, 'the outcome of an order is not known') : log.error(event, `an order: ${kind}`)

await kit.migrate(store).catch((error: unknown) => {
  log.error({ error }, 'the database cannot be used')
  process.exit(1)
})
const { answerWithinMs, callMs } = settings
const orders = kit.createOrders({ ...store, mapping, notify: outbox.notify, onEvent, answerWithinMs, callMs })
const server = await kit.serve({ ...settings, ...store, mapping, orders, keys, log })
outbox.start()
kit.drainOnSignals(server, () => outbox.stop().then(() => pool.end()), log)
log.info({ url: server.url, environment: settings.environment }, 'ready')
process.send?.({ url: server.url })
