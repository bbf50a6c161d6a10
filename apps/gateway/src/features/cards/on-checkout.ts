// Cards on the hosted checkout: the same charges, asked for by a payer with the page's address in place of a merchant's token.
import type { CardInputKind } from '@cowrie/contract/bank/v2/cards'
import { CARD_CHARGES_MAX, CHECKOUT_DECLINES_MAX, type chargeCard, maskedPan } from '@cowrie/contract/collections/cards'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '../../core/access/merchants.ts'
import { readAll } from '../../core/cells/cells.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import { type Attempts, attemptsOf } from './attempts.sql.ts'
import { chargesSpent } from './attempts.ts'
import * as sql from './cards.sql.ts'
import { charge, readCard, type Started } from './cards.ts'
import { submit } from './codes.ts'
import type { Given } from './issuer.ts'

/** The transaction behind a checkout address. */
export type AtCheckout = {
  readonly merchant: Merchant
  readonly row: { readonly id: bigint; readonly reference: string; readonly product_type: string | null }
}

export type ChargeView = {
  readonly chargeId: bigint
  /** The fee that its payer bears on top of the amount; null: none. */
  readonly feeKobo: bigint | null
  readonly state: sql.ChargeStatus
  /** ISO 8583 field 39, once the issuer has decided. */
  readonly code: string | null
  readonly message: string
  readonly masked: string
  /** After a wrong code. */
  readonly triesLeft: number | null
  readonly wrongOtp: boolean
  /** What the issuer wants to know, and whether the last answer was not accepted. */
  readonly input: { readonly kind: CardInputKind; readonly wrong: boolean } | null
  readonly acsUrl: string | null
  readonly challengeId: string | null
  readonly declinesLeft: number
  readonly waitsUntil: Date | null
}

export type CheckoutCards = {
  charge(
    at: AtCheckout,
    card: BodyOf<typeof chargeCard>['card'],
    payer: {
      readonly keepCard: boolean
      readonly address: string
      readonly language?: string | null
      readonly shownFees?: string | null
    },
  ): Promise<ChargeView>
  /** Takes what the payer was asked for to the issuer: a code, or something else. */
  submit(at: AtCheckout, chargeId: bigint, given: Given): Promise<ChargeView>
  /** The last charge of the transaction, whatever became of it. */
  latest(at: AtCheckout): Promise<ChargeView | null>
}

/** How many more cards may be tried: an invoice does not end with refusals, anything else does. */
function triesLeft(product: string | null, attempts: Attempts): number {
  if (chargesSpent(attempts)) return 0
  const charges = CARD_CHARGES_MAX - attempts.charges
  return product === 'INVOICE' ? charges : Math.max(0, Math.min(charges, CHECKOUT_DECLINES_MAX - attempts.declines))
}

const nothing = async (): Promise<void> => undefined

export function createCheckoutCards(ctx: Ctx): CheckoutCards {
  const view = async ({ merchant, row }: AtCheckout, shown: sql.ChargeRow, codesLeft: number | null) => {
    const attempts = await readAll(ctx, merchant.cell, (r) => attemptsOf(r, merchant.id, row.id))
    return {
      chargeId: shown.id,
      feeKobo: shown.quoted_fee_kobo,
      state: shown.status,
      code: shown.code,
      message: shown.message ?? '',
      masked: maskedPan(shown.bin, shown.last4),
      triesLeft: codesLeft,
      wrongOtp: codesLeft !== null,
      input:
        shown.status === 'INPUT' && shown.input_kind !== null
          ? { kind: shown.input_kind, wrong: shown.input_wrong }
          : null,
      acsUrl: shown.challenge_acs,
      challengeId: shown.challenge_id,
      declinesLeft: triesLeft(row.product_type, attempts),
      waitsUntil: shown.waits_until,
    }
  }
  const find = (merchant: Merchant, id: bigint): Promise<sql.ChargeRow | null> =>
    readAll(ctx, merchant.cell, (r) => sql.find(r, merchant.id, id))

  return {
    charge: async (at, card, payer) => {
      const request = { reference: at.row.reference, card: readCard(ctx, card), channel: 'CHECKOUT' as const, ...payer }
      return view(at, (await charge(ctx, at.merchant, request, nothing)).charge, null)
    },
    submit: async (at, chargeId, given) => {
      const { merchant, row } = at
      const status = given.kind === 'OTP' ? 'OTP' : 'INPUT'
      const waiting = async (t: Tx): Promise<Started> => {
        const transaction = await sql.lockById(t, merchant.id, row.id)
        const open = await sql.find(t, merchant.id, chargeId)
        if (!transaction || open?.transaction_id !== transaction.id || open.status !== status)
          return fail('CARD_PAYMENT_NOT_FOUND')
        // A page that was opened before the issuer wanted to know something else.
        if (status === 'INPUT' && open.input_kind !== given.kind) return fail('CARD_PAYMENT_NOT_FOUND')
        return { transaction, charge: open }
      }
      const verdict = await submit(ctx, merchant, waiting, given, nothing)
      if (verdict.kind === 'attempts spent') fail('CARD_ATTEMPTS_SPENT')
      const after = (await find(merchant, chargeId)) ?? fail('CARD_PAYMENT_NOT_FOUND')
      return view(at, after, verdict.kind === 'wrong' && given.kind === 'OTP' ? verdict.triesLeft : null)
    },
    latest: async (at) => {
      const last = await readAll(ctx, at.merchant.cell, (r) => sql.findLatest(r, at.merchant.id, at.row.id))
      return last && view(at, last, null)
    },
  }
}
