// What a payment leaves behind, in bytes of each table with its indexes, once the worker has numbered its
// event and gathered its line.
import type pg from 'pg'

/** What stays until its month leaves, or for ever. Timers, account numbers and the outbox are deleted when
 *  they are done. */
const LASTING = [
  'transactions',
  'payment_references',
  'inbound_credits',
  'bank_sessions',
  'transfers',
  'state_changes',
  'events',
  'event_numbers',
  'settlement_lines',
]
const WAITING_TRIES = 120

export type TableBytes = ReadonlyMap<string, number>

const sizeOf = (table: string): string =>
  `coalesce((select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}') where isleaf),
    pg_total_relation_size('${table}'))::float8 as ${table}`

/** The worker must be running. */
export async function lastingBytes(client: pg.Client): Promise<TableBytes> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await client.query<{ behind: number }>(
      `select ((select count(*) from transfers) - (select count(*) from settlement_lines) + (select count(*) from outbox))::int as behind`,
    )
    if (rows[0]?.behind === 0) break
    if (tries > WAITING_TRIES) throw new Error('the worker does not come to an end')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const { rows } = await client.query<Record<string, number>>(
    `select (select count(*) from transactions)::float8 as payments, ${LASTING.map(sizeOf).join(', ')}`,
  )
  const [{ payments = 1, ...sizes } = {}] = rows
  return new Map(Object.entries(sizes).map(([table, bytes]) => [table, bytes / payments]))
}

export const bytesText = (tables: TableBytes): string => {
  const total = [...tables.values()].reduce((sum, bytes) => sum + bytes, 0)
  const each = [...tables].toSorted(([, a], [, b]) => b - a).map(([table, bytes]) => `${table} ${Math.round(bytes)}`)
  return `bytes that last, a payment: ${Math.round(total)} (${each.join(', ')})`
}
