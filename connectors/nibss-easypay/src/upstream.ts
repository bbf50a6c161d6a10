// Calls to NIBSS. Whatever is not answered in whole and in the form that we know is `unclear`, with the
// reason in our words: nothing of an answer gets into a log or an error, because answers have names and bank
// verification numbers in them.
import { type Clock, createTokens, type Token } from '@cowrie/connector-kit'
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { request } from 'undici'
import type { NibssSettings } from './config.ts'

export type Said<T> =
  | { readonly kind: 'said'; readonly said: T }
  /** `sent`: it may have been received. */
  | { readonly kind: 'unclear'; readonly why: string; readonly sent: boolean }

const Code = Type.String({ minLength: 1, maxLength: 20 })
const Text = Type.Union([Type.String(), Type.Number()])

const NameAnswer = Type.Object({
  responseCode: Code,
  sessionID: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  accountName: Type.Optional(Type.String()),
  bankVerificationNumber: Type.Optional(Text),
  kycLevel: Type.Optional(Text),
})
const TransferAnswer = Type.Object({
  responseCode: Code,
  transactionId: Type.String(),
  sessionID: Type.Optional(Type.String()),
  amount: Type.Optional(Text),
})
const StatusAnswer = Type.Object({
  responseCode: Code,
  transactionId: Type.String(),
  sessionID: Type.Optional(Type.String()),
})
/** As text only: a JSON number has been through a floating-point number before we see it. */
const BalanceAnswer = Type.Object({
  responseCode: Code,
  targetAccountNumber: Type.Optional(Type.String()),
  availableBalance: Type.Optional(Type.String({ pattern: '^-?\\d{1,15}(?:\\.\\d{1,2})?$' })),
})
const TokenAnswer = Type.Object({
  access_token: Type.String({ minLength: 8, maxLength: 8_192 }),
  expires_in: Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: '^\\d{1,9}$' })]),
})

const CALLS = {
  name: { path: '/nipservice/v1/nip/nameenquiry', answer: NameAnswer, limitMs: 12_000 },
  transfer: { path: '/nipservice/v1/nip/fundstransfer', answer: TransferAnswer, limitMs: 40_000 },
  status: { path: '/nipservice/v1/nip/tsq', answer: StatusAnswer, limitMs: 20_000 },
  balance: { path: '/nipservice/v1/nip/balanceenquiry', answer: BalanceAnswer, limitMs: 8_000 },
} as const satisfies Record<string, { path: string; answer: TSchema; limitMs: number }>
type Calls = typeof CALLS

export type Upstream = <Name extends keyof Calls>(
  name: Name,
  message: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<Said<Static<Calls[Name]['answer']>>>

/** Why a call failed, in our words. */
class Unclear extends Error {
  readonly sent: boolean
  constructor(why: string, sent = true) {
    super(why)
    this.sent = sent
  }
}

const BYTES_MAX = 64 * 1024
const TOKEN_MS = 8_000
const UTF8 = new TextDecoder('utf-8', { fatal: true })

async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal) {
  const answer = await request(url, { method: 'POST', headers, body, signal })
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer.body as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > BYTES_MAX) throw new Unclear('the answer was too long')
    parts.push(part)
  }
  return { status: answer.statusCode, body: Buffer.concat(parts) }
}

/** A field that is null is one that is not there: servers differ in that, and it means the same. */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(body), (_name, value: unknown) => value ?? undefined)
  } catch {
    throw new Unclear('the answer was not JSON')
  }
}

const checks = {
  name: Compile(NameAnswer),
  transfer: Compile(TransferAnswer),
  status: Compile(StatusAnswer),
  balance: Compile(BalanceAnswer),
  token: Compile(TokenAnswer),
}

/** The network's fault as one of few words; its own text may hold an address or more. */
function whyOf(error: unknown, signal: AbortSignal): string {
  if (error instanceof Unclear) return error.message
  return signal.aborted ? 'no answer in time' : 'the connection failed'
}

export function createUpstream({ settings, clock }: { settings: NibssSettings; clock: Clock }): Upstream {
  const { url, tokenUrl, clientId, clientSecret, scope } = settings

  const fetchToken = async (): Promise<Token> => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, scope }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    const asked = clock.now().getTime()
    const { status, body } = await post(
      tokenUrl,
      headers,
      String(new URLSearchParams(form)),
      AbortSignal.timeout(TOKEN_MS),
    )
    if (status !== 200) throw new Unclear(`the token was refused with ${status}`)
    const said = parse(body)
    if (!checks.token.Check(said)) throw new Unclear('the answer with the token has a form that we do not know')
    return { value: said.access_token, expiresAt: new Date(asked + Number(said.expires_in) * 1_000) }
  }
  const tokens = createTokens({ clock, fetch: fetchToken })
  const token = (): Promise<string> =>
    tokens.get().catch((error: unknown) => {
      throw new Unclear(error instanceof Unclear ? error.message : 'no token could be fetched', false)
    })

  return async (name, message, caller) => {
    const { path, limitMs } = CALLS[name]
    const signal = AbortSignal.any([caller, AbortSignal.timeout(limitMs)])
    const send = async (bearer: string) => {
      const headers = {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json',
        accept: 'application/json',
      }
      return post(url + path, headers, JSON.stringify(message), signal)
    }
    try {
      const first = await token()
      let answer = await send(first)
      if (answer.status === 401) {
        // It was not let in, so nothing was taken, and the same message may be sent once more.
        tokens.drop(first)
        answer = await send(await token())
      }
      if (answer.status !== 200) throw new Unclear(`the answer was ${answer.status}`)
      const said = parse(answer.body)
      if (!checks[name].Check(said)) throw new Unclear('the answer has a form that we do not know')
      return { kind: 'said', said: said as Static<Calls[typeof name]['answer']> }
    } catch (error) {
      return { kind: 'unclear', why: whyOf(error, signal), sent: !(error instanceof Unclear) || error.sent }
    }
  }
}
