// Cards on the hosted checkout: the same charges, asked for by a payer with the page's address in place of a merchant's token.
import { type chargeCard, declinesMax, maskedPan } from '@cowrie/contract/cards'
import type { BodyOf } from '@cowrie/contract/kit'
import { engineTx, readAll } from '../../core/cells.ts'
import type { Merchant } from '../../core/merchants.ts'
import type { Ctx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import * as sql from './cards.sql.ts'
import { charge, confirmOtp, readCard } from './cards.ts'

/** The transaction behind a checkout address. */
export type AtCheckout = {
  readonly merchant: Merchant
  readonly row: { readonly id: bigint; readonly reference: string; readonly product_type: string | null }
}

export type ChargeView = {
  readonly chargeId: bigint
  readonly state: sql.ChargeStatus
  /** ISO 8583 field 39, once the issuer has decided. */
  readonly code: string | null
  readonly message: string
  readonly masked: string
  /** After a wrong code. */
  readonly triesLeft: number | null
  readonly wrongOtp: boolean
  readonly acsUrl: string | null
  readonly challengeId: string | null
  readonly declinesLeft: number
  readonly waitsUntil: Date | null
}

export type CheckoutCards = {
  charge(at: AtCheckout, card: BodyOf<typeof chargeCard>['card']): Promise<ChargeView>
  confirmOtp(at: AtCheckout, chargeId: bigint, otp: string): Promise<ChargeView>
  /** The last charge of the transaction, whatever became of it. */
  latest(at: AtCheckout): Promise<ChargeView | null>
}

const nothing = async (): Promise<void> => undefined

export function createCheckoutCards(ctx: Ctx): CheckoutCards {
  const view = async ({ merchant, row }: AtCheckout, shown: sql.ChargeRow, triesLeft: number | null) => {
    const declines = await readAll(ctx, merchant.cell, (r) => sql.countDeclines(r, merchant.id, row.id))
    return {
      chargeId: shown.id,
      state: shown.status,
      code: shown.code,
      message: shown.message ?? '',
      masked: maskedPan(shown.bin, shown.last4),
      triesLeft,
      wrongOtp: triesLeft !== null,
      acsUrl: shown.challenge_acs,
      challengeId: shown.challenge_id,
      declinesLeft: Math.max(0, declinesMax(row.product_type) - declines),
      waitsUntil: shown.waits_until,
    }
  }
  const find = (merchant: Merchant, id: bigint): Promise<sql.ChargeRow | null> =>
    readAll(ctx, merchant.cell, (r) => sql.find(r, merchant.id, id))

  return {
    charge: async (at, card) => {
      const wish = { reference: at.row.reference, card: readCard(ctx, card), channel: 'CHECKOUT' as const }
      return view(at, (await charge(ctx, at.merchant, wish, nothing)).charge, null)
    },
    confirmOtp: async (at, chargeId, otp) => {
      const { merchant, row } = at
      const started = await engineTx(ctx, merchant.cell, async (t) => {
        const transaction = await sql.lockById(t, merchant.id, row.id)
        const open = await sql.find(t, merchant.id, chargeId)
        if (!transaction || open?.transaction_id !== transaction.id || open.status !== 'OTP')
          return fail('CARD_PAYMENT_NOT_FOUND')
        return { transaction, charge: open }
      })
      const verdict = await confirmOtp(ctx, merchant, started, otp, nothing)
      const after = (await find(merchant, chargeId)) ?? started.charge
      return view(at, after, verdict.kind === 'wrong' ? verdict.triesLeft : null)
    },
    latest: async (at) => {
      const last = await readAll(ctx, at.merchant.cell, (r) => sql.findLatest(r, at.merchant.id, at.row.id))
      return last && view(at, last, null)
    },
  }
}
