import { transactionMachine } from '@cowrie/contract/collections/transactions'
import { type Move, machine } from '@cowrie/contract/kit/spec'
import { describe, expect, test } from 'vitest'
import type { Read, Tx } from '#kit/ctx.ts'
import { Failure } from '#kit/fail.ts'
import { type Harness, initialise, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { cellById, engineTx, tx } from '../cells/cells.ts'
import { type AccountKind, accountId, HOUSE } from './chart.ts'
import type { Posting } from './ledger.ts'
import { mover, type NewEvent } from './move.ts'

const harness = useHarness()
const CELL = '01'

const payMoves = mover(transactionMachine, {
  name: 'test_pay',
  set: { paid_kobo: 'bigint', fee_kobo: 'bigint', closed_at: 'timestamptz' },
  sideRow: {
    table: 'inbound_credits',
    columns: { bank_reference: 'text', kobo: 'bigint', received_at: 'timestamptz' },
    fixed: {
      merchant_id: 'merchant_id',
      transaction_id: 'id',
      transfer_id: 'transfer_id',
      outcome: `'COUNTED'`,
      account_number: `''`,
      bank_code: `''`,
      sender_name: `''`,
      sender_account_number: `''`,
      sender_bank_code: `''`,
    },
    name: { table: 'bank_sessions', columns: ['bank_reference', 'merchant_id', 'transfer_id'] },
  },
})
const closeMoves = mover(transactionMachine, { name: 'test_close', set: { closed_at: 'timestamptz' } })

/** The postings of this file take no fee: their merchants have a schedule that says so. */
const free = new Map<bigint, bigint>()
async function withoutFees(h: Harness, { id }: TestMerchant): Promise<bigint> {
  const known = free.get(id)
  if (known !== undefined) return known
  const [scheduleId = 0n] = await cellById(h.gateway.ctx, CELL).takeIds(1)
  await h.sql(
    CELL,
    'insert into fee_schedules (id, merchant_id, basis_points, cap_kobo, valid_from) values ($1, $2, 0, 0, $3)',
    [scheduleId, id, h.gateway.ctx.clock.now()],
  )
  free.set(id, scheduleId)
  return scheduleId
}

type Waiting = { id: bigint; merchant: TestMerchant; kobo: bigint; feeScheduleId: bigint }
async function waiting(h: Harness, merchant = h.merchants.main): Promise<Waiting> {
  const { transactionReference } = await initialise(h, merchant)
  const [row] = await h.sql(CELL, 'select id, kobo from transactions where reference = $1', [transactionReference])
  return { id: BigInt(row.id), merchant, kobo: BigInt(row.kobo), feeScheduleId: await withoutFees(h, merchant) }
}

const posting = (
  id: bigint,
  { id: objectId, merchant, kobo, feeScheduleId }: Waiting,
  to: AccountKind = 'PENDING',
): Posting => ({
  id,
  feeScheduleId,
  merchantId: merchant.id,
  kind: 'COLLECTION',
  object: 'transaction',
  objectId,
  entries: [
    { account: accountId(HOUSE, 'BANK'), kobo: -kobo },
    { account: accountId(merchant.id, to), kobo },
  ],
})
const event = (id: bigint): NewEvent => ({ id, type: 'SUCCESSFUL_TRANSACTION', object: 'reference', body: '{}' })

async function pay(h: Harness, transaction: Waiting) {
  const [transferId, eventId] = (await cellById(h.gateway.ctx, CELL).takeIds(2)) as [bigint, bigint]
  return {
    on: 'pay' as const,
    id: transaction.id,
    merchantId: transaction.merchant.id,
    from: 'PENDING' as const,
    set: { paid_kobo: transaction.kobo, fee_kobo: 0n, closed_at: h.gateway.ctx.clock.now() },
    sideRow: { bank_reference: `test-${transferId}`, kobo: transaction.kobo, received_at: h.gateway.ctx.clock.now() },
    post: posting(transferId, transaction),
    event: event(eventId),
  }
}
const close = (h: Harness, { id, merchant }: Waiting, on: 'cancel' | 'fail' | 'expire' = 'cancel') => ({
  on,
  id,
  merchantId: merchant.id,
  from: 'PENDING' as const,
  set: { closed_at: h.gateway.ctx.clock.now() },
})
const inCell = <T>(h: Harness, work: (t: Tx) => Promise<T>): Promise<T> => engineTx(h.gateway.ctx, CELL, work)

/** How much was written, of everything a move writes. */
async function written(h: Harness, transactionId?: bigint): Promise<Record<string, number>> {
  const id = transactionId ?? null
  const [row] = await h.sql(
    CELL,
    `select (select count(*)::int from state_changes where $1::bigint is null or object_id = $1) as history,
      (select count(*)::int from transfers where object = 'transaction' and ($1::bigint is null or object_id = $1)) as transfers,
      (select count(*)::int from entries e join transfers t on t.id = e.transfer_id
        where t.object = 'transaction' and ($1::bigint is null or t.object_id = $1)) as entries,
      (select count(*)::int from events where $1::bigint is null or object_id = $1) as events,
      (select count(*)::int from outbox o join events e on e.id = o.event_id where $1::bigint is null or e.object_id = $1) as queued,
      (select count(*)::int from inbound_credits where $1::bigint is null or transaction_id = $1) as "sideRow"`,
    [id],
  )
  return row
}
const NOTHING = { history: 0, transfers: 0, entries: 0, events: 0, queued: 0, sideRow: 0 }
const EVERYTHING = { history: 1, transfers: 1, entries: 2, events: 1, queued: 1, sideRow: 1 }
const statusOf = async (h: Harness, { id }: Waiting): Promise<string> => {
  const [row] = await h.sql(CELL, 'select status, version from transactions where id = $1', [id])
  return `${row.status} ${row.version}`
}

describe('mover: what the table allows', () => {
  const allowed = (on: string, from: string) =>
    transactionMachine.moves.some((move: Move) => move.on === on && move.from.includes(from))
  const states = Object.keys(transactionMachine.states)
  const pairs = transactionMachine.moves.flatMap(({ on }) => states.map((from) => [on, from] as const))
  const forbidden = [
    ...pairs.filter(([on, from]) => !allowed(on, from)),
    ['refund', 'PAID'] as const,
    ['pay', 'NOWHERE'] as const,
    ['constructor', 'PENDING'] as const,
  ]

  test('every move that is not in the table is refused before the database', async () => {
    const h = harness()
    const transaction = await waiting(h)
    expect(forbidden.length).toBeGreaterThan(30)
    for (const [on, from] of forbidden) {
      const move = { ...(await pay(h, transaction)), on, from } as never
      const sent = cellById(h.gateway.ctx, CELL).statements()
      await expect(
        inCell(h, (t) => payMoves(t, [move])),
        `${on} from ${from}`,
      ).rejects.toMatchObject({
        code: 'WRONG_STATE',
      })
      expect(cellById(h.gateway.ctx, CELL).statements() - sent, 'nothing but the begin').toBe(1)
    }
    expect(await statusOf(h, transaction)).toBe('PENDING 1')
    expect(await written(h, transaction.id)).toEqual(NOTHING)
  })

  test('the state after the move is the one of the table', async () => {
    const h = harness()
    for (const [on, to] of [
      ['cancel', 'CANCELLED'],
      ['fail', 'FAILED'],
      ['expire', 'EXPIRED'],
    ] as const) {
      const transaction = await waiting(h)
      await inCell(h, (t) => closeMoves(t, [close(h, transaction, on)]))
      expect(await statusOf(h, transaction)).toBe(`${to} 2`)
    }
  })

  test.each<[string, (move: Record<string, unknown>) => void]>([
    ['a move that books comes without its posting', (move) => delete move['post']],
    ['a move that tells comes without its event', (move) => delete move['event']],
    [
      'the event is of another type',
      (move) => Object.assign(move, { event: { ...event(1n), type: 'REJECTED_PAYMENT' } }),
    ],
    [
      'the posting is not balanced',
      (move) => {
        const { entries, ...post } = move['post'] as Posting
        Object.assign(move, { post: { ...post, entries: entries.slice(1) } })
      },
    ],
    [
      'a move that books nothing comes with a posting',
      (move) => Object.assign(move, { on: 'cancel', event: undefined }),
    ],
    ['a move that tells nothing comes with an event', (move) => Object.assign(move, { on: 'cancel', post: undefined })],
  ])('refused, whatever the compiler accepted: %s', async (_, corrupt) => {
    const h = harness()
    const transaction = await waiting(h)
    const move: Record<string, unknown> = await pay(h, transaction)
    corrupt(move)
    await expect(inCell(h, (t) => payMoves(t, [move as never]))).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await statusOf(h, transaction)).toBe('PENDING 1')
    expect(await written(h, transaction.id)).toEqual(NOTHING)
  })
})

describe('mover: all of it or nothing', () => {
  test('a move writes its state, history, posting, event, outbox row and the row beside it, once', async () => {
    const h = harness()
    const transaction = await waiting(h)
    const move = await pay(h, transaction)
    expect(await inCell(h, (t) => payMoves(t, [move]))).toEqual(new Set([transaction.id]))
    expect(await statusOf(h, transaction)).toBe('PAID 2')
    expect(await written(h, transaction.id)).toEqual(EVERYTHING)
    const [history] = await h.sql(CELL, 'select * from state_changes where object_id = $1', [transaction.id])
    expect(history).toMatchObject({
      object: 'transaction',
      version: 2,
      action: 'pay',
      from_state: 'PENDING',
      to_state: 'PAID',
      transfer_id: String(move.post.id),
      merchant_id: String(transaction.merchant.id),
    })
    const [announced] = await h.sql(CELL, 'select * from events where id = $1', [move.event.id])
    expect(announced).toMatchObject({
      object_version: 2,
      body: '{}',
      type: 'SUCCESSFUL_TRANSACTION',
      object: 'reference',
    })
  })

  test('an event keeps the trace that it is given, beside one that has none', async () => {
    const h = harness()
    const [a, b] = [await pay(h, await waiting(h)), await pay(h, await waiting(h))]
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const kept = (ids: readonly bigint[]) =>
      h.sql(CELL, 'select event_id, traceparent from event_traces where event_id = any($1)', [ids])
    await inCell(h, (t) => payMoves(t, [{ ...a, event: { ...a.event, trace } }, b]))
    expect(await kept([a.event.id, b.event.id])).toEqual([{ event_id: String(a.event.id), traceparent: trace }])
    const alone = await pay(h, await waiting(h))
    await inCell(h, (t) => payMoves(t, [{ ...alone, event: { ...alone.event, trace } }]))
    expect(await kept([alone.event.id])).toHaveLength(1)
  })

  test('a move from a state that no longer holds writes nothing at all', async () => {
    const h = harness()
    const transaction = await waiting(h)
    await inCell(h, (t) => closeMoves(t, [close(h, transaction)]))
    const before = await written(h)
    const late = await pay(h, transaction)
    expect(await inCell(h, (t) => payMoves(t, [late]))).toEqual(new Set())
    expect(await written(h)).toEqual(before)
    expect(await statusOf(h, transaction)).toBe('CANCELLED 2')
  })

  test('of a batch only those move whose state holds, each with everything that belongs to it', async () => {
    const h = harness()
    const [a, b, c] = [await waiting(h), await waiting(h), await waiting(h, h.merchants.other)]
    await inCell(h, (t) => closeMoves(t, [close(h, b)]))
    const moves = [await pay(h, a), await pay(h, b), await pay(h, c)]
    expect(await inCell(h, (t) => payMoves(t, moves))).toEqual(new Set([a.id, c.id]))
    expect(await written(h, a.id)).toEqual(EVERYTHING)
    expect(await written(h, b.id)).toEqual({ ...NOTHING, history: 1 })
    expect(await written(h, c.id)).toEqual(EVERYTHING)
  })

  test("an id under another merchant's name moves nothing", async () => {
    const h = harness()
    const transaction = await waiting(h)
    const move = { ...close(h, transaction), merchantId: h.merchants.other.id }
    expect(await inCell(h, (t) => closeMoves(t, [move]))).toEqual(new Set())
    const own = close(h, transaction)
    expect(await tx(h.gateway.ctx, CELL, h.merchants.other.id, (t) => closeMoves(t, [own])), 'under RLS').toEqual(
      new Set(),
    )
    expect(await statusOf(h, transaction)).toBe('PENDING 1')
  })

  test('a posting that would overdraw refuses the move: INSUFFICIENT_FUNDS, and nothing is written', async () => {
    const h = harness()
    const transaction = await waiting(h)
    const move = await pay(h, transaction)
    const wallet = accountId(transaction.merchant.id, 'WALLET')
    const entries = [
      { account: wallet, kobo: -(10n ** 12n) },
      { account: accountId(HOUSE, 'BANK'), kobo: 10n ** 12n },
    ]
    const work = inCell(h, (t) => payMoves(t, [{ ...move, post: { ...move.post, entries } }]))
    await expect(work).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    expect(await statusOf(h, transaction)).toBe('PENDING 1')
    expect(await written(h, transaction.id)).toEqual(NOTHING)
  })

  test('a wallet is changed only by the moves of a batch that happened', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const [a, b] = [await waiting(h), await waiting(h)]
    await inCell(h, (t) => closeMoves(t, [close(h, b)]))
    const wallet = accountId(h.merchants.main.id, 'WALLET')
    const walletOf = async (t: Tx) =>
      (
        await t.query<{ kobo: bigint }>(
          { name: 'test_wallet', text: 'select balance_kobo as kobo from accounts where id = $1' },
          [wallet],
        )
      )[0]?.kobo as bigint
    const moves = [a, b].map(async (one) => {
      const move = await pay(h, one)
      return { ...move, post: posting(move.post.id, one, 'WALLET') }
    })
    const given = await Promise.all(moves)
    // Rolled back at the end: money of a payment belongs in PENDING, and the books would say so.
    const work = engineTx(ctx, CELL, async (t) => {
      const before = await walletOf(t)
      expect(await payMoves(t, given)).toEqual(new Set([a.id]))
      expect((await walletOf(t)) - before).toBe(a.kobo)
      throw new Failure('INTERNAL', {}, 'enough')
    })
    await expect(work).rejects.toMatchObject({ detail: 'enough' })
  })

  test('moves that book and moves that do not may share a batch', async () => {
    const h = harness()
    const [a, b] = [await waiting(h), await waiting(h)]
    const bare = mover(transactionMachine, {
      name: 'test_mixed',
      set: { paid_kobo: 'bigint', fee_kobo: 'bigint', closed_at: 'timestamptz' },
    })
    const { sideRow: _, ...paying } = await pay(h, a)
    const closing = { ...close(h, b), set: { paid_kobo: 0n, fee_kobo: 0n, closed_at: h.gateway.ctx.clock.now() } }
    const count = async (t: Tx, id: bigint) =>
      (
        await t.query<Record<string, number>>(
          {
            name: 'test_mixed_count',
            text: `select (select count(*)::int from transfers where object_id = $1) as transfers,
              (select count(*)::int from events where object_id = $1) as events,
              (select count(*)::int from outbox o left join events e on e.id = o.event_id where e.id is null) as empty`,
          },
          [id],
        )
      )[0]
    const work = inCell(h, async (t) => {
      expect(await bare(t, [paying, closing])).toEqual(new Set([a.id, b.id]))
      expect(await count(t, a.id)).toEqual({ transfers: 1, events: 1, empty: 0 })
      expect(await count(t, b.id)).toEqual({ transfers: 0, events: 0, empty: 0 })
      throw new Failure('INTERNAL', {}, 'enough') // a payment without the bank's credit would corrupt the books
    })
    await expect(work).rejects.toMatchObject({ detail: 'enough' })
  })
})

describe('mover: races', () => {
  test('of two racing moves of one object exactly one wins, and only the winner writes', async () => {
    const h = harness()
    const wins = { pay: 0, cancel: 0 }
    for (let round = 0; round < 20; round += 1) {
      const transaction = await waiting(h)
      const [paying, cancelling] = [await pay(h, transaction), close(h, transaction)]
      const starts = [
        () => inCell(h, (t) => payMoves(t, [paying])),
        () => tx(h.gateway.ctx, CELL, transaction.merchant.id, (t) => closeMoves(t, [cancelling])),
      ] as const
      const order = round % 2 === 0 ? [0, 1] : [1, 0]
      const results: ReadonlySet<bigint>[] = []
      await Promise.all(
        order.map(async (at) => {
          results[at] = await (starts[at] as (typeof starts)[0])()
        }),
      )
      const [paid, cancelled] = results.map((moved) => moved.has(transaction.id))
      expect(Number(paid) + Number(cancelled)).toBe(1)
      expect(await written(h, transaction.id)).toEqual(paid ? EVERYTHING : { ...NOTHING, history: 1 })
      expect(await statusOf(h, transaction)).toBe(paid ? 'PAID 2' : 'CANCELLED 2')
      wins[paid ? 'pay' : 'cancel'] += 1
    }
    expect(wins.pay + wins.cancel).toBe(20)
  })

  test('of ten payments of one transaction at once exactly one is counted', async () => {
    const h = harness()
    const transaction = await waiting(h)
    const moves = await Promise.all(Array.from({ length: 10 }, () => pay(h, transaction)))
    const results = await Promise.all(moves.map((move) => inCell(h, (t) => payMoves(t, [move]))))
    expect(results.filter((moved) => moved.size === 1)).toHaveLength(1)
    expect(await written(h, transaction.id)).toEqual(EVERYTHING)
  })

  test('a move that waits for another that is then rolled back happens', async () => {
    const h = harness()
    const transaction = await waiting(h)
    const gate = Promise.withResolvers<void>()
    const moved = Promise.withResolvers<void>()
    const first = inCell(h, async (t) => {
      await closeMoves(t, [close(h, transaction)])
      moved.resolve()
      await gate.promise
      throw new Failure('INTERNAL')
    })
    await moved.promise
    const paying = await pay(h, transaction)
    const second = inCell(h, (t) => payMoves(t, [paying]))
    gate.resolve()
    await expect(first).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(await second).toEqual(new Set([transaction.id]))
    expect(await written(h, transaction.id)).toEqual(EVERYTHING)
  })
})

describe('machine', () => {
  test('a move that names an unknown state cannot be written down', () => {
    const states = { A: { says: '' } }
    const bad = () =>
      machine({ name: 'bad', table: 'bad', start: 'A', states, moves: [{ on: 'go', from: ['A'], to: 'B' }] })
    expect(bad).toThrow('unknown state B')
  })
})

// Never called: the compiler is the test. Each directive below is an error itself if its line compiles.
export async function whatDoesNotCompile(t: Tx, read: Read, post: Posting, announced: NewEvent): Promise<void> {
  const base = { id: 1n, merchantId: 1n, from: 'PENDING' as const, set: { closed_at: null } }
  await closeMoves(t, [{ ...base, on: 'cancel' }])
  await closeMoves(t, [{ ...base, on: 'pay', post, event: announced }])
  // @ts-expect-error a move that books needs its posting
  await closeMoves(t, [{ ...base, on: 'pay', event: announced }])
  // @ts-expect-error a move that tells needs its event
  await closeMoves(t, [{ ...base, on: 'pay', post }])
  // @ts-expect-error neither of both
  await closeMoves(t, [{ ...base, on: 'payMore' }])
  // @ts-expect-error a move that books nothing takes no posting
  await closeMoves(t, [{ ...base, on: 'cancel', post }])
  // @ts-expect-error a move that tells nothing takes no event
  await closeMoves(t, [{ ...base, on: 'expire', event: announced }])
  // @ts-expect-error the machine has no such action
  await closeMoves(t, [{ ...base, on: 'refund', post, event: announced }])
  // @ts-expect-error the machine has no such state
  await closeMoves(t, [{ ...base, on: 'cancel', from: 'WAITING' }])
  // @ts-expect-error a column of the spec is left out
  await closeMoves(t, [{ ...base, on: 'cancel', set: {} }])
  // @ts-expect-error all its columns are
  await closeMoves(t, [{ id: 1n, merchantId: 1n, from: 'PENDING', on: 'cancel' }])
  // @ts-expect-error there is no row beside this move
  await closeMoves(t, [{ ...base, on: 'cancel', sideRow: { kobo: 1n } }])
  const paid = {
    ...base,
    on: 'pay' as const,
    post,
    event: announced,
    set: { paid_kobo: 1n, fee_kobo: 0n, closed_at: null },
  }
  await payMoves(t, [{ ...paid, sideRow: { bank_reference: '1', kobo: 1n, received_at: null } }])
  // @ts-expect-error a row beside the move is left out
  await payMoves(t, [paid])
  // @ts-expect-error a column of that row is
  await payMoves(t, [{ ...paid, sideRow: { bank_reference: '1', kobo: 1n } }])
  // @ts-expect-error what only reads is not a database transaction
  await closeMoves(read, [{ ...base, on: 'cancel' }])
}
