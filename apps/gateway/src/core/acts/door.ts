// How people come in. The feature that knows them (people) has the door; acts and views only need who
// entered.
import type { Permission, Side } from '@cowrie/contract/kit/permissions'
import type { HttpRequest } from '#kit/http/answers.ts'
import type { Actor } from '../access/actor.ts'
import type { Merchant } from '../access/merchants.ts'

export type Entered = {
  readonly actor: Actor
  /** Whose people they are; null of the operator's. */
  readonly merchant: Merchant | null
  /** When the person last proved who they are, with a second factor. */
  readonly provedAt: Date | null
}

export type Door = {
  /** The person of the session that the request carries; refuses every other request (SESSION_MISSING,
   *  SESSION_ENDED), and one that changes something and comes from another origin (CROSS_SITE). `quietly`:
   *  nobody is there, and it does not count as use. */
  enter(request: HttpRequest, side: Side, quietly?: boolean): Promise<Entered>
  /** Whether a passkey's assertion signs exactly this digest of an act; what is to be kept of it, or null. */
  prove(entered: Entered, digest: Buffer, proof: object): Promise<object | null>
  /** Whether a person who asked for something may still do it; asked before it is done on somebody else's
   *  approval. Without an answer nothing is done. */
  mayStill?(personId: bigint, side: Side, merchant: Merchant | null, permission: Permission): Promise<boolean>
}
