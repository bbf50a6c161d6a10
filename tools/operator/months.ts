// For the operator: the months of each cell, and those that are over as files.
//   cowrie run months                                     which months each cell has, and how large they are
//   cowrie run months export 202601 --to <folder>      writes the month of each cell: a file per table, and a
//     manifest with digests
//   cowrie run months verify --from <folder>           whether an export is what was written, and follows the
//     month before
//   cowrie run months read --from <folder> --table transactions --find <text>
//   cowrie run months detach 202601 --from <folder>    lets the oldest month leave, if nothing of it is open
//     and its export is right
//   cowrie run months attach 202601                    puts the month that was detached last back
// Reads CELLS and ENVIRONMENT like the gateway (operator.ts); detach and attach need OWNERS too: the owner of
// the tables of each cell, as `cowrie run migrate` has it. Exit codes: 0 done, 1 not in order or refused, 2
// wrong use.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { inspect } from '../../apps/gateway/src/core/books/check.ts'
import type { Ctx } from '../../apps/gateway/src/kit/ctx.ts'
import { endOf, exportFaults, exportMonth, hashOf, linesOf, type Manifest, readManifest } from './months/export.ts'
import { attachMonth, detachMonth, type Outcome, type Place } from './months/leave.ts'
import { type Env, openForOperator, type Print, runCommand, WrongUse, withGateway } from './operator.ts'

const USAGE = `Usage: cowrie run months [export|verify|read|detach|attach] [options]

Monthly partitions of the tables that grow. Without a word it lists those of each cell with their size, and those that are detached:

  export <month> --to <folder>     writes a month that is over (202601), of every cell: <folder>/<cell>/<month>/, a compressed
                                   file per table and a manifest with digests, which names the month before
  verify --from <folder>           checks all exports in a folder against their manifests, and that they follow each other
  read --from <folder> --table <name> [--find <text>]
                                   prints the rows of one export that contain a text
  detach <month> --from <folder>   takes the oldest month of every cell out of the tables: only if it is over, nothing of it is open, its
                                   export is what the database has, and the books are in order. Payments go on meanwhile
  attach <month>                   puts the month that was detached last back

Needs CELLS and ENVIRONMENT, like the gateway. Detach and attach also need OWNERS: the login that owns the tables of each cell
(01=postgres://<owner>@…,02=…), as for cowrie run migrate. Exit codes: 0 done, 1 an export is not in order, or it was refused, 2 wrong usage.`

const OPTIONS = {
  to: { type: 'string' },
  from: { type: 'string' },
  table: { type: 'string' },
  find: { type: 'string', default: '' },
  help: { type: 'boolean', default: false },
} as const

const SIZES = `
select m.month::text, sum(pg_total_relation_size(i.inhrelid))::bigint, m.attempts_forgotten from months m
join month_tables t on true join pg_inherits i on i.inhparent = t.name::regclass
join pg_class c on c.oid = i.inhrelid and c.relname = t.name || '_' || m.month
group by 1, 3 order by 1`
const LEFT = 'select month::text, manifest from departed_months order by month'

async function list(ctx: Ctx, print: Print): Promise<void> {
  for (const cell of ctx.cells.keys()) {
    print(`Cell ${cell}`)
    const { rows } = await inspect(ctx, cell, 0, (ask) => ask(SIZES))
    for (const [month, bytes, forgotten] of rows as [string, bigint | string, boolean][])
      print(`  ${month}  ${(Number(bytes) / 1e6).toFixed(1).padStart(10)} MB${forgotten ? '  without attempts' : ''}`)
    const { rows: left } = await inspect(ctx, cell, 0, (ask) => ask(LEFT))
    for (const [month, manifest] of left as [string, string][]) print(`  ${month}  has left; manifest ${manifest}`)
  }
}

const monthsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory() && /^\d{6}$/.test(entry.name))
    .map(({ name }) => name)
    .toSorted()

async function exportAll(ctx: Ctx, word: string | undefined, to: string | undefined, print: Print): Promise<void> {
  if (!/^\d{6}$/.test(word ?? '') || to === undefined)
    throw new WrongUse('export needs a month (202601) and --to <folder>.')
  const month = BigInt(word ?? '')
  if (endOf(month) > ctx.clock.now()) throw new WrongUse(`${month} is not over.`)
  for (const cell of ctx.cells.keys()) {
    const before = (await monthsIn(join(to, cell))).filter((one) => one < String(month)).at(-1)
    const previous = before === undefined ? null : hashOf(await readManifest(join(to, cell, before)))
    const manifest = await exportMonth(ctx, cell, month, join(to, cell, String(month)), previous)
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    print(
      `Cell ${cell}: ${rows} rows of ${month} written to ${join(to, cell, String(month))}; manifest ${hashOf(manifest)}`,
    )
  }
}

async function verifyAll(from: string | undefined, print: Print): Promise<number> {
  if (from === undefined) throw new WrongUse('verify needs --from <folder>.')
  let wrong = 0
  for (const cell of (await readdir(from)).filter((name) => /^\d\d$/.test(name)).toSorted()) {
    let before: Manifest | null = null
    for (const month of await monthsIn(join(from, cell))) {
      const folder = join(from, cell, month)
      const faults = await exportFaults(folder, before)
      print(
        faults.length === 0
          ? `  ok        cell ${cell}, ${month}`
          : `  WRONG     cell ${cell}, ${month}: ${faults.join('; ')}`,
      )
      wrong += faults.length
      before = await readManifest(folder)
    }
  }
  return wrong
}

async function readExport(
  from: string | undefined,
  table: string | undefined,
  find: string,
  print: Print,
): Promise<void> {
  if (from === undefined || table === undefined)
    throw new WrongUse('read needs --from <folder of a month> and --table <name>.')
  for await (const line of linesOf(from, table)) {
    const row = JSON.parse(line) as string
    if (row.includes(find)) print(row)
  }
}

const ownersOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split(',')
      .filter(Boolean)
      .map((one): [string, string] => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
  )

/** Does the same with every cell, also when one refuses; answers how many did. */
async function withEveryCell(
  ctx: Ctx,
  word: string | undefined,
  owners: ReadonlyMap<string, string>,
  print: Print,
  act: (place: Place) => Promise<Outcome>,
): Promise<number> {
  if (!/^\d{6}$/.test(word ?? '')) throw new WrongUse('A month is needed, such as 202601.')
  const missing = [...ctx.cells.keys()].filter((cell) => !owners.has(cell))
  if (missing.length > 0) throw new WrongUse(`OWNERS has no login for cell ${missing.join(', ')}.`)
  let refusals = 0
  for (const cell of ctx.cells.keys()) {
    print(`Cell ${cell}`)
    const { reasons, says } = await act({ ctx, cell, owner: owners.get(cell) ?? '', month: BigInt(word ?? '') })
    for (const reason of reasons) print(`  REFUSED   ${reason}`)
    if (reasons.length > 0) refusals += 1
    else print(`  ok        ${says}`)
  }
  return refusals
}

/** What needs the cells. */
async function withCells(
  [command, word]: readonly (string | undefined)[],
  values: { readonly to?: string | undefined; readonly from?: string | undefined },
  env: Env,
  print: Print,
): Promise<number> {
  const owners = ownersOf(env['OWNERS'] ?? '')
  return withGateway(openForOperator(env), async ({ ctx }) => {
    if (command === 'attach') return withEveryCell(ctx, word, owners, print, attachMonth)
    if (command === 'detach') {
      const { from } = values
      if (from === undefined) throw new WrongUse('detach needs --from <folder>, where its export is.')
      return withEveryCell(ctx, word, owners, print, (place) => detachMonth(place, from, print))
    }
    if (command === 'export') await exportAll(ctx, word, values.to, print)
    else await list(ctx, print)
    return 0
  })
}

const COMMANDS: ReadonlySet<string | undefined> = new Set([undefined, 'export', 'detach', 'attach'])

/** Answers the exit code. */
export const run = (words: readonly string[], env: Env, print: Print): Promise<0 | 1 | 2> =>
  runCommand(USAGE, print, async () => {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: OPTIONS,
      strict: true,
      allowPositionals: true,
    })
    const [command, word] = positionals
    if (values.help) {
      print(USAGE)
      return 0
    }
    if (command === 'verify') return (await verifyAll(values.from, print)) > 0 ? 1 : 0
    if (command === 'read') {
      await readExport(values.from, values.table, values.find, print)
      return 0
    }
    if (!COMMANDS.has(command)) throw new WrongUse(`Unknown: ${command}`)
    return (await withCells([command, word], values, env, print)) > 0 ? 1 : 0
  })

if (import.meta.main) process.exitCode = await run(process.argv.slice(2), process.env, (text) => console.log(text))
