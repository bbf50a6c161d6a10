// What every route needs of a request: its body, its query, the fields of its JSON; and how it refuses one.
import { SESSION_ID } from '@cowrie/contract/bank/connector'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Queries = Readonly<Record<string, string | undefined>>
export type Fields = Readonly<Record<string, unknown>>

export const bodyText = (request: FastifyRequest): string => (typeof request.body === 'string' ? request.body : '')

export const refuse = (reply: FastifyReply, status: number, error: string): FastifyReply =>
  reply.code(status).send({ error })

/** A repeated query parameter arrives as an array; the first one counts. */
export const queryOf = (request: FastifyRequest): Queries =>
  Object.fromEntries(
    Object.entries(request.query as Record<string, string | string[]>).map(([name, value]) => [
      name,
      Array.isArray(value) ? value[0] : value,
    ]),
  )

/** JSON with the source text of `amount` in place of its number, because 2^53 and 0.1 + 0.2 are not money. */
export function parseFields(json: string): Fields | null {
  const keepSource = (key: string, value: unknown, context?: { source?: string }): unknown =>
    key === 'amount' && typeof value === 'number' ? (context?.source ?? String(value)) : value
  try {
    const parsed: unknown = JSON.parse(json, keepSource)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Fields) : null
  } catch {
    return null
  }
}

export const isLine = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 200 && value.isWellFormed() && !/\p{Cc}/u.test(value)
export const isName = (value: unknown): value is string => isLine(value) && value !== ''

const SESSION = new RegExp(SESSION_ID)
export const isSession = (value: unknown): value is string => typeof value === 'string' && SESSION.test(value)
