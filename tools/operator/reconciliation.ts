// For the operator: where the bank's statement and our books do not agree (docs/reconciliation.md).
//   npm run reconciliation -- list [--all] [--json]      show <cell>-<id>      resolve <cell>-<id> <what was
//     done>      cover
// Reads CELLS and ENVIRONMENT like the gateway (operator.ts).

import { record } from '../../apps/gateway/src/core/acts/trail.ts'
import { HOUSE } from '../../apps/gateway/src/core/ledger/chart.ts'
import { findBreak, listBreaks, resolveBreak, type Shown } from '../../apps/gateway/src/features/bank/breaks/breaks.ts'
import { coverOf } from '../../apps/gateway/src/features/settlements/reconciliation/cover.ts'
import type { Ctx } from '../../apps/gateway/src/kit/ctx.ts'
import { begin } from '../../apps/gateway/src/kit/process.ts'
import { nairaText } from '../../packages/contract/src/kit/money.ts'
import { BREAK_CLASSES, type BreakClass } from '../../packages/contract/src/settlements/reconciliation.ts'
import { COMMAND, openForOperator } from './operator.ts'

const USAGE = `npm run reconciliation -- list [--all] [--json]
npm run reconciliation -- show <cell>-<id>
npm run reconciliation -- resolve <cell>-<id> "<what was done>"
npm run reconciliation -- cover`

const naira = (kobo: bigint | null): string => (kobo === null ? 'nothing' : nairaText(kobo))
const HEADINGS = ['BREAK', 'AGE', 'STATE', 'CLASS', 'KIND', 'DAY', 'BANK', 'OURS', 'SESSION']

const row = (cell: string, found: Shown): string[] => [
  `${cell}-${found.id}`,
  `${found.ageDays} d`,
  found.status,
  found.class,
  found.kind,
  found.day,
  naira(found.bank_kobo),
  naira(found.our_kobo),
  found.session_id,
]

function table(headings: readonly string[], rows: readonly string[][]): string {
  const widths = headings.map((heading, at) => Math.max(heading.length, ...rows.map((cells) => cells[at]?.length ?? 0)))
  return [headings, ...rows]
    .map((cells) =>
      cells
        .map((text, at) => text.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const plain = (cell: string, found: Shown): string =>
  JSON.stringify({ cell, ...found }, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

const whole = (cell: string, found: Shown): string =>
  [
    `${cell}-${found.id}  ${found.class}  ${found.status}, ${found.ageDays} days old`,
    BREAK_CLASSES[found.class as BreakClass],
    found.says,
    `Line: ${found.kind} ${found.session_id}, found in the bank statement of ${found.day}`,
    `Bank: ${naira(found.bank_kobo)}   Our books: ${naira(found.our_kobo)}   Merchant: ${found.merchant_id === 0n ? 'unknown' : found.merchant_id}`,
    ...(found.done === null ? [] : [`Resolution: ${found.done}`]),
  ].join('\n')

const COVER_HEADINGS = ['CELL', 'BANKS', 'CLIENTS', 'COVER', 'ON ITS WAY', 'ACQUIRERS']
/** Whether what the banks hold is what clients are owed, and more. */
async function covers(ctx: Ctx): Promise<string> {
  const cells = await Promise.all(
    [...ctx.cells.keys()].map(async (cell) => ({ cell, cover: await coverOf(ctx, cell) })),
  )
  return table(
    COVER_HEADINGS,
    cells.map(({ cell, cover: { banks, clients, onItsWay, acquirers } }) => [
      ...[cell, naira(banks), naira(clients), naira(banks - clients), naira(onItsWay), naira(acquirers)],
    ]),
  )
}

async function answer(ctx: Ctx, words: readonly string[]): Promise<string | null> {
  const [command, name, ...rest] = words.filter((word) => !word.startsWith('--'))
  if (command === 'list') {
    const all = words.includes('--all')
    const cells = await Promise.all(
      [...ctx.cells.keys()].map(async (cell) => ({ cell, found: await listBreaks(ctx, cell, all) })),
    )
    const rows = cells.flatMap(({ cell, found }) => found.map((one) => ({ cell, one })))
    if (words.includes('--json')) return rows.map(({ cell, one }) => plain(cell, one)).join('\n')
    if (rows.length === 0) return all ? 'No breaks.' : 'No open breaks.'
    return table(
      HEADINGS,
      rows.map(({ cell, one }) => row(cell, one)),
    )
  }
  if (command === 'cover') return covers(ctx)
  const [, cell, id] = /^(\d\d)-(\d+)$/.exec(name ?? '') ?? []
  if (!cell || !id || !ctx.cells.has(cell)) return null
  const done = rest.join(' ').trim()
  if (command === 'resolve' && done === '') return null
  if (command !== 'show' && command !== 'resolve') return null
  const found = await (command === 'show'
    ? findBreak(ctx, cell, BigInt(id))
    : resolveBreak(ctx, cell, BigInt(id), done, (t) =>
        record(t, { merchantId: HOUSE, by: COMMAND, what: 'breaks.close', reason: done, after: { break: id } }),
      ))
  return found ? whole(cell, found) : `There is no break ${name}.`
}

/** Answers what is printed, and whether it was understood. */
export async function run(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ text: string; ok: boolean }> {
  const gateway = await openForOperator(env)
  try {
    const text = await answer(gateway.ctx, words)
    return text === null ? { text: USAGE, ok: false } : { text, ok: true }
  } finally {
    await gateway.close()
  }
}

if (import.meta.main) {
  const { text, ok } = await begin(() => run(process.argv.slice(2), process.env))
  console.log(text)
  process.exit(ok ? 0 : 1)
}
