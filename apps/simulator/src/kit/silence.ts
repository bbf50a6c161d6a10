// A bank that does not respond: the connection stays open and nothing is sent.
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** How long a caller who gets no answer is kept waiting. */
export type Silence = { readonly silenceMs: number; readonly stopping: AbortSignal }

/** Keeps the caller waiting, until it hangs up or the time is over. */
export async function silent(silence: Silence, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  reply.hijack()
  const { socket } = request.raw
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  const signal = AbortSignal.any([silence.stopping, gone.signal])
  await pause(silence.silenceMs, undefined, { signal }).catch(() => undefined)
  socket.destroy()
  return reply
}
