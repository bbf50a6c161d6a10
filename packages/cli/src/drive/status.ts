// `cowrie status`: what runs, what time it is there, and what waits. It reads only, and works with a live
// gateway too.

import { listEndpoints } from '@cowrie/contract/events/endpoints'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { getClock } from '@cowrie/contract/screens/sandbox'
import { findSandbox, type Options } from '../config.ts'
import { Failure } from '../failure.ts'
import type { Gateway } from '../gateway.ts'
import { bold, dim, printLine } from '../words.ts'
import { openBank } from './bank.ts'

type Endpoints = ReplyOf<typeof listEndpoints>
type Clock = ReplyOf<typeof getClock>
export type Standing = {
  readonly url: string
  readonly apiKey: string
  readonly source: string
  readonly clock: Clock | null
  readonly events: number
  /** Null where the key may not see it. */
  readonly endpoints: Endpoints | null
  readonly bank: { readonly url: string; readonly alive: boolean } | null
}

/** Null where the gateway refuses with that code: a live one has no clock to move, and a limited key does not
 *  see everything. */
const unless = <T>(code: string, call: Promise<T>): Promise<T | null> =>
  call.catch((error: unknown) => {
    if (error instanceof Failure && error.code === code) return null
    throw error
  })

async function bankOf(flags: Options, url: string, signal: AbortSignal): Promise<Standing['bank']> {
  try {
    const { handle } = findSandbox(flags.merchant === undefined ? {} : { merchant: flags.merchant }, process.cwd())
    if (handle.apiUrl !== url) return null
    return { url: handle.simulatorUrl, alive: await openBank(handle.simulatorUrl, signal).alive() }
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

export async function standing(gateway: Gateway, flags: Options, signal: AbortSignal): Promise<Standing> {
  const events = await gateway.newest()
  const { url, apiKey, source } = gateway.credentials()
  return {
    url,
    apiKey,
    source,
    clock: await unless('ROUTE_UNKNOWN', gateway.ask(getClock)),
    events,
    endpoints: await unless('PERMISSION_DENIED', gateway.ask(listEndpoints)),
    bank: await bankOf(flags, url, signal),
  }
}

const duration = (seconds: number): string => {
  const [days, rest] = [Math.floor(seconds / 86_400), seconds % 86_400]
  const [hours, minutes] = [Math.floor(rest / 3_600), Math.floor((rest % 3_600) / 60)]
  return [days && `${days} d`, hours && `${hours} h`, minutes && `${minutes} min`].filter(Boolean).join(' ') || '0 min'
}

const row = (name: string, text: string): string => `${name.padEnd(10)} ${text}`

function endpointLines(endpoints: Endpoints | null): string[] {
  if (endpoints === null) return [row('Webhooks', 'this key may not see them')]
  if (endpoints.length === 0) return [row('Webhooks', 'no address is set; cowrie listen 3000 shows events here')]
  return endpoints.flatMap(({ url, status, waiting, failingSince, disabledReason, endpointId }) => {
    const why = disabledReason === null ? '' : ` (${disabledReason})`
    const failing = failingSince === null ? '' : `; failing since ${failingSince}`
    const waits = waiting === 0 ? 'nothing waits' : `${waiting} ${waiting === 1 ? 'event waits' : 'events wait'}`
    return [row('Webhook', `${url}  ${dim(endpointId)}`), row('', `${status}${why}, ${waits}${failing}`)]
  })
}

export async function status(gateway: Gateway, flags: Options & { json?: true }, signal: AbortSignal): Promise<void> {
  const now = await standing(gateway, flags, signal)
  if (flags.json) return printLine(JSON.stringify(now))
  const lines = [
    row('Gateway', `${bold(now.url)} answers`),
    row('Keys', `${now.apiKey}  ${dim(now.source)}`),
    now.clock === null
      ? row('Clock', 'that of the world: this is a live gateway')
      : row('Clock', `${now.clock.now}, ${duration(now.clock.offsetSeconds)} ahead of the world`),
    row('Events', now.events === 0 ? 'none yet' : `${now.events}; the newest: cowrie events show ${now.events}`),
    ...endpointLines(now.endpoints),
    ...(now.bank ? [row('Bank', `${now.bank.url} ${now.bank.alive ? 'answers' : 'does not answer'}`)] : []),
  ]
  printLine(lines.join('\n'))
}
