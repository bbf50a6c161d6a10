// The routes of payment links: the merchant's, and the page behind a link. Its form is POST → 303 → the
// checkout.
import {
  foreignPage,
  type LinkError,
  type LinkField,
  type LinkState,
  type LinkView,
  languageOf,
  linkPage,
  notFoundPage,
  preferredLanguage,
} from '@cowrie/checkout'
import {
  changePaymentLink,
  createPaymentLink,
  getPaymentLink,
  listPaymentLinks,
} from '@cowrie/contract/collections/payment-links'
import { EMAIL_PATTERN, TEXT_PATTERN } from '@cowrie/contract/collections/transactions'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { bind, type RouteDeps } from '#core/bind.ts'
import {
  isAsked,
  makePuzzle,
  puzzleFor,
  readAnswer,
  type Stranger,
} from '#features/collections/transactions/puzzles.ts'
import { crowding } from '#features/collections/transactions/strangers.ts'
import { checkoutUrl } from '#features/collections/transactions/transactions.ts'
import { Failure } from '#kit/fail.ts'
import { redirect } from '#kit/http/answers.ts'
import { isForeign } from '#kit/http/foreign.ts'
import type { FastifyReply, FastifyRequest } from '#kit/http/http.ts'
import { sendPage } from '#kit/http/pages.ts'
import { dayAndHourText } from '#kit/times.ts'
import {
  change,
  create,
  type FoundLink,
  findLink,
  findStarted,
  get,
  linkPath,
  list,
  start,
  statusNow,
} from './payment-links.ts'

export function paymentLinkRoutes(deps: RouteDeps, sandbox: boolean): void {
  const { ctx } = deps
  bind(deps, createPaymentLink, { command: (t, call) => create(ctx, t, call) })
  bind(deps, listPaymentLinks, { read: ({ merchant, query }) => list(ctx, merchant, query) })
  bind(deps, getPaymentLink, { read: ({ merchant, params }) => get(ctx, merchant, params['paymentLinkCode'] ?? '') })
  bind(deps, changePaymentLink, { command: (t, call) => change(ctx, t, call) })
  payerRoutes(deps, sandbox)
}

const PAGE = '/pay/:code'
/** Far more than the form holds. */
const FORM_MAX_BYTES = 8 * 1024
const NOTHING: LinkView['typed'] = { name: '', email: '', amount: '' }
/** Name and address as init-transaction takes them. */
const [NAME_MAX, EMAIL_MAX] = [200, 254]
const EMAIL = new RegExp(EMAIL_PATTERN)
const NAME = new RegExp(TEXT_PATTERN)

type Asked = Pick<LinkView, 'language' | 'languageChosen'>
type Shown = {
  readonly state: LinkState
  readonly errors?: readonly LinkError[]
  readonly typed?: LinkView['typed']
  readonly puzzle?: LinkView['puzzle']
}

function askedBy(request: FastifyRequest): Asked {
  const given = (request.query as Record<string, unknown>)['lang']
  const chosen = languageOf(typeof given === 'string' ? given : undefined)
  return {
    language: chosen ?? preferredLanguage(request.headers['accept-language']),
    languageChosen: chosen !== null,
  }
}

const textOf = (kobo: bigint | null): string | null => (kobo === null ? null : nairaText(kobo))

function viewOf({ link, merchant }: FoundLink, asked: Asked, sandbox: boolean, shown: Shown): LinkView {
  return {
    ...asked,
    address: linkPath(link.code),
    code: link.code,
    brand: merchant.brand,
    title: link.title,
    description: link.description,
    amountText: textOf(link.kobo),
    leastText: textOf(link.min_kobo),
    mostText: textOf(link.max_kobo),
    validUntil: link.expires_at && dayAndHourText(link.expires_at),
    errors: [],
    typed: NOTHING,
    puzzle: null,
    sandbox,
    ...shown,
  }
}

/** What a payer typed, or what is wrong with it. `₦5,000` is how people write amounts. */
export function readPayer(
  link: Pick<FoundLink['link'], 'kobo' | 'min_kobo' | 'max_kobo'>,
  typed: LinkView['typed'],
): { readonly name: string; readonly email: string; readonly kobo: bigint } | readonly LinkError[] {
  const { name, email } = typed
  const given = link.kobo ?? parseNaira(typed.amount.replace(/[₦,\s]/g, ''))
  const fits =
    given !== null && (link.kobo !== null || (given >= (link.min_kobo ?? 0n) && given <= (link.max_kobo ?? given)))
  const errors: LinkError[] = [
    ...(fits ? [] : [{ field: 'amount', word: 'errorAmount' } as const]),
    ...(name !== '' && name.length <= NAME_MAX && NAME.test(name)
      ? []
      : [{ field: 'name', word: 'errorName' } as const]),
    ...(email.length <= EMAIL_MAX && EMAIL.test(email) ? [] : [{ field: 'email', word: 'errorEmail' } as const]),
  ]
  return given !== null && errors.length === 0 ? { name, email, kobo: given } : errors
}

const LIMITS: readonly string[] = ['PAYMENT_LIMIT', 'PAYMENT_DAY_LIMIT']

function payerRoutes(deps: RouteDeps, sandbox: boolean): void {
  const { ctx, app } = deps
  const findBy = (request: FastifyRequest) => findLink(ctx, deps.merchants, (request.params as { code: string }).code)
  const show = (reply: FastifyReply, status: number, found: FoundLink, asked: Asked, shown: Shown) =>
    sendPage(reply, status, linkPage(viewOf(found, asked, sandbox, shown)))
  const strangerAt = (request: FastifyRequest, { link, merchant }: FoundLink): Stranger => ({
    merchantId: merchant.id,
    linkId: link.id,
    caller: deps.http.anonymous.addressOf(request),
  })
  /** On to the checkout, in the language that was chosen here. */
  const goOn = (reply: FastifyReply, reference: string, { language, languageChosen }: Asked) => {
    const { pathname } = new URL(checkoutUrl(ctx, reference))
    return redirect(reply, languageChosen ? `${pathname}?lang=${language}` : pathname)
  }

  app.get(PAGE, async (request, reply) => {
    const [found, asked] = [await findBy(request), askedBy(request)]
    if (!found) return sendPage(reply, 404, notFoundPage(asked.language))
    const [state, stranger] = [statusNow(ctx, found.link), strangerAt(request, found)]
    const crowd = state === 'ACTIVE' ? await crowding(ctx, found.merchant.cell, stranger) : 0
    const puzzle = isAsked(crowd) ? { ...makePuzzle(ctx, stranger, crowd), go: false } : null
    return show(reply, 200, found, asked, { state, puzzle })
  })

  app.post(PAGE, { bodyLimit: FORM_MAX_BYTES }, async (request, reply) => {
    const [found, asked] = [await findBy(request), askedBy(request)]
    if (!found) return sendPage(reply, 404, notFoundPage(asked.language))
    if (isForeign(request.headers, ctx.publicUrl))
      return sendPage(reply, 403, foreignPage(asked.language, linkPath(found.link.code)))
    const fields = new URLSearchParams((request.body as string | undefined) ?? '')
    const field = (name: LinkField, max: number) => (fields.get(name) ?? '').trim().slice(0, max)
    const typed = {
      name: field('name', NAME_MAX + 1),
      email: field('email', EMAIL_MAX + 1),
      amount: field('amount', 20),
    }
    const status = statusNow(ctx, found.link)
    if (status !== 'ACTIVE') {
      const started = await findStarted(ctx, found, typed.email)
      if (started !== null) return goOn(reply, started, asked)
      const errors: LinkError[] = status === 'PENDING' ? [{ field: 'email', word: 'errorStarted' }] : []
      return show(reply, 409, found, asked, { state: status, errors, typed })
    }
    const payer = readPayer(found.link, typed)
    if (!('kobo' in payer)) return show(reply, 422, found, asked, { state: 'ACTIVE', errors: payer, typed })
    const stranger = strangerAt(request, found)
    const crowd = await crowding(ctx, found.merchant.cell, stranger)
    const token = fields.get('puzzle') ?? ''
    const answered = isAsked(crowd) ? readAnswer(ctx, stranger, token, fields.get('answer') ?? '') : null
    if (isAsked(crowd) && crowd < 1 && answered === null) {
      const puzzle = { ...puzzleFor(ctx, stranger, crowd, token), go: true }
      return show(reply, 422, found, asked, { state: 'ACTIVE', typed, puzzle })
    }
    try {
      const started = await start(ctx, found, payer, stranger, answered)
      if (started.refused !== undefined) return show(reply, 409, found, asked, { state: started.refused })
      return goOn(reply, started.reference, asked)
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL') throw error
      if (error.code === 'TOO_MANY_OPEN_PAYMENTS') {
        reply.more.push('retry-after', error.params['retryAfter'] ?? '300')
        const errors: LinkError[] = [{ field: null, word: 'errorCrowded' }]
        return show(reply, 429, found, asked, { state: 'ACTIVE', errors, typed })
      }
      const open = LIMITS.includes(error.code) && found.link.kobo === null
      const errors: LinkError[] = open ? [{ field: 'amount', word: 'errorLimit' }] : []
      return show(reply, 422, found, asked, { state: open ? 'ACTIVE' : 'CLOSED', errors, typed })
    }
  })
}
