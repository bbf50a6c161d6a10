// Calls to Paystack. An answer is believed only if it is whole, JSON, and as its schema has it. Nothing of
// what was sent or received gets into a log or an error: it holds cards, codes and people.
import type { Static, TSchema } from 'typebox'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { Agent, request } from 'undici'
import type { Config } from './config.ts'

const Text = Type.String({ maxLength: 2_000 })
const maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
/** Numbers arrive as their source text, see `parse`. */
const Kobo = Type.String({ pattern: '^\\d{1,15}$' })

const Authorisation = Type.Object({
  ...{ authorization_code: maybe(Text), bank: maybe(Text), brand: maybe(Text), card_type: maybe(Text) },
  ...{ country_code: maybe(Text), reusable: maybe(Type.Boolean()) },
  ...{ bin: maybe(Text), last4: maybe(Text), exp_month: maybe(Text), exp_year: maybe(Text) },
})
export type Authorisation = Static<typeof Authorisation>
/** A charge, by every call that answers with one. What step it is at is in `status`; of an authorisation that
 *  needs the payer there is none. */
export const Charge = Type.Object({
  ...{ status: maybe(Text), reference: maybe(Text), id: maybe(Text), domain: maybe(Text), currency: maybe(Text) },
  ...{ amount: maybe(Kobo), requested_amount: maybe(Kobo), gateway_response: maybe(Text), message: maybe(Text) },
  ...{
    url: maybe(Text),
    authorization_url: maybe(Text),
    paused: maybe(Type.Boolean()),
    authorization: maybe(Authorisation),
  },
})
export type Charge = Static<typeof Charge>
const DisputedCharge = Type.Object({ reference: maybe(Text), amount: maybe(Kobo) })
export const Refund = Type.Object({
  ...{ id: Text, status: Text, amount: maybe(Kobo), currency: maybe(Text), merchant_note: maybe(Text) },
})
export type Refund = Static<typeof Refund>
/** Of a dispute only what is passed on: the rest is about people and cards. */
export const Dispute = Type.Object({
  ...{ id: Type.String({ pattern: '^\\d{1,20}$' }), status: Text, resolution: maybe(Text), currency: maybe(Text) },
  ...{ refund_amount: maybe(Kobo), category: maybe(Text), transaction: maybe(DisputedCharge) },
  ...{ dueAt: maybe(Text), createdAt: maybe(Text), updatedAt: maybe(Text), resolvedAt: maybe(Text) },
})
export type Dispute = Static<typeof Dispute>
export const Refunds = Type.Array(Refund, { maxItems: 1_000 })

const Envelope = Type.Object({
  ...{
    status: Type.Boolean(),
    message: maybe(Text),
    data: Type.Optional(Type.Unknown()),
    type: maybe(Text),
    code: maybe(Text),
  },
})

/** `unclear`: no answer, or one that is not as Paystack publishes it. `refused`: the message was, in `text`;
 *  `isWrong` where it says that the message itself is not right, so that nothing was taken. */
export type Answer<T> =
  | { readonly kind: 'said'; readonly said: T }
  | { readonly kind: 'refused'; readonly text: string; readonly isWrong: boolean }
  | { readonly kind: 'unclear'; readonly why: string }

export type Upstream = {
  get<T extends TSchema>(path: string, schema: T, signal: AbortSignal): Promise<Answer<Static<T>>>
  post<T extends TSchema>(path: string, body: object, schema: T, signal: AbortSignal): Promise<Answer<Static<T>>>
  close(): Promise<void>
}

const parse = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  )

const envelopes = Compile(Envelope)
const checks = new Map<TSchema, (value: unknown) => boolean>()
const fits = (schema: TSchema, value: unknown): boolean => {
  const known = checks.get(schema)
  if (known !== undefined) return known(value)
  const compiled = Compile(schema)
  const check = (one: unknown): boolean => compiled.Check(one)
  checks.set(schema, check)
  return check(value)
}

const BYTES_MAX = 512 * 1024
async function read(body: AsyncIterable<Buffer>): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > BYTES_MAX) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Of these an answer may hold a charge, or say why there is none. */
const ANSWERS = new Set([200, 201, 400, 404, 422])

function answerOf<T extends TSchema>(status: number, text: string | null, schema: T): Answer<Static<T>> {
  if (!ANSWERS.has(status)) return { kind: 'unclear', why: `the answer was ${status}` }
  const answer = parse(text ?? '')
  if (!envelopes.Check(answer)) return { kind: 'unclear', why: 'the answer has a form that we do not know' }
  const { data, message, type, code } = answer
  if (data !== undefined && data !== null && fits(schema, data)) return { kind: 'said', said: data as Static<T> }
  if (status === 200 || status === 201) return { kind: 'unclear', why: 'the answer has a form that we do not know' }
  return { kind: 'refused', text: message ?? '', isWrong: type === 'validation_error' && code === 'invalid_params' }
}

export function createUpstream({ url, secretKey }: Pick<Config, 'url' | 'secretKey'>): Upstream {
  // Nothing is sent a second time here: whether that may be done is not for a client to decide.
  const agent = new Agent({ connect: { timeout: 10_000 }, pipelining: 0 })

  const call = async <T extends TSchema>(
    path: string,
    sent: object | null,
    schema: T,
    signal: AbortSignal,
  ): Promise<Answer<Static<T>>> => {
    try {
      const { statusCode, body } = await request(url + path, {
        dispatcher: agent,
        method: sent === null ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: 'application/json',
          ...(sent === null ? {} : { 'content-type': 'application/json' }),
        },
        body: sent === null ? null : JSON.stringify(sent),
        signal,
      })
      return answerOf(statusCode, await read(body), schema)
    } catch {
      // What went wrong is not passed on: its text may hold what was sent.
      return { kind: 'unclear', why: signal.aborted ? 'no answer in time' : 'no whole answer' }
    }
  }

  return {
    get: (path, schema, signal) => call(path, null, schema, signal),
    post: (path, body, schema, signal) => call(path, body, schema, signal),
    close: () => agent.close(),
  }
}
