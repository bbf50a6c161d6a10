// Calls to the bank. An answer is believed only if it is whole, JSON, and as its schema has it: everything
// else is null, which is "unknown".
import { createHash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { Agent, request } from 'undici'
import type { Config } from './config.ts'

const Text = Type.String({ maxLength: 1_000 })
/** Numbers arrive as their source text, see `parse`. */
const Amount = Type.String({ maxLength: 40 })
const maybe = Type.Optional(Type.Union([Text, Type.Null()]))

export const Transferred = Type.Object({ responseCode: Text, transactionReference: maybe, sessionId: maybe })
/** Of both kinds of transfer: one has a recipient, the other accounts to credit and to debit. */
export const Status = Type.Object({
  responseCode: Text,
  transactionReference: maybe,
  amount: Type.Optional(Type.Union([Amount, Type.Null()])),
  recipientAccountNumber: maybe,
  creditAccount: maybe,
})
export const NipAccount = Type.Object({ responseCode: Text, accountName: maybe, accountNumber: maybe })
/** The answer also has a BVN, a telephone number and an e-mail address, which nobody here has a use for. */
export const OwnAccount = Type.Object({
  responseCode: Text,
  accountName: maybe,
  accountNumber: maybe,
  availableBalance: Type.Optional(Type.Union([Amount, Type.Null()])),
})
export const NipBanks = Type.Object({
  responseCode: Text,
  banks: Type.Array(Type.Object({ bankCode: Text, bankName: Text }), { maxItems: 5_000 }),
})
export const Made = Type.Object({
  requestSuccessful: Type.Boolean(),
  responseCode: Text,
  account_number: maybe,
  account_name: maybe,
})
/** Of something that the bank does not know every field is empty. */
export const Booked = Type.Object({
  sessionId: Text,
  settlementId: Text,
  accountNumber: Text,
  currency: Text,
  transactionAmount: Amount,
  tranRemarks: maybe,
  sourceAccountNumber: maybe,
  sourceAccountName: maybe,
  sourceBankCode: maybe,
  sourceBankName: maybe,
  tranDateTime: Text,
})
export type Booked = Static<typeof Booked>

/** Amounts are numbers here and text there: numbers keep the text that they were sent as, so that no digit is
 *  lost on the way. */
const parse = (text: string): unknown =>
  JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value,
  )

export const signatureOf = ({ clientId, clientSecret }: Pick<Config, 'clientId' | 'clientSecret'>): string =>
  createHash('sha512').update(`${clientId}:${clientSecret}`).digest('hex').toUpperCase()

const checks = new Map<TSchema, (value: unknown) => boolean>()
const checkOf = (schema: TSchema): ((value: unknown) => boolean) => {
  const compiled = Compile(schema)
  const check = (value: unknown): boolean => compiled.Check(value)
  checks.set(schema, check)
  return check
}
const fits = (schema: TSchema, value: unknown): boolean => (checks.get(schema) ?? checkOf(schema))(value)

const BYTES_MAX = 512 * 1024

export type Upstream = {
  /** A call for payouts: who we are is in the body. */
  transfer<T extends TSchema>(path: string, body: object, schema: T, signal: AbortSignal): Promise<Static<T> | null>
  /** A call for account numbers: who we are is in the headers. Null as body: a GET. */
  collect<T extends TSchema>(
    path: string,
    body: object | null,
    schema: T,
    signal: AbortSignal,
  ): Promise<Static<T> | null>
  banks(signal: AbortSignal): Promise<Static<typeof NipBanks> | null>
  close(): Promise<void>
}

export function createUpstream(config: Config): Upstream {
  // Nothing is sent a second time here: whether that may be done is not for a client to decide.
  const agent = new Agent({ connect: { timeout: 10_000 }, pipelining: 0 })

  const read = async (body: AsyncIterable<Buffer>): Promise<string | null> => {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of body) {
      bytes += part.length
      if (bytes > BYTES_MAX) return null
      parts.push(part)
    }
    return Buffer.concat(parts).toString('utf8')
  }

  const call = async <T extends TSchema>(
    url: string,
    sent: { readonly headers?: Record<string, string>; readonly body: object | null },
    schema: T,
    signal: AbortSignal,
  ): Promise<Static<T> | null> => {
    try {
      const { statusCode, body } = await request(url, {
        dispatcher: agent,
        method: sent.body === null ? 'GET' : 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json', ...sent.headers },
        body: sent.body === null ? null : JSON.stringify(sent.body),
        signal,
      })
      const text = await read(body)
      if (statusCode !== 200 || text === null) return null
      const answer = parse(text)
      return fits(schema, answer) ? (answer as Static<T>) : null
    } catch {
      // What went wrong is not logged: its message may hold what was sent, and that holds a password.
      return null
    }
  }

  const { userName, password, clientId } = config
  const headers = { 'Client-Id': clientId, 'X-Auth-Signature': signatureOf(config) }
  return {
    transfer: (path, body, schema, signal) =>
      call(`${config.transfersUrl}/${path}`, { body: { ...body, userName, password } }, schema, signal),
    collect: (path, body, schema, signal) =>
      call(`${config.collectionsUrl}/${path}`, { headers, body }, schema, signal),
    banks: (signal) => call(`${config.transfersUrl}/GetNIPBanks`, { body: null }, NipBanks, signal),
    close: () => agent.close(),
  }
}
