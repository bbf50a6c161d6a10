// A process with four connections: none of its parts may wait for one that another part keeps to itself.

import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#kit/ctx.ts'
import { Failure } from '#kit/fail.ts'
import { secondApi } from '#test/bank/notices.ts'
import { openTestCell } from '#test/kit/cells.ts'
import { useHarness } from '#test/kit/harness.ts'
import { stopWhenLeft, TEMPLATE, templateCluster } from '#test/kit/postgres.ts'
import { createLogins } from '../../../../../tools/postgres/logins.ts'
import { coalesce } from '../coalesce.ts'
import { closeCell, commitOne, engineTx, isLost, isRefusal, isRefusedByDatabase, readAll } from './cells.ts'

const harness = useHarness()
const PAUSE = { name: 'test_pause', text: 'select pg_sleep(0.1)::text' }

describe('connections', () => {
  test('a transaction takes one of those at hand when there are no others', async () => {
    const second = await secondApi(harness())
    try {
      const { ctx } = second.gateway
      await Promise.all(Array.from({ length: 4 }, () => readAll(ctx, '01', (r) => r.query(PAUSE, []))))
      expect(ctx.cells.get('01')?.engine.idleConnections.length).toBe(4)
      expect(await engineTx(ctx, '01', async (t) => (await t.query(PAUSE, [])).length)).toBe(1)
    } finally {
      await second.close()
    }
  })

  test('ids are allocated inside transactions that hold every connection', async () => {
    const second = await secondApi(harness())
    try {
      const { ctx } = second.gateway
      let begun = 0
      const taken = await Promise.all(
        Array.from({ length: 4 }, () =>
          engineTx(ctx, '01', async (t) => {
            begun += 1
            while (begun < 4) await t.query(PAUSE, [])
            return (await ctx.cells.get('01')?.takeIds(3))?.length
          }),
        ),
      )
      expect(taken).toEqual([3, 3, 3, 3])
    } finally {
      await second.close()
    }
  })
})

describe('what a failure means', () => {
  const coded = (code: string) => Object.assign(new Error(code), { code })
  test.each([
    ['23514', 'refused'],
    ['40P01', 'refused'],
    ['XX000', 'refused'],
    ['P0001', 'refused'],
    ['08006', 'unknown'],
    ['08P01', 'unknown'],
    ['57P01', 'unknown'],
    ['57P02', 'unknown'],
    ['57P03', 'unknown'],
    ['ECONNRESET', 'unknown'],
    ['EPIPE', 'unknown'],
    ['EBADF', 'unknown'],
  ])('%s: the outcome is %s', (code, meaning) => {
    expect(isRefusedByDatabase(coded(code))).toBe(meaning === 'refused')
    expect(isRefusal(coded(code))).toBe(meaning === 'refused')
    expect(isLost(coded(code))).toBe(/^(08|57P)/.test(code))
  })

  test('a Failure is a refusal, but for a connection that nobody could have', () => {
    expect([isRefusal(new Failure('INSUFFICIENT_FUNDS')), isLost(new Failure('INSUFFICIENT_FUNDS'))]).toEqual([
      true,
      false,
    ])
    expect([isRefusal(new Failure('UNAVAILABLE')), isLost(new Failure('UNAVAILABLE'))]).toEqual([false, true])
  })

  test('a transaction that goes on after a failed statement is refused, not answered as done: commit says ROLLBACK', async () => {
    const { ctx } = harness().gateway
    const swallowed = engineTx(ctx, '01', async (t) => {
      await t.query({ name: 'test_fails', text: 'select 1 / 0' }, []).catch(() => undefined)
      return 'done'
    })
    await expect(swallowed).rejects.toMatchObject({ code: 'INTERNAL', detail: expect.stringContaining('rolled back') })
    expect(await engineTx(ctx, '01', async (t) => (await t.query(PAUSE, [])).length), 'the next one is sound').toBe(1)
  })

  test('a commit whose wait for the standby was cancelled is an unknown outcome', async () => {
    const cluster = await templateCluster({})
    const logins = (await createLogins(cluster.url('postgres')))(cluster.url(TEMPLATE))
    const cell = openTestCell({ id: '01', logins })
    const ctx: Ctx = { ...harness().gateway.ctx, cells: new Map([['01', cell]]) }
    const admin = new pg.Client({ connectionString: cluster.url(TEMPLATE), options: '-c synchronous_commit=local' })
    await admin.connect()
    const cancelWaiting = () =>
      harness().until('a commit waits for the standby', async () => {
        const { rows } = await admin.query(
          `select pg_cancel_backend(pid) as done from pg_stat_activity where wait_event = 'SyncRep'`,
        )
        return rows.length > 0
      })
    const probe = new pg.Client({ connectionString: cluster.url(TEMPLATE) })
    await probe.connect()
    const untilOneWaited = async () => {
      let waited = false
      probe.on('notice', () => {
        waited = true
      })
      for (let tries = 0; !waited; tries += 1)
        await probe.query(`insert into settings (name, value) values ($1, 'x')`, [`probe ${tries}`])
    }
    try {
      // At hand: a new connection waits for the standby itself, before it is used.
      await Promise.all([1, 2].map(() => readAll(ctx, '01', (r) => r.query(PAUSE, []))))
      await admin.query(`alter system set synchronous_standby_names = 'nobody'`)
      await admin.query('select pg_reload_conf()')
      // A commit waits from the moment at which PostgreSQL's checkpointer has read the setting.
      await Promise.all([untilOneWaited(), cancelWaiting()])
      const insert = { name: 'test_setting', text: `insert into settings (name, value) values ($1, 'x')` }
      for (const [name, write] of [
        ['in a transaction', () => engineTx(ctx, '01', (t) => t.query(insert, ['in a transaction']))],
        ['alone', () => commitOne(ctx, '01', (t) => t.query(insert, ['alone']))],
      ] as const) {
        const [end] = await Promise.all([
          write().then(
            () => 'done',
            (error: Error) => error,
          ),
          cancelWaiting(),
        ])
        expect(end, name).toMatchObject({ message: expect.stringContaining('outcome is unknown') })
        expect(isRefusal(end), name).toBe(false)
        expect((await admin.query('select from settings where name = $1', [name])).rowCount, 'it is there').toBe(1)
      }
    } finally {
      await probe.end()
      await admin.end()
      await closeCell(cell)
      await stopWhenLeft(cluster)
    }
  })

  test('a batch whose connection is ended while it commits is committed or not, and is not tried again', async () => {
    const h = harness()
    const { ctx } = h.gateway
    await h.sql('01', 'create table kept_once (n int); grant all on kept_once to cowrie_engine')
    let runs = 0
    const insert = coalesce<number, number>({
      key: String,
      run: (items) => {
        runs += 1
        return engineTx(ctx, '01', async (t) => {
          const said = await t.query<{ pid: number }>({ name: 'test_pid', text: 'select pg_backend_pid() as pid' }, [])
          await t.query({ name: 'test_kept', text: 'insert into kept_once select unnest($1::int[])' }, [items])
          // The commit was done and the word about it is lost: what a client sees is the same as when it was
          // not done.
          await t.query({ name: 'test_end', text: 'commit' }, [])
          await h.sql('01', 'select pg_terminate_backend($1)', [said[0]?.pid])
          await t.query(PAUSE, [])
          return [...items]
        })
      },
    })
    const ends = await Promise.allSettled([1, 2, 3].map(insert))
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(runs).toBe(1)
    expect(await h.sql('01', 'select n from kept_once order by n')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    await h.sql('01', 'drop table kept_once')
  })
})
