import { languageOf } from '@cowrie/checkout'
import { cardNotice } from '@cowrie/contract/bank/v2/cards'
import { authorise3ds, authoriseOtp, chargeCard, chargeCardToken } from '@cowrie/contract/collections/cards'
import { webAddress } from '@cowrie/contract/kit/html'
import { bind, bindBank, type RouteDeps } from '#core/bind.ts'
import { checkoutUrl, returnAddress } from '#features/collections/transactions/transactions.ts'
import { fail } from '#kit/fail.ts'
import { redirect, sendNotFound } from '#kit/http/answers.ts'
import type { FastifyReply, FastifyRequest } from '#kit/http/http.ts'
import { createAuthorise3ds, createCharge } from './cards.ts'
import { createAuthoriseOtp } from './codes.ts'
import { findByPage, onNotice, returnFrom3ds } from './inquiry.ts'
import { createTokenCharge } from './tokens.ts'

export function cardRoutes(deps: RouteDeps): void {
  const { ctx, app } = deps
  bind(deps, chargeCard, createCharge(ctx))
  bind(deps, authoriseOtp, createAuthoriseOtp(ctx))
  bind(deps, authorise3ds, createAuthorise3ds(ctx))
  bind(deps, chargeCardToken, createTokenCharge(ctx))
  const noticed = async ({ chargeReference }: { chargeReference: string }, connector: string) =>
    (await onNotice(ctx, chargeReference, connector))
      ? { chargeReference, outcome: 'TAKEN' as const }
      : fail('CHARGE_UNKNOWN')
  bindBank(deps, cardNotice, noticed, 'all')
  // Where the issuer's page sends the payer. A charge by API ends at the merchant, one on our checkout ends
  // there.
  app.get('/cards/3ds/:reference/:token', async (request, reply) => {
    const { reference, token } = request.params as { reference: string; token: string }
    const back = await returnFrom3ds(ctx, deps.merchants, reference, token)
    if (!back) return sendNotFound(reply, deps.http)
    const { charge, transaction } = back
    // Browsers follow no redirect to an application: its payer is led there by the link on the checkout.
    const merchantPage = charge.channel === 'CHECKOUT' ? null : webAddress(transaction.redirect_url)
    if (merchantPage !== null) return redirect(reply, returnAddress(merchantPage, transaction))
    const { lang } = request.query as { lang?: unknown }
    const language = typeof lang === 'string' ? languageOf(lang) : null
    return redirect(reply, `${checkoutUrl(ctx, transaction.reference)}${language === null ? '' : `?lang=${language}`}`)
  })
  // Where a merchant sends a payer of whom the issuer wants to know something: the checkout asks, and then
  // goes back to the merchant. It only leads there, so another site's form may call it.
  const toCheckout = async (request: FastifyRequest, reply: FastifyReply) => {
    const { reference, token } = request.params as { reference: string; token: string }
    const found = await findByPage(ctx, reference, token)
    if (!found) return sendNotFound(reply, deps.http)
    return redirect(reply, `${checkoutUrl(ctx, found.transaction.reference)}?way=card`)
  }
  app.get('/cards/input/:reference/:token', toCheckout)
  app.post('/cards/input/:reference/:token', toCheckout)
}
