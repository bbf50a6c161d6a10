// The statements of every payment are prepared once and kept. A plan that was made while a table was empty
// must still be the right one a million rows later.
import { describe, expect, test } from 'vitest'
import { type Harness, paid, useHarness } from '#test/kit/harness.ts'
import { cellById } from './cells/cells.ts'

const harness = useHarness()
const READS = /^(?:Seq|Index|Index Only|Bitmap Index) Scan$/

type Node = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Plans?: readonly Node[]
}
/** All of a plan, but for what a limit reads: that is one row. */
const nodesOf = (node: Node): Node[] =>
  node['Node Type'] === 'Limit' ? [] : [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** What a plan does beyond looking up each row by its key. */
const faults = (plan: Node): string[] =>
  nodesOf(plan).flatMap((node) => {
    const { 'Node Type': type, 'Index Name': index, 'Index Cond': condition } = node
    if (/^(?:Hash|Merge) Join$/.test(type)) return [type]
    if (!READS.test(type)) return []
    if (type === 'Seq Scan') return [`Seq Scan on ${node['Relation Name']}`]
    const keyed = condition?.split(' AND ').some((part) => !part.includes('merchant_id'))
    return keyed ? [] : [`${type} of ${index}: ${condition ?? 'all of it'}`]
  })

/** The plan that each hot statement is run with once it is kept. */
async function plans(): Promise<Map<string, string[]>> {
  const { idleConnections } = cellById(harness().gateway.ctx, '01').hot
  const found = new Map<string, string[]>()
  for (const client of idleConnections) {
    await client.query('set plan_cache_mode = force_generic_plan')
    const { rows } = await client.query<{ name: string; params: number }>(
      'select name, cardinality(parameter_types) as params from pg_prepared_statements',
    )
    for (const { name, params } of rows) {
      const values = Array.from({ length: params }, () => 'null').join(', ')
      const explained = await client.query(`explain (format json) execute "${name}"(${values})`)
      const [{ Plan }] = explained.rows[0]['QUERY PLAN']
      found.set(name, faults(Plan))
    }
    await client.query('reset plan_cache_mode')
  }
  return found
}

const GROWING = ['transactions', 'virtual_accounts', 'inbound_credits', 'reserved_accounts', 'search_blocks']
/** What the planner believes of the tables when it makes a plan. */
const BELIEFS: Readonly<Record<string, (h: Harness) => Promise<unknown>>> = {
  'tables that were never looked at': async () => undefined,
  'tables that were vacuumed with hardly a row in them': (h) => h.sql('01', `vacuum analyze ${GROWING.join(', ')}`),
  'tables of seven thousand rows': (h) => believe(h, 7_000),
  'tables of ten million rows': (h) => believe(h, 10_000_000),
}
const believe = (h: Harness, rows: number) =>
  h.sql(
    '01',
    `update pg_class set reltuples = $2, relpages = $3 where relkind = 'r'
      and (relname = any($1) or oid in (select inhrelid from pg_inherits where inhparent = any($1::regclass[])))`,
    [GROWING, rows, Math.ceil(rows / 20)],
  )

describe('the statements of a payment look up every row by its key: no hash join, no walk through an index or a merchant', () => {
  test.each(Object.entries(BELIEFS))('planned for %s', async (_, prepare) => {
    const h = harness()
    for (let n = 0; n < 3; n += 1) await paid(h, h.merchants.main)
    await prepare(h)
    const found = await plans()
    expect([...found.keys()].sort()).toEqual([
      'credits_payable',
      'move_transaction_pay_be',
      'transactions_insert',
      'transactions_issue_account',
    ])
    expect([...found].filter(([, wrong]) => wrong.length > 0)).toEqual([])
  })
})
