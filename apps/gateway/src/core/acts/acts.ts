// Acts and views as the gateway runs them. A feature binds a handler to each act it has (`Feature.acts`);
// whoever calls it, a person over HTTP, a command, or an approval that was granted, the same handler runs in
// one transaction with its line in the audit trail.
import type { Act, ActReplyOf, InputOf, View, ViewQueryOf, ViewReplyOf } from '@cowrie/contract/kit/act'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import type { Actor } from '../access/actor.ts'
import type { Merchant } from '../access/merchants.ts'

export type ActCall<A extends Act> = {
  readonly merchant: Merchant | null
  readonly cell: CellId
  readonly input: InputOf<A>
  readonly by: Actor
  readonly reason: string
  /** The approval that let it happen; null where none was needed. It goes into the trail and into every
   *  posting of the act. */
  readonly approvalId: bigint | null
  /** Who approved it, while it is done on an approval. */
  readonly approver?: Actor
}

/** What was done: the reply, and what the trail keeps, masked by whoever writes it. */
export type Done<A extends Act> = {
  readonly reply: ActReplyOf<A>
  readonly before?: object | null
  readonly after?: object | null
  /** Whose chain has the line, where nobody could say it before: of an act that makes a merchant. */
  readonly merchantId?: bigint
}

export type ActHandler<A extends Act, P = unknown> = {
  /** The cell it happens in, where the input says which; asked of acts that concern a cell when the caller
   *  names none. */
  cell?(ctx: Ctx, input: InputOf<A>): Promise<CellId | null>
  /** Before the transaction, and before somebody is asked to approve: may ask the bank, writes nothing but
   *  what the bank gave, refuses what can be refused now. */
  prepare?(ctx: Ctx, call: ActCall<A>): Promise<P>
  /** Whether this call needs a second person; asked where the act says `sometimes`. */
  needsApproval?(ctx: Ctx, call: ActCall<A>): Promise<boolean>
  /** Until when somebody may approve it, where what it is about ends before the approval would. */
  waitsUntil?(ctx: Ctx, call: ActCall<A>): Promise<Date | null>
  /** In one transaction with the trail, and with the approval where there is one. */
  run(t: Tx, call: ActCall<A>, prepared: P): Promise<Done<A>>
  /** It waited and was rejected: what waited with it ends, in the transaction of the rejection. */
  refused?(t: Tx, call: ActCall<A>): Promise<void>
  /** What it would do; of acts that can be tried. Writes nothing. */
  preview?(ctx: Ctx, call: ActCall<A>): Promise<unknown>
  /** Once it is committed. */
  after?(ctx: Ctx, call: ActCall<A>): void
}

export type ViewCall<V extends View> = {
  readonly merchant: Merchant | null
  readonly cell: CellId
  readonly query: ViewQueryOf<V>
  readonly by: Actor
}
export type ViewHandler<V extends View> = { show(ctx: Ctx, call: ViewCall<V>): Promise<ViewReplyOf<V>> }

/** Whose an act or a view is, where the contract says that it is a merchant's own: whoever calls it has
 *  one. */
export const needMerchant = (call: { readonly merchant: Merchant | null }, what: string): Merchant =>
  call.merchant ?? fail('INTERNAL', {}, `${what} of no merchant`)

/** An act and its handler, typed together and kept together without their types. */
export type BoundAct = { readonly spec: Act; readonly handler: ActHandler<Act> }
export type BoundView = { readonly spec: View; readonly handler: ViewHandler<View> }
export const bindAct = <A extends Act, P = unknown>(spec: A, handler: ActHandler<A, P>): BoundAct => ({
  spec,
  handler: handler as ActHandler<Act>,
})
export const bindView = <V extends View>(spec: V, show: ViewHandler<V>['show']): BoundView => ({
  spec,
  handler: { show } as ViewHandler<View>,
})
