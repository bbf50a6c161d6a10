// The versions of the master key, for whoever rotates it (docs/operate/keys.md).
//   cowrie run keys status                     which versions each database knows, and how many records each
//     has sealed
//   cowrie run keys reseal                     seals with the present version what others have sealed; can be
//     stopped and run again
//   cowrie run keys retire <version> [--now]   once nothing of it is left: from then on it can be removed
//     from the settings
//   cowrie run keys new | wrap | custodians | heads-key  (custody.ts)
// Reads CELLS, ENVIRONMENT, IDENTITIES and the master key like the gateway. Exit codes: 0 done, 1 not done,
// and why, 2 wrong use.
import { readFileSync } from 'node:fs'
import { TOKEN_SECONDS } from '@cowrie/contract/access/auth'
import { readConfig } from '../../apps/gateway/src/config.ts'
import { record } from '../../apps/gateway/src/core/acts/trail.ts'
import { readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import {
  checkKeys,
  type KnownVersion,
  knownVersions,
  listSealedPlaces,
} from '../../apps/gateway/src/core/keys/known.ts'
import { countTable, resealTable, retire, type SealedTable } from '../../apps/gateway/src/core/keys/reseal.ts'
import { HOUSE } from '../../apps/gateway/src/core/ledger/chart.ts'
import { FEATURES } from '../../apps/gateway/src/feature-list.ts'
import { OPERATOR, openGateway } from '../../apps/gateway/src/gateway.ts'
import type { Ctx } from '../../apps/gateway/src/kit/ctx.ts'
import type { CellId } from '../../apps/gateway/src/kit/ids.ts'
import { CUSTODY, CUSTODY_USAGE, custody } from './custody.ts'
import { COMMAND, type Env, NOT_USED, NotDone, type Print, runCommand, WrongUse, withGateway } from './operator.ts'

const USAGE = `Usage: cowrie run keys <command> [<version>] [--now] [--for <custodians>]

The versions of the master key, while it is rotated (docs/operate/keys.md).
status            shows the versions that each database knows, and how many records each of them encrypts
reseal            encrypts with the present version what an older one encrypted; can be interrupted and repeated
retire <version>  says that nothing uses a version any more, so that it can be removed; --now: without waiting for tokens to expire
${CUSTODY_USAGE}
Needs the settings of the gateway. Exit codes: 0 done, 1 refused, 2 wrong usage.`

/** Everything of the gateway that is sealed with the master key. */
export const SEALED: readonly SealedTable[] = FEATURES.flatMap(({ sealed = [] }) => sealed)

/** An hour until the last token of a version has expired, and another for a process that was late to read the
 *  new one. */
const TOKENS_END_MS = 2 * TOKEN_SECONDS * 1000

// ---- status

const stateOf = (ctx: Ctx, { version, retired_at, present_at }: KnownVersion): string => {
  if (retired_at) return `retired ${retired_at.toISOString()}`
  if (version === ctx.keys.present.version)
    return present_at ? `seals since ${present_at.toISOString()}` : 'is to seal next'
  return ctx.keys.versions.some((one) => one.version === version) ? 'opens what it sealed' : 'NOT GIVEN'
}

type Left = ReadonlyMap<string, ReadonlyMap<string, number>>
/** How many records each version has sealed, by fingerprint and table. */
async function leftIn(ctx: Ctx, cell: CellId): Promise<Left> {
  const left = new Map<string, Map<string, number>>()
  for (const sealed of SEALED)
    for (const [id, count] of await countTable(ctx, cell, sealed)) {
      const tables = left.get(id) ?? new Map<string, number>()
      left.set(id, tables.set(sealed.table, count))
    }
  return left
}

const listed = (tables: ReadonlyMap<string, number> | undefined): string => {
  const all = [...(tables ?? [])]
  const total = all.reduce((sum, [, count]) => sum + count, 0)
  return total === 0 ? '0 records' : `${total} records (${all.map(([table, count]) => `${table} ${count}`).join(', ')})`
}

async function status(ctx: Ctx, print: Print): Promise<void> {
  for (const cell of listSealedPlaces(ctx)) {
    const known = await readAll(ctx, cell, knownVersions)
    const left = await leftIn(ctx, cell)
    print(`cell ${cell}`)
    for (const row of known)
      print(
        `  version ${row.version}  fingerprint ${row.fingerprint}  ${stateOf(ctx, row)}: ${listed(left.get(row.fingerprint))}`,
      )
    for (const [id, tables] of left)
      if (!known.some(({ fingerprint }) => fingerprint === id))
        print(`  UNKNOWN    fingerprint ${id}: ${listed(tables)}`)
  }
}

// ---- reseal

async function reseal(ctx: Ctx, print: Print): Promise<void> {
  const { version } = ctx.keys.present
  for (const cell of listSealedPlaces(ctx)) {
    const known = await readAll(ctx, cell, knownVersions)
    if (!known.some((row) => row.version === version))
      throw new NotDone(`Cell ${cell} does not know version ${version} yet: let api and worker read it first.`)
    let total = 0
    for (const sealed of SEALED) {
      const count = await resealTable(ctx, cell, sealed)
      if (count > 0) print(`cell ${cell}: ${sealed.table}: ${count} records sealed again`)
      total += count
    }
    print(`cell ${cell}: ${total} records sealed again with version ${version}`)
  }
  await status(ctx, print)
}

// ---- retire

/** Throws what speaks against it, before anything is changed anywhere. */
async function mayRetire(ctx: Ctx, cell: CellId, version: number, now: boolean): Promise<KnownVersion> {
  const known = await readAll(ctx, cell, knownVersions)
  const row = known.find((one) => one.version === version)
  if (!row) throw new NotDone(`Cell ${cell} knows no version ${version}.`)
  if (row.retired_at) return row
  if (version === ctx.keys.present.version) throw new NotDone(`Version ${version} is the present one.`)
  const since = known.find((one) => one.version === ctx.keys.present.version)?.present_at
  if (!since) throw new NotDone(`In cell ${cell} no process seals with version ${ctx.keys.present.version} yet.`)
  const from = new Date(since.getTime() + TOKENS_END_MS)
  if (!now && ctx.clock.now() < from)
    throw new NotDone(
      `Tokens of version ${version} may be good until ${from.toISOString()}. Wait, or end them with --now: their holders log in again.`,
    )
  return row
}

async function retireVersion(ctx: Ctx, version: number, now: boolean, print: Print): Promise<void> {
  const rows = new Map<CellId, KnownVersion>()
  for (const cell of listSealedPlaces(ctx)) rows.set(cell, await mayRetire(ctx, cell, version, now))
  for (const [cell, { fingerprint: id, retired_at: already }] of rows) {
    if (already) continue
    const after = { version, fingerprint: id }
    const reason = now ? 'by command, with its tokens' : 'by command'
    const left = await retire(ctx, cell, { id }, SEALED, (t) =>
      record(t, { merchantId: HOUSE, by: COMMAND, what: 'masterKeys.retire', reason, after }),
    )
    if (left !== null)
      throw new NotDone(
        `In cell ${cell}, ${left} has records of version ${version}. Run \`cowrie run keys reseal\` first.`,
      )
    print(`cell ${cell}: version ${version} is retired`)
  }
  print(`Nothing is sealed with version ${version} any more. Remove it from the settings of api and worker.`)
}

// ---- the command

async function act(ctx: Ctx, [command, word, ...more]: readonly string[], print: Print): Promise<void> {
  if (command === 'status') return status(ctx, print)
  for (const cell of listSealedPlaces(ctx)) await checkKeys(ctx, cell)
  if (command === 'reseal') return reseal(ctx, print)
  const version = Number(word)
  if (!Number.isInteger(version) || version < 1 || more.some((one) => one !== '--now'))
    throw new WrongUse('Say which version.')
  return retireVersion(ctx, version, more.includes('--now'), print)
}

const SETTINGS = [
  'CELLS',
  'ENVIRONMENT',
  'IDENTITIES',
  'MASTER_KEY',
  'MASTER_KEY_FILE',
  'MASTER_KEYS',
  'MASTER_KEYS_FILE',
  'CUSTODIANS',
]

const fromStandardInput = (): string => readFileSync(0, 'utf8')

/** Answers the exit code. */
export const run = (words: readonly string[], env: Env, print: Print, input = fromStandardInput): Promise<0 | 1 | 2> =>
  runCommand(USAGE, print, async () => {
    if (CUSTODY.has(words[0] ?? '')) return custody(words, env, print, input)
    if (!['status', 'reseal', 'retire'].includes(words[0] ?? '')) throw new WrongUse('Say what to do.')
    const given = Object.fromEntries(SETTINGS.map((name) => [name, env[name]]))
    await withGateway(openGateway(readConfig({ ...NOT_USED, ...given }, env), OPERATOR), ({ ctx }) =>
      act(ctx, words, print),
    )
    return 0
  })

if (import.meta.main) process.exit(await run(process.argv.slice(2), process.env, (text) => console.log(text)))
