// A bank that does not answer: the connection stays open and nothing comes.
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long a caller waits who gets no answer. */
export type Patience = { readonly silenceMs: number; readonly stopping: AbortSignal }

/** Keeps the caller waiting, until it hangs up or for as long as that. */
export async function silent(patience: Patience, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  reply.hijack()
  const { socket } = request.raw
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  const signal = AbortSignal.any([patience.stopping, gone.signal])
  await pause(patience.silenceMs, undefined, { signal }).catch(() => undefined)
  socket.destroy()
  return reply
}
