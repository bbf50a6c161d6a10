// A move of an object through its machine: one statement that compares and sets the state, writes the history, the
// posting and the event, and puts the event into the outbox. It takes arrays; a single move is an array of one. The
// compiler demands a posting where the machine says `books` and an event where it says `emits`.
import type { ActionOf, Machine, MoveOn, StateOf } from '@cowrie/contract/kit/spec'
import { lines, linesArray, moments, numbers, texts } from '../../kit/arrays.ts'
import type { Statement, Tx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import { balanceSteps, entryArrays, insufficientFunds, type Posting, posting } from './ledger.ts'

export type NewEvent = {
  readonly id: bigint
  readonly type: string
  /** The reference a person knows the object by. */
  readonly object: string
  /** The exact bytes. */
  readonly body: string
}

type Needs<M extends Machine, A extends ActionOf<M>> = (MoveOn<M, A> extends { books: true }
  ? { readonly post: Posting }
  : { readonly post?: never }) &
  (MoveOn<M, A> extends { emits: string } ? { readonly event: NewEvent } : { readonly event?: never })

type Columns = Readonly<Record<string, string>>
type Values<C extends Columns> = { readonly [K in keyof C]: unknown }

type MoveOf<M extends Machine, Set extends Columns, Also extends Columns, A extends ActionOf<M>> = {
  readonly on: A
  readonly id: bigint
  readonly merchantId: bigint
  /** The state the caller saw; the move happens only if it still holds. */
  readonly from: StateOf<M>
  /** The version the caller saw; compared where the mover is `versioned`. */
  readonly version?: number
  readonly set: Values<Set>
  readonly also: Values<Also>
} & Needs<M, A>

/** One move; the union over all actions of the machine. */
export type AnyMove<M extends Machine, Set extends Columns, Also extends Columns> = {
  [A in ActionOf<M>]: MoveOf<M, Set, Also, A>
}[ActionOf<M>]

export type MoverSpec<Set extends Columns, Also extends Columns> = {
  readonly name: string
  /** Columns of the object that change with the state, and their types. */
  readonly set: Set
  /** A row of another table that exists exactly if the move happened: its columns come from `also`. */
  readonly also?: { readonly table: string; readonly columns: Also; readonly fixed: Readonly<Record<string, string>> }
  /** Compares the version too: for moves that may leave the state as it was. */
  readonly versioned?: true
}

type Plain = {
  on: string
  id: bigint
  merchantId: bigint
  from: string
  version?: number
  set: Record<string, unknown>
  also: Record<string, unknown>
  post?: Posting
  event?: NewEvent
}

const BASE_COLUMNS: Columns = {
  id: 'bigint',
  merchant_id: 'bigint',
  action: 'text',
  from_state: 'text',
  to_state: 'text',
  transfer_id: 'bigint',
  transfer_kind: 'text',
  fee_schedule_id: 'bigint',
  event_id: 'bigint',
  event_type: 'text',
  event_object: 'text',
  event_body: 'lines',
}

/** One column of a batch, as its type is written. */
function arrayOf(type: string, values: readonly unknown[]): string {
  if (type === 'text') return texts(values as (string | null)[])
  if (type === 'lines') return lines(values as (string | null)[])
  if (type === 'timestamptz') return moments(values as (Date | null)[])
  return numbers(values as (bigint | boolean | null)[])
}

/** The statement for one kind of batch; parts that the batch has no use for are left out. The merchant is compared as `+ 0` so
 *  that no index that begins with it is taken for the search (hot-plans.test.ts). */
function statementFor(
  machine: Machine,
  spec: MoverSpec<Columns, Columns>,
  uses: { books: boolean; events: boolean; running: boolean },
): Statement {
  const setNames = Object.keys(spec.set)
  const alsoNames = Object.keys(spec.also?.columns ?? {})
  const typed = [...Object.values(BASE_COLUMNS), ...Object.values(spec.set), ...Object.values(spec.also?.columns ?? {})]
  const names = [...Object.keys(BASE_COLUMNS), ...setNames.map((n) => `set_${n}`), ...alsoNames.map((n) => `also_${n}`)]
  if (spec.versioned) {
    typed.push('integer')
    names.push('seen_version')
  }
  const at = typed.length
  const now = `$${at + 1}::timestamptz`
  const steps = [
    `x as materialized (select * from unnest(${typed.map((type, i) => (type === 'lines' ? linesArray(`$${i + 1}`) : `$${i + 1}::${type}[]`)).join(', ')}) as x(${names.join(', ')}))`,
    `moved as (
  update ${machine.table} t set status = x.to_state, version = t.version + 1${setNames.map((n) => `, ${n} = x.set_${n}`).join('')}
  from x where t.id = x.id and t.merchant_id + 0 = x.merchant_id and t.status = x.from_state${spec.versioned ? ' and t.version = x.seen_version' : ''}
  returning t.version, x.*)`,
    `history as (
  insert into state_changes (object, object_id, version, merchant_id, action, from_state, to_state, transfer_id, at)
  select '${machine.name}', id, version, merchant_id, action, from_state, to_state, transfer_id, ${now} from moved)`,
  ]
  if (uses.books) {
    steps.push(
      `e as materialized (
  select e.transfer_id, e.account_id, e.kobo
  from unnest($${at + 2}::bigint[], $${at + 3}::bigint[], $${at + 4}::bigint[], $${at + 5}::bigint[]) as e(object_id, transfer_id, account_id, kobo)
  where (e.object_id in (select id from moved)) is true)`,
      `posted as (
  insert into transfers (id, merchant_id, kind, object, object_id, fee_schedule_id, at)
  select transfer_id, merchant_id, transfer_kind, '${machine.name}', id, fee_schedule_id, ${now} from moved where transfer_id is not null)`,
      `entered as (insert into entries (account_id, transfer_id, kobo) select account_id, transfer_id, kobo from e)`,
    )
    if (uses.running) steps.push(balanceSteps('e', `$${at + 6}`))
  }
  if (uses.events) {
    steps.push(
      `told as (
  insert into events (id, merchant_id, type, object, object_id, object_version, body, at)
  select event_id, merchant_id, event_type, event_object, id, version, event_body, ${now} from moved where event_id is not null)`,
      `queued as (insert into outbox (event_id, merchant_id) select event_id, merchant_id from moved where event_id is not null)`,
    )
  }
  if (spec.also) {
    const fixed = Object.entries(spec.also.fixed)
    steps.push(`also as (
  insert into ${spec.also.table} (${[...alsoNames, ...fixed.map(([name]) => name)].join(', ')})
  select ${[...alsoNames.map((n) => `also_${n}`), ...fixed.map(([, from]) => from)].join(', ')} from moved)`)
  }
  const variant = [uses.books ? 'b' : '', uses.events ? 'e' : '', uses.running ? 'r' : ''].join('')
  return {
    name: `move_${spec.name}_${variant}`,
    text: `with ${steps.join(',\n')}\nselect id${uses.running ? allWeighed(at) : ''} from moved`,
  }
}

/** A posting on an account that does not exist must undo the whole statement; dividing by nothing is the only way a
 *  single statement can refuse itself. */
const allWeighed = (at: number): string => `,
  1 / (case when (select count(*) from weighed) = (select count(distinct account_id) from e where account_id = any($${at + 6}::bigint[])) then 1 else 0 end) as weighed`

/** Makes the mover of a feature. It answers with the ids that moved; a missing one was not in the state the caller saw. */
export function mover<M extends Machine, const Set extends Columns, const Also extends Columns = Record<never, string>>(
  machine: M,
  spec: MoverSpec<Set, Also>,
): (t: Tx, moves: readonly AnyMove<M, Set, Also>[]) => Promise<ReadonlySet<bigint>> {
  const statements = new Map<string, Statement>()
  return async (t, typedMoves) => {
    const moves = typedMoves as unknown as readonly Plain[]
    const rows = moves.map((move) => row(machine, move))
    const postings = rows.flatMap(({ post }) => (post ? [post] : []))
    const { arrays, running } = entryArrays(postings)
    const uses = { books: postings.length > 0, events: moves.some((m) => m.event), running: running.length > 0 }
    const key = JSON.stringify(uses)
    const statement = statements.get(key) ?? statementFor(machine, spec, uses)
    statements.set(key, statement)
    const values: unknown[] = Object.values(BASE_COLUMNS).map((type, i) =>
      arrayOf(
        type,
        rows.map(({ base }) => base[i]),
      ),
    )
    for (const [name, type] of Object.entries(spec.set))
      values.push(
        arrayOf(
          type,
          moves.map((m) => m.set[name]),
        ),
      )
    for (const [name, type] of Object.entries(spec.also?.columns ?? {}))
      values.push(
        arrayOf(
          type,
          moves.map((m) => m.also[name]),
        ),
      )
    if (spec.versioned) values.push(numbers(moves.map((m) => m.version ?? null)))
    values.push(t.now)
    if (uses.books) values.push(...arrays.map(numbers))
    if (uses.running) values.push(numbers(running))
    const moved = await insufficientFunds(t.query<{ id: bigint }>(statement, values))
    return new Set(moved.map(({ id }) => id))
  }
}

/** Holds a move against the machine's table: what is not in it is refused, whatever the caller believes. */
function row(machine: Machine, move: Plain): { base: unknown[]; post: Posting | undefined } {
  const rule = machine.moves.find((m) => m.on === move.on && m.from.includes(move.from))
  if (!rule) fail('WRONG_STATE', {}, `${machine.name} ${move.id}: no move ${move.on} from ${move.from}`)
  if (Boolean(rule.books) !== Boolean(move.post) || rule.emits !== move.event?.type) {
    fail('INTERNAL', {}, `${machine.name}: the move ${move.on} lacks what its table demands`)
  }
  const post = move.post && posting(move.post)
  const { event } = move
  return {
    post,
    base: [
      move.id,
      move.merchantId,
      move.on,
      move.from,
      rule.to,
      post?.id ?? null,
      post?.kind ?? null,
      post?.feeScheduleId ?? null,
      event?.id ?? null,
      event?.type ?? null,
      event?.object ?? null,
      event?.body ?? null,
    ],
  }
}
