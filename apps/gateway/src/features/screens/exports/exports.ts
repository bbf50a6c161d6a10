// Exports: what a search finds, as one file that a person takes home. Newest first, all of it, on one
// snapshot; nothing moves. It is read in steps and written as fast as the browser takes it: memory stays
// flat, and a stalled reader is cut off. What is too large to be waited for is written by a worker
// (queue.ts). The last line counts rows and sums; a file without it is not complete. Who may not see personal
// data gets it masked, as on the screen.
import { MASKED } from '@cowrie/contract/access/masking'
import { nairaText } from '@cowrie/contract/kit/money'
import type { QueryOf } from '@cowrie/contract/kit/spec'
import type { exportPayments } from '@cowrie/contract/screens/files'
import { DIRECT_ROWS_MAX } from '@cowrie/contract/screens/limits'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import {
  countMatches,
  type Filter,
  FROM_THE_NEWEST,
  type Place,
  possible,
  toFilter,
} from '#features/collections/transactions/search.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { localDay, plainText } from '#kit/times.ts'
import { BYTE_ORDER_MARK, line, textCell } from './csv.ts'
import { type ExportedRow, linesAfter, rowsAfter } from './lines.sql.ts'

const STEP_ROWS = 5_000

/** Takes a piece of the file, and how many rows were written with it; false when nobody takes more. */
export type Take = (text: string, rows: number) => Promise<boolean>
type Query = QueryOf<typeof exportPayments>

const watText = (at: Date): string => `${plainText(at)}+01:00`
const utcText = (at: Date): string => `${at.toISOString().slice(0, 19)}Z`
const moments = (at: Date | null): [string, string] => (at === null ? ['', ''] : [watText(at), utcText(at)])

const HEAD = [
  ...[
    'at_wat',
    'at_utc',
    'completed_wat',
    'completed_utc',
    'transaction_reference',
    'payment_reference',
    'state',
    'currency',
  ],
  ...['amount', 'paid', 'fee', 'net', 'method', 'customer_name', 'customer_email', 'description', 'contract_code'],
]

/** Personal data as whoever may not see it gets it: our own rule, so these lines are written here. */
const hidden = (name: 'customerName' | 'customerEmail', text: string): string => MASKED.get(name)?.(text) ?? ''
const asItIs: typeof hidden = (_, text) => text

export const rowLine = (row: ExportedRow, hide = asItIs): string =>
  line([
    ...moments(row.created_at),
    ...moments(row.closed_at),
    textCell(row.reference),
    textCell(row.payment_reference),
    row.status,
    'NGN',
    nairaText(row.kobo),
    nairaText(row.paid_kobo),
    nairaText(row.fee_kobo),
    nairaText(row.paid_kobo - row.fee_kobo),
    row.payment_method ?? '',
    textCell(hide('customerName', row.customer_name)),
    textCell(hide('customerEmail', row.customer_email)),
    textCell(row.description),
    textCell(row.contract_code),
  ])

export type Sums = { rows: number; paid: bigint; fee: bigint }
const endLine = ({ rows, paid, fee }: Sums): string =>
  `# end, rows=${rows}, sum=${nairaText(paid)}, fees=${nairaText(fee)}, net=${nairaText(paid - fee)}\r\n`

/** With the days it reaches over, in the merchant's zone. */
export function exportFileName({ from, to }: Filter, now: Date): string {
  const first = from === undefined ? 'all' : localDay(from)
  return `payments-${first}-to-${localDay(to === undefined || to > now ? now : to)}.csv`
}

/** Where it is read, and who reads it. */
export type Owner = { readonly cell: CellId; readonly id: bigint }
/** Whether whoever asks gets names and addresses in part. */
const masksFor = ({ person }: Merchant): boolean => person !== null && !person.may('personalData.read')

/** What a step adds to a file, and where the next begins. */
type Written = Sums & { readonly texts: readonly string[]; readonly place: Place }

async function wholeStep(read: Read, merchantId: bigint, filter: Filter, after: Place): Promise<Written | null> {
  const step = await linesAfter(read, merchantId, filter, after, STEP_ROWS)
  if (step === null) return null
  const { texts, rows, paid_kobo: paid, fee_kobo: fee, created_at: at, id } = step
  return { texts, rows, paid, fee, place: { at, id } }
}

async function maskedStep(read: Read, merchantId: bigint, filter: Filter, after: Place): Promise<Written | null> {
  const rows = await rowsAfter(read, merchantId, filter, after, STEP_ROWS)
  const last = rows.at(-1)
  if (!last) return null
  const fitting = rows.filter(({ fits }) => fits)
  return {
    texts: [fitting.map((row) => rowLine(row, hidden)).join('')],
    rows: fitting.length,
    paid: fitting.reduce((sum, row) => sum + row.paid_kobo, 0n),
    fee: fitting.reduce((sum, row) => sum + row.fee_kobo, 0n),
    place: { at: last.created_at, id: last.id },
  }
}

/** Writes all that fits the filter; what was written, or null when nobody took it to the end. */
export const writePayments = (
  ctx: Ctx,
  owner: Owner,
  filter: Filter,
  masked: boolean,
  take: Take,
): Promise<Sums | null> =>
  readAs(ctx, owner.cell, owner.id, async (read) => {
    const sums: Sums = { rows: 0, paid: 0n, fee: 0n }
    if (!(await take(BYTE_ORDER_MARK + line(HEAD), 0))) return null
    const stepAfter = masked ? maskedStep : wholeStep
    // One step after the other: nobody waits for a file as somebody waits for a payment, and two at once
    // would take two processors.
    let place: Place | null = possible(filter) ? FROM_THE_NEWEST : null
    while (place !== null) {
      const step: Written | null = await stepAfter(read, owner.id, filter, place)
      place = step?.place ?? null
      if (step === null || step.rows === 0) continue
      sums.rows += step.rows
      sums.paid += step.paid
      sums.fee += step.fee
      for (const text of step.texts) if (text !== '' && !(await take(text, sums.rows))) return null
    }
    return (await take(endLine(sums), sums.rows)) ? sums : null
  })

/** How many rows a file of the filter would have now. */
export const countPayments = (ctx: Ctx, owner: Owner, filter: Filter): Promise<number> =>
  readAs(ctx, owner.cell, owner.id, (read) => countMatches(read, owner.id, filter))

/** An export that is written while somebody waits; refuses what a search would refuse, and more rows than
 *  anybody waits for. */
export async function directExport(ctx: Ctx, merchant: Merchant, query: Query) {
  const filter = toFilter(query)
  const rows = await countPayments(ctx, merchant, filter)
  if (rows > DIRECT_ROWS_MAX) fail('EXPORT_TOO_LARGE', { rows: String(rows) })
  return {
    fileName: exportFileName(filter, ctx.clock.now()),
    /** True when it was taken to the end. */
    write: async (take: Take): Promise<boolean> =>
      (await writePayments(ctx, merchant, filter, masksFor(merchant), take)) !== null,
  }
}
