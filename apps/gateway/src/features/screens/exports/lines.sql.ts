// The rows of an export, a step at a time. Where nothing has to be masked, the database writes the lines
// itself: what would be read, parsed and written again in our process for each row is one text for a whole
// step. A test holds these lines against those of exports.ts.

import type { Rows } from '#core/rows.ts'
import type { Filter } from '#features/collections/transactions/search.ts'
import { type Place, type Step, stepAfter } from '#features/collections/transactions/search.ts'
import type { Read, Statement } from '#kit/ctx.ts'

export type ExportedRow = Pick<
  Rows['transactions'],
  | 'id'
  | 'reference'
  | 'payment_reference'
  | 'contract_code'
  | 'status'
  | 'kobo'
  | 'paid_kobo'
  | 'fee_kobo'
  | 'customer_name'
  | 'customer_email'
  | 'description'
  | 'payment_method'
  | 'created_at'
  | 'closed_at'
> & {
  fits: boolean
}
const COLUMNS = `t.reference, t.payment_reference, t.contract_code, t.status, t.kobo, t.paid_kobo, t.fee_kobo, t.customer_name, t.customer_email,
    t.description, t.payment_method, t.closed_at`

/** Where every row fits, the step is the answer; holding it first would cost as much again. */
const rowsOf = ({ text, whole }: Step): string =>
  whole
    ? text
    : `
with step as materialized (${text}
)
select * from step s where s.fits or (s.created_at, s.id) = (select created_at, id from step order by created_at, id limit 1)
order by s.created_at desc, s.id desc`

/** The next `limit` rows after a place, newest first: those that fit, and the last one, which says where to
 *  go on. */
export function rowsAfter(
  read: Read,
  merchantId: bigint,
  filter: Filter,
  after: Place,
  limit: number,
): Promise<ExportedRow[]> {
  const step = stepAfter(merchantId, filter, after, limit, COLUMNS)
  const statement: Statement = { name: `exports_rows_${step.shape}`, text: rowsOf(step) }
  return read.query<ExportedRow>(statement, step.values)
}

// ---- lines, as exports.ts writes them

/** No amount here is below zero: a fee is never above what was paid. */
const naira = (kobo: string): string => `${kobo} / 100 || '.' || lpad((${kobo} % 100)::text, 2, '0')`
/** Cut, as a moment's own text would be; that text is made several times as fast as by to_char. */
const secondsOf = (moment: string): string => `replace(date_trunc('second', ${moment})::text, ' ', 'T')`
const moments = (column: string): readonly string[] => [
  `coalesce(${secondsOf(`${column} at time zone 'UTC' + interval '1 hour'`)} || '+01:00', '')`,
  `coalesce(${secondsOf(`${column} at time zone 'UTC'`)} || 'Z', '')`,
]
/** Guarded and quoted where it has to be. */
const guarded = (column: string): string =>
  `case when ${column} ~ E'^[=+@\\t\\r-]' then '''' || ${column} else ${column} end`
const careful = (column: string): string =>
  `case when ${column} ~ E'[",\\r\\n]' then '"' || replace(${guarded(column)}, '"', '""') || '"' else ${guarded(column)} end`

const TEXTS = {
  before: ['t.reference', 't.payment_reference'],
  after: ['t.customer_name', 't.customer_email', 't.description', 't.contract_code'],
} as const
const lineWith = (cell: (column: string) => string): string => {
  const amounts = ['t.kobo', 't.paid_kobo', 't.fee_kobo', '(t.paid_kobo - t.fee_kobo)'].map(naira)
  const cells = [
    ...[...moments('t.created_at'), ...moments('t.closed_at'), ...TEXTS.before.map(cell), 't.status', `'NGN'`],
    ...[...amounts, `coalesce(t.payment_method, '')`, ...TEXTS.after.map(cell)],
  ]
  return `concat_ws(',', ${cells.join(', ')})`
}
/** Nearly every line needs neither guard nor quotes: one look at all of its texts says so. */
const PLAIN = `concat_ws(E'\\x01', ${[...TEXTS.before, ...TEXTS.after].join(', ')}) !~ E'[",\\r\\n]|(^|\\x01)[=+@\\t-]'`
const LINE = `case when ${PLAIN} then ${lineWith((column) => column)} else ${lineWith(careful)} end || E'\\r\\n' as line, t.paid_kobo, t.fee_kobo`

/** Lines that come as one text. A text that fits into what a socket hands over at once is not put together
 *  from pieces and is soon forgotten; five thousand lines as one kept the collector of garbage busier (13 %
 *  of two processors) than writing the file did (15 %). */
const LINES_OF_TEXT = 200

type PartRow = {
  readonly lines: string
  readonly rows: number
  readonly paid_kobo: bigint
  readonly fee_kobo: bigint
  readonly created_at: Date
  readonly id: bigint
}
export type Lines = Omit<PartRow, 'lines'> & { readonly texts: readonly string[] }

/** The lines of the next `limit` rows after a place that fit, what they sum to, and where to go on; null at
 *  the end. */
export async function linesAfter(
  read: Read,
  merchantId: bigint,
  filter: Filter,
  after: Place,
  limit: number,
): Promise<Lines | null> {
  const step = stepAfter(merchantId, filter, after, limit, LINE)
  const statement: Statement = {
    name: `exports_lines_${step.shape}`,
    // The rows of the inner query come in its order, and so do their lines: nothing between them changes it.
    text: `
select coalesce(string_agg(line, '') filter (where fits), '') as lines, (count(*) filter (where fits))::int as rows,
  coalesce(sum(paid_kobo) filter (where fits), 0)::bigint as paid_kobo, coalesce(sum(fee_kobo) filter (where fits), 0)::bigint as fee_kobo,
  min(created_at) as created_at, (array_agg(id))[count(*)] as id
from (
  select *, (row_number() over () - 1) / ${LINES_OF_TEXT} as part from (${step.text}
  ) step
) numbered group by part order by part`,
  }
  const parts = await read.query<PartRow>(statement, step.values)
  const last = parts.at(-1)
  if (!last) return null
  return {
    texts: parts.map(({ lines }) => lines),
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    paid_kobo: parts.reduce((sum, { paid_kobo }) => sum + paid_kobo, 0n),
    fee_kobo: parts.reduce((sum, { fee_kobo }) => sum + fee_kobo, 0n),
    created_at: last.created_at,
    id: last.id,
  }
}
