// A move of an object through its machine: one statement that compares and sets the state, writes the
// history, the posting and the event, and puts the event into the outbox. It takes arrays; a single move is
// an array of one. The compiler demands a posting where the machine says `books` and an event where it says
// `emits`.
import type { ActionOf, Machine, MoveOn, StateOf } from '@cowrie/contract/kit/spec'
import { lines, linesArray, moments, numbers, texts } from '#kit/arrays.ts'
import type { Shapes, Statement, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { traceOfEvents } from '#kit/trace.ts'
import { balanceSteps, type EntryArrays, entryArrays, insufficientFunds, type Posting, posting } from './ledger.ts'

export type NewEvent = {
  readonly id: bigint
  readonly type: string
  /** The reference a person knows the object by. */
  readonly object: string
  /** The exact bytes. */
  readonly body: string
  /** The trace of the request that caused it, where the caller does its work together with that of others. */
  readonly trace?: string | null
}

type Needs<M extends Machine, A extends ActionOf<M>> = (MoveOn<M, A> extends { books: true }
  ? { readonly post: Posting }
  : { readonly post?: never }) &
  (MoveOn<M, A> extends { emits: string } ? { readonly event: NewEvent } : { readonly event?: never })

type Columns = Readonly<Record<string, string>>
type Values<C extends Columns> = { readonly [K in keyof C]: unknown }

/** A value for each column, where there are columns. */
type Given<Name extends string, C extends Columns> = [keyof C] extends [never]
  ? { readonly [K in Name]?: never }
  : { readonly [K in Name]: Values<C> }

type MoveOf<M extends Machine, Set extends Columns, SideRow extends Columns, A extends ActionOf<M>> = {
  readonly on: A
  readonly id: bigint
  readonly merchantId: bigint
  /** The state the caller saw; the move happens only if it still holds. */
  readonly from: StateOf<M>
  /** The version the caller saw; compared where the mover is `versioned`. */
  readonly version?: number
} & Given<'set', Set> &
  Given<'sideRow', SideRow> &
  Needs<M, A>

/** One move; the union over all actions of the machine. */
export type AnyMove<M extends Machine, Set extends Columns, SideRow extends Columns> = {
  [A in ActionOf<M>]: MoveOf<M, Set, SideRow, A>
}[ActionOf<M>]

export type MoverSpec<Set extends Columns, SideRow extends Columns> = {
  readonly name: string
  /** Columns of the object that change with the state, and their types. */
  readonly set: Set
  /** A row of another table that exists exactly if the move happened: its columns come from `sideRow`. */
  readonly sideRow?: {
    readonly table: string
    readonly columns: SideRow
    readonly fixed: Readonly<Record<string, string>>
    /** A table that holds the row's name, where its own cannot: these of its columns. */
    readonly name?: { readonly table: string; readonly columns: readonly string[] }
  }
  /** Compares the version too: for moves that may leave the state as it was. */
  readonly versioned?: true
}

type Plain = {
  on: string
  id: bigint
  merchantId: bigint
  from: string
  version?: number
  set?: Record<string, unknown>
  sideRow?: Record<string, unknown>
  post?: Posting
  event?: NewEvent
}
/** A move that its machine's table allows, and the state it leads to. */
type Row = {
  readonly move: Plain
  readonly to: string
  readonly post: Posting | undefined
  /** What is stored of the event's body. */
  readonly stored: ReturnType<Shapes['pack']> | undefined
  /** The trace that is kept with the event. */
  readonly trace: string | null
}
type PlacedRow = Row & {
  /** The places of its entries among those of the batch. */
  readonly span: readonly [first: bigint, last: bigint] | undefined
}
/** What one call writes. */
type Batch = {
  readonly rows: readonly PlacedRow[]
  readonly entries: EntryArrays
  readonly now: Date
}

type Column = { readonly name: string; readonly type: string; readonly of: (row: PlacedRow) => unknown }
const BASE_COLUMNS: readonly Column[] = [
  { name: 'id', type: 'bigint', of: ({ move }) => move.id },
  { name: 'merchant_id', type: 'bigint', of: ({ move }) => move.merchantId },
  { name: 'action', type: 'text', of: ({ move }) => move.on },
  { name: 'from_state', type: 'text', of: ({ move }) => move.from },
  { name: 'to_state', type: 'text', of: ({ to }) => to },
  { name: 'transfer_id', type: 'bigint', of: ({ post }) => post?.id ?? null },
  { name: 'transfer_kind', type: 'text', of: ({ post }) => post?.kind ?? null },
  { name: 'fee_schedule_id', type: 'bigint', of: ({ post }) => post?.feeScheduleId ?? null },
  { name: 'first_entry', type: 'integer', of: ({ span }) => span?.[0] ?? null },
  { name: 'last_entry', type: 'integer', of: ({ span }) => span?.[1] ?? null },
  { name: 'event_id', type: 'bigint', of: ({ move }) => move.event?.id ?? null },
  { name: 'event_type', type: 'text', of: ({ move }) => move.event?.type ?? null },
  { name: 'event_object', type: 'text', of: ({ move }) => move.event?.object ?? null },
  { name: 'event_shape', type: 'smallint', of: ({ stored }) => stored?.shape ?? null },
  { name: 'event_body', type: 'lines', of: ({ stored }) => stored?.body ?? null },
]

const TRACE_COLUMN: Column = { name: 'event_trace', type: 'text', of: ({ trace }) => trace }

/** The columns of a batch: one row per move. */
const columnsOf = ({ set, sideRow, versioned }: MoverSpec<Columns, Columns>, traces: boolean): Column[] => [
  ...BASE_COLUMNS,
  ...(traces ? [TRACE_COLUMN] : []),
  ...Object.entries(set).map(([name, type]) => ({
    name: `set_${name}`,
    type,
    of: ({ move }: PlacedRow) => move.set?.[name],
  })),
  ...Object.entries(sideRow?.columns ?? {}).map(([name, type]) => ({
    name: `side_${name}`,
    type,
    of: ({ move }: PlacedRow) => move.sideRow?.[name],
  })),
  ...(versioned ? [{ name: 'seen_version', type: 'integer', of: ({ move }: PlacedRow) => move.version ?? null }] : []),
]

/** One column of a batch, as its type is written. */
function arrayOf(type: string, values: readonly unknown[]): string {
  if (type === 'text') return texts(values as (string | null)[])
  if (type === 'lines') return lines(values as (string | null)[])
  if (type === 'timestamptz') return moments(values as (Date | null)[])
  return numbers(values as (bigint | boolean | null)[])
}

/** Numbers the parameters of a statement as its text asks for them, and keeps what each is given from a
 *  batch: text and values cannot drift apart. */
function collector() {
  const given: ((batch: Batch) => unknown)[] = []
  return {
    p: (value: (batch: Batch) => unknown, type?: string): string => `$${given.push(value)}${type ? `::${type}` : ''}`,
    values: (batch: Batch): unknown[] => given.map((value) => value(batch)),
  }
}

type Uses = {
  readonly books: boolean
  readonly events: boolean
  readonly traces: boolean
  readonly running: boolean
  readonly wallets: boolean
}
type Prepared = { readonly statement: Statement; readonly values: (batch: Batch) => unknown[] }

/** The statement for one kind of batch; parts that the batch has no use for are left out. The merchant is
 *  compared as `+ 0` so that no index that begins with it is taken for the search, and the id by `any` so
 *  that none is walked through (hot-plans.test.ts). */
function prepare(machine: Machine, spec: MoverSpec<Columns, Columns>, uses: Uses): Prepared {
  const { p, values } = collector()
  const columns = columnsOf(spec, uses.traces)
  const arrays = columns.map(({ type, of }) => {
    const array = ({ rows }: Batch) => arrayOf(type, rows.map(of))
    return type === 'lines' ? linesArray(p(array)) : p(array, `${type}[]`)
  })
  const now = p((batch) => batch.now, 'timestamptz')
  const steps = [
    `x as materialized (select * from unnest(${arrays.join(', ')}) as x(${columns.map(({ name }) => name).join(', ')}))`,
    `moved as (
  update ${machine.table} t set status = x.to_state, version = t.version + 1${Object.keys(spec.set)
    .map((name) => `, ${name} = x.set_${name}`)
    .join('')}
  from x where t.id = any (array[x.id]) and t.merchant_id + 0 = x.merchant_id and t.status = x.from_state${spec.versioned ? ' and t.version = x.seen_version' : ''}
  returning t.version, x.*)`,
    `history as (
  insert into state_changes (object, object_id, version, merchant_id, action, from_state, to_state, transfer_id, at)
  select '${machine.name}', id, version, merchant_id, action, from_state, to_state, transfer_id, ${now} from moved)`,
  ]
  const [accounts, kobo] = uses.books
    ? [p(({ entries }) => numbers(entries.accounts), 'bigint[]'), p(({ entries }) => numbers(entries.kobo), 'bigint[]')]
    : []
  if (accounts && kobo) steps.push(postStep(machine, now, accounts, kobo))
  const running = uses.running ? p(({ entries }) => numbers(entries.running), 'bigint[]') : null
  if (running && accounts && kobo) {
    const objects = p(({ entries }) => numbers(entries.objects), 'bigint[]')
    const transfers = uses.wallets ? p(({ entries }) => numbers(entries.transfers), 'bigint[]') : null
    steps.push(
      transfers
        ? `e as materialized (
  select e.account_id, e.kobo, e.transfer_id, e.nth
  from unnest(${objects}, ${accounts}, ${kobo}, ${transfers}) with ordinality as e(object_id, account_id, kobo, transfer_id, nth)
  where (e.object_id in (select id from moved)) is true)`
        : `e as materialized (
  select e.account_id, e.kobo from unnest(${objects}, ${accounts}, ${kobo}) as e(object_id, account_id, kobo)
  where (e.object_id in (select id from moved)) is true)`,
      balanceSteps({ source: 'e', running, now: transfers ? now : null, after: 'moved' }),
    )
  }
  if (uses.events) steps.push(...eventSteps(now))
  if (uses.traces) steps.push(TRACE_STEP)
  if (spec.sideRow) steps.push(...sideRowSteps(spec.sideRow))
  const variant = [
    uses.books ? 'b' : '',
    uses.events ? 'e' : '',
    uses.traces ? 't' : '',
    uses.running ? 'r' : '',
    uses.wallets ? 'w' : '',
  ].join('')
  return {
    statement: {
      name: `move_${spec.name}_${variant}`,
      text: `with ${steps.join(',\n')}\nselect id${running ? assertAllUpdated(running) : ''} from moved`,
    },
    values,
  }
}

const postStep = (machine: Machine, now: string, accounts: string, kobo: string): string => `posted as (
  insert into transfers (id, merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts)
  select transfer_id, merchant_id, transfer_kind, '${machine.name}', id, fee_schedule_id, ${now},
    (${accounts})[first_entry:last_entry], (${kobo})[first_entry:last_entry] from moved where transfer_id is not null)`

const eventSteps = (now: string): string[] => [
  `emitted as (
  insert into events (id, merchant_id, type, object, object_id, object_version, shape, body, at)
  select event_id, merchant_id, event_type, event_object, id, version, event_shape, event_body, ${now} from moved where event_id is not null)`,
  `queued as (insert into outbox (event_id, merchant_id) select event_id, merchant_id from moved where event_id is not null)`,
]

const TRACE_STEP = `traced as (
  insert into event_traces (event_id, merchant_id, traceparent) select event_id, merchant_id, event_trace from moved where event_trace is not null)`

const sideRowSteps = ({
  table,
  columns,
  fixed,
  name,
}: NonNullable<MoverSpec<Columns, Columns>['sideRow']>): string[] => {
  const values = { ...Object.fromEntries(Object.keys(columns).map((column) => [column, `side_${column}`])), ...fixed }
  const insert = (step: string, into: string, names: readonly string[]): string => `${step} as (
  insert into ${into} (${names.join(', ')})
  select ${names.map((column) => values[column]).join(', ')} from moved)`
  return [
    insert('side_row', table, Object.keys(values)),
    ...(name ? [insert('side_name', name.table, name.columns)] : []),
  ]
}

/** A posting on an account that does not exist must undo the whole statement; division by zero is the only
 *  way a single statement can refuse itself. */
const assertAllUpdated = (running: string): string => `,
  1 / (case when (select count(*) from updated_balances) = (select count(distinct account_id) from e where account_id = any(${running})) then 1 else 0 end) as updated`

/** Makes the mover of a feature. It answers with the ids that moved; a missing one was not in the state the
 *  caller saw. */
export function mover<
  M extends Machine,
  const Set extends Columns,
  const SideRow extends Columns = Record<never, string>,
>(
  machine: M,
  spec: MoverSpec<Set, SideRow>,
): (t: Tx, moves: readonly AnyMove<M, Set, SideRow>[]) => Promise<ReadonlySet<bigint>> {
  const prepared = new Map<string, Prepared>()
  return async (t, typedMoves) => {
    const moves = typedMoves as unknown as readonly Plain[]
    const traceNow = traceOfEvents()
    const moving = moves.map((move) => allowed(machine, move, t.shapes, traceNow))
    const postings = moving.flatMap(({ post }) => (post ? [post] : []))
    const entries = entryArrays(postings)
    const rows = moving.map((row) => ({ ...row, span: row.post && entries.spans.get(row.post.id) }))
    const uses = {
      books: postings.length > 0,
      events: moves.some((m) => m.event),
      traces: moving.some(({ trace }) => trace !== null),
      running: entries.running.length > 0,
      wallets: entries.wallets,
    }
    const key = JSON.stringify(uses)
    const { statement, values } = prepared.get(key) ?? prepare(machine, spec, uses)
    prepared.set(key, { statement, values })
    const moved = await insufficientFunds(t.query<{ id: bigint }>(statement, values({ rows, entries, now: t.now })))
    return new Set(moved.map(({ id }) => id))
  }
}

/** Holds a move against the machine's table: what is not in it is refused, whatever the caller believes. */
function allowed(machine: Machine, move: Plain, shapes: Shapes, traceNow: string | null): Row {
  const rule = machine.moves.find((m) => m.on === move.on && m.from.includes(move.from))
  if (!rule) fail('WRONG_STATE', {}, `${machine.name} ${move.id}: no move ${move.on} from ${move.from}`)
  if (Boolean(rule.books) !== Boolean(move.post) || rule.emits !== move.event?.type) {
    fail('INTERNAL', {}, `${machine.name}: posting or event of ${move.on} does not match the state machine`)
  }
  return {
    move,
    to: rule.to,
    post: move.post && posting(move.post),
    stored: move.event && shapes.pack(move.event.body),
    trace: move.event ? (move.event.trace ?? traceNow) : null,
  }
}
