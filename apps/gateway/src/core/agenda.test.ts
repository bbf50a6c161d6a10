import { beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#kit/ctx.ts'
import { Failure } from '#kit/fail.ts'
import type { LogFields } from '#kit/log.ts'
import { advance, type Harness, initialise, status, useHarness } from '#test/kit/harness.ts'
import { type DueHandlers, nextDue, pendingWork, runDue, schedule } from './agenda.ts'
import { engineTx } from './cells/cells.ts'

const harness = useHarness()
const CELL = '01'
const KIND = 'test.work'
const START = Date.parse('2026-05-02T14:15:00Z')
const second = (n: number): Date => new Date(START + n * 1000)

/** A context whose clock stands where the test puts it, however late it really is. */
const at = (h: Harness, seconds: number): Ctx => ({
  ...h.gateway.ctx,
  clock: { now: () => second(seconds), offsetMs: () => 0 },
})
const plan = (h: Harness, ...rows: readonly (readonly [subject: number, dueSeconds: number, kind?: string])[]) =>
  engineTx(h.gateway.ctx, CELL, async (t) => {
    for (const [subject, due, kind = KIND] of rows)
      await schedule(t, kind, h.merchants.main.id, BigInt(subject), second(due))
  })
const rows = (h: Harness) =>
  h.sql(
    CELL,
    `select subject::int, extract(epoch from due_at - $1::timestamptz)::float as due, attempts,
      extract(epoch from lease_until - $1::timestamptz)::float as leased from agenda order by subject`,
    [second(0)],
  )
/** Handlers that note the subjects they were given. */
const noting = (): { seen: number[]; handlers: DueHandlers } => {
  const seen: number[] = []
  return {
    seen,
    handlers: {
      [KIND]: async (_, __, due) => {
        seen.push(...due.map(({ subject }) => Number(subject)))
      },
    },
  }
}
const failing: DueHandlers = {
  [KIND]: async () => {
    throw new Error('not today')
  },
}

// With it goes the day of reconciliation, which has a timer in every cell.
beforeEach(() =>
  harness().sql(CELL, 'with gone as (delete from statement_days), runs as (delete from books_runs) delete from agenda'),
)

describe('runDue', () => {
  test('does what is due by the movable clock and nothing else, whatever the real time is', async () => {
    const h = harness()
    await plan(h, [1, 60], [2, 0], [3, 59.999])
    const { seen, handlers } = noting()
    expect(await runDue(at(h, -1), CELL, handlers)).toBe(0)
    expect(await runDue(at(h, 0), CELL, handlers)).toBe(1)
    expect(seen).toEqual([2])
    expect(await runDue(at(h, 59.998), CELL, handlers)).toBe(0)
    expect(await runDue(at(h, 60), CELL, handlers)).toBe(2)
    expect(await rows(h)).toEqual([])
  })

  test('moving the clock of the sandbox makes a timer fall due', async () => {
    const h = harness()
    const { transactionReference } = await initialise(h, h.merchants.main)
    await advance(h, 39 * 60)
    expect((await status(h, h.merchants.main, transactionReference)).paymentStatus).toBe('PENDING')
    await advance(h, 2 * 60)
    expect((await status(h, h.merchants.main, transactionReference)).paymentStatus).toBe('EXPIRED')
  })

  test('hands over rows in the order they fell due, then of their making', async () => {
    const h = harness()
    const dues = Array.from({ length: 150 }, (_, n) => [n, (n * 67) % 50] as const)
    await plan(h, ...dues)
    const { seen, handlers } = noting()
    await runDue(at(h, 100), CELL, handlers)
    expect(seen).toEqual(dues.toSorted((a, b) => a[1] - b[1] || a[0] - b[0]).map(([subject]) => subject))
  })

  test('does more than one batch, the earliest first', async () => {
    const h = harness()
    await h.sql(
      CELL,
      `insert into agenda (kind, merchant_id, subject, due_at)
        select $1, $2, n, $3::timestamptz - make_interval(secs => n) from generate_series(1, 450) n`,
      [KIND, h.merchants.main.id, second(0)],
    )
    const { seen, handlers } = noting()
    expect(await runDue(at(h, 0), CELL, handlers)).toBe(450)
    expect(seen).toEqual(Array.from({ length: 450 }, (_, n) => 450 - n))
  })

  test('four runners at once do each row once', async () => {
    const h = harness()
    await plan(h, ...Array.from({ length: 600 }, (_, n) => [n, -n] as const))
    const seen: number[] = []
    let most = 0
    let busy = 0
    const handlers: DueHandlers = {
      [KIND]: async (_, __, due) => {
        busy += 1
        most = Math.max(most, busy)
        await h.until('another runner is at work', async () => most > 1)
        seen.push(...due.map(({ subject }) => Number(subject)))
        busy -= 1
      },
    }
    const ran = await Promise.all([1, 2, 3, 4].map(() => runDue(at(h, 0), CELL, handlers)))
    expect(ran.reduce((sum, n) => sum + n, 0)).toBe(600)
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 600 }, (_, n) => n))
    expect(most, 'runners worked at the same time').toBeGreaterThan(1)
  })

  test('a row that another connection has locked is passed over, not waited for', async () => {
    const h = harness()
    await plan(h, [1, 0], [2, 0])
    const locked = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const holder = engineTx(h.gateway.ctx, CELL, async (t) => {
      await t.query({ name: 'test_hold', text: 'select from agenda where subject = 1 for update' }, [])
      locked.resolve()
      await gate.promise
    })
    await locked.promise
    const { seen, handlers } = noting()
    const passing = runDue(at(h, 0), CELL, handlers)
    try {
      await h.until('a row is done', async () => seen.length > 0) // the lock is held for as long as it takes
    } finally {
      gate.resolve()
    }
    await Promise.all([holder, passing])
    expect(seen).toEqual([2])
    await runDue(at(h, 0), CELL, handlers)
    expect(seen).toEqual([2, 1])
  })

  test('work that failed comes back later, each time after twice as long, and is not lost', async () => {
    const h = harness()
    await plan(h, [1, 0])
    let now = 0
    for (const [attempts, wait] of [
      [1, 2],
      [2, 4],
      [3, 8],
      [4, 16],
    ] as const) {
      expect(await runDue(at(h, now), CELL, failing)).toBe(0)
      expect(await rows(h)).toEqual([{ subject: 1, due: now + wait, attempts, leased: null }])
      expect(await runDue(at(h, now + wait - 0.001), CELL, noting().handlers), 'not before').toBe(0)
      now += wait
    }
    const { seen, handlers } = noting()
    expect(await runDue(at(h, now), CELL, handlers)).toBe(1)
    expect(seen).toEqual([1])
    expect(await rows(h)).toEqual([])
  })

  test('the wait after a failure grows to five minutes and no further', async () => {
    const h = harness()
    await plan(h, [1, 0])
    await h.sql(CELL, 'update agenda set attempts = 40')
    await runDue(at(h, 0), CELL, failing)
    expect(await rows(h)).toEqual([{ subject: 1, due: 300, attempts: 41, leased: null }])
  })

  test('work of one kind that fails does not hold up another, and a kind nobody handles is kept', async () => {
    const h = harness()
    await plan(h, [1, 0], [2, 1, 'test.unknown'], [3, 2, 'test.other'])
    const done: bigint[] = []
    const handlers: DueHandlers = {
      ...failing,
      'test.other': async (_, __, due) => void done.push(...due.map(({ subject }) => subject)),
    }
    expect(await runDue(at(h, 5), CELL, handlers)).toBe(1)
    expect(done).toEqual([3n])
    expect((await rows(h)).map(({ subject }) => subject)).toEqual([1, 2])
  })

  test('one timer that cannot be done holds up no other of its kind; it waits longer each time, and the log names it', async () => {
    const h = harness()
    await plan(h, ...Array.from({ length: 20 }, (_, n) => [n, 0] as const))
    const done: number[] = []
    const lines: [string, LogFields][] = []
    const logged = (message: string, fields: LogFields = {}) => void lines.push([message, fields])
    const ctx = (now: number): Ctx => ({
      ...at(h, now),
      log: { ...h.gateway.ctx.log, warn: logged, error: logged },
    })
    const handlers: DueHandlers = {
      [KIND]: async (_, __, due) => {
        for (const { subject } of due) {
          if (subject === 7n) throw new Error('a bad row')
          done.push(Number(subject))
        }
      },
    }
    expect(await runDue(ctx(0), CELL, handlers)).toBe(19)
    expect(new Set(done)).toEqual(new Set(Array.from({ length: 20 }, (_, n) => n).filter((n) => n !== 7)))
    expect(await rows(h)).toEqual([{ subject: 7, due: 2, attempts: 1, leased: null }])
    expect(lines).toMatchObject([
      ['batch of due work failed; retrying each item alone', { kind: KIND, cell: CELL, count: 20 }],
      ['due work failed', { kind: KIND, cell: CELL, subject: 7n, merchantId: h.merchants.main.id }],
    ])
    expect(await runDue(ctx(2), CELL, handlers)).toBe(0)
    expect(await rows(h)).toEqual([{ subject: 7, due: 6, attempts: 2, leased: null }])
  })

  test('rows of a failed group that another worker has meanwhile are left to it', async () => {
    const h = harness()
    await plan(h, [1, 0], [2, 0])
    const alone: number[] = []
    const handlers: DueHandlers = {
      [KIND]: async (_, __, due) => {
        if (due.length === 1) return void alone.push(Number(due[0]?.subject))
        await h.sql(CELL, `update agenda set lease_until = $1 where subject = 1`, [second(55)])
        throw new Error('not together')
      },
    }
    expect(await runDue(at(h, 0), CELL, handlers)).toBe(1)
    expect(alone).toEqual([2])
    expect(await rows(h)).toEqual([{ subject: 1, due: 0, attempts: 1, leased: 55 }])
  })

  test('without a database a group is tried once and put back whole', async () => {
    const h = harness()
    await plan(h, [1, 0], [2, 0])
    let runs = 0
    const handlers: DueHandlers = {
      [KIND]: async () => {
        runs += 1
        throw new Failure('UNAVAILABLE')
      },
    }
    expect(await runDue(at(h, 0), CELL, handlers)).toBe(0)
    expect(runs).toBe(1)
    expect((await rows(h)).map(({ due }) => due)).toEqual([2, 2])
  })

  test("a dead worker's lease ends after twenty seconds and another does the row", async () => {
    const h = harness()
    await plan(h, [1, 0])
    const gate = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const dead = runDue(at(h, 0), CELL, {
      [KIND]: () => {
        began.resolve()
        return gate.promise
      },
    })
    await began.promise
    expect(await rows(h)).toEqual([{ subject: 1, due: 0, attempts: 1, leased: 20 }])
    const { seen, handlers } = noting()
    expect((await pendingWork(at(h, 19.9), CELL)).due, 'in the hand of a worker').toBe(true)
    expect(await runDue(at(h, 19.999), CELL, handlers)).toBe(0)
    expect(await runDue(at(h, 20), CELL, handlers)).toBe(1)
    expect(seen).toEqual([1])
    gate.resolve()
    await dead
    expect(await rows(h), 'its late end spoils nothing').toEqual([])
    expect((await pendingWork(at(h, 20), CELL)).due).toBe(false)
  })
})

describe('schedule and nextDue', () => {
  test('a timer commits with its cause: rolled back, it never was', async () => {
    const h = harness()
    const work = engineTx(h.gateway.ctx, CELL, async (t) => {
      await schedule(t, KIND, h.merchants.main.id, 1n, second(0))
      throw new Failure('INTERNAL')
    })
    await expect(work).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await rows(h)).toEqual([])
  })

  test('nextDue is the earliest timer of the cell, or null', async () => {
    const h = harness()
    expect(await nextDue(h.gateway.ctx, CELL)).toBeNull()
    await plan(h, [1, 90], [2, 30], [3, 60])
    expect(await nextDue(h.gateway.ctx, CELL)).toEqual(second(30))
    await h.sql('02', 'with gone as (delete from statement_days), runs as (delete from books_runs) delete from agenda')
    expect(await nextDue(h.gateway.ctx, '02')).toBeNull()
  })
})
