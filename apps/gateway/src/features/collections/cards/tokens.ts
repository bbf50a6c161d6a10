// Stored cards: a card that paid once is charged again under its token, for the customer it paid for.
//   charge-card-token → a transaction and its charge, SENT → [issuer] PAID | FAILED
// The token is ours and worth nothing to another merchant; the issuer knows the card by a name of its own.
import type { chargeCardToken } from '@cowrie/contract/collections/cards'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { NOT_QUOTED } from '#core/access/fees.ts'
import { cellById, tx } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import type { Call } from '#core/serving.ts'
import { findRecord } from '#features/collections/transactions/status.ts'
import { checkInit, type Init, makeTransaction } from '#features/collections/transactions/transactions.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as sql from './cards.sql.ts'
import { ask, finish, hasExpired, insertCharge, type Started } from './cards.ts'
import { learnAll, routeStored } from './issuer.ts'

type Reply = ReplyOf<typeof chargeCardToken>

async function findCard(t: Tx, merchantId: bigint, token: string, email: string): Promise<sql.TokenRow> {
  const stored = (await sql.findToken(t, merchantId, token)) ?? fail('CARD_TOKEN_INVALID', { field: 'cardToken' })
  if (stored.customer_email.toLowerCase() !== email.toLowerCase())
    fail('CARD_TOKEN_EMAIL_DIFFERS', { field: 'customerEmail' })
  if (hasExpired(stored.exp_month, stored.exp_year, t.now)) fail('CARD_TOKEN_EXPIRED', { field: 'cardToken' })
  return stored
}

/** The transaction and its charge, committed together before the issuer is asked. */
async function start(ctx: Ctx, t: Tx, init: Init, stored: sql.TokenRow): Promise<Started> {
  const { merchant } = init
  const { id } = await makeTransaction(ctx, t, init)
  const [chargeId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const transaction =
    (await sql.lockById(t, merchant.id, id)) ?? fail('INTERNAL', {}, `transaction ${id} not found after its insert`)
  // Nobody is there to be shown a fee: the merchant bears it.
  const more = { channel: 'TOKEN', keepCard: true, quote: NOT_QUOTED, route: routeStored(ctx, stored) } as const
  return { transaction, charge: await insertCharge(t, chargeId, transaction, { stored }, more) }
}

export const createTokenCharge = (ctx: Ctx) => ({
  multiStep: async ({ merchant, body }: Call<typeof chargeCardToken>, store: StoreResponse<Reply>): Promise<Reply> => {
    if (body.apiKey !== merchant.apiKey && body.apiKey !== merchant.key?.apiKey)
      fail('API_KEY_FOREIGN', { field: 'apiKey' })
    const asked = await checkInit(ctx, merchant, { ...body, paymentMethods: ['CARD'] })
    const init: Init = { ...asked, product: { type: 'API_NOTIFICATION', reference: body.paymentReference } }
    await learnAll(ctx)
    const step = <T>(work: (t: Tx) => Promise<T>): Promise<T> => tx(ctx, merchant.cell, merchant.id, work)
    const { stored, started } = await step(async (t) => {
      const card = await findCard(t, merchant.id, body.cardToken, body.customerEmail)
      return { stored: card, started: await start(ctx, t, init, card) }
    })
    const outcome = await ask(ctx, merchant, started, { stored })
    const reply = await step(async (t) => {
      await finish(ctx, t, merchant, started, outcome)
      const record = await findRecord(t, merchant.id, started.transaction.reference)
      await store.late(t, record)
      return record
    })
    ctx.wake(merchant.cell)
    return reply
  },
})
