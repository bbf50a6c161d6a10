// The gateway of the exam: it checks every notice of the adapter and records it, and can be away for a while.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { creditNotice, enquireAccount, payoutNotice, reversalNotice } from '@cowrie/contract/bank/connector'
import { cardNotice } from '@cowrie/contract/bank/v2/cards'
import { creditNoticeV2, reversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { numberNotice } from '@cowrie/contract/bank/v2/numbers'
import { payoutNoticeV2 } from '@cowrie/contract/bank/v2/payouts'
import { parseNaira } from '@cowrie/contract/kit/money'
import { Compile } from 'typebox/compile'
import { now } from '../kit/clock.ts'
import { type Door, type Json, openDoor, parseObject, readText, sendJson } from '../kit/http.ts'
import { signedBy } from '../kit/signing.ts'

export type Notice = {
  readonly kind: 'credit' | 'payout' | 'reversal' | 'card' | 'number'
  readonly path: string
  /** As it came; `amount` is its source text. */
  readonly message: Json
  readonly kobo: bigint | null
  readonly key: string
  readonly at: Date
  /** What it was answered; null: the connection was cut. */
  readonly answered: number | null
}

/** `down` cuts every connection. */
export type Mood = number | 'down'

export type Gateway = Door & {
  /** Every notice with a right signature and form, in the order of its arrival. */
  readonly notices: readonly Notice[]
  /** What was wrong with notices, in sentences. */
  readonly faults: readonly string[]
  /** What it answers from now on. */
  be(mood: Mood): void
  /** The keys that it shares with the adapter. */
  share(keys: readonly string[]): void
  /** Those of them that it accepts from now on. */
  accept(keys: readonly string[]): void
  /** Numbers that it never issued: an enquiry or a notice of version 1 about one is answered 404. */
  disown(accountNumber: string): void
}

const KINDS = [
  { kind: 'credit', route: creditNotice, version: 1 },
  { kind: 'payout', route: payoutNotice, version: 1 },
  { kind: 'reversal', route: reversalNotice, version: 1 },
  { kind: 'credit', route: creditNoticeV2, version: 2 },
  { kind: 'reversal', route: reversalNoticeV2, version: 2 },
  { kind: 'payout', route: payoutNoticeV2, version: 2 },
  { kind: 'card', route: cardNotice, version: 2 },
  { kind: 'number', route: numberNotice, version: 2 },
] as const
const ROUTES = new Map(KINDS.map((one) => [one.route.path as string, { ...one, check: Compile(one.route.body) }]))

/** JSON.parse would make a floating-point number of it, and a kobo may be lost where nobody sees it. */
const AMOUNT = /("amount"\s*:\s*)(-?\d[\d.eE+-]*)/g
const withSource = (body: string): Json | null => parseObject(body.replace(AMOUNT, '$1"$2"'))

const envelope = (body: unknown) => ({
  requestSuccessful: true,
  responseMessage: 'success',
  responseCode: '0',
  responseBody: body,
})
const refusal = (code: string) => ({ requestSuccessful: false, responseMessage: code, responseCode: code })

const replyTo = (kind: Notice['kind'], message: Json): unknown => {
  if (kind === 'payout') return { sessionId: message['sessionId'], outcome: 'TAKEN' }
  if (kind === 'number') return { accountNumber: message['accountNumber'], outcome: 'TAKEN' }
  if (kind === 'card') return { chargeReference: message['chargeReference'], outcome: 'TAKEN' }
  return { outcome: kind === 'credit' ? 'COUNTED' : 'REVERSED' }
}

export async function openGateway(port = 0): Promise<Gateway> {
  let keys: readonly string[] = []
  let accepted = keys
  let mood: Mood = 200
  const notices: Notice[] = []
  const faults: string[] = []
  const disowned = new Set<string>()

  const enquiry = (message: Json, response: ServerResponse): void => {
    const account = { accountName: 'Exam account', open: true, expiresAt: null }
    if (disowned.has(String(message['accountNumber']))) sendJson(response, 404, refusal('ACCOUNT_UNKNOWN'))
    else sendJson(response, 200, envelope(account))
  }

  const play = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '' } = request
    const body = await readText(request)
    if (mood === 'down') return void response.destroy()
    const signed = signedBy(accepted, { method, path, body }, request.headers)
    if ('wrong' in signed) {
      // During a rotation a key that is not accepted is not a fault.
      if ('wrong' in signedBy(keys, { method, path, body }, request.headers))
        faults.push(`A notice to ${path} was not signed as the protocol says: ${signed.wrong}.`)
      return sendJson(response, 401, refusal('SIGNATURE_INVALID'))
    }
    const message = withSource(body)
    if (path === enquireAccount.path && message !== null) return enquiry(message, response)
    const route = ROUTES.get(path)
    if (route === undefined || method !== 'POST') return sendJson(response, 404, refusal('NOT_FOUND'))
    const isSound = (said: Json | null): said is Json => said !== null && route.check.Check(said)
    if (!isSound(message)) {
      faults.push(`A notice to ${path} does not have the fields that the protocol asks for.`)
      return sendJson(response, 400, refusal('INVALID_REQUEST'))
    }
    const unknown = route.version === 1 && disowned.has(String(message['accountNumber']))
    const status = mood === 200 && unknown ? 404 : mood
    const amount = message['amount']
    notices.push({
      ...{ kind: route.kind, path, message, key: signed.key, at: now(), answered: status },
      kobo: typeof amount === 'string' ? parseNaira(amount) : null,
    })
    return status === 200
      ? sendJson(response, 200, envelope(replyTo(route.kind, message)))
      : sendJson(response, status, refusal('UNAVAILABLE'))
  }

  const door = await openDoor(play, port)
  return {
    ...door,
    notices,
    faults,
    be: (next) => {
      mood = next
    },
    share: (all) => {
      keys = all
      accepted = all
    },
    accept: (some) => {
      accepted = some
    },
    disown: (accountNumber) => void disowned.add(accountNumber),
  }
}
