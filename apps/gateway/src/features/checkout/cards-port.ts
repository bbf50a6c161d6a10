// What the checkout asks of the feature that charges cards.
import type { findCheckout } from '../transactions/transactions.ts'

/** The transaction behind a checkout address, and its merchant. */
export type Paying = NonNullable<Awaited<ReturnType<typeof findCheckout>>>

/** A charge as the payer may see it. */
export type ChargeView = {
  readonly chargeId: bigint
  readonly state: 'SENT' | 'OTP' | 'CHALLENGE' | 'APPROVED' | 'DECLINED' | 'REVERSING' | 'REVERSED'
  readonly code: string | null
  readonly message: string
  readonly masked: string
  readonly triesLeft: number | null
  readonly wrongOtp: boolean
  readonly acsUrl: string | null
  readonly challengeId: string | null
  readonly declinesLeft: number
  readonly waitsUntil: Date | null
}

/** As it was typed; passed on and forgotten. */
export type TypedCard = {
  readonly number: string
  readonly expiryMonth: string
  readonly expiryYear: string
  readonly cvv: string
  readonly pin?: string
}

/** Refusals are failures of the contract: CARD_NUMBER_INVALID, CARD_EXPIRED, CHARGE_UNDER_WAY, TRANSACTION_CLOSED, OTP_EXPIRED … */
export type CardsPort = {
  charge(found: Paying, card: TypedCard): Promise<ChargeView>
  confirmOtp(found: Paying, chargeId: bigint, otp: string): Promise<ChargeView>
  /** The last charge of the transaction, whatever became of it. */
  latest(found: Paying): Promise<ChargeView | null>
}
