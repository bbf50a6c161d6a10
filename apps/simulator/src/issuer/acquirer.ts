// The issuer in version 2 of the protocol: the same charges, with answers that need time and payers who are
// asked for more than a code.
import { CARD_PATHS_V2, type CardAnswerV2, type CardInput } from '@cowrie/contract/bank/v2/cards'
import { OTP_TRIES } from '@cowrie/contract/collections/cards'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyText, parseFields, refuse } from '../kit/requests.ts'
import {
  afterInput,
  askedFor,
  INPUT_KINDS,
  inputIdOf,
  LATE_MS,
  type Play,
  playOf,
  SANDBOX_INPUTS,
} from './acquirer.rules.ts'
import { readAuthorisation, refused } from './issuer.routes.ts'
import { type Charge, changeCharge, insertCardNotice } from './issuer.sql.ts'
import { answerOf, authorise, type Issuer, inquire, present, reverse } from './issuer.ts'

const isLate = (since: Date, now: Date): boolean => now.getTime() < since.getTime() + LATE_MS

/** What the gateway reads. */
function answerV2Of(charge: Charge, base: string, now: Date): CardAnswerV2 {
  const play = playOf(charge.kobo)
  const said = answerOf(charge, base)
  const undecided = { chargeReference: said.chargeReference, code: '', card: said.card }
  const decided = charge.state === 'APPROVED' || charge.state === 'DECLINED'
  if (play.decidesLate && decided && isLate(charge.askedAt, now))
    return { ...undecided, state: 'PENDING', message: 'Your bank has not decided yet.' }
  if (play.reversesLate && charge.state === 'REVERSED' && isLate(charge.changedAt, now))
    return { ...undecided, state: 'REVERSING', message: 'The money is on its way back.' }
  if (charge.state !== 'OTP' || said.otp === undefined) return said
  const { otp, ...rest } = said
  const [kind, id] = [askedFor(charge, play), inputIdOf(charge)]
  if (kind === 'OTP') return { ...rest, otp: { ...otp, id } }
  const tries = play.thenOtp ? charge.triesLeft - OTP_TRIES : charge.triesLeft
  const input = { id, kind, expiresAt: otp.expiresAt, wrong: tries < OTP_TRIES }
  return { ...rest, state: 'INPUT', message: `In the sandbox it is ${SANDBOX_INPUTS[kind]}.`, input }
}

function readInput(body: string): CardInput | null {
  const { chargeReference, inputId, kind, value, address } = parseFields(body) ?? {}
  if (typeof chargeReference !== 'string' || typeof inputId !== 'string') return null
  if (typeof kind !== 'string' || !INPUT_KINDS.includes(kind)) return null
  const zip = (address as { zip?: unknown } | undefined)?.zip
  const given = kind === 'ADDRESS' ? zip : value
  return typeof given === 'string' ? { chargeReference, inputId, kind: kind as CardInput['kind'], value: given } : null
}

/** Once per input: what was answered already is not asked any more, and says nothing new. */
async function submit(issuer: Issuer, { chargeReference, inputId, kind, value }: CardInput): Promise<Charge | null> {
  const charge = await present(issuer, chargeReference)
  if (charge === null || charge.step !== 'OTP') return null
  const play = playOf(charge.kobo)
  return changeCharge(issuer.pool, chargeReference, issuer.clock.now(), (now) => {
    if (now.state !== 'OTP' || inputIdOf(now) !== inputId) return null
    return afterInput(now, play, askedFor(now, play) === kind && value === SANDBOX_INPUTS[kind])
  })
}

/** A notice is owed when what takes its time is done. */
async function oweNotice({ pool, clock }: Issuer, charge: Charge, late: (play: Play) => boolean): Promise<void> {
  if (late(playOf(charge.kobo)))
    await insertCardNotice(pool, charge.chargeReference, new Date(clock.now().getTime() + LATE_MS))
}

/** Inside the signed scope. */
export function bindAcquirer(app: FastifyInstance, issuer: Issuer): void {
  const baseOf = (request: FastifyRequest): string => `${request.protocol}://${request.host}`
  const answer = (request: FastifyRequest, reply: FastifyReply, charge: Charge | null): unknown =>
    charge === null ? refuse(reply, 404, 'No such charge') : answerV2Of(charge, baseOf(request), issuer.clock.now())
  const referenceOf = (request: FastifyRequest): string => {
    const { chargeReference } = parseFields(bodyText(request)) ?? {}
    return typeof chargeReference === 'string' ? chargeReference : ''
  }

  app.post(CARD_PATHS_V2.authorisations, async (request, reply) => {
    const reading = readAuthorisation(bodyText(request))
    if ('error' in reading) return refuse(reply, 400, reading.error)
    const outcome = await authorise(issuer, reading.asked, playOf(reading.asked.kobo))
    if (outcome.kind !== 'charge') return refused(request, reply, outcome)
    await oweNotice(issuer, outcome.charge, ({ decidesLate }) => decidesLate === true)
    return answer(request, reply, outcome.charge)
  })
  app.post(CARD_PATHS_V2.inputs, async (request, reply) => {
    const asked = readInput(bodyText(request))
    if (asked === null) return refuse(reply, 400, 'chargeReference, inputId, kind and what it asks for are needed')
    return answer(request, reply, await submit(issuer, asked))
  })
  app.post(CARD_PATHS_V2.inquiries, async (request, reply) => {
    const outcome = await inquire(issuer, referenceOf(request))
    return answer(request, reply, outcome.kind === 'charge' ? outcome.charge : null)
  })
  app.post(CARD_PATHS_V2.reversals, async (request, reply) => {
    const reference = referenceOf(request)
    if (reference === '') return refuse(reply, 400, 'chargeReference is needed')
    const before = await present(issuer, reference)
    const outcome = await reverse(issuer, reference)
    if (outcome.kind !== 'charge') return refused(request, reply, outcome)
    if (before !== null && before.state !== 'REVERSED')
      await oweNotice(issuer, outcome.charge, ({ reversesLate }) => reversesLate === true)
    return answer(request, reply, outcome.charge)
  })
}
