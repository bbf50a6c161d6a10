// The addresses of the checkout. Forms are POST → 303 → GET; only a form with something wrong in it is
// answered with a page.
import {
  cancelPage,
  checkoutPage,
  type FormError,
  foreignPage,
  languageOf,
  notFoundPage,
  preferredLanguage,
  SANDBOX_ACTIONS,
  screenOf,
  type Way,
} from '@cowrie/checkout'
import type { RouteDeps } from '#core/bind.ts'
import type { Walk } from '#core/feature.ts'
import type { ChargeView, CheckoutCards, Payer, TypedCard } from '#features/collections/cards/on-checkout.ts'
import { createPress } from '#features/collections/invoices/pdf.ts'
import { checkoutToken, createIssueAccount } from '#features/collections/transactions/transactions.ts'
import { Failure } from '#kit/fail.ts'
import { redirect, sendJson, sendRefusal } from '#kit/http/answers.ts'
import { isForeign } from '#kit/http/foreign.ts'
import type { FastifyReply, FastifyRequest } from '#kit/http/http.ts'
import { sendPage } from '#kit/http/pages.ts'
import { cardError, readCard, readInput, SEAL_WRONG } from './card-forms.ts'
import {
  type CheckoutContent,
  type CheckoutRequest,
  cancel,
  type FoundCheckout,
  find,
  issueFor,
  type Place,
  playSandbox,
  toCheckoutView,
} from './checkout.ts'
import { createLive } from './live.ts'
import { paperRoutes } from './printable.ts'

export type CheckoutParts = {
  readonly cards: CheckoutCards
  /** Null in live: no bar, and no address behind it. */
  readonly sandbox: { readonly simulatorUrl: string; readonly walk: Walk } | null
}

const PAGE = '/checkout/:reference/:token'
const WAYS: readonly string[] = ['transfer', 'card', 'ussd'] satisfies Way[]
/** Far more than any form of the page holds. */
const FORM_MAX_BYTES = 8 * 1024
const NOTHING: CheckoutContent = { charge: null, errors: [], expiry: '', notice: null }

/** A repeated parameter arrives as an array; the first one counts. */
const first = (value: unknown): string =>
  typeof value === 'string' ? value : Array.isArray(value) ? first(value[0]) : ''

function askedBy(request: FastifyRequest): CheckoutRequest {
  const query = request.query as Record<string, unknown>
  const chosen = languageOf(first(query['lang']))
  const way = first(query['way'])
  return {
    language: chosen ?? preferredLanguage(request.headers['accept-language']),
    languageChosen: chosen !== null,
    way: WAYS.includes(way) ? (way as Way) : null,
    bank: first(query['bank']) || null,
    saysSent: first(query['sent']) === '1',
  }
}

export function checkoutRoutes(deps: RouteDeps, parts: CheckoutParts): void {
  const pages = createPages(deps, parts)
  const issue = createIssueAccount(deps.ctx)
  liveRoutes(deps, pages)
  viewRoutes(deps, parts, pages, issue)
  paymentForms(deps, parts, pages, issue)
  cardForms(deps, parts, pages)
}

type Issue = ReturnType<typeof createIssueAccount>
type Pages = ReturnType<typeof createPages>

/** What all addresses of the page do: find the payment, show it, take a form. */
function createPages(deps: RouteDeps, { cards, sandbox }: CheckoutParts) {
  const { ctx, app } = deps
  const place: Place = { simulatorUrl: sandbox?.simulatorUrl ?? null, sandbox: sandbox !== null }
  const findBy = (request: FastifyRequest): Promise<FoundCheckout | null> => {
    const { reference, token } = request.params as { reference: string; token: string }
    return find(ctx, deps.merchants, reference, token)
  }
  const notFound = (request: FastifyRequest, reply: FastifyReply) =>
    sendPage(reply, 404, notFoundPage(askedBy(request).language))
  const view = async (found: FoundCheckout, asked: CheckoutRequest, shown: CheckoutContent) => {
    const charge = shown.charge ?? (found.more.charged ? await cards.latest(found) : null)
    return toCheckoutView(ctx, place, found, asked, {
      ...shown,
      charge,
      taking: await cards.taking(found.merchant.cell),
    })
  }
  const show = async (
    reply: FastifyReply,
    status: number,
    found: FoundCheckout,
    asked: CheckoutRequest,
    shown: CheckoutContent,
  ) => sendPage(reply, status, checkoutPage(await view(found, asked, shown)))

  /** A form of the page, with the payment it is about; answers with the query of the address to go on to, or
   *  null when the reply is sent. */
  const form = (
    path: string,
    act: (
      found: FoundCheckout,
      fields: URLSearchParams,
      asked: CheckoutRequest,
      reply: FastifyReply,
      request: FastifyRequest,
    ) => Promise<Record<string, string> | null>,
  ): void => {
    app.post(`${PAGE}${path}`, { bodyLimit: FORM_MAX_BYTES }, async (request, reply) => {
      const found = await findBy(request)
      const asked = askedBy(request)
      if (!found) return notFound(request, reply)
      if (isForeign(request.headers, ctx.publicUrl))
        return sendPage(reply, 403, foreignPage(asked.language, found.address))
      const fields = new URLSearchParams((request.body as string | undefined) ?? '')
      const next = await act(found, fields, asked, reply, request)
      if (next === null) return reply
      const query = new URLSearchParams({ ...next, ...(asked.languageChosen ? { lang: asked.language } : {}) })
      return redirect(reply, `${found.address}${query.size === 0 ? '' : `?${query.toString()}`}`)
    })
  }

  return { findBy, notFound, view, show, form }
}

/** The page, its paper, and the question whether to cancel. */
function viewRoutes(deps: RouteDeps, { sandbox }: CheckoutParts, pages: Pages, issue: Issue): void {
  const { ctx, app } = deps
  const { findBy, notFound, view, show } = pages
  const press = createPress()
  app.addHook('preClose', () => press.close())
  app.get('/checkout', notFound)
  const callerOf = (request: FastifyRequest): string => deps.http.anonymous.addressOf(request)
  paperRoutes(ctx, app, { press, page: PAGE, findBy, notFound, callerOf })

  app.get(PAGE, async (request, reply) => {
    let found = await findBy(request)
    if (!found) return notFound(request, reply)
    const asked = askedBy(request)
    const notice =
      sandbox && first((request.query as Record<string, unknown>)['did']) === 'not' ? 'The simulator refused.' : null
    // The account number is issued when the page is first opened, so that the payer has nothing to tap. It is
    // issued once, however often the page is asked for; a browser that only fetches ahead, or that asks for
    // something else than a page to show, gets none.
    const { 'sec-purpose': purpose, 'sec-fetch-dest': dest = 'document' } = request.headers
    const opened = request.method === 'GET' && purpose === undefined && (dest === 'document' || dest === 'iframe')
    if (opened && screenOf(await view(found, asked, NOTHING)) === 'choose') {
      await issueFor(issue, found)
      found = (await findBy(request)) ?? found
    }
    return show(reply, 200, found, asked, { ...NOTHING, notice })
  })

  app.get(`${PAGE}/cancel`, async (request, reply) => {
    const found = await findBy(request)
    if (!found) return notFound(request, reply)
    const asked = askedBy(request)
    if (found.row.status !== 'PENDING' || found.invoice) return show(reply, 200, found, asked, NOTHING)
    return sendPage(reply, 200, cancelPage(await view(found, asked, NOTHING)))
  })
}

/** Whether the payment has moved: asked once, or watched. */
function liveRoutes(deps: RouteDeps, { findBy }: Pages): void {
  const { ctx, app } = deps
  const live = createLive(ctx)
  app.addHook('preClose', async () => live.close())

  app.get(`${PAGE}/status`, async (request, reply) => {
    const found = await findBy(request)
    if (!found) return sendRefusal(reply, new Failure('TRANSACTION_NOT_FOUND'), deps.http)
    const { row, more } = found
    return sendJson(reply, 200, JSON.stringify(live.stateOf({ id: row.id, status: row.status, mark: more.mark })))
  })

  app.get(`${PAGE}/live`, async (request, reply) => {
    const found = await findBy(request)
    if (!found) return sendRefusal(reply, new Failure('TRANSACTION_NOT_FOUND'), deps.http)
    const opened = live.stream(reply, found.merchant.cell, found.row.id, deps.http.anonymous.addressOf(request))
    return opened ? reply : sendRefusal(reply, new Failure('RATE_LIMITED'), deps.http)
  })
}

function paymentForms(deps: RouteDeps, { sandbox }: CheckoutParts, { form, show }: Pages, issue: Issue): void {
  const { ctx } = deps
  form('/account', async (found) => {
    await issueFor(issue, found)
    return {}
  })

  form('/cancel', async (found, _fields, asked, reply) => {
    if ((await cancel(ctx, found)) !== 'UNKNOWN_CHARGE') return {}
    await show(reply, 409, found, asked, { ...NOTHING, errors: [{ field: null, word: 'cancelRefused' }] })
    return null
  })

  if (sandbox) {
    form('/sandbox', async (found, fields) => {
      const action = SANDBOX_ACTIONS.find((one) => one === fields.get('action'))
      if (!action) return { did: 'not' }
      await issueFor(issue, found)
      const issued =
        (await find(ctx, deps.merchants, found.row.reference, checkoutToken(ctx, found.row.reference))) ?? found
      return (await playSandbox(ctx, sandbox.walk, issued, action)) ? {} : { did: 'not' }
    })
  }
}

/** No card: it is typed on the page of whoever charges it. */
function chargeAny(
  cards: CheckoutCards,
  at: FoundCheckout,
  card: TypedCard | null,
  payer: Payer,
): Promise<ChargeView | null> {
  if (card === null) return cards.chargeOnPage(at, payer)
  return 'sealed' in card ? cards.chargeSealed(at, card.sealed, payer) : cards.charge(at, card, payer)
}

function cardForms(deps: RouteDeps, { cards }: CheckoutParts, { form, show }: Pages): void {
  const { ctx } = deps
  /** The page again, with what was wrong; the payment is looked at anew, for it may have moved. */
  const again = async (
    reply: FastifyReply,
    found: FoundCheckout,
    asked: CheckoutRequest,
    shown: { errors: readonly FormError[]; expiry?: string; charge?: ChargeView },
  ): Promise<null> => {
    const fresh =
      (await find(ctx, deps.merchants, found.row.reference, checkoutToken(ctx, found.row.reference))) ?? found
    const { errors, expiry = '', charge = null } = shown
    await show(reply, 422, fresh, { ...asked, way: 'card' }, { errors, expiry, charge, notice: null })
    return null
  }
  const codeOf = (error: unknown) => (error instanceof Failure ? error.code : null)

  form('/card', async (found, fields, asked, reply, request) => {
    const { onPage, pin } = await cards.taking(found.merchant.cell)
    const card = onPage ? null : readCard(fields, pin)
    const expiry = (fields.get('expiry') ?? '').slice(0, 9)
    if (Array.isArray(card)) return again(reply, found, asked, { errors: card, expiry })
    try {
      const address = deps.http.anonymous.addressOf(request)
      const language = asked.languageChosen ? asked.language : null
      const [keepCard, shownFees] = [fields.get('keepCard') === 'yes', fields.get('fees')]
      const made = await chargeAny(cards, found, card, { keepCard, address, language, shownFees })
      return made ? { way: 'card' } : again(reply, found, asked, { errors: [SEAL_WRONG], expiry })
    } catch (error) {
      if (codeOf(error) === 'CARD_ATTEMPTS_SPENT') return {} // the page itself says how it ended
      if (!(error instanceof Failure)) ctx.log.warn('card charge from the checkout failed', { error })
      return again(reply, found, asked, { errors: [cardError(codeOf(error))], expiry })
    }
  })

  form('/otp', async (found, fields, asked, reply) => {
    const otp = (fields.get('otp') ?? '').replace(/\s/g, '')
    const charge = await cards.latest(found)
    if (charge?.state !== 'OTP') return { way: 'card' }
    if (!/^\d{3,10}$/.test(otp)) return again(reply, found, asked, { errors: [{ field: 'otp', word: 'errorOtp' }] })
    try {
      const after = await cards.submit(found, charge.chargeId, { kind: 'OTP', value: otp })
      if (after.state !== 'OTP' || !after.wrongOtp) return { way: 'card' }
      return again(reply, found, asked, { errors: [{ field: 'otp', word: 'errorOtpWrong' }], charge: after })
    } catch (error) {
      if (codeOf(error) === 'CARD_ATTEMPTS_SPENT') return {}
      if (!(error instanceof Failure)) ctx.log.warn('one-time code from the checkout could not be checked', { error })
      return again(reply, found, asked, { errors: [cardError(codeOf(error))] })
    }
  })

  form('/input', async (found, fields, asked, reply) => {
    const charge = await cards.latest(found)
    if (charge?.state !== 'INPUT' || charge.input === null) return { way: 'card' }
    const given = readInput(charge.input.kind, fields, ctx.clock.now())
    if (Array.isArray(given)) return again(reply, found, asked, { errors: given })
    try {
      // An answer that was not accepted is on the charge: the page that follows says so.
      await cards.submit(found, charge.chargeId, given)
      return { way: 'card' }
    } catch (error) {
      // Answered already, or asked for something else meanwhile: the page shows it.
      const code = codeOf(error)
      if (code === 'CARD_ATTEMPTS_SPENT' || code === 'CARD_PAYMENT_NOT_FOUND') return {}
      if (!(error instanceof Failure)) ctx.log.warn('what the issuer wants to know could not be taken to it', { error })
      return again(reply, found, asked, { errors: [cardError(code)] })
    }
  })
}
