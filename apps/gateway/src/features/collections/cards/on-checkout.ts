// Cards on the hosted checkout: the same charges, asked for by a payer with the page's address in place of a
// merchant's token.
import type { CardInputKind, SealingKey } from '@cowrie/contract/bank/v2/cards'
import { CARD_CHARGES_MAX, CHECKOUT_DECLINES_MAX, type chargeCard, maskedPan } from '@cowrie/contract/collections/cards'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import type { Merchant } from '#core/access/merchants.ts'
import { readAll } from '#core/cells/cells.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { type Attempts, readAttempts } from './attempts.sql.ts'
import { chargesSpent } from './attempts.ts'
import * as sql from './cards.sql.ts'
import { charge, type GivenCard, readCard, readExpiry, type SealedCard, type Started } from './cards.ts'
import { submit } from './codes.ts'
import { findSealingKey, type PayerInput, readTaking, routeOnPage, routeSealedCard, type Taking } from './issuer.ts'

export type { Taking } from './issuer.ts'
export { sealedWith } from './jwe.ts'

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
  /** Empty while nobody here knows the card: it is typed on its connector's page. */
  readonly masked: string
  /** After a wrong code. */
  readonly triesLeft: number | null
  readonly wrongOtp: boolean
  /** What the issuer wants to know, whether the last answer was not accepted, and what a PIN is sealed with
   *  in the browser. */
  readonly input: { readonly kind: CardInputKind; readonly wrong: boolean; readonly key: SealingKey | null } | null
  readonly acsUrl: string | null
  readonly pageUrl: string | null
  readonly challengeId: string | null
  readonly declinesLeft: number
  readonly waitsUntil: Date | null
}

/** As it was typed, or as the browser sealed it. */
export type TypedCard = BodyOf<typeof chargeCard>['card'] | { readonly sealed: SealedCard }

export type Payer = {
  readonly keepCard: boolean
  readonly address: string
  readonly language?: string | null
  readonly shownFees?: string | null
}

export type CheckoutCards = {
  /** How a card is asked for. */
  taking(cell: CellId): Promise<Taking>
  charge(at: AtCheckout, card: BodyOf<typeof chargeCard>['card'], payer: Payer): Promise<ChargeView>
  /** Null: it is sealed for somebody who does not charge cards any more. Nothing was charged, and it has to
   *  be typed again. */
  chargeSealed(at: AtCheckout, card: SealedCard, payer: Payer): Promise<ChargeView | null>
  /** The payer types the card on the page of whoever charges it. Null: it has none any more, and nothing was
   *  charged. */
  chargeOnPage(at: AtCheckout, payer: Payer): Promise<ChargeView | null>
  /** Takes what the payer was asked for to the issuer: a code, or something else. */
  submit(at: AtCheckout, chargeId: bigint, given: PayerInput): Promise<ChargeView>
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
  const inputOf = async (cell: CellId, shown: sql.ChargeRow): Promise<ChargeView['input']> => {
    const { status, input_kind: kind, input_wrong: wrong } = shown
    if (status !== 'INPUT' || kind === null) return null
    return { kind, wrong, key: kind === 'PIN' ? await findSealingKey(ctx, cell, shown) : null }
  }
  const view = async ({ merchant, row }: AtCheckout, shown: sql.ChargeRow, codesLeft: number | null) => {
    const attempts = await readAll(ctx, merchant.cell, (r) => readAttempts(r, merchant.id, row.id))
    return {
      chargeId: shown.id,
      feeKobo: shown.quoted_fee_kobo,
      state: shown.status,
      code: shown.code,
      message: shown.message ?? '',
      masked: shown.bin === '' ? '' : maskedPan(shown.bin, shown.last4),
      triesLeft: codesLeft,
      wrongOtp: codesLeft !== null,
      input: await inputOf(merchant.cell, shown),
      acsUrl: shown.challenge_acs,
      pageUrl: shown.challenge_page,
      challengeId: shown.challenge_id,
      declinesLeft: triesLeft(row.product_type, attempts),
      waitsUntil: shown.waits_until,
    }
  }
  const start = async (at: AtCheckout, payer: Payer, given: GivenCard): Promise<ChargeView> => {
    const request = { reference: at.row.reference, channel: 'CHECKOUT' as const, ...payer, ...given }
    return view(at, (await charge(ctx, at.merchant, request, nothing)).charge, null)
  }
  const find = (merchant: Merchant, id: bigint): Promise<sql.ChargeRow | null> =>
    readAll(ctx, merchant.cell, (r) => sql.find(r, merchant.id, id))

  return {
    taking: (cell) => readTaking(ctx, cell),
    charge: async (at, card, payer) => start(at, payer, { card: readCard(ctx, card) }),
    chargeSealed: async (at, given, payer) => {
      const sealed = { ...given, ...readExpiry(ctx, given) }
      const route = await routeSealedCard(ctx, at.merchant.cell, sealed.kid)
      return route && start(at, payer, { sealed, route })
    },
    chargeOnPage: async (at, payer) => {
      const route = await routeOnPage(ctx, at.merchant.cell)
      return route && start(at, payer, { onPage: true, route })
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
