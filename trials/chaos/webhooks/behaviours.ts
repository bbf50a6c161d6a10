// How receivers treat a notification: the good one, and all the ways a merchant's server may be slow, wrong
// or hostile. Each speaks through an exchange, which notes what was said and until when.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { SECOND_MS } from '../../../packages/contract/src/kit/durations.ts'

export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** How often this event, and how many requests, have come to this address before. */
  readonly sameBefore: number
  readonly requestsBefore: number
  /** Says a status and ends. */
  readonly answer: (status: number, headers?: OutgoingHttpHeaders, body?: string | Buffer) => void
  /** Sends a status with headers and leaves what follows to the behaviour. */
  readonly begin: (status: number, headers?: OutgoingHttpHeaders) => void
  /** Runs later, unless the other side is gone by then. */
  readonly later: (ms: number, work: () => void) => void
}

/** Which server an address lies on. `web` is shared by the good and by whoever is bad by path alone; who
 *  harms connections has a server `alone`, as in life: a server that resets them resets them for all its
 *  paths. */
export type Site =
  | 'web'
  | 'alone'
  | 'nobody'
  | 'mute'
  | 'trusted'
  | 'wrongName'
  | 'expired'
  | 'selfSigned'
  | 'handshake'

export type Behaviour = {
  readonly site: Site
  /** `once`: an event that came has been taken, so it comes once. `some`: a 200 is said now and then. */
  readonly takes: 'once' | 'some' | 'never'
  /** Speaks before it has read the body. */
  readonly early?: true
  readonly serve: (exchange: Exchange) => void
}

const GIGABYTE = 2 ** 30
const CHUNK = Buffer.alloc(2 ** 20, 'x')
const BOMB_MEMBERS = 160 // of 64 MB each: 10 GB in 10 MB
const REFUSED_FIRST = 10 // of the one that comes back to life: as many as make the gateway let it rest

const web = (takes: Behaviour['takes'], serve: Behaviour['serve']): Behaviour => ({ site: 'web', takes, serve })
const alone = (takes: Behaviour['takes'], serve: Behaviour['serve']): Behaviour => ({ site: 'alone', takes, serve })
const says = (status: number, headers?: OutgoingHttpHeaders): Behaviour =>
  web('never', ({ answer }) => answer(status, headers))
const slow = (seconds: number, takes: Behaviour['takes']): Behaviour =>
  web(takes, ({ answer, later }) => later(seconds * SECOND_MS, () => answer(200)))
/** Whatever arrives on these has already gone too far; the zoo notes it as a fault. */
const elsewhere = (site: Site): Behaviour => ({ site, takes: 'never', serve: ({ answer }) => answer(200) })

let bombMember: Buffer | undefined
const memberOfBomb = (): Buffer => {
  bombMember ??= gzipSync(Buffer.alloc(64 * 2 ** 20))
  return bombMember
}

/** Writes the same bytes again and again, as fast as they are taken, until enough or the other side has
 *  gone. */
function pour({ response, later }: Exchange, part: Buffer, times: number): void {
  let left = times
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      if (!response.write(part)) return void response.once('drain', () => later(0, more))
    }
    if (!response.destroyed) response.end()
  }
  more()
}

function drip({ begin, response, later }: Exchange): void {
  begin(200, { 'content-length': 600 })
  const drop = () => {
    response.write('.')
    later(SECOND_MS, drop)
  }
  drop()
}

const manyHeaders = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, n) => [`x-shelf-${n}`, 'two yards of adire, blue on white']),
)

/** Where a redirect would lead; a request that carries this was one that followed. */
export const FOLLOWED = 'followed'
const own = (request: IncomingMessage): string => `${request.url}?${FOLLOWED}`
const inside = (headers: IncomingHttpHeaders): string => `http://127.0.0.1:${headers.host?.split(':')[1]}/?${FOLLOWED}`

const HONEST: Behaviour = web('once', ({ answer }) => answer(200))
const HONEST_TLS: Behaviour = { ...HONEST, site: 'trusted' }

export const HOSTILE = {
  '200 after 1 s': slow(1, 'once'),
  '200 after 14 s': slow(14, 'some'),
  '200 after 16 s': slow(16, 'never'),
  '200 after 60 s': slow(60, 'never'),
  '201': says(201),
  '204': says(204),
  '301 to 127.0.0.1': web('never', ({ answer, request }) => answer(301, { location: inside(request.headers) })),
  '301 to itself': web('never', ({ answer, request }) => answer(301, { location: own(request) })),
  '400': says(400),
  '401': says(401),
  '410': says(410),
  '429, Retry-After 0': says(429, { 'retry-after': '0' }),
  '429, Retry-After 3600': says(429, { 'retry-after': '3600' }),
  '429, Retry-After -1': says(429, { 'retry-after': '-1' }),
  '429, Retry-After garbage': says(429, { 'retry-after': 'after the rain, 99999999999999999999' }),
  '500': says(500),
  '500, then 200 at the second try': web('some', ({ answer, sameBefore }) => answer(sameBefore < 1 ? 500 : 200)),
  '500 at first, then alive': web('some', ({ answer, requestsBefore }) =>
    answer(requestsBefore < REFUSED_FIRST ? 500 : 200),
  ),
  'connection refused': elsewhere('nobody'),
  'accepts and never reads': elsewhere('mute'),
  'reads and never answers': web('never', () => undefined),
  'closes after its headers': alone('some', ({ begin, response, later }) => {
    begin(200, { 'content-length': 100 })
    later(10, () => response.socket?.destroy())
  }),
  'drips a byte a second': web('some', drip),
  'a body of 1 GB': web('some', (exchange) => {
    exchange.begin(200, { 'content-length': GIGABYTE })
    pour(exchange, CHUNK, GIGABYTE / CHUNK.length)
  }),
  'a gzip bomb': web('some', (exchange) => {
    exchange.begin(200, { 'content-encoding': 'gzip', 'content-length': memberOfBomb().length * BOMB_MEMBERS })
    pour(exchange, memberOfBomb(), BOMB_MEMBERS)
  }),
  '1,000 headers': web('some', ({ answer }) => answer(200, manyHeaders)),
  'no HTTP at all': alone('never', ({ response }) => response.socket?.end('220 smtp.example ready\r\n\r\n')),
  'a body shorter than it says': alone('some', ({ begin, response, later }) => {
    begin(200, { 'content-length': 5_000 })
    response.write('taken')
    later(10, () => response.socket?.end())
  }),
  'a body longer than it says': alone('some', ({ answer, response }) => {
    const { socket } = response
    answer(200, { 'content-length': 5 }, 'taken')
    socket?.write('and more than that'.repeat(100))
  }),
  'keeps alive, then resets': alone('some', ({ answer, response }) => {
    const { socket } = response
    answer(200)
    setTimeout(() => socket?.resetAndDestroy(), 50)
  }),
  '200 before the body is read': { ...HONEST, takes: 'some', early: true },
  'answers twice': alone('some', ({ answer, response }) => {
    const { socket } = response
    answer(200, { 'content-length': 5 }, 'taken')
    socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\ntaken')
  }),
  'TLS, wrong host name': elsewhere('wrongName'),
  'TLS, expired certificate': elsewhere('expired'),
  'TLS, self-signed certificate': elsewhere('selfSigned'),
  'TLS, hanging handshake': elsewhere('handshake'),
} as const satisfies Record<string, Behaviour>

export type BehaviourName = 'honest' | 'honest, TLS' | keyof typeof HOSTILE

export const behaviourOf = (name: BehaviourName): Behaviour => {
  if (name === 'honest') return HONEST
  return name === 'honest, TLS' ? HONEST_TLS : HOSTILE[name]
}

/** Needs certificates, which not every machine can make. */
export const needsTls = (name: BehaviourName): boolean =>
  ['trusted', 'wrongName', 'expired', 'selfSigned'].includes(behaviourOf(name).site)
