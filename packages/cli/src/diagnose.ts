// Why did the handler refuse the signature? Its answer may name the digest it made; otherwise the same event
// is sent again, signed the way each typical mistake would have it, to see which one the handler takes.
import { randomBytes } from 'node:crypto'
import {
  SERVICE_SIGNATURE_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@cowrie/contract/events/delivery'
import { type Answer, isTaken } from './forward.ts'
import { MISTAKES, type Mistake, type Signed } from './mistakes.ts'
import type { Headers } from './sign.ts'

export type Finding = {
  /** Of the entry in the table; null when it is none of them. */
  readonly mistake: string | null
  readonly says: string
  readonly fix: string
  readonly code: string | null
}

export type Refused = {
  readonly apiKey: string
  readonly secretKey: string
  readonly headers: Headers
  readonly body: string
  readonly answer: Answer
}

/** 401 and 403 are what handlers answer when a signature does not fit. */
export const isRefusal = ({ status }: Answer): boolean => status === 401 || status === 403

const signedOf = ({ apiKey, secretKey, headers, body }: Refused): Signed => ({
  apiKey,
  secretKey,
  body,
  id: headers[WEBHOOK_ID_HEADER] ?? '',
  timestamp: headers[WEBHOOK_TIMESTAMP_HEADER] ?? '',
})

/** The header each mistake looks into and what it expects there; without those that come to the right value
 *  anyway. */
function candidates(refused: Refused) {
  const signed = signedOf(refused)
  return MISTAKES.map((mistake) => ({
    mistake,
    header: mistake.header ?? SERVICE_SIGNATURE_HEADER,
    value: mistake.expects(signed),
  })).filter(({ header, value }) => value !== refused.headers[header])
}

const found = ({ name, does, fix, code }: Mistake, evidence: string): Finding => ({
  mistake: name,
  says: `Your handler probably ${does}: ${evidence}.`,
  fix,
  code,
})

/** From the answer alone. The right digest in it proves nothing: a handler may say what it was given. */
export function readAnswer(refused: Refused): Finding | null {
  const text = refused.answer.body
  for (const { mistake, value } of candidates(refused)) {
    const digest = value.replace(/^v1,/, '')
    if (digest !== refused.headers[SERVICE_SIGNATURE_HEADER] && text.includes(digest))
      return found(mistake, 'its response contains the digest that results from that')
  }
  return null
}

/** By sending the event again; null when the handler stopped answering on the way. */
export async function probe(refused: Refused, send: (headers: Headers) => Promise<Answer>): Promise<Finding | null> {
  const junk = {
    [SERVICE_SIGNATURE_HEADER]: randomBytes(64).toString('hex'),
    [WEBHOOK_SIGNATURE_HEADER]: `v1,${randomBytes(32).toString('base64')}`,
  }
  const control = await send({ ...refused.headers, ...junk })
  if (control.status === null) return null
  if (isTaken(control)) return TAKES_ANYTHING
  const again = await send(refused.headers)
  if (again.status === null) return null
  if (isTaken(again)) return TOOK_IT_NOW
  for (const { mistake, header, value } of candidates(refused)) {
    const answer = await send({ ...refused.headers, [header]: value })
    if (answer.status === null) return null
    if (isTaken(answer)) return found(mistake, 'it accepted the event when it was signed that way')
  }
  return refused.answer.body.includes(refused.headers[SERVICE_SIGNATURE_HEADER] ?? '') ? COMPARES_WITH_ANOTHER : UNKNOWN
}

const TAKES_ANYTHING: Finding = {
  mistake: null,
  says: 'The signature is not the reason: your handler accepts the same event with a made-up signature.',
  fix: 'Look for another cause, and make your handler check the signature first.',
  code: null,
}
const TOOK_IT_NOW: Finding = {
  mistake: null,
  says: 'Your handler refused the event once and then accepted it with the same signature.',
  fix: 'It may have just restarted, or two versions of it may be running.',
  code: null,
}
const READ = `req.headers['${SERVICE_SIGNATURE_HEADER}']`
const COMPARES_WITH_ANOTHER: Finding = {
  mistake: null,
  says: 'Its response contains the right digest, yet it refuses: it probably compares it with something else.',
  fix: `Compare it with the header ${SERVICE_SIGNATURE_HEADER}.`,
  code: READ,
}
const UNKNOWN: Finding = {
  mistake: null,
  says: `None of the ${MISTAKES.length} typical mistakes explains it.`,
  fix: `Check that your handler reads ${SERVICE_SIGNATURE_HEADER} (not ${WEBHOOK_SIGNATURE_HEADER}, which is computed differently), that it uses this merchant's secret key, and that its 401 or 403 is about the signature at all.`,
  code: READ,
}
