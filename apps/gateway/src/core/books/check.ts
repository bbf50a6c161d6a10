// Asking the invariants of a cell's books. Whole, on one snapshot: `cowrie run books`. Bounded: the run of
// every night (features/settlements/books), which asks large tables in slices and gives every other statement
// a limit.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import type { PoolClient } from 'pg'
import { monotonicMs } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { cellById } from '../cells/cells.ts'
import type { Slices } from './slices.ts'

export type CheckResult = { readonly violations: bigint; readonly examples: readonly string[] }
export type Result = CheckResult & { readonly invariant: string; readonly ms: number }

export type Answer = { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
/** A question to one snapshot of a cell that can write nothing. */
export type Ask = (text: string, values?: readonly unknown[]) => Promise<Answer>

export const EXAMPLES = 5
const EXAMPLE_LENGTH = 200
/** Beyond the server's own limit, so that it is the server that ends a statement. */
const MARGIN_MS = 5_000
const CANCELLED = '57014'

export const askOn =
  (client: Pick<PoolClient, 'query'>, query_timeout: number): Ask =>
  async (text, values = []) => {
    const question = { text, values: [...values], rowMode: 'array' as const, query_timeout }
    const { fields, rows } = await client.query<unknown[]>(question)
    return { columns: fields.map(({ name }) => name), rows }
  }

/** One snapshot across merchants, for questions that may take long: they hold no lock, take no transaction
 *  number (so no horizon waits for them) and may read whole tables, unlike every statement of the engine. */
export async function inspect<T>(ctx: Ctx, cell: CellId, limitMs: number, work: (ask: Ask) => Promise<T>): Promise<T> {
  const client: PoolClient = await cellById(ctx, cell).engine.pool.connect()
  const ask = askOn(client, (limitMs || DAY_MS) + MARGIN_MS)
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local statement_timeout = ${limitMs}; set local enable_seqscan = on; set local jit = off`)
    const result = await work(ask)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // The server's own limit leaves the connection sound; nothing was written, so whatever else happened
    // costs a connection.
    if ((error as { code?: string }).code === CANCELLED)
      await client.query('rollback').then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      )
    else client.release(error as Error)
    throw error
  }
}

/** Whether a statement was ended by the limit it was given. */
export const isOverLimit = (error: unknown): boolean => (error as { code?: string } | null)?.code === CANCELLED

const worded = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one))?.replace(/^"|"$/g, '') ?? ''
const exampleOf = (columns: readonly string[], row: readonly unknown[]): string =>
  row
    .map((value, at) => (/^\w+$/.test(columns[at] ?? '') ? `${columns[at]} ${worded(value)}` : worded(value)))
    .join(', ')
    .slice(0, EXAMPLE_LENGTH)

/** How many rows violate an invariant, and the first of them. All are counted, few are sent. */
export async function askOne(ask: Ask, query: string, values: readonly unknown[] = []): Promise<CheckResult> {
  const { columns, rows } = await ask(
    `select count(*) over () as violations, found.* from (${query}) found limit ${EXAMPLES}`,
    values,
  )
  return {
    violations: BigInt((rows[0]?.[0] ?? 0n) as bigint | string),
    examples: rows.map((row) => exampleOf(columns.slice(1), row.slice(1))),
  }
}

/** Every invariant on one snapshot, without a limit; `each` is called with each result as soon as it is
 *  known. */
export const checkCell = (
  ctx: Ctx,
  cell: CellId,
  invariants: Readonly<Record<string, string>>,
  each: (result: Result) => void = () => undefined,
): Promise<Result[]> =>
  inspect(ctx, cell, 0, async (ask) => {
    const results: Result[] = []
    for (const [invariant, query] of Object.entries(invariants)) {
      const began = monotonicMs()
      const found = await askOne(ask, query)
      const result = { invariant, ...found, ms: Math.round(monotonicMs() - began) }
      results.push(result)
      each(result)
    }
    return results
  })

// ---- in slices

/** Where the next slice begins: after this key; null is the beginning. */
export type Position = readonly string[] | null

/** The key compared with parameters from the given number on. */
const compared = (keys: readonly string[], sign: '>' | '<=', from: number): string =>
  `(${keys.join(', ')}) ${sign} (${keys.map((_, at) => `$${from + at}`).join(', ')})`

/** One slice of an invariant, of so many rows of the table it goes through; `next` is null when that was the
 *  last. The name of the table means the slice's rows wherever the query says it; what they are compared with
 *  is whole. */
export async function askSlice(
  ask: Ask,
  query: string,
  { table, keys }: Slices,
  after: Position,
  rows: number,
): Promise<CheckResult & { readonly next: Position }> {
  const [list, texts] = [keys.join(', '), keys.map((key) => `${key}::text`).join(', ')]
  const above = after === null ? [] : [compared(keys, '>', 1)]
  const { rows: ends } = await ask(
    `select ${texts} from public.${table} where ${above[0] ?? 'true'} order by ${list} offset ${rows - 1} limit 1`,
    after ?? [],
  )
  const end = (ends[0] as string[] | undefined) ?? null
  const within = end === null ? above : [...above, compared(keys, '<=', (after?.length ?? 0) + 1)]
  const slice = `select * from public.${table} where ${within.join(' and ') || 'true'}`
  const found = await askOne(ask, `with ${table} as (${slice}) select * from (${query}) one`, [
    ...(after ?? []),
    ...(end ?? []),
  ])
  return { ...found, next: end }
}
