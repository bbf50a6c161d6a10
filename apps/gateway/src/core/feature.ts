// What a feature is to the rest of the program: one value, which feature-list.ts names. Everything the two
// processes do with a feature they find in it, so a new one is added by one line there. What is fixed is
// data; what needs the process is a function of `Shared`. A feature calls another's commands by importing
// them; what several of them use and only one may exist of is made by `onePerProcess` in the feature that
// owns it.

import type { OrderPurpose } from '@cowrie/contract/bank/bank-orders'
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import type { MovableClock } from '#kit/clock.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import type { Merchant, Merchants } from './access/merchants.ts'
import type { BoundAct, BoundView } from './acts/acts.ts'
import type { Door } from './acts/door.ts'
import type { DueHandlers } from './agenda.ts'
import type { RouteDeps } from './bind.ts'
import { type Books, ENGINE_BOOKS } from './books/invariants.ts'
import { type LostTimers, type Sweep, sweepFor } from './books/sweeper.ts'
import type { Channel, Listener } from './cells/wake.ts'
import { type Declarations, merged } from './declarations.ts'
import type { SealedTable } from './keys/reseal.ts'
import type { NoticeHandler } from './outgoing.ts'

/** What the features of one process share. */
export type Shared = {
  readonly ctx: Ctx
  readonly merchants: Merchants
  /** Null in live, where time cannot be moved and nobody plays the bank. */
  readonly sandbox: { readonly clock: MovableClock; readonly simulatorUrl: string } | null
  readonly features: readonly Feature[]
  /** Calls back when another process tells something on a channel of a cell. */
  listen(cell: CellId, channel: Channel, onNotice: () => void): Listener
}

export type Feature = Declarations & {
  readonly name: string
  /** What must hold of its rows at every instant. */
  readonly books?: readonly Books[]
  /** Where it keeps what is sealed with the master key. */
  readonly sealed?: readonly SealedTable[]
  /** How a timer of its own that was lost is made again. */
  readonly lostTimers?: LostTimers
  readonly routes?: (deps: RouteDeps, shared: Shared) => void
  /** What people do and look at; routes, commands, permission, approval and audit trail are derived from the
   *  contract. */
  readonly acts?: (shared: Shared) => readonly BoundAct[]
  readonly views?: (shared: Shared) => readonly BoundView[]
  /** Routes of its own on the operator's listener. */
  readonly operatorRoutes?: (deps: RouteDeps, shared: Shared) => void
  /** How people come in. One feature has it. */
  readonly door?: (shared: Shared) => Door
  /** What happens when its timers fall due. */
  readonly due?: (shared: Shared) => DueHandlers
  /** Sees to the timers that no request makes; called when a worker starts and before the sandbox's clock
   *  moves. */
  readonly ensureTimers?: (ctx: Ctx) => Promise<void>
  /** What no merchant waits for, every few seconds in every cell, by the name it has in the log. */
  readonly housekeeping?: (shared: Shared) => Housekeeping
  /** The same in the database of people, whether it is a cell or one of its own. */
  readonly peopleHousekeeping?: (shared: Shared) => Housekeeping
  /** What housekeeping would come to before the next timer falls due: done before the sandbox's clock moves
   *  on. */
  readonly beforeClockMoves?: (shared: Shared, cell: CellId) => Promise<unknown>
  /** Reads what Prometheus is shown of a cell, when somebody looks. */
  readonly figures?: (shared: Shared) => (cell: CellId) => Promise<void>
  /** What a worker also does in each of its rounds through a cell. */
  readonly rounds?: (shared: Shared, cell: CellId) => Rounds
  /** What the end of a bank order means for its owner, by what it was placed for. */
  readonly orderEnds?: Partial<Readonly<Record<OrderPurpose, OrderEnds>>>
  /** Receives the bank's notices about payouts; false when it has none with that session. */
  readonly payoutNotice?: (shared: Shared) => NoticeHandler
  /** Accounts of customers that are no transaction's, and what comes to them. One feature has them. */
  readonly customerAccounts?: (shared: Shared) => CustomerAccounts
  /** Where a merchant's wallet has its number. One feature has it. */
  readonly walletNumber?: WalletNumber
  /** Moves the sandbox's clock. One feature has it. */
  readonly walk?: (shared: Shared) => Walk
}

/** An account number, of our ranges or issued by the bank of a connector. */
export type Offer = { readonly bankCode: string; readonly accountNumber: string; readonly connector: number }
/** At a bank that issued one, or at one whose numbers are of our ranges. It asks the bank, so it stands
 *  before the transaction; it is called by whom it is for, so asking again after a crash gives the same
 *  number. */
export type WalletPlace = Offer | { readonly bankCode: string }
export type WalletNumber = (
  ctx: Ctx,
  cell: CellId,
  merchant: { readonly id: bigint; readonly name: string },
) => Promise<WalletPlace>

/** Moves the clock to the moment that `to` makes of the present one. */
export type Walk = (to: (now: Date) => Date) => Promise<{ now: Date; ran: number }>

export type Housekeeping = Readonly<Record<string, (cell: CellId) => Promise<unknown>>>

/** `start` begins what can be begun and answers how much that was; `leave` begins nothing more and waits for
 *  the end of what was. */
export type Rounds = { start(): Promise<number>; leave(): Promise<void> }

/** An order after its move; `description` says why. Its merchant comes with it, so that nobody looks it up
 *  inside the transaction. */
export type EndedOrder = {
  readonly id: bigint
  readonly merchant_id: bigint
  /** What it was placed for. */
  readonly subject: bigint
  /** The number of the connector that it went through. */
  readonly connector: number
  readonly description: string
  readonly merchant: Merchant
}
/** Called inside the transaction that moves the orders, once for each end. */
export type OrderEnds = {
  paid(ctx: Ctx, t: Tx, orders: readonly EndedOrder[]): Promise<void>
  failed(ctx: Ctx, t: Tx, orders: readonly EndedOrder[]): Promise<void>
  reversed(ctx: Ctx, t: Tx, orders: readonly EndedOrder[]): Promise<void>
}

export type CreditOutcome = 'COUNTED' | 'SUSPENDED' | 'REPEATED'
/** Of money that no notice told of: when a statement of the bank has it. `dayOnly`: all that it says is the
 *  day. */
export type Booked = { readonly bookedAt?: Date; readonly dayOnly?: boolean }

export type CustomerAccounts = {
  /** Several credits in one transaction; UNKNOWN where the number is none of its own. */
  take(cell: CellId, notices: readonly (CreditNotice & Booked)[]): Promise<(CreditOutcome | 'UNKNOWN' | Error)[]>
  enquire(
    cell: CellId,
    account: { readonly bankCode: string; readonly accountNumber: string },
  ): Promise<{ accountName: string; open: boolean; expiresAt: string | null } | null>
}

/** Made when it is first asked for, and the same for everybody who asks in this process. It hangs on
 *  `shared`, so two processes that a test runs side by side have one each. */
export function onePerProcess<T>(make: (shared: Shared) => T): (shared: Shared) => T {
  const made = new WeakMap<Shared, { readonly it: T }>()
  return (shared) => {
    const found = made.get(shared) ?? { it: make(shared) }
    made.set(shared, found)
    return found.it
  }
}

export const sharedDueHandlers = onePerProcess((shared) =>
  merged(
    'the timer',
    shared.features.map((feature) => feature.due?.(shared) ?? {}),
  ),
)

/** The engine's and those of all features. */
export function mergeBooks(features: readonly Feature[]): Required<Books> {
  const all = [...ENGINE_BOOKS, ...features.flatMap((feature) => feature.books ?? [])]
  return {
    invariants: merged(
      'the invariant',
      all.map(({ invariants }) => invariants),
    ),
    slices: merged(
      'the slices of',
      all.map(({ slices = {} }) => slices),
    ),
  }
}

export const mergeSweeps = (features: readonly Feature[]): Sweep =>
  sweepFor(
    merged(
      'the lost timer',
      features.map((feature) => feature.lostTimers ?? {}),
    ),
  )

export async function ensureTimers({ ctx, features }: Shared): Promise<void> {
  for (const feature of features) await feature.ensureTimers?.(ctx)
}

export async function beforeClockMoves(shared: Shared, cell: CellId): Promise<void> {
  for (const feature of shared.features) await feature.beforeClockMoves?.(shared, cell)
}

/** What one feature has; null where none of this process has it. */
function onlyOne<T>(
  { features }: Pick<Shared, 'features'>,
  what: string,
  find: (feature: Feature) => T | undefined,
): T | null {
  const [found = null, ...others] = features.flatMap((feature) => find(feature) ?? [])
  if (others.length > 0) throw new Error(`two features have ${what}`)
  return found
}

const NO_ACCOUNTS: CustomerAccounts = {
  take: async (_, notices) => notices.map(() => 'UNKNOWN' as const),
  enquire: async () => null,
}
export const findCustomerAccounts = (shared: Shared): CustomerAccounts =>
  onlyOne(shared, 'accounts of customers', (feature) => feature.customerAccounts?.(shared)) ?? NO_ACCOUNTS

export const findWalletNumber = (shared: Pick<Shared, 'features'>): WalletNumber => {
  const find = onlyOne(shared, 'numbers of wallets', ({ walletNumber }) => walletNumber)
  if (find === null) throw new Error('no feature has numbers of wallets')
  return find
}

/** Null in live. */
export const sharedWalk = onePerProcess(
  (shared): Walk | null => shared.sandbox && onlyOne(shared, 'a clock to move', (feature) => feature.walk?.(shared)),
)
