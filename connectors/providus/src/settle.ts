// Ends payouts that the bank says nothing about, on the word of two people who have it from the bank:
// `cowrie run connector-providus-settle "Ada Obi" FAILED <session>…`
import * as kit from '@cowrie/connector-kit'
import pg from 'pg'
import { config } from './config.ts'

const { databaseUrl, schema, gatewayUrl, keys } = config()
const clock = kit.systemClock
const log = kit.createLog({ name: 'providus-settle', clock, secrets: () => keys })
const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
const write = (line: string): void => void process.stdout.write(`${line}\n`)
const parts = { pool, schema, clock, gatewayUrl, keys: () => keys, log, write }
process.exitCode = (await kit.settleByHand(parts, process.argv.slice(2))) ? 0 : 1
await pool.end()
