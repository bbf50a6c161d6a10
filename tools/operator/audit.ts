// The operator's look at the audit trail: whether it is as it was written, and what is in it.
//   cowrie run audit verify                             every chain of every cell, and where people are known
//       --heads <file or folder>                      and that each head that was signed is still a line
//       --key <file>                                  the public key in PEM; else MASTER_KEY is read, which
//         is not what signed where HEADS_KEY is set
//   cowrie run audit export [<apiKey>]                  JSON lines, oldest first: all, or one merchant's
// What people look at is the view trail.list. Reads CELLS, IDENTITIES and ENVIRONMENT like the gateway
// (operator.ts). Exit codes: 0 fine, 1 a chain is broken or no merchant has that key, 2 wrong use.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '../../apps/gateway/src/config.ts'
import { type Document, digestOfHeads, digestOfSigned, isSigned } from '../../apps/gateway/src/core/acts/heads.ts'
import { type Head, listChains, trailAfter, verifyChain } from '../../apps/gateway/src/core/acts/trail.ts'
import { readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { HOUSE } from '../../apps/gateway/src/core/ledger/chart.ts'
import { presentTrailLine } from '../../apps/gateway/src/features/access/approvals/approvals.ts'
import { createOpeningFor, type Gateway } from '../../apps/gateway/src/gateway.ts'
import { deriveKeys, toPublicKey } from '../../apps/gateway/src/kit/crypto.ts'
import type { CellId } from '../../apps/gateway/src/kit/ids.ts'
import {
  type Env,
  NOT_USED,
  NotDone,
  openForOperator,
  type Print,
  runCommand,
  WrongUse,
  withGateway,
} from './operator.ts'

const USAGE = `Usage: cowrie run audit <verify|export> [<API key>|<cell>]

verify  checks the hashes of the audit trail of every cell, each line against the line before
        --heads <file or folder>  and each line that was signed against what was signed
        --key <file>              the public key in PEM that signed; else MASTER_KEY is needed
export  prints it as JSON lines, oldest first: all of it, one merchant's, or a cell's
Needs CELLS and ENVIRONMENT, like the gateway. Exit codes: 0 in order, 1 a line was changed, 2 wrong usage.`
const PAGE = 500

const placesOf = ({ ctx }: Gateway): CellId[] => [...new Set([ctx.identities.id, ...ctx.cells.keys()])].toSorted()

/** Every chain to its head; names the first broken line of each. */
async function verify(gateway: Gateway, print: Print): Promise<0 | 1> {
  let broken = 0
  for (const cell of placesOf(gateway)) {
    let lines = 0n
    const chains = await readAll(gateway.ctx, cell, listChains)
    for (const head of chains) {
      const found = await readAll(gateway.ctx, cell, (r) => verifyChain(r, head))
      lines += found.lines
      if (found.broken === null) continue
      broken += 1
      print(`cell ${cell}, merchant ${head.merchant_id}: BROKEN at line ${found.broken.number}: ${found.broken.why}`)
    }
    print(`cell ${cell}: ${chains.length} chains, ${lines} lines`)
  }
  print(broken === 0 ? 'The audit trail is as it was written.' : `${broken} chains are broken.`)
  return broken === 0 ? 0 : 1
}

// ---- what was signed

/** Public keys in PEM. Never one that the database offers: whoever rewrites it would offer their own. */
async function keysFrom(env: Env, file: string | undefined): Promise<readonly string[]> {
  if (file !== undefined) return [readFileSync(file, 'utf8')]
  const given = Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('MASTER_KEY')))
  if (Object.keys(given).length === 0) throw new WrongUse('Say by --key, or by MASTER_KEY, who signed.')
  const { MASTER_KEY: _, ...others } = NOT_USED
  const { CELLS, ENVIRONMENT, CUSTODIANS } = env
  const config = readConfig({ ...others, CELLS, ENVIRONMENT, CUSTODIANS, ...given }, env)
  const { master } = await createOpeningFor(config).begin(config)
  return deriveKeys(master).versions.map(({ statements }) => toPublicKey(statements).publicKey)
}

/** A statement in each line that holds one: files of the folder, lines of the log, what was mailed. */
function documentsIn(path: string): Document[] {
  if (!existsSync(path)) throw new WrongUse(`There is no ${path}.`)
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => /^cowrie-trail-.*\.json$/.test(name))
        .map((name) => join(path, name))
    : [path]
  return files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .flatMap((line) => {
      const text = line.includes('"detail"') ? (JSON.parse(line) as { detail?: string }).detail : line
      return text?.startsWith('{"cowrie":"heads of the audit trail"') ? [JSON.parse(text) as Document] : []
    })
    .toSorted((a, b) => a.cell.localeCompare(b.cell) || Number(a.number) - Number(b.number))
}

const STORED = { name: 'audit_signature', text: 'select document from trail_signatures where number = $1' }
async function storedOf({ ctx }: Gateway, { cell, number }: Document): Promise<Document | null> {
  const [row] = await readAll(ctx, cell, (r) => r.query<{ document: string }>(STORED, [number]))
  return row ? (JSON.parse(row.document) as Document) : null
}

/** What is wrong with what was signed: with the statement itself, or with each chain that it names. */
async function faultsOf(gateway: Gateway, document: Document, before: Document | undefined, keys: readonly string[]) {
  const { cell, number, at, digest } = document
  const of = `cell ${cell}, statement ${number} of ${at}`
  if (!isSigned(document, keys)) return [`${of}: NOT SIGNED by the key`]
  if (before?.cell === cell && Number(before.number) === Number(number) - 1)
    if (digestOfSigned(before) !== document.previous) return [`${of}: BROKEN: it does not follow the one before`]
  const heads = document.heads ?? (await storedOf(gateway, document))?.heads
  if (!heads) return [`${of}: its heads are gone from the database`]
  if (digestOfHeads(heads) !== digest) return [`${of}: BROKEN: its heads are not those that were signed`]
  const faults: string[] = []
  for (const head of heads) {
    const chain = BigInt(head.merchantId)
    const [line] = await readAll(gateway.ctx, cell, (r) => trailAfter(r, chain, BigInt(head.number) - 1n, 1))
    if (line?.number === BigInt(head.number) && line.hash.toString('hex') === head.hash) continue
    faults.push(
      `cell ${cell}, merchant ${chain}: REWRITTEN: line ${head.number} is not the one that was signed at ${at}`,
    )
  }
  return faults
}

async function verifyHeads(gateway: Gateway, documents: readonly Document[], keys: readonly string[], print: Print) {
  const faults: string[] = []
  for (const [at, document] of documents.entries())
    faults.push(...(await faultsOf(gateway, document, documents[at - 1], keys)))
  for (const fault of new Set(faults)) print(fault)
  const latest = documents.at(-1)?.at
  print(`${documents.length} signed statements${latest ? `, the last of ${latest}` : ''}, ${faults.length} faults`)
  return documents.length > 0 && faults.length === 0 ? 0 : 1
}

async function exportChain({ ctx }: Gateway, cell: CellId, { merchant_id }: Pick<Head, 'merchant_id'>, print: Print) {
  for (let last = 0n; ; ) {
    const rows = await readAll(ctx, cell, (r) => trailAfter(r, merchant_id, last, PAGE))
    for (const row of rows)
      print(
        JSON.stringify({
          cell,
          merchantId: String(merchant_id),
          ...presentTrailLine(cell, row),
          previous: row.previous.toString('hex'),
        }),
      )
    if (rows.length < PAGE) return
    last = rows.at(-1)?.number ?? last
  }
}

/** A merchant's chain, or of a cell the one that is nobody's. */
async function chainOf({ ctx, merchants }: Gateway, word: string): Promise<{ cell: CellId; merchant_id: bigint }> {
  if (ctx.cells.has(word) || ctx.identities.id === word) return { cell: word, merchant_id: HOUSE }
  const merchant = await merchants.byApiKey(word)
  if (!merchant) throw new NotDone(`Neither a merchant nor a cell is called ${word}.`)
  return { cell: merchant.cell, merchant_id: merchant.id }
}

async function exportAll(gateway: Gateway, word: string | undefined, print: Print): Promise<0> {
  if (word !== undefined) {
    const { cell, ...chain } = await chainOf(gateway, word)
    await exportChain(gateway, cell, chain, print)
    return 0
  }
  for (const cell of placesOf(gateway))
    for (const head of await readAll(gateway.ctx, cell, listChains)) await exportChain(gateway, cell, head, print)
  return 0
}

/** Answers the exit code. */
export const run = (words: readonly string[], env: Env, print: Print): Promise<0 | 1 | 2> =>
  runCommand(USAGE, print, async () => {
    const options = { heads: { type: 'string' }, key: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true })
    const [command = '', word] = positionals
    if (command !== 'verify' && command !== 'export') throw new WrongUse('Say what to do.')
    const { heads, key } = values
    const signed = heads === undefined ? null : { documents: documentsIn(heads), keys: await keysFrom(env, key) }
    return withGateway(openForOperator(env), async (gateway) => {
      if (command === 'export') return exportAll(gateway, word, print)
      const found = await verify(gateway, print)
      return signed && (await verifyHeads(gateway, signed.documents, signed.keys, print)) === 1 ? 1 : found
    })
  })

if (import.meta.main) process.exit(await run(process.argv.slice(2), process.env, (text) => console.log(text)))
