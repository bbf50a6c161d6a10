// Tells whoever wants to know how a request ended: once, when its answer is out or its caller has gone. Costs
// a listener on the answer.
import type { ServerResponse } from 'node:http'
import { monotonicMs } from '../clock.ts'
import type { HttpRequest } from './answers.ts'

/** The caller hung up first; no answer of ours has this status. */
const HUNG_UP = 499

/** A route as a record of its requests names it: its id, and the path with `{name}` for parameters. */
export type AnsweredRoute = { readonly id: string; readonly path: string }
export type TellAnswered = (route: AnsweredRoute, request: HttpRequest, status: number, elapsedMs: number) => void

export function watchAnswer(
  tell: TellAnswered,
  route: AnsweredRoute,
  request: HttpRequest,
  response: ServerResponse,
): void {
  const since = monotonicMs()
  response.once('close', () =>
    tell(route, request, response.writableFinished ? response.statusCode : HUNG_UP, monotonicMs() - since),
  )
}
