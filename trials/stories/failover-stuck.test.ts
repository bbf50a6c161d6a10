// What an operator's monitor of standbys says when a failover does not end (deploy/failover): on tables as
// pg_auto_failover has them, filled as its monitor fills them.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { dropDatabases, freshDatabases } from '../../apps/gateway/test/kit/postgres.ts'
import { lacks } from '../../tools/programs.ts'

const SCRIPT = join(import.meta.dirname, '..', '..', 'deploy', 'failover', 'no-primary.sh')
const STATES = ['wait_primary', 'primary', 'join_primary', 'apply_settings', 'single', 'secondary', 'report_lsn']
const TABLES = `
  create schema pgautofailover;
  create type pgautofailover.replication_state as enum (${[...STATES, 'fast_forward', 'draining', 'demoted'].map((state) => `'${state}'`).join(', ')});
  create table pgautofailover.node (formationid text default 'default', groupid int default 0, nodename text, goalstate pgautofailover.replication_state,
    reportedstate pgautofailover.replication_state, reportedpgisrunning bool default true, reporttime timestamptz, statechangetime timestamptz)`

let databases: Readonly<Record<string, string>>
let monitor: pg.Client
beforeAll(async () => {
  databases = await freshDatabases(inject('postgresUrl'))
  monitor = new pg.Client({ connectionString: databases['simulator'] })
  await monitor.connect()
  await monitor.query(TABLES)
})
afterAll(async () => {
  await monitor?.end()
  await dropDatabases(inject('postgresUrl'), databases)
})

/** Reported state, the one that it is to have, seconds since its last report and since its last change. */
type Node = readonly [reported: string, goal: string, silent: number, unchanged: number]
async function said(nodes: Readonly<Record<string, Node>>): Promise<{ code: number | null; text: string }> {
  await monitor.query('truncate pgautofailover.node')
  for (const [name, [reported, goal, silent, unchanged]] of Object.entries(nodes))
    await monitor.query(
      `insert into pgautofailover.node (nodename, reportedstate, goalstate, reporttime, statechangetime)
       values ($1, $2, $3, now() - $4 * interval '1 second', now() - $5 * interval '1 second')`,
      [name, reported, goal, silent, unchanged],
    )
  const env = { ...process.env, MONITOR: databases['simulator'] }
  const { status, stdout, stderr } = spawnSync('sh', [SCRIPT, '60'], { env, encoding: 'utf8' })
  expect(stderr).toBe('')
  return { code: status, text: stdout }
}

test.skipIf(lacks('psql'))(
  'a failover that waits for a node that is gone is named after a minute, with the node that waits; one that is under way is not',
  async () => {
    const standby: Node = ['secondary', 'secondary', 1, 9_000]
    expect(await said({ a: ['primary', 'primary', 1, 9_000], b: standby, c: standby })).toEqual({ code: 0, text: '' })
    const waits: Node = ['report_lsn', 'report_lsn', 1, 20]
    expect(
      await said({ a: ['primary', 'draining', 25, 20], b: ['report_lsn', 'fast_forward', 1, 20], c: waits }),
    ).toEqual({
      code: 0,
      text: '',
    })
    const stuck = await said({
      a: ['primary', 'demoted', 95, 80],
      b: ['report_lsn', 'fast_forward', 1, 80],
      c: ['report_lsn', 'report_lsn', 1, 85],
    })
    expect(stuck.code).toBe(2)
    expect(stuck.text).toMatch(
      /^No primary for 8\d s in default\/0: a is primary, to be demoted, silent for 9\d s; b is report_lsn, to be fast_forward; c is report_lsn\. b is to fetch/,
    )
    expect((await said({ a: ['primary', 'primary', 95, 9_000], b: standby, c: standby })).code).toBe(2) // nobody notices
  },
)
