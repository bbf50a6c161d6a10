// For the operator: are the books in order? Asks every invariant of every cell on one snapshot, or shows what
// the night found.
//   npm run books                           every invariant, with what violates it
//   npm run books -- --last                 what the last nightly run of each cell found
// Reads CELLS and ENVIRONMENT like the gateway (operator.ts), changes nothing. Exit codes: 0 in order, 1
// violated, 2 wrong use.
import { parseArgs } from 'node:util'
import { checkCell, type Result } from '../../apps/gateway/src/core/books/check.ts'
import { readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { missingMonth } from '../../apps/gateway/src/core/cells/month-keeper.ts'
import { numbersLeft } from '../../apps/gateway/src/core/cells/ranges.ts'
import { booksOf } from '../../apps/gateway/src/core/feature.ts'
import { heldBackBy, horizonLags, LAG_MAX_MS } from '../../apps/gateway/src/core/ledger/horizons.ts'
import { FEATURES } from '../../apps/gateway/src/feature-list.ts'
import { type LastRun, lastRun } from '../../apps/gateway/src/features/settlements/books/books.ts'
import type { Ctx } from '../../apps/gateway/src/kit/ctx.ts'
import { CannotStart } from '../../apps/gateway/src/kit/process.ts'
import { numbersLine } from './numbers.ts'
import { openForOperator, quarantineMsOf } from './operator.ts'

const USAGE = `npm run books [-- options]      Checks the invariants of the books. Read-only; needs CELLS and ENVIRONMENT, like the gateway.

  --last                show the last nightly run of each cell instead of checking now
  --cell <two digits>   this cell only
  --only <words>        only invariants whose name contains these words
  --json                one line of JSON per invariant
  --help                this text

Checks every invariant of each cell, all on one snapshot, and shows up to five rows that violate one. It reads whole
tables and has no time limit: for a large cell put the address of a replica into CELLS, or run it at night.
Exit codes: 0 all hold, 1 an invariant is violated (or, with --last, its check timed out), 2 wrong usage.`

const OPTIONS = {
  last: { type: 'boolean', default: false },
  cell: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

class WrongUse extends Error {}

function read(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new WrongUse((error as Error).message)
  }
}
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
async function check(
  ctx: Ctx,
  cells: readonly string[],
  options: Options,
  quarantineMs: number,
  print: (text: string) => void,
) {
  const wanted = Object.entries(booksOf(FEATURES).invariants).filter(([name]) => name.includes(options.only ?? ''))
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

const WORDS = { DONE: 'ok      ', RUNNING: 'RUNNING ', UNFINISHED: 'TIMEOUT ' } as const

function kept({ run, results }: LastRun, only: string): string[] {
  const shown = results.filter(({ invariant }) => invariant.includes(only))
  return [
    `  Run of ${run.day}, ${run.finished_at ? `finished ${run.finished_at.toISOString()}` : 'not finished yet'}`,
    ...shown.map((one) => {
      const result = { ...one, ms: Number(one.ms) }
      return one.violations > 0n || one.state === 'DONE' ? line(result) : `  ${WORDS[one.state]}  ${one.invariant}`
    }),
  ]
}

/** Shows what the night kept; answers how many invariants are violated, or were not checked to the end. */
async function last(ctx: Ctx, cells: readonly string[], options: Options, print: (text: string) => void) {
  let wrong = 0
  for (const cell of cells) {
    const found = await lastRun(ctx, cell)
    const bad = found?.results.filter(({ violations, state }) => violations > 0n || state === 'UNFINISHED') ?? []
    wrong += bad.length
    if (options.json) for (const one of found?.results ?? []) print(asJson({ cell, day: found?.run.day, ...one }))
    else {
      print(`Cell ${cell}`)
      for (const text of found ? kept(found, options.only ?? '') : ['  No nightly run yet.']) print(text)
      if (found) print(`Cell ${cell}: ${found.results.length} invariants, ${bad.length} violated or timed out`)
    }
  }
  return wrong
}

/** Answers the exit code. */
export async function run(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
): Promise<0 | 1 | 2> {
  try {
    const options = read(words)
    if (options.help) {
      print(USAGE)
      return 0
    }
    const gateway = await openForOperator(env)
    try {
      const cells = [...gateway.ctx.cells.keys()].filter((cell) => (options.cell ?? cell) === cell)
      if (cells.length === 0) throw new WrongUse(`Cell ${options.cell} is not in CELLS.`)
      const wrong = options.last
        ? await last(gateway.ctx, cells, options, print)
        : await check(gateway.ctx, cells, options, quarantineMsOf(env), print)
      return wrong > 0 ? 1 : 0
    } finally {
      await gateway.close()
    }
  } catch (error) {
    if (!(error instanceof WrongUse || error instanceof CannotStart)) throw error
    print(`${error.message}\n\n${USAGE}`)
    return 2
  }
}

if (import.meta.main) process.exit(await run(process.argv.slice(2), process.env, (text) => console.log(text)))
