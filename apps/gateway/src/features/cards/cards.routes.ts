import { languageOf } from '@cowrie/checkout'
import { authorise3ds, authoriseOtp, chargeCard, chargeCardToken } from '@cowrie/contract/collections/cards'
import { bind, type RouteDeps } from '../../core/bind.ts'
import { redirect, sendNotFound } from '../../kit/http/answers.ts'
import { checkoutUrl, returnAddress } from '../transactions/transactions.ts'
import { createAuthorise3ds, createCharge } from './cards.ts'
import { createAuthoriseOtp } from './codes.ts'
import { returnFrom3ds } from './inquiry.ts'
import { createTokenCharge } from './tokens.ts'

export function cardRoutes(deps: RouteDeps): void {
  const { ctx, app } = deps
  bind(deps, chargeCard, createCharge(ctx))
  bind(deps, authoriseOtp, createAuthoriseOtp(ctx))
  bind(deps, authorise3ds, createAuthorise3ds(ctx))
  bind(deps, chargeCardToken, createTokenCharge(ctx))
  // Where the issuer's page sends the payer. A charge by API ends at the merchant, one on our checkout ends there.
  app.get('/cards/3ds/:reference/:token', async (request, reply) => {
    const { reference, token } = request.params as { reference: string; token: string }
    const back = await returnFrom3ds(ctx, deps.merchants, reference, token)
    if (!back) return sendNotFound(reply, deps.http)
    const { charge, transaction } = back
    const merchantPage = charge.channel === 'CHECKOUT' ? null : transaction.redirect_url
    if (merchantPage !== null) return redirect(reply, returnAddress(merchantPage, transaction))
    const { lang } = request.query as { lang?: unknown }
    const language = typeof lang === 'string' ? languageOf(lang) : null
    return redirect(reply, `${checkoutUrl(ctx, transaction.reference)}${language === null ? '' : `?lang=${language}`}`)
  })
}
