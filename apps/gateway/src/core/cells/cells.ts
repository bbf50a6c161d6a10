// Cells: one PostgreSQL cluster each, obtained by the two digits every identifier carries. This file holds
// the only makers of a transaction.
//
//   tx(ctx, cell, merchant, work)   several statements for one merchant, under row-level security
//   engineTx(ctx, cell, work)       several statements across merchants: timers, sequencer, notices that fit
//     nothing
//   commitOne(ctx, cell, work)      exactly one statement, which is its own transaction: no BEGIN, no COMMIT
//     round trips
//   readAs / readAll                the same two views, without writing
//   commitHot / readHot             commitOne and readAll for the statements of every payment, whose plans
//     cannot go bad
//
// A statement is never cancelled: a cancelled COMMIT can report success and be gone after a failover. A
// connection that does not answer in time is destroyed and the outcome is unknown.

import { callbackify } from 'node:util'
import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { Clock } from '#kit/clock.ts'
import type { Cell, Connections, Ctx, Read, Statement, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { type CellId, firstIdInMonth } from '#kit/ids.ts'
import { admit, type Environment, type Logins, ROW_BY_ROW, type Role, startAs } from './logins.ts'
import { createMonths } from './months.ts'
import { paymentSerials, reservedSerials } from './numbers.ts'
import { watchPrimary } from './primary.ts'
import { createShapes } from './shapes.ts'
import { confirmConnection } from './standbys.ts'

const INT8 = 20
const ID_BLOCK = 10_000n
const STATEMENT_LIMIT_MS = 15_000
const RETRIES_MAX = 5
const IDLE_MAX = 4
/** As many as there are hot statements under way at once: one batch each of requests, account numbers and
 *  credits, and a look. */
const HOT_CONNECTIONS = 4

const typeParsers = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 ? BigInt : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
}

const NEXT_IDS: Statement = { name: 'next_ids', text: `select nextval('ids') as first` }

/** Hands out numbers from blocks that one process owns; several takers share one refill. */
function blocks(next: () => Promise<bigint>, size: bigint): (count: number) => Promise<bigint[]> {
  let at = 0n
  let end = 0n
  let refill: Promise<void> | null = null
  return async (count) => {
    const taken: bigint[] = []
    while (taken.length < count) {
      if (at === end) {
        refill ??= next().then(
          (first) => {
            at = first
            end = first + size
            refill = null
          },
          (error: unknown) => {
            refill = null
            throw error
          },
        )
        await refill
        continue
      }
      taken.push(at)
      at += 1n
    }
    return taken
  }
}

export type CellOptions = {
  readonly id: CellId
  readonly logins: Logins
  readonly environment: Environment
  readonly connections: number
  readonly clock: Clock
  /** How long a number is in quarantine before it is given again. */
  readonly quarantineMs: number
  /** How long, if nobody ever paid to it. */
  readonly unpaidRestMs: number
  /** Of the numbers of payments. */
  readonly issuingBank: string
  readonly onError: (error: Error) => void
  /** Another of its hosts takes the writes now. */
  readonly onMoved: (host: string) => void
  /** The partitions of the current month could not be made; ids begin with an older one. */
  readonly onOldMonth: (error: Error) => void
}

export function openCell(options: CellOptions): Cell {
  const { id, logins, environment, connections, clock, onError } = options
  const primary = watchPrimary(logins.engine, options.onMoved)
  const config = (url: string, role: Role, max: number, plans = ''): PoolConfig => ({
    ...startAs(url, role, plans),
    Client: primary.Client,
    max,
    connectionTimeoutMillis: 5_000,
    query_timeout: STATEMENT_LIMIT_MS,
    idleTimeoutMillis: 0,
    types: typeParsers,
    // The pool calls it once for each new connection and waits; with an error the connection is ended.
    verify: callbackify((client: PoolClient) => admit(client, role, environment)),
  })
  const engine = withSpares(new Pool(config(logins.engine, 'cowrie_engine', connections)))
  const hot = withSpares(new Pool(config(logins.engine, 'cowrie_engine', HOT_CONNECTIONS, ROW_BY_ROW)))
  const app = new Pool(config(logins.app, 'cowrie_app', Math.max(4, Math.ceil(connections / 2))))
  // A connection of its own: ids are also allocated inside database transactions, and when every connection
  // of the engine is held by one that waits for the same wallet, the one that has its lock must still get
  // them.
  const numbering = new Pool(config(logins.engine, 'cowrie_engine', 1))
  for (const pool of [engine.pool, hot.pool, app, numbering]) {
    pool.on('error', onError)
    // A connection lost while somebody uses it fails their statement; its event beside that must not end the
    // process. One lost while it lay at hand is put away, so that no batch meets it.
    pool.on('connect', (client) => {
      client.on('error', (error: Error) => {
        putAway(engine.idleConnections, client, error)
        putAway(hot.idleConnections, client, error)
      })
      client.on('notice', ({ code }) => {
        if (code?.startsWith('01')) warnings.set(client, (warnings.get(client) ?? 0) + 1)
      })
    })
  }
  const entry: Cell['entry'] = { closed: null }
  let sent = 0
  const uncounted = async <Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> =>
    (await numbering.query<Row & object>({ ...statement, values: values as unknown[] })).rows
  const ask = async <Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> => {
    needEntry(id, entry)
    sent += 1
    return uncounted<Row>(statement, values)
  }
  const first = async (statement: Statement): Promise<bigint> =>
    ((await ask<{ first: bigint }>(statement))[0] as { first: bigint }).first
  const currentMonth = createMonths(clock, ask, options.onOldMonth)
  const takeIdSerials = blocks(() => first(NEXT_IDS), ID_BLOCK)
  return {
    id,
    entry,
    engine,
    hot,
    app,
    numbering,
    primary,
    sessions: new Set(),
    shapes: createShapes(uncounted),
    statements: () => sent,
    count: () => {
      sent += 1
    },
    takeIds: async (count) => {
      const serials = await takeIdSerials(count)
      const month = firstIdInMonth(await currentMonth())
      return serials.map((serial) => month + serial)
    },
    takeAccountSerials: paymentSerials(ask, clock, options, options.issuingBank),
    takeReservedSerials: reservedSerials(ask),
  }
}

/** Refused at once: waiting for a database that is away would take the time of everybody else's requests. */
export function needEntry(id: CellId, { closed }: Cell['entry']): void {
  if (closed !== null) fail('UNAVAILABLE', {}, `cell ${id} is not in use: ${closed}`)
}

const withSpares = (pool: Pool): Connections => ({ pool, idleConnections: [] })

/** Warnings (class 01) that a connection has received. One matters: somebody cancelled the wait for the
 *  standby, and the commit is answered as if it were there. After a failover it would be gone. */
const warnings = new WeakMap<PoolClient, number>()
function holdUnwarned(client: PoolClient, before: number | undefined): void {
  if (warnings.get(client) !== before) throw new Error('the database warned during commit: the outcome is unknown')
}

function putAway(idleConnections: PoolClient[], client: PoolClient, error: Error): void {
  const place = idleConnections.indexOf(client)
  if (place >= 0) idleConnections.splice(place, 1)[0]?.release(error)
}

export const closeCell = async (cell: Cell): Promise<void> => {
  for (const client of [...cell.engine.idleConnections.splice(0), ...cell.hot.idleConnections.splice(0)])
    client.release()
  for (const client of cell.sessions) {
    cell.sessions.delete(client)
    client.release(true) // its locks end with it
  }
  await cell.primary.close()
  await Promise.all([cell.engine.pool.end(), cell.hot.pool.end(), cell.app.end(), cell.numbering.end()])
}

/** The cell, or nothing when the identifier names one that is not ours. */
export const findCell = (ctx: Ctx, id: CellId | null): Cell | null => (id === null ? null : (ctx.cells.get(id) ?? null))
/** What belongs to no cell by its own nature is of the first: the sandbox's clock, the bank's balance, money
 *  for a number of no cell. */
export const firstCell = (ctx: Ctx): CellId => [...ctx.cells.keys()].sort()[0] as CellId
export const cellById = (ctx: Ctx, id: CellId): Cell =>
  ctx.cells.get(id) ??
  (ctx.identities.id === id ? ctx.identities : fail('INTERNAL', {}, `cell ${id} is not configured`))

const reader = (ctx: Ctx, cell: Cell, client: PoolClient | Pool): Read => ({
  cell: cell.id,
  now: ctx.clock.now(),
  institution: ctx.institution,
  shapes: cell.shapes,
  query: async <Row>(statement: Statement, values: readonly unknown[]) => {
    cell.count()
    const { rows } = await client.query<Row & object>({
      name: statement.name,
      text: statement.text,
      values: values as unknown[],
    })
    return rows
  },
})

const sqlState = (error: unknown): string | undefined => (error as { code?: string } | null)?.code
/** Serialization failure and deadlock: the transaction did not happen and may be tried again. */
const isConflict = (error: unknown): boolean => sqlState(error) === '40001' || sqlState(error) === '40P01'
/** An error the server answered with: the transaction did not happen. Anything else is an unknown outcome.
 *  Every SQLSTATE has a digit; a system's own code of five letters (EPIPE) has none. */
export const isRefusedByDatabase = (error: unknown): boolean =>
  /^(?=.*\d)[0-9A-Z]{5}$/.test(sqlState(error) ?? '') && !/^(08|57P)/.test(sqlState(error) ?? '')
/** Refused, by the database or by our own rules: nothing happened, and of several that were tried together
 *  each may be tried alone. Not without a connection: alone they would all wait for one. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Failure ? error.code !== 'UNAVAILABLE' : isRefusedByDatabase(error)

/** Nobody was there to refuse anything: no connection, or one that was lost. */
export const isLost = (error: unknown): boolean =>
  error instanceof Failure ? error.code === 'UNAVAILABLE' : /^(08|57P)/.test(sqlState(error) ?? '')

async function inTransaction<T>(
  ctx: Ctx,
  cell: Cell,
  from: Connections,
  begin: string,
  work: (t: Tx) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    // Those at hand are out of the pool: with few connections they may be all there are, and nobody would
    // give one back.
    const client = from.idleConnections.pop() ?? (await connect(cell, from.pool))
    try {
      cell.count()
      await client.query(begin)
      const result = await work(reader(ctx, cell, client) as Tx)
      const warned = warnings.get(client)
      const { command } = await client.query('commit')
      // PostgreSQL answers so when a statement failed and somebody went on all the same: nothing of it has
      // happened.
      if (command !== 'COMMIT')
        fail('INTERNAL', {}, `cell ${cell.id}: transaction rolled back although no statement failed`)
      holdUnwarned(client, warned)
      client.release()
      return result
    } catch (error) {
      if (error instanceof Failure || isRefusedByDatabase(error)) {
        await client.query('rollback').then(
          () => client.release(),
          (broken: Error) => client.release(broken),
        )
        if (isConflict(error) && attempt < RETRIES_MAX) continue
        throw error
      }
      client.release(error as Error)
      throw error
    }
  }
}

async function connect({ id, entry }: Cell, pool: Pool): Promise<PoolClient> {
  needEntry(id, entry)
  let client: PoolClient | null = null
  try {
    client = await pool.connect()
    await confirm(client)
    return client
  } catch (error) {
    client?.release(error as Error)
    return fail('UNAVAILABLE', {}, `no connection: ${(error as Error).message}`)
  }
}

const confirmed = new WeakSet<PoolClient>()
/** A connection is used when a standby has all that it can see. Not while the pool opens it: whoever has
 *  waited too long for it by then would leave it in nobody's hands. */
async function confirm(client: PoolClient): Promise<void> {
  if (confirmed.has(client)) return
  const warned = warnings.get(client)
  await confirmConnection(client)
  holdUnwarned(client, warned)
  confirmed.add(client)
}

/** Merchant ids are our own integers, so the text of this statement is safe to build. */
const beginAs = (merchantId: bigint): string => `begin; set local cowrie.merchant = '${merchantId.toString()}'`

export const tx = <T>(ctx: Ctx, cell: CellId, merchantId: bigint, work: (t: Tx) => Promise<T>): Promise<T> =>
  inTransaction(ctx, cellById(ctx, cell), withSpares(cellById(ctx, cell).app), beginAs(merchantId), work)

export const engineTx = <T>(ctx: Ctx, cell: CellId, work: (t: Tx) => Promise<T>): Promise<T> =>
  inTransaction(ctx, cellById(ctx, cell), cellById(ctx, cell).engine, 'begin', work)

/** One snapshot for all of it: what one statement counts, the next one finds. */
export const readAs = <T>(ctx: Ctx, cell: CellId, merchantId: bigint, work: (r: Read) => Promise<T>): Promise<T> =>
  inTransaction(
    ctx,
    cellById(ctx, cell),
    withSpares(cellById(ctx, cell).app),
    `${beginAs(merchantId)}; set transaction isolation level repeatable read, read only`,
    work,
  )

/** One connection from the pool, no transaction around it: each statement sees what is committed when it
 *  starts. */
export const readAll = <T>(ctx: Ctx, cell: CellId, work: (r: Read) => Promise<T>): Promise<T> =>
  reading(ctx, cellById(ctx, cell), cellById(ctx, cell).engine, work)

/** A look at the cell itself, on the connection that allocates numbers: it is free when all others are
 *  busy. */
export const readBeside = <T>(ctx: Ctx, cell: CellId, work: (r: Read) => Promise<T>): Promise<T> =>
  inTransaction(ctx, cellById(ctx, cell), withSpares(cellById(ctx, cell).numbering), 'begin read only', work)

/** What a batch of payments has to know first. */
export const readHot = <T>(ctx: Ctx, cell: CellId, work: (r: Read) => Promise<T>): Promise<T> =>
  reading(ctx, cellById(ctx, cell), cellById(ctx, cell).hot, work)

/** One statement, its own transaction. A second one is refused: it would be a second transaction. */
export const commitOne = <T>(ctx: Ctx, cell: CellId, work: (t: Tx) => Promise<T>): Promise<T> =>
  committing(ctx, cellById(ctx, cell), cellById(ctx, cell).engine, work)

/** The same for a batch of payments. */
export const commitHot = <T>(ctx: Ctx, cell: CellId, work: (t: Tx) => Promise<T>): Promise<T> =>
  committing(ctx, cellById(ctx, cell), cellById(ctx, cell).hot, work)

const reading = <T>(ctx: Ctx, cell: Cell, from: Connections, work: (r: Read) => Promise<T>): Promise<T> =>
  onOneConnection(cell, from, (client) => work(reader(ctx, cell, client)))

const committing = <T>(ctx: Ctx, cell: Cell, from: Connections, work: (t: Tx) => Promise<T>): Promise<T> =>
  onOneConnection(cell, from, (client) => {
    const inner = reader(ctx, cell, client)
    let used = false
    return work({
      ...inner,
      query: (statement, values) => {
        if (used) throw new Error('a commit of one holds exactly one statement')
        used = true
        return inner.query(statement, values)
      },
    } as Tx)
  })

async function onOneConnection<T>(cell: Cell, from: Connections, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = from.idleConnections.pop() ?? (await connect(cell, from.pool))
  try {
    const warned = warnings.get(client)
    const result = await work(client)
    holdUnwarned(client, warned)
    // Kept at hand for the next batch: giving it to the pool and asking for it again costs a fifth of a small
    // statement.
    if (from.idleConnections.length < IDLE_MAX && from.pool.waitingCount === 0) from.idleConnections.push(client)
    else client.release()
    return result
  } catch (error) {
    // After an answer of the server the connection is sound; after silence it is not.
    client.release(error instanceof Failure || isRefusedByDatabase(error) ? undefined : (error as Error))
    throw error
  }
}
