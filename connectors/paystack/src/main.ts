// The adapter as a process.
import * as kit from '@cowrie/connector-kit'
import pg from 'pg'
import { createCharges } from './charges.ts'
import { config } from './config.ts'
import { createDisputes } from './disputes.ts'
import { createRefunds } from './refunds.ts'
import { createUpstream } from './upstream.ts'
import { createVerify, createWebhook } from './webhook.ts'

const settings = config()
const { environment, bankCode, secretKey, sealKeys, gatewayUrl } = settings
const clock = kit.systemClock
const secrets = [secretKey, ...settings.keys]
const log = kit.createLog({ name: 'paystack', clock, secrets: () => secrets, secretNames: ['x-paystack-signature'] })
const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 })
pool.on('error', (error) => log.error({ error }, 'a connection to the database was lost'))

const store = { pool, schema: settings.schema, clock }
const keys = () => settings.keys
const meter = kit.createMeter()
const upstream = createUpstream(settings)
const charges = createCharges({ config: settings, upstream, log })
const mapping: kit.BankMapping = { self: { bankCode, bankName: 'Paystack', environment } }
await kit.migrate(store)

const outbox = kit.createOutbox({ ...store, gatewayUrl, keys, log })
const onEvent = (event: kit.CardEvent | kit.OrderEvent): void =>
  event.kind === 'unknown' ? log.warn(event, 'Paystack has not said what became of it') : log.error(event, 'card')
const { answerWithinMs, callMs } = settings
const called = { ...store, onEvent, meter, answerWithinMs, callMs }
const cards = kit.createCards({ ...called, mapping: charges, sealKeys, notify: outbox.notifyCard })
const refunds = createRefunds(upstream, log)
const cardRefunds = kit.createCardRefunds({ ...called, mapping: refunds, notify: outbox.notifyCardRefund })
const verify = createVerify(cards, cardRefunds, createDisputes(upstream, cards))
const claims = kit.createClaims({ ...store, verify, outbox, log, meter, answerWithinMs })

const { webhookHost, webhookPort, webhookPath } = settings
const cardSettings = kit.cardSettingsOf(charges, sealKeys)
const served = { mapping, cards, cardSettings, cardRefunds, claims, keys, log, meter }
const server = await kit.serve({ ...settings, ...store, ...served })
const routes = { [webhookPath]: createWebhook({ secretKey, claims, cards, log }) }
const webhooks = await kit.serveWebhooks({ host: webhookHost, port: webhookPort, log, routes })

outbox.start()
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
