// For the operator: are the books in order, and is clients' money there? Asks every invariant of every cell
// on one snapshot. What the night found is the view books.last.
//   cowrie run books                           every invariant, with what violates it
//   cowrie run books --cover                what the banks hold, and what clients are owed
// Reads CELLS and ENVIRONMENT like the gateway (operator.ts), changes nothing. Exit codes: 0 in order, 1
// violated, 2 wrong use.
import { parseArgs } from 'node:util'
import { checkCell, type Result } from '../../apps/gateway/src/core/books/check.ts'
import { readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { missingMonth } from '../../apps/gateway/src/core/cells/month-keeper.ts'
import { numbersLeft } from '../../apps/gateway/src/core/cells/ranges.ts'
import { mergeBooks } from '../../apps/gateway/src/core/feature.ts'
import { heldBackBy, horizonLags, LAG_MAX_MS } from '../../apps/gateway/src/core/ledger/horizons.ts'
import { FEATURES } from '../../apps/gateway/src/feature-list.ts'
import { readCover } from '../../apps/gateway/src/features/settlements/reconciliation/cover.ts'
import type { Ctx } from '../../apps/gateway/src/kit/ctx.ts'
import { nairaText } from '../../packages/contract/src/kit/money.ts'
import { numbersLine } from './numbers.ts'
import { type Env, openForOperator, type Print, quarantineMsOf, runCommand, WrongUse, withGateway } from './operator.ts'

const USAGE = `Usage: cowrie run books [options]

Checks the invariants of the books. Read-only; needs CELLS and ENVIRONMENT, like the gateway.

  --cover               show for each cell what the banks hold and what clients are owed, instead of checking
  --cell <two digits>   this cell only
  --only <words>        only invariants whose name contains these words
  --json                one line of JSON per invariant
  --help                this text

Checks every invariant of each cell, all on one snapshot, and shows up to five rows that violate one. It reads whole
tables and has no time limit: for a large cell put the address of a replica into CELLS, or run it at night.
Exit codes: 0 all hold, 1 an invariant is violated, 2 wrong usage.`

const OPTIONS = {
  cover: { type: 'boolean', default: false },
  cell: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const read = (words: readonly string[]) =>
  parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals: false }).values
type Options = ReturnType<typeof read>

const line = ({ invariant, violations, examples, ms }: Result): string =>
  violations === 0n
    ? `  ok        ${invariant}  (${ms} ms)`
    : [
        `  VIOLATED  ${invariant}: ${violations} ${violations === 1n ? 'row' : 'rows'}  (${ms} ms)`,
        ...examples.map((example) => `              ${example}`),
        ...(violations > BigInt(examples.length) ? ['              …'] : []),
      ].join('\n')
const asJson = (value: object): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? Number(one) : one))

/** Horizons that lag: the books are in order, but what came since is not settled. */
const lagsOf = (ctx: Ctx, cell: string) =>
  readAll(ctx, cell, async (r) => {
    const late = (await horizonLags(r)).filter(({ lagMs }) => lagMs >= LAG_MAX_MS)
    return Promise.all(late.map(async (lag) => ({ ...lag, heldBackBy: await heldBackBy(r) })))
  })
const lagLine = ({ horizon, lagMs, oldest, heldBackBy: by }: Awaited<ReturnType<typeof lagsOf>>[number]): string =>
  `  BEHIND    ${horizon}: ${Math.round(lagMs / 1000)} s, since ${oldest?.toISOString()}; held back by ${by}`

/** The tables of the coming month are not there, and it begins within days. */
const missingLine = (month: bigint): string =>
  `  MISSING   the partitions of ${month}: is a worker running? Until they are made, new rows stay in an older month`

/** Asks now; answers how many invariants are violated. */
async function check(ctx: Ctx, cells: readonly string[], options: Options, quarantineMs: number, print: Print) {
  const wanted = Object.entries(mergeBooks(FEATURES).invariants).filter(([name]) => name.includes(options.only ?? ''))
  if (wanted.length === 0) throw new WrongUse(`No invariant has "${options.only}" in its name.`)
  let violated = 0
  for (const cell of cells) {
    if (!options.json) print(`Cell ${cell}`)
    const results = await checkCell(ctx, cell, Object.fromEntries(wanted), (result) =>
      print(options.json ? asJson({ cell, ...result }) : line(result)),
    )
    for (const late of await lagsOf(ctx, cell)) print(options.json ? asJson({ cell, ...late }) : lagLine(late))
    const missing = await readAll(ctx, cell, (r) => missingMonth(r))
    if (missing !== null) print(options.json ? asJson({ cell, missingMonth: missing }) : missingLine(missing))
    for (const range of await readAll(ctx, cell, (r) => numbersLeft(r, quarantineMs)))
      print(options.json ? asJson({ ...range }) : numbersLine(range))
    const wrong = results.filter(({ violations }) => violations > 0n).length
    violated += wrong
    if (!options.json) print(`Cell ${cell}: ${results.length} invariants, ${wrong} violated`)
  }
  return violated
}

const COVER_HEADINGS = ['CELL', 'BANKS', 'CLIENTS', 'COVER', 'ON ITS WAY', 'ACQUIRERS']

/** Whether what the banks hold is what clients are owed, and more. */
async function printCover(ctx: Ctx, cells: readonly string[], print: Print): Promise<void> {
  const rows = await Promise.all(
    cells.map(async (cell) => {
      const { banks, clients, onItsWay, acquirers } = await readCover(ctx, cell)
      return [cell, ...[banks, clients, banks - clients, onItsWay, acquirers].map(nairaText)]
    }),
  )
  const widths = COVER_HEADINGS.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  for (const row of [COVER_HEADINGS, ...rows])
    print(
      row
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

/** Answers the exit code. */
export const run = (words: readonly string[], env: Env, print: Print): Promise<0 | 1 | 2> =>
  runCommand(USAGE, print, async () => {
    const options = read(words)
    if (options.help) {
      print(USAGE)
      return 0
    }
    return withGateway(openForOperator(env), async ({ ctx }) => {
      const cells = [...ctx.cells.keys()].filter((cell) => (options.cell ?? cell) === cell)
      if (cells.length === 0) throw new WrongUse(`Cell ${options.cell} is not in CELLS.`)
      if (options.cover) {
        await printCover(ctx, cells, print)
        return 0
      }
      return (await check(ctx, cells, options, quarantineMsOf(env), print)) > 0 ? 1 : 0
    })
  })

if (import.meta.main) process.exit(await run(process.argv.slice(2), process.env, (text) => console.log(text)))
