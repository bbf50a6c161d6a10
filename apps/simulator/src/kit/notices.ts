// What the bank notifies the gateway of, as those who owe a notice see it; notice-sender.ts sends them.
import type { CreditNotice, PayoutNotice, ReversalNotice } from '@cowrie/contract/bank/connector'
import type { DebitNotice, MandateNotice } from '@cowrie/contract/bank/mandate-connector'
import type { CardNotice } from '@cowrie/contract/bank/v2/cards'

export type Notice =
  | { readonly id: bigint; readonly message: CreditNotice }
  | { readonly id: bigint; readonly reversal: ReversalNotice }
  | { readonly id: bigint; readonly payout: { readonly sessionId: string; readonly status: PayoutNotice['status'] } }
  | { readonly id: bigint; readonly refund: { readonly sessionId: string; readonly status: PayoutNotice['status'] } }
  | { readonly id: bigint; readonly charge: CardNotice }
  | { readonly id: bigint; readonly debit: { readonly sessionId: string; readonly status: DebitNotice['status'] } }
  | {
      readonly id: bigint
      readonly mandate: { readonly mandateCode: string; readonly status: MandateNotice['status']; readonly at: Date }
    }

export type Notices = {
  /** Sends a notice whose lease the caller holds; true when it was taken. */
  deliver(notice: Notice): Promise<boolean>
  /** Sends notices whose leases the caller holds, all at the same moment. Need not be waited for, and never
   *  fails. */
  sendTogether(notices: readonly Notice[]): Promise<void>
  /** Gives up a lease without sending. */
  release(notice: Notice): Promise<void>
  /** Moves the clock, then makes one attempt for everything due, in order of its time; answers how many were
   *  taken. */
  advance(offsetMs: number): Promise<number>
  nextDueAt(): Promise<Date | null>
  stop(): Promise<void>
}

/** Longer than an attempt (5 s) and its bookkeeping, so a lease never ends before a living sender is done. */
export const LEASE_SECONDS = 15
