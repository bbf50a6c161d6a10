// What the hot SQL statements read, round by round. pg_stat_statements counts the buffers of every call;
// auto_explain writes the plan of one call in fifty into the log of PostgreSQL. A statement that reads more
// than its best round by more than ten buffers a row has got another plan, and that plan is printed.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import pg from 'pg'

export const WATCHED = {
  shared_preload_libraries: 'pg_stat_statements,auto_explain',
  'pg_stat_statements.track': 'top',
  'auto_explain.log_min_duration': '0',
  'auto_explain.sample_rate': '0.02',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
}
const TOLERATED_BUFFERS = 10

/** The hot statements, by what stands only in their text. */
const HOT: Readonly<Record<string, RegExp>> = {
  request: /^\s*with late as materialized/,
  'account number': /insert into virtual_accounts/,
  look: /from unnest.*join virtual_accounts v on/s,
  credit: /update transactions t set status/,
}
const nameOf = (text: string): string | undefined => Object.keys(HOT).find((name) => HOT[name]?.test(text))

type Plan = { readonly 'Query Text': string; readonly Plan: object }
type Buffers = ReadonlyMap<string, number>

export type PlanWatch = {
  /** Forgets what was counted: a round begins. */
  readonly begin: () => Promise<void>
  /** Buffers a row of each hot statement in the round, and the plans that were seen. */
  readonly end: () => Promise<void>
  /** What became dearer than its best round, with its plan. */
  readonly report: () => string[]
}

export async function watchPlans(url: string, logFile: string): Promise<PlanWatch> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create extension if not exists pg_stat_statements')
  await client.end()
  const rounds: { readonly buffers: Buffers; readonly plans: ReadonlyMap<string, Plan> }[] = []
  let from = 0
  return {
    begin: async () => {
      from = sizeOf(logFile)
      await query(url, 'select pg_stat_statements_reset()')
    },
    end: async () => {
      const rows = await query<{ query: string; buffers: string; rows: string }>(
        url,
        `select query, sum(shared_blks_hit + shared_blks_read)::text as buffers, sum(rows)::text as rows
         from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database()) group by 1`,
      )
      const buffers = new Map<string, number>()
      for (const row of rows) {
        const name = nameOf(row.query)
        if (name && Number(row.rows) > 0) buffers.set(name, Number(row.buffers) / Number(row.rows))
      }
      rounds.push({ buffers, plans: plansIn(textFrom(logFile, from)) })
    },
    report: () =>
      Object.keys(HOT).flatMap((name) => {
        const best = Math.min(...rounds.map((round) => round.buffers.get(name) ?? Number.POSITIVE_INFINITY))
        const worst = rounds.reduce((a, b) => ((b.buffers.get(name) ?? 0) > (a.buffers.get(name) ?? 0) ? b : a))
        const most = worst.buffers.get(name) ?? 0
        const summary = `${name.padEnd(15)} ${best.toFixed(1)} buffers a row at best, ${most.toFixed(1)} at most`
        if (most - best <= TOLERATED_BUFFERS) return [summary]
        const plan = worst.plans.get(name)
        return [summary, plan ? JSON.stringify(plan.Plan, null, 1) : 'no plan of it was sampled in that round']
      }),
  }
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

function sizeOf(path: string): number {
  const file = openSync(path, 'r')
  try {
    return fstatSync(file).size
  } finally {
    closeSync(file)
  }
}
function textFrom(path: string, from: number): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(fstatSync(file).size - from)
    readSync(file, bytes, 0, bytes.length, from)
    return bytes.toString('utf8')
  } finally {
    closeSync(file)
  }
}

/** The last plan of each hot statement in a piece of the log; its further lines begin with a tab. */
function plansIn(log: string): Map<string, Plan> {
  const plans = new Map<string, Plan>()
  for (const [, json] of log.matchAll(/ plan:\n((?:\t[^\n]*\n)+)/g)) {
    try {
      const plan = JSON.parse((json ?? '').replaceAll(/^\t/gm, '')) as Plan
      const name = nameOf(plan['Query Text'])
      if (name) plans.set(name, plan)
    } catch {
      // a line of another process between two of this plan
    }
  }
  return plans
}
