// What every route needs of a request, and how it refuses one.
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Queries = Readonly<Record<string, string | undefined>>

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
