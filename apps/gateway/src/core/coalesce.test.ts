import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { Failure } from '#kit/fail.ts'
import { coalesce, perCell } from './coalesce.ts'

const tally = (outcomes: readonly PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status)
const turn = () => new Promise<void>((done) => setImmediate(done))

describe('coalesce', () => {
  test('items with the same key never share a batch, and none of them is lost', async () => {
    const batches: string[][] = []
    const batch = coalesce<{ key: string; n: number }, number>({
      key: (item) => item.key,
      run: async (items) => {
        batches.push(items.map(({ key }) => key))
        await turn()
        return items.map(({ n }) => n)
      },
    })
    const items = Array.from({ length: 300 }, (_, n) => ({ key: `k${n % 7}`, n }))
    expect(await Promise.all(items.map(batch))).toEqual(items.map(({ n }) => n))
    for (const keys of batches) expect(new Set(keys).size).toBe(keys.length)
    expect(batches.flat()).toHaveLength(300)
  })

  test('items with the same key run in the order they came', async () => {
    const seen: number[] = []
    const batch = coalesce<number, number>({
      key: () => 'one',
      widthMax: 1,
      run: async (items) => {
        seen.push(...items)
        await turn()
        return [...items]
      },
    })
    await Promise.all([1, 2, 3, 4, 5].map(batch))
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  test('every caller gets the result of its own item, also when batches end in another order', async () => {
    const batch = coalesce<number, string>({
      key: String,
      sizeMax: 5,
      widthMax: 4,
      run: async (items) => {
        for (let turns = ((items[0] as number) * 7) % 20; turns > 0; turns -= 1) await turn()
        return items.map((n) => `result of ${n}`)
      },
    })
    const numbers = Array.from({ length: 100 }, (_, n) => n)
    expect(await Promise.all(numbers.map(batch))).toEqual(numbers.map((n) => `result of ${n}`))
  })

  test('an Error as a result refuses that item alone', async () => {
    const batch = coalesce<number, number>({
      key: String,
      run: async (items) => items.map((n) => (n === 2 ? new Error('not two') : n)),
    })
    const outcomes = await Promise.allSettled([1, 2, 3].map(batch))
    expect(tally(outcomes)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test("a Failure of one item is that item's alone: the batch is done one by one", async () => {
    const sizes: number[] = []
    const batch = coalesce<number, string>({
      key: String,
      run: async (items) => {
        sizes.push(items.length)
        if (items.includes(3)) throw new Failure('INSUFFICIENT_FUNDS')
        return items.map((n) => `done ${n}`)
      },
    })
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(batch))
    expect(outcomes.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.code))).toEqual([
      'done 1',
      'done 2',
      'INSUFFICIENT_FUNDS',
      'done 4',
    ])
    expect(sizes).toEqual([4, 1, 1, 1, 1])
  })

  test('without a connection all of the batch is refused at once: alone, each would wait for one', async () => {
    let runs = 0
    const run = async (): Promise<number[]> => {
      runs += 1
      throw new Failure('UNAVAILABLE')
    }
    const outcomes = await Promise.allSettled([1, 2, 3].map(coalesce<number, number>({ key: String, run })))
    expect(tally(outcomes)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(runs).toBe(1)
  })

  test('a single item is a batch of one, at once', async () => {
    const sizes: number[] = []
    const batch = coalesce<number, number>({
      key: String,
      run: async (items) => {
        sizes.push(items.length)
        return [...items]
      },
    })
    expect(await batch(1)).toBe(1)
    expect(await batch(2)).toBe(2)
    expect(sizes).toEqual([1, 1])
  })

  test('items that come while a batch is under way share the next one', async () => {
    const gates: (() => void)[] = []
    const batches: number[][] = []
    const batch = coalesce<number, number>({
      key: String,
      widthMax: 1,
      run: async (items) => {
        batches.push([...items])
        await new Promise<void>((done) => gates.push(done))
        return [...items]
      },
    })
    const first = batch(1)
    await turn()
    const rest = [2, 3, 4].map(batch)
    await turn()
    const more = [5, 6].map(batch)
    await turn()
    expect(batches).toEqual([[1]])
    gates[0]?.()
    await first
    await turn()
    expect(batches).toEqual([[1], [2, 3, 4, 5, 6]])
    gates[1]?.()
    expect(await Promise.all([...rest, ...more])).toEqual([2, 3, 4, 5, 6])
  })

  test('never more batches at once than the width, never more items than the size', async () => {
    let underWay = 0
    let widest = 0
    let largest = 0
    const batch = coalesce<number, number>({
      key: String,
      sizeMax: 10,
      widthMax: 3,
      run: async (items) => {
        underWay += 1
        widest = Math.max(widest, underWay)
        largest = Math.max(largest, items.length)
        await turn()
        underWay -= 1
        return [...items]
      },
    })
    await Promise.all(Array.from({ length: 200 }, (_, n) => batch(n)))
    expect({ widest, largest }).toEqual({ widest: 3, largest: 10 })
  })

  test('a batch that failed does not stop the ones after it', async () => {
    let fails = true
    const batch = coalesce<number, number>({
      key: String,
      run: async (items) => {
        if (fails) throw new Error('lost')
        return [...items]
      },
    })
    await expect(batch(1)).rejects.toThrow('lost')
    fails = false
    expect(await batch(2)).toBe(2)
  })
})

describe('coalesce on a database', () => {
  let client: pg.Client
  const connect = async () => {
    client = new pg.Client({ connectionString: `${inject('postgresUrl')}postgres` })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('create temp table kept (n integer check (n <> 13))')
  }
  beforeAll(connect)
  beforeEach(() => client.query('truncate kept'))
  afterAll(() => client.end())
  const sizes: number[] = []
  const insert = async (items: readonly number[]): Promise<number[]> => {
    sizes.push(items.length)
    await client.query('insert into kept select * from unnest($1::int[])', [items])
    return [...items]
  }

  test('one item that the database refuses harms no other: the batch is done one by one', async () => {
    sizes.length = 0
    const outcomes = await Promise.allSettled(
      [11, 12, 13, 14].map(coalesce<number, number>({ key: String, run: insert })),
    )
    expect(tally(outcomes)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect((outcomes[2] as PromiseRejectedResult).reason).toMatchObject({ code: '23514' })
    expect(sizes).toEqual([4, 1, 1, 1, 1])
    expect((await client.query('select n from kept order by n')).rows).toEqual([{ n: 11 }, { n: 12 }, { n: 14 }])
  })

  test('an unknown outcome rejects all of the batch and repeats nothing: the server is gone in the middle', async () => {
    sizes.length = 0
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const killer = new pg.Client({ connectionString: `${inject('postgresUrl')}postgres` })
    await killer.connect()
    const run = async (items: readonly number[]) => {
      await insert(items)
      await Promise.all([
        client.query('select pg_sleep(10)'), // the commit, so to speak
        killer.query('select pg_terminate_backend($1)', [rows[0].pid]),
      ])
      return [...items]
    }
    const outcomes = await Promise.allSettled([1, 2, 3].map(coalesce<number, number>({ key: String, run })))
    await killer.end()
    await connect()
    expect(tally(outcomes)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(sizes).toEqual([3])
  })

  test.each([
    ['an error without SQLSTATE', new Error('Connection terminated unexpectedly')],
    ['an error of the socket', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    ['a pipe that is gone (EPIPE is not an SQLSTATE)', Object.assign(new Error('write'), { code: 'EPIPE' })],
    ['a lost connection (class 08)', Object.assign(new Error('lost'), { code: '08006' })],
    ['a server that shuts down (57P01)', Object.assign(new Error('shutdown'), { code: '57P01' })],
    ['a time-out', new Error('Query read timeout')],
  ])('%s rejects all of the batch and repeats nothing', async (_, error) => {
    let runs = 0
    const run = async (): Promise<number[]> => {
      runs += 1
      throw error
    }
    const outcomes = await Promise.allSettled([1, 2, 3].map(coalesce<number, number>({ key: String, run })))
    expect(outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason)).toEqual([error, error, error])
    expect(runs).toBe(1)
  })
})

describe('perCell', () => {
  test('items of two cells never share a batch; an unknown cell is refused', async () => {
    const batches: [string, string[]][] = []
    const batch = perCell<string, string>(['01', '02'], (cell) =>
      coalesce({
        key: (item) => item,
        run: async (items) => {
          batches.push([cell, [...items]])
          return [...items]
        },
      }),
    )
    await Promise.all([batch('01', 'a'), batch('02', 'b'), batch('01', 'c')])
    expect(batches.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      ['01', ['a', 'c']],
      ['02', ['b']],
    ])
    expect(() => batch('03', 'd')).toThrow('cell 03 is not configured')
  })
})
