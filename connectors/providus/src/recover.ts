// Credits that the bank reported while this adapter was away for all of its five attempts:
// `cowrie run connector-providus-recover <session>…`. The bank has no call that lists them, so that a person
// takes the sessions from its settlement report. Each counts only if the bank confirms it, and once.
import * as kit from '@cowrie/connector-kit'
import pg from 'pg'
import { config } from './config.ts'
import { claimOf, createBankList, createVerify } from './credits.ts'
import { createUpstream, signatureOf } from './upstream.ts'

const settings = config()
const clock = kit.systemClock
const secrets = [settings.password, settings.clientSecret, signatureOf(settings), ...settings.keys]
const log = kit.createLog({ name: 'providus-recover', clock, secrets: () => secrets })
const store = { pool: new pg.Pool({ connectionString: settings.databaseUrl, max: 4 }), schema: settings.schema, clock }
const upstream = createUpstream(settings)
const outbox = kit.createOutbox({ ...store, gatewayUrl: settings.gatewayUrl, keys: () => settings.keys, log })
const verify = createVerify(upstream, createBankList(upstream, clock))
const claims = kit.createClaims({ ...store, verify, outbox, log })

let open = 0
for (const session of process.argv.slice(2)) {
  const claim = claimOf(session, undefined)
  const claimed = claim === null ? 'open' : await claims.take(claim)
  if (claimed === 'open') open += 1
  process.stdout.write(`${session} ${claim === null ? 'is not a session' : claimed}\n`)
}
await claims.stop()
await upstream.close()
await store.pool.end()
process.exitCode = open === 0 ? 0 : 1
