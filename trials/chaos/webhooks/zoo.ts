// The receivers, in a process of their own so that their noise does not disturb whoever counts. Every
// notification is verified over its raw bytes, noted with its instant, and then treated as its merchant's
// behaviour says.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { ATTEMPT_HEADER } from '../../../packages/contract/src/events/delivery.ts'
import { isSigned } from '../kit/signature.ts'
import { type Behaviour, type BehaviourName, behaviourOf, type Exchange, FOLLOWED, type Site } from './behaviours.ts'
import type { Certificates } from './certificates.ts'
import { eventNumber, isFed } from './feed.ts'

export type Resident = {
  readonly path: string
  readonly secretKey: string
  /** What the body must carry. */
  readonly name: string
  readonly behaviour: BehaviourName
}

export type Arrival = {
  readonly merchant: number
  /** The place of a fed event in its plan. */
  readonly event: number
  /** What its header calls the event. */
  readonly id: string
  /** Which attempt it says it is. */
  readonly attempt: number
  readonly at: number
  /** When it was answered or broken off; null when neither has happened yet. */
  until: number | null
  /** What was said; 0 for nothing. */
  status: number
  /** Broken off by the sender. */
  left: boolean
}

export type ZooReport = {
  readonly arrivals: readonly Arrival[]
  readonly faults: readonly { readonly kind: string; readonly example: string }[]
  /** When somebody last connected to each server; some never receive more. */
  readonly connectedAt: Readonly<Partial<Record<Site, number>>>
}
export type ZooAsked =
  | { readonly residents: readonly Resident[]; readonly certificates: Certificates | null }
  | 'report'
/** By site, or by path for those who are alone. */
export type ZooPorts = Readonly<Record<string, number>>

type Notification = {
  readonly eventData: { readonly transactionReference?: string; readonly metaData?: { readonly merchant?: string } }
}
type Known = Resident & {
  readonly place: number
  readonly how: Behaviour
  /** Times each event has come. */
  readonly seen: Map<string, number>
  requests: number
}

/** Finer than Date.now(): within a millisecond one request ends and the next begins. */
const now = (): number => performance.timeOrigin + performance.now()

const arrivals: Arrival[] = []
const faults: { kind: string; example: string }[] = []
const fault = (kind: string, example: string) => faults.push({ kind, example: example.slice(0, 300) })
const connectedAt: Partial<Record<Site, number>> = {}
const idOf = new Map<number, string>()

/** Both signatures, the merchant where the body names it (a fed event always does), and the id that must be
 *  the same on every attempt. Answers with the number of a fed event. */
function verify(resident: Known, id: string, { headers }: IncomingMessage, body: Buffer): number {
  const timed = createHmac('sha256', resident.secretKey)
  timed.update(`${id}.${String(headers['webhook-timestamp'])}.`).update(body)
  if (!isSigned(resident.secretKey, headers['service-signature'], body))
    fault('a signature is wrong', `${resident.path}: service-signature of ${body.toString('utf8')}`)
  if (headers['webhook-signature'] !== `v1,${timed.digest('base64')}`)
    fault('a signature is wrong', `${resident.path}: webhook-signature of ${id}`)
  let notification: Notification
  try {
    notification = JSON.parse(body.toString('utf8')) as Notification
  } catch {
    fault('a body is not whole', `${resident.path}: ${body.toString('utf8')}`)
    return Number.NaN
  }
  const { transactionReference = '', metaData } = notification.eventData
  const fed = isFed(transactionReference)
  const meant = metaData?.merchant
  if ((fed || meant !== undefined) && meant !== resident.name)
    fault('an event went to the wrong merchant', `${resident.name} got ${transactionReference} of ${meant}`)
  if (!fed) return Number.NaN
  const event = eventNumber(transactionReference)
  if ((idOf.get(event) ?? id) !== id)
    fault('an event has two ids', `${transactionReference}: ${idOf.get(event)}, ${id}`)
  idOf.set(event, id)
  return event
}

function exchangeOf(resident: Known, request: IncomingMessage, response: ServerResponse) {
  const attempt = Number(request.headers[ATTEMPT_HEADER])
  const arrival = { merchant: resident.place, attempt, at: now(), until: null as number | null, status: 0, left: false }
  const timers = new Set<NodeJS.Timeout>()
  const close = (left: boolean) => {
    if (arrival.until !== null) return
    arrival.until = now()
    arrival.left = left
  }
  response.once('close', () => {
    close(!response.writableFinished)
    for (const timer of timers) clearTimeout(timer)
  })
  const begin: Exchange['begin'] = (status, headers) => {
    arrival.status = status
    response.writeHead(status, headers).flushHeaders()
  }
  const answer: Exchange['answer'] = (status, headers, body) => {
    if (response.destroyed) return
    arrival.status = status
    close(false) // before the bytes leave: the next request may come on their heels
    response.writeHead(status, headers).end(body)
  }
  const later: Exchange['later'] = (ms, work) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (!response.destroyed) work()
    }, ms)
    timers.add(timer)
  }
  return { arrival, exchange: { request, response, begin, answer, later } }
}

const listenerOf =
  (site: Site, residents: ReadonlyMap<string, Known>): RequestListener =>
  (request, response) => {
    const { method, url = '' } = request
    for (const stream of [request, response]) stream.on('error', () => undefined) // broken off, or killed
    const resident = residents.get(url)
    if (method !== 'POST' || url.includes(FOLLOWED)) fault('a redirect was followed', `${method} ${url}`)
    else if (!resident) fault('a request for nobody', `${method} ${url}`)
    else if (resident.how.site !== site || !['web', 'alone', 'trusted'].includes(site))
      fault('an event went out to a server that nothing vouches for', `${site}: ${url}`)
    if (!resident) return void response.writeHead(404).end()
    const { arrival, exchange } = exchangeOf(resident, request, response)
    const serve = (sameBefore: number) =>
      resident.how.serve({ ...exchange, sameBefore, requestsBefore: resident.requests++ })
    if (resident.how.early) serve(0)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const id = String(request.headers['webhook-id'])
      const event = verify(resident, id, request, Buffer.concat(parts))
      arrivals.push(Object.assign(arrival, { event, id }))
      const sameBefore = resident.seen.get(id) ?? 0
      resident.seen.set(id, sameBefore + 1)
      if (!resident.how.early) serve(sameBefore)
    })
  }

async function open(asked: Exclude<ZooAsked, 'report'>): Promise<ZooPorts> {
  const residents = new Map<string, Known>(
    asked.residents.map((resident, place) => [
      resident.path,
      { ...resident, place, how: behaviourOf(resident.behaviour), seen: new Map(), requests: 0 },
    ]),
  )
  const servers: [Site, Server, path?: string][] = [
    ['web', createServer(listenerOf('web', residents))],
    ['mute', createSocketServer({ pauseOnConnect: true })],
    ['handshake', createSocketServer((socket) => void socket.resume())],
  ]
  for (const { path, how } of residents.values())
    if (how.site === 'alone') servers.push(['alone', createServer(listenerOf('alone', residents)), path])
  for (const site of ['trusted', 'wrongName', 'expired', 'selfSigned'] as const) {
    const pair = asked.certificates?.[site]
    if (pair) servers.push([site, createTlsServer({ ...pair }, listenerOf(site, residents))])
  }
  const ports: Record<string, number> = {}
  for (const [site, server, path] of servers) {
    server.on('connection', (socket: Socket) => {
      connectedAt[site] = Date.now()
      socket.on('error', () => undefined) // resets are the daily bread here
    })
    server.on('secureConnection', (socket: Socket) => void socket.on('error', () => undefined))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', 1_024, done))
    ports[path ?? site] = (server.address() as AddressInfo).port
  }
  return ports
}

if (import.meta.main) {
  process.on('disconnect', () => process.exit(0))
  process.on('message', (asked: ZooAsked) => {
    if (asked === 'report') process.send?.({ arrivals, faults, connectedAt } satisfies ZooReport)
    else void open(asked).then((ports) => process.send?.(ports))
  })
}
