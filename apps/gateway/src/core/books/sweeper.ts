// The sweeper: what waits and has lost the timer that would end its wait. It should find nothing; what it
// finds is an error in the log by name, and gets its timer back, so that the ordinary handler takes it. Which
// states wait for which timers is in the state machines (`timers`); when such a timer falls due, and for
// which rows of its state it is the one, is said by its feature.
//
// It walks through each table by id, a slice at a time and round again, so that a large table costs each look
// the same.

import { MACHINES } from '@cowrie/contract'
import type { Machine } from '@cowrie/contract/kit/spec'
import type { Ctx, Statement, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { engineTx } from '../cells/cells.ts'

const SLICE_ROWS = 20_000
/** What is younger may be on its way between two commits of a slow machine's clock. */
const GRACE_SECONDS = 300

/** What the sweeper must know of a timer, as SQL about the row `o` that waits; $2 is now. */
export type LostTimer = {
  /** When it falls due. Default: when its state has lasted `minutesMax`, or at once. */
  readonly due?: string
  /** Which rows of the state it is for. Default: all. */
  readonly where?: string
  /** What a person knows the object by. Default: its reference. */
  readonly reference?: string
}
/** By kind. */
export type LostTimers = Readonly<Record<string, LostTimer>>

/** Every pair of state and timer of a machine. */
export const listWaitingStates = (
  machine: Machine,
): { state: string; kind: string; minutesMax: number | undefined }[] =>
  Object.entries(machine.states).flatMap(([state, { timers = [], minutesMax }]) =>
    timers.map((kind) => ({ state, kind, minutesMax })),
  )

const SWEPT = MACHINES.filter((machine) => listWaitingStates(machine).length > 0)

const without = (machine: Machine, lost: LostTimers): string =>
  listWaitingStates(machine)
    .map(({ state, kind, minutesMax }) => {
      const { due, where = 'true', reference = 'o.reference' } = lost[kind] ?? {}
      const ends = due ?? (minutesMax === undefined ? '$2' : `o.created_at + make_interval(mins => ${minutesMax})`)
      return `select o.id, o.merchant_id, ${reference} as reference, o.status, '${kind}' as kind,
      coalesce(${ends}, $2::timestamptz) as due_at from slice o
    where o.status = '${state}' and o.created_at < $2::timestamptz - make_interval(secs => ${GRACE_SECONDS}) and ${where}`
    })
    .join('\n    union all ')

const statementFor = (machine: Machine, lost: LostTimers): Statement => ({
  name: `sweep_${machine.name}`,
  text: `
-- all merchants: whoever waits is looked for, whosever it is
with slice as (select * from ${machine.table} where id > $1 order by id limit ${SLICE_ROWS}),
waiting as (${without(machine, lost)}),
lost as (select * from waiting w where not exists (select from agenda a where (a.kind, a.subject) = (w.kind, w.id))),
given as (insert into agenda (kind, merchant_id, subject, due_at) select kind, merchant_id, id, due_at from lost)
select (select max(id) from slice) as last, (select count(*) from slice)::integer as rows,
  coalesce((select array_agg(id) from lost), '{}') as ids, coalesce((select array_agg(kind) from lost), '{}') as kinds,
  coalesce((select array_agg(status) from lost), '{}') as states, coalesce((select array_agg(reference) from lost), '{}') as references,
  coalesce((select array_agg(merchant_id) from lost), '{}') as merchants`,
})

/** A statement per machine that waits. */
export type Sweep = ReadonlyMap<Machine, Statement>
export const sweepFor = (lost: LostTimers): Sweep =>
  new Map(SWEPT.map((machine) => [machine, statementFor(machine, lost)]))

type Slice = {
  last: bigint | null
  rows: number
  ids: string[]
  kinds: string[]
  states: string[]
  references: string[]
  merchants: string[]
}

/** Two sweepers would give a timer twice. */
const ALONE: Statement = {
  name: 'sweep_alone',
  text: `select pg_try_advisory_xact_lock(hashtext('cowrie.sweeper')) as alone`,
}

/** Where a walk through a cell's tables has come to: the last id of each machine's slice. */
export type Walked = Map<string, bigint>

/** One slice of every table; answers how many timers were restored, and whether every table was looked at to
 *  its end. */
async function sweepSome(
  ctx: Ctx,
  cell: CellId,
  sweep: Sweep,
  walked: Walked,
): Promise<{ given: number; whole: boolean }> {
  return engineTx(ctx, cell, async (t) => {
    const [lock] = await t.query<{ alone: boolean }>(ALONE, [])
    if (!lock?.alone) return { given: 0, whole: true }
    let given = 0
    let whole = true
    for (const [machine, statement] of sweep) {
      const found = await sliceOf(t, statement, walked.get(machine.name) ?? 0n)
      const isLast = found.rows < SLICE_ROWS
      walked.set(machine.name, isLast ? 0n : (found.last ?? 0n))
      whole &&= isLast
      given += found.ids.length
      tell(ctx, cell, machine, found)
    }
    return { given, whole }
  })
}

const sliceOf = async (t: Tx, statement: Statement, after: bigint): Promise<Slice> => {
  const [found] = await t.query<Slice>(statement, [after, t.now])
  return found as Slice
}

function tell(ctx: Ctx, cell: CellId, { name }: Machine, found: Slice): void {
  for (const [at, subject] of found.ids.entries())
    ctx.log.error('lost timer restored', {
      cell,
      object: name,
      subject,
      reference: found.references[at] ?? '',
      kind: found.kinds[at] ?? '',
      detail: found.states[at] ?? '',
      merchantId: BigInt(found.merchants[at] ?? 0),
    })
}

/** Every table to its end. */
export async function sweepAll(ctx: Ctx, cell: CellId, sweep: Sweep): Promise<number> {
  const walked: Walked = new Map()
  let sum = 0
  for (let whole = false; !whole; ) {
    const swept = await sweepSome(ctx, cell, sweep, walked)
    sum += swept.given
    whole = swept.whole
  }
  return sum
}

/** A slice of every table at each call, round and round. */
export function createSweeper(ctx: Ctx, sweep: Sweep): (cell: CellId) => Promise<unknown> {
  const walked = new Map<CellId, Walked>()
  return (cell) => {
    const here: Walked = walked.get(cell) ?? new Map()
    walked.set(cell, here)
    return sweepSome(ctx, cell, sweep, here)
  }
}
