// Whom a charge is asked of, and in which version of the connector protocol. Both are decided before the
// charge is committed, and its row has them for ever (docs/decisions/0093-cards-of-version-2.md). One that
// was sent in version 1 before its connector said that it has version 2 is asked about in version 2 from then
// on: the reference is the same, and one that was never received is barred at the bank.
import type {
  CardAnswerV2,
  CardAuthorisationV2,
  CardInput,
  CardSettings,
  SealingKey,
} from '@cowrie/contract/bank/v2/cards'
import { inOrder } from '#core/routing/order.ts'
import {
  connectorName,
  hasPage,
  needConnectorNumber,
  nextForCards,
  routeCard,
  routeSealed,
} from '#core/routing/routing.ts'
import type { BankPort, Connector, Ctx, Outcome } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import type { ChargeRow, PayableRow, TokenRow } from './cards.sql.ts'
import { seal } from './jwe.ts'

export type IssuerOutcome = Outcome<CardAnswerV2>
export type Route = Pick<ChargeRow, 'connector' | 'protocol'>
/** What a payer was asked for; it is kept nowhere. */
export type PayerInput =
  | { readonly kind: 'OTP' | 'PIN' | 'PHONE' | 'BIRTHDAY'; readonly value: string }
  /** Sealed in the payer's browser. */
  | { readonly kind: 'PIN'; readonly sealedValue: string }
  | { readonly kind: 'ADDRESS'; readonly address: NonNullable<CardInput['address']> }

const protocolOf = (one: Connector | undefined): 1 | 2 => ((one?.cards() ?? null) === null ? 1 : 2)
const named = ({ connectors: { all } }: Ctx, name: string): Connector | undefined =>
  all.find((one) => one.name === name)

/** Whoever says that it charges no cards, or has them typed on a page of its own, is sent none. Live sends a
 *  card in clear text only where each side has shown a certificate. What says that it charges cards and
 *  offers none of this ends the start (gateway.ts); this holds for one that has not said, or that has changed
 *  its mind. */
const mayBeSent = ({ environment }: Ctx, one: Connector): boolean =>
  one.claims('card') !== false &&
  !hasPage(one) &&
  (environment !== 'live' || one.mutualTls || one.cards()?.key !== undefined)

/** Of a card that is typed. */
export async function routeNew(ctx: Ctx, cell: CellId): Promise<Route> {
  const { connector, number } = await routeCard(ctx, cell)
  await connector.learn()
  if (!mayBeSent(ctx, connector)) fail('METHOD_NOT_ENABLED', { method: 'CARD' })
  return { connector: number, protocol: protocolOf(connector) }
}

/** Of a card that is sealed: only whoever has the key can open it. Null: nobody has it any more. */
export async function routeSealedCard(ctx: Ctx, cell: CellId, kid: string): Promise<Route | null> {
  const route = await routeSealed(ctx, cell, kid)
  return route && { connector: route.number, protocol: 2 }
}

/** Of a card that is typed on its connector's page. Null: whoever charges cards now has none. */
export async function routeOnPage(ctx: Ctx, cell: CellId): Promise<Route | null> {
  await learnAll(ctx)
  const one = nextForCards(await inOrder(ctx, cell, 'card'))
  return hasPage(one) ? { connector: await needConnectorNumber(ctx, cell, one.name), protocol: 2 } : null
}

/** How a card is asked for on the page. */
export type Taking = {
  /** On another page: that of whoever charges it. */
  readonly onPage: boolean
  /** What it is sealed with in the browser; null: it is not. */
  readonly key: SealingKey | null
  readonly pin: 'NO' | 'MAY' | 'MUST'
  /** Whether there is anybody who may be sent a card. */
  readonly isOffered: boolean
}

/** A PIN is asked for with the card only where the connector says that it always needs one. In the sandbox it
 *  may be typed for an issuer of version 1, which cannot say: there are test cards for it. */
export async function readTaking(ctx: Ctx, cell: CellId): Promise<Taking> {
  await Promise.all(ctx.connectors.all.map((one) => one.ready()))
  const one = nextForCards(await inOrder(ctx, cell, 'card'))
  const settings = one.cards()
  const unsaid = ctx.environment === 'sandbox' ? 'MAY' : 'NO'
  return {
    onPage: hasPage(one),
    key: settings?.key ?? null,
    pin: settings === null ? unsaid : settings.pin === 'ALWAYS' ? 'MUST' : 'NO',
    isOffered: hasPage(one) || mayBeSent(ctx, one),
  }
}

/** What a PIN for a charge is sealed with; null: it is not. */
export async function findSealingKey(ctx: Ctx, cell: CellId, charge: ChargeRow): Promise<SealingKey | null> {
  const { one } = await issuerOf(ctx, cell, charge)
  await one?.ready()
  return one?.cards()?.key ?? null
}

/** Of a stored card: only the connector that gave its name knows it. To be known before: `learnAll`. */
export const routeStored = (ctx: Ctx, { connector, connector_name }: TokenRow): Route => ({
  connector,
  protocol: protocolOf(named(ctx, connector_name)),
})
export const learnAll = async ({ connectors: { all } }: Ctx): Promise<void> => {
  await Promise.all(all.map((one) => one.learn()))
}

type Issuer = { readonly bank: BankPort; readonly one: Connector | undefined; readonly v2: boolean }
async function issuerOf(ctx: Ctx, cell: CellId, charge: ChargeRow): Promise<Issuer> {
  const name = await connectorName(ctx, cell, charge.connector)
  const one = named(ctx, name)
  return { bank: ctx.connectors.of(name), one, v2: charge.protocol === 2 || protocolOf(one) === 2 }
}

/** Nothing secret goes to a connector that has not said in which form it takes it. */
const UNSAID: IssuerOutcome = { kind: 'unknown', why: 'the connector has not said how it takes cards' }

/** What is asked of an issuer: a card as it was typed or as the browser sealed it, or the name of a stored
 *  one. */
export type Authorisation = Omit<CardAuthorisationV2, 'payer'>

/** What a connector is shown of a card: a PIN only where it is always taken, and nothing in clear text where
 *  it has a key. */
function shown({ card, ...asked }: Authorisation, settings: CardSettings): Authorisation {
  if (card === undefined) return asked
  const { pin: _, ...rest } = card
  const typed = settings.pin === 'ALWAYS' ? card : rest
  if (settings.key === undefined) return { ...asked, card: typed }
  return { ...asked, sealedCard: seal(JSON.stringify(typed), settings.key) }
}

/** An input as a connector takes it: a PIN is sealed where it has a key. */
function inputFor(chargeReference: string, inputId: string, given: PayerInput, key: CardSettings['key']): CardInput {
  if (given.kind !== 'PIN' || key === undefined || 'sealedValue' in given) return { chargeReference, inputId, ...given }
  return { chargeReference, inputId, kind: given.kind, sealedValue: seal(given.value, key) }
}

/** What is kept of a card: of one that was typed on its connector's page this is learnt when it has paid. */
export type KnownCard = Pick<ChargeRow, 'bin' | 'last4' | 'exp_month' | 'exp_year'>
export function toKnownCard(charge: ChargeRow, { knownOfCard }: CardAnswerV2): KnownCard {
  if (charge.bin !== '' || knownOfCard === undefined) return charge
  const { first6: bin, last4, expiryMonth: exp_month, expiryYear: exp_year } = knownOfCard
  return { bin, last4, exp_month, exp_year }
}

export async function authorise(
  ctx: Ctx,
  cell: CellId,
  charge: ChargeRow,
  asked: Authorisation,
  { customer_name, customer_email }: Pick<PayableRow, 'customer_name' | 'customer_email'>,
): Promise<IssuerOutcome> {
  const { bank, one } = await issuerOf(ctx, cell, charge)
  if (asked.card !== undefined && one !== undefined && !mayBeSent(ctx, one)) return UNSAID
  if (charge.protocol === 1)
    return asked.sealedCard === undefined && asked.onPage === undefined ? bank.authorise(asked) : UNSAID
  const settings = one?.cards() ?? null
  if (settings === null || (asked.onPage === true && settings.page !== true)) return UNSAID
  const payer = { name: customer_name, email: customer_email }
  const said = await bank.authoriseV2({ ...shown(asked, settings), payer })
  const value = settings.pin === 'ALWAYS' ? undefined : asked.card?.pin
  if (value === undefined || said.kind !== 'yes') return said
  const { state, input } = said.value
  if (state !== 'INPUT' || input?.kind !== 'PIN') return said
  // The payer has typed it with the card, and is not asked twice.
  return bank.submitInput(inputFor(charge.reference, input.id, { kind: 'PIN', value }, settings.key))
}

/** Takes to the issuer what the payer was asked for. */
export async function submitTo(ctx: Ctx, cell: CellId, charge: ChargeRow, given: PayerInput): Promise<IssuerOutcome> {
  const { bank, one, v2 } = await issuerOf(ctx, cell, charge)
  const { reference: chargeReference, otp_id, input_id } = charge
  if (v2) {
    await one?.learn()
    const settings = one?.cards() ?? null
    if (given.kind === 'PIN' && settings === null) return UNSAID
    if (given.kind === 'PIN' && 'value' in given && one !== undefined && !mayBeSent(ctx, one)) return UNSAID
    return bank.submitInput(inputFor(chargeReference, input_id ?? otp_id ?? '', given, settings?.key))
  }
  if (given.kind !== 'OTP') return { kind: 'unknown', why: 'version 1 asks for codes only' }
  return bank.confirmOtp({ chargeReference, otpId: otp_id ?? '', otp: given.value })
}

export async function inquireCharge(ctx: Ctx, cell: CellId, charge: ChargeRow): Promise<IssuerOutcome> {
  const { bank, v2 } = await issuerOf(ctx, cell, charge)
  const asked = { chargeReference: charge.reference }
  return v2 ? bank.inquireV2(asked) : bank.inquire(asked)
}

export async function reverseAt(ctx: Ctx, cell: CellId, charge: ChargeRow): Promise<IssuerOutcome> {
  const { bank, v2 } = await issuerOf(ctx, cell, charge)
  const asked = { chargeReference: charge.reference }
  return v2 ? bank.reverseV2(asked) : bank.reverse(asked)
}
