// What the issuer answers: to the gateway, signed; to the payer, on pages; and to whoever wants to see its
// books.
import { BANK_PATHS, type RawCard } from '@cowrie/contract/bank/connector'
import { webAddress } from '@cowrie/contract/kit/html'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { headersWith, missingPage, PAGE_HEADERS } from '../kit/frame.ts'
import { bodyText, type Fields, parseFields, queryOf, refuse } from '../kit/requests.ts'
import { challengePage, phonePage, smsPage } from './issuer.pages.ts'
import { isNumberLike } from './issuer.rules.ts'
import { type Charge, listBooked, listOtps } from './issuer.sql.ts'
import {
  type Authorisation,
  answerChallenge,
  answerOf,
  authorise,
  confirmOtp,
  findStep,
  type Issuer,
  inquire,
  type Outcome,
  reverse,
} from './issuer.ts'

const isReference = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]{1,100}$/.test(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 2_000

type Reading = { readonly asked: Authorisation } | { readonly error: string }

function readCard(value: unknown): RawCard | null {
  const { number, expiryMonth, expiryYear, cvv, pin } = (value ?? {}) as Fields
  if (typeof number !== 'string' || !isNumberLike(number)) return null
  if (typeof expiryMonth !== 'string' || !/^(?:0[1-9]|1[0-2])$/.test(expiryMonth)) return null
  if (typeof expiryYear !== 'string' || !/^\d{4}$/.test(expiryYear)) return null
  if (typeof cvv !== 'string' || (pin !== undefined && typeof pin !== 'string')) return null
  return { number, expiryMonth, expiryYear, cvv, ...(pin !== undefined && { pin }) }
}

export function readAuthorisation(body: string): Reading {
  const fields = parseFields(body) ?? {}
  const { chargeReference, amount, merchantName, returnUrl, cardReference } = fields
  const kobo = typeof amount === 'string' ? parseNaira(amount) : null
  const card = readCard(fields['card'])
  if (!isReference(chargeReference))
    return { error: 'chargeReference must be 1 to 100 letters, digits, dots, hyphens or underscores' }
  if (kobo === null || kobo <= 0n) return { error: 'amount must be greater than zero, with two decimals' }
  if (!isText(merchantName)) return { error: 'merchantName is missing' }
  if (!isText(returnUrl) || webAddress(returnUrl) === null || !URL.canParse(returnUrl))
    return { error: 'returnUrl must be a web address' }
  const asked = { chargeReference, kobo, merchantName, returnUrl }
  if (isText(cardReference)) return { asked: { ...asked, paysWith: { cardReference } } }
  // Does not say what is wrong with the card: it would have to quote it.
  return card === null ? { error: 'card is not valid' } : { asked: { ...asked, paysWith: { card } } }
}

const answer = (request: FastifyRequest, reply: FastifyReply, outcome: Outcome): unknown =>
  outcome.kind === 'charge'
    ? answerOf(outcome.charge, `${request.protocol}://${request.host}`)
    : refused(request, reply, outcome)

/** No charge to tell of. */
export function refused(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: Exclude<Outcome, { kind: 'charge' }>,
): unknown {
  switch (outcome.kind) {
    case 'unknown':
      return refuse(reply, 404, 'No such charge')
    case 'other charge':
      return refuse(reply, 409, 'This chargeReference was used for a charge with a different amount')
    case 'silence':
      reply.hijack()
      request.raw.socket.destroy()
      return reply
  }
}

/** Inside the signed scope. */
export function bindIssuer(app: FastifyInstance, issuer: Issuer): void {
  app.post(BANK_PATHS.cardAuthorisations, async (request, reply) => {
    const reading = readAuthorisation(bodyText(request))
    if ('error' in reading) return refuse(reply, 400, reading.error)
    return answer(request, reply, await authorise(issuer, reading.asked))
  })

  app.post(BANK_PATHS.cardOtps, async (request, reply) => {
    const { chargeReference, otpId, otp } = parseFields(bodyText(request)) ?? {}
    if (!isReference(chargeReference) || typeof otpId !== 'string' || typeof otp !== 'string')
      return refuse(reply, 400, 'chargeReference, otpId and otp must be strings')
    return answer(request, reply, await confirmOtp(issuer, { chargeReference, otpId, otp }))
  })

  const byReference = (ask: (issuer: Issuer, reference: string) => Promise<Outcome>) => {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { chargeReference } = parseFields(bodyText(request)) ?? {}
      if (!isReference(chargeReference))
        return refuse(reply, 400, 'chargeReference must be 1 to 100 letters, digits, dots, hyphens or underscores')
      return answer(request, reply, await ask(issuer, chargeReference))
    }
  }
  app.post(BANK_PATHS.cardInquiries, byReference(inquire))
  app.post(BANK_PATHS.cardReversals, byReference(reverse))
}

/** Open, like the rest of the customer's side. */
export function bindPayer(app: FastifyInstance, issuer: Issuer): void {
  app.get('/api/cards/charges', async (request) => listBooked(issuer.pool, queryOf(request)['reference'] ?? null))

  app.get('/phone', async (_request, reply) =>
    reply.headers(PAGE_HEADERS).send(phonePage(await listOtps(issuer.pool), issuer.clock.now())),
  )
  app.get<ById>('/phone/:id', async (request, reply) => {
    const charge = await findStep(issuer, 'OTP', request.params.id)
    reply.headers(PAGE_HEADERS)
    if (charge === null) return reply.code(404).send(missingPage('No code was sent to this address.'))
    return reply.send(smsPage(charge, issuer.clock.now()))
  })

  const challenge = async (request: FastifyRequest<ById>, reply: FastifyReply): Promise<unknown> => {
    const charge = await findStep(issuer, 'CHALLENGE', request.params.id)
    return charge === null ? noChallenge(reply) : showChallenge(reply, charge, null)
  }
  app.get<ById>('/3ds/:id', challenge)
  // Where the merchant's page sends the browser by a form of its own: another site by nature. It only shows
  // the page.
  app.post<ById>('/3ds/:id/acs', { config: { crossSite: true } }, challenge)
  app.post<ById>('/3ds/:id', async (request, reply) => {
    const charge = await findStep(issuer, 'CHALLENGE', request.params.id)
    if (charge === null) return noChallenge(reply)
    const outcome = new URLSearchParams(bodyText(request)).get('outcome')
    if (outcome !== 'approve' && outcome !== 'decline')
      return showChallenge(reply.code(400), charge, 'Choose Approve or Decline.')
    await answerChallenge(issuer, charge, outcome === 'approve')
    return reply.redirect(charge.returnUrl ?? '/', 303)
  })
}

type ById = { Params: { id: string } }

const noChallenge = (reply: FastifyReply): FastifyReply =>
  reply.code(404).headers(PAGE_HEADERS).send(missingPage('There is no payment to approve at this address.'))

/** The answer to the form leads to the gateway, which may send the payer on to the merchant, and Chromium
 *  holds `form-action` against every one of these steps: with the gateway's origin alone it stays on this
 *  page, the payment made. The merchant's address is not known here, so every web address is allowed. */
const CHALLENGE_HEADERS = headersWith("'self' http: https:")

const showChallenge = (reply: FastifyReply, charge: Charge, fault: string | null): FastifyReply =>
  reply.headers(CHALLENGE_HEADERS).send(challengePage(charge, fault))
