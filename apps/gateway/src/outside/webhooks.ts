// Posts notifications to merchants' addresses. The wall is part of the connector: every address is checked
// where the socket connects, for a name may point anywhere by then. No redirects, and a post is never retried
// here. A status counts once its headers are in: of what follows 64 kB or one second is read, and 1 kB kept.
import { lookup, Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import { ANSWER_SECONDS_MAX, CONNECT_SECONDS_MAX } from '@cowrie/contract/events/delivery'
import { buildConnector, Client } from 'undici'
import { monotonicMs } from '#kit/clock.ts'
import type { WebhookAnswer, WebhookPort } from '#kit/ctx.ts'
import { isPublic } from '#kit/http/addresses.ts'
import { WEBHOOKS } from '#kit/series.ts'
import { calling } from '#kit/trace.ts'

const READ_MAX = 64 * 1024
const READ_MS = 1_000
const KEEP_MAX = 1024
const HEADERS_MAX = 16 * 1024
/** Answers of 1xx before the real one; each starts the count of header bytes anew. */
const EARLY_MAX = 8
const IDLE_MS = 10_000
/** Some receivers close after each answer without saying so: until a second post went well over one
 *  connection of a receiver, none is used again before that would show. */
const SETTLE_MS = 20
const ORIGINS_KNOWN_MAX = 10_000
/** Connections that rest, over all receivers: tens of thousands of addresses must not hold tens of thousands
 *  of sockets. */
const IDLE_MAX = 1_024

type Options = {
  /** Which addresses inside the sandbox may reach, and without encryption. Live may do neither: null. */
  readonly inside: ((address: string) => boolean) | null
  readonly connectMs?: number
  readonly answerMs?: number
  /** In place of those that the machine asks. */
  readonly nameServers?: readonly string[]
}
type Connector = buildConnector.connector
type Found = { readonly address: string; readonly family: number }

function counted(answer: WebhookAnswer): WebhookAnswer {
  WEBHOOKS(answer.status === null ? 'none' : `${Math.floor(answer.status / 100)}xx`).n += 1
  return answer
}

const failure = (code: string, cause?: unknown) => Object.assign(new Error(code, { cause }), { code })

const systemLookup = (name: string): Promise<Found[]> => lookup(name, { all: true })

/**
 * Asks the name servers without the machine's own look-up: that one knows names inside (its hosts file, its
 * search list), and runs on two threads of the process, so that a few names which never answer would hold up
 * everybody's.
 */
function nameServerLookup(servers: readonly string[] | undefined): (name: string) => Promise<Found[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (found.length > 0) return found
    const causes = [four, six].map((one) => (one.status === 'rejected' ? one.reason.code : null))
    // The words of the machine's look-up: nothing there, or nobody knows at the moment.
    throw failure(
      causes.every((code) => ['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes(code)) ? 'ENOTFOUND' : 'EAI_AGAIN',
    )
  }
}

/** What it finds is what is connected to: no second look-up. One address inside condemns the whole answer. */
function checkedLookup(
  find: (name: string) => Promise<Found[]>,
  allowed: (address: string) => boolean,
): LookupFunction {
  const ask = callbackify(find)
  return (name, options, callback) =>
    ask(name, (error, found) => {
      if (error) return callback(error, '', 0)
      const [first] = found
      if (!first || !found.every(({ address }) => allowed(address))) return callback(failure('ENOTPUBLIC'), '', 0)
      return options.all ? callback(null, found) : callback(null, first.address, first.family)
    })
}

/** An address that is written out needs no look-up, and once more when it stands: no byte of a post goes to
 *  one inside. */
export const guarded =
  (connect: Connector, allowed: (address: string) => boolean = isPublic): Connector =>
  (target, callback) => {
    if (isIP(target.hostname) !== 0 && !allowed(target.hostname)) return callback(failure('ENOTPUBLIC'), null)
    return connect(target, (error, socket) => {
      if (error) return callback(error, null)
      if (allowed(socket.remoteAddress ?? '')) return callback(null, socket)
      socket.destroy()
      return callback(failure('ENOTPUBLIC'), null)
    })
  }

/** User information would be sent or logged, so an address that has some is none. */
function targetOf(url: string, encryptedOnly: boolean): { origin: string; path: string } {
  const { protocol, username, password, origin, pathname, search } = new URL(url)
  if ((protocol !== 'https:' && protocol !== 'http:') || username || password) throw failure('ERR_INVALID_URL')
  if (encryptedOnly && protocol !== 'https:') throw failure('ENOTENCRYPTED')
  return { origin, path: pathname + search }
}

/** At most a kilobyte also when it is stored: bytes that are no text grow when they are read as text. */
function kept(parts: readonly Buffer[]): string {
  if (parts.length === 0) return ''
  const bytes = Buffer.concat(parts)
  const decode = (some: Uint8Array) => new TextDecoder().decode(some.subarray(0, KEEP_MAX), { stream: true })
  return decode(Buffer.from(decode(bytes).replaceAll('\u0000', '')))
}

type Response = {
  status: number
  durationMs: number
  retryAfter: string | null
  readonly parts: Buffer[]
  size: number
  /** The body came to its end: the connection can be used again. */
  whole: boolean
}

/** One post. Fails without a status in time; a body that breaks off, drips or never ends does not unsay a
 *  status. */
const ask = (client: Client, path: string, headers: Record<string, string>, body: string, answerMs: number) =>
  new Promise<Response>((resolve, reject) => {
    const started = monotonicMs()
    let response: Response | null = null
    let early = 0
    // To destroy the client ends whatever it does: waiting, connecting, sending, reading.
    const stop = (code: string) => void client.destroy(failure(code))
    let timer = setTimeout(stop, answerMs, 'TIMEOUT')
    const end = (whole: boolean, error: Error | null) => {
      clearTimeout(timer)
      if (response) resolve({ ...response, whole })
      else reject(error ?? failure('UND_ERR_SOCKET'))
    }
    // Taken piece by piece: a stream of each answer, mostly empty, cost a fifth of the post.
    client.dispatch(
      { method: 'POST', path, headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, status, got) => {
          if (status < 200) {
            early += 1
            if (early > EARLY_MAX) stop('ETOOMANYEARLYANSWERS')
            return
          }
          const durationMs = monotonicMs() - started
          const retryAfter = [got['retry-after'] ?? null].flat()[0] ?? null
          response = { status, durationMs: Math.round(durationMs), retryAfter, parts: [], size: 0, whole: false }
          clearTimeout(timer)
          timer = setTimeout(stop, Math.min(READ_MS, answerMs - durationMs), 'TIMEOUT')
        },
        onResponseData: (_, part) => {
          if (!response) return
          if (response.size < KEEP_MAX) response.parts.push(part.subarray(0, KEEP_MAX))
          response.size += part.length
          if (response.size >= READ_MAX) stop('TOO LONG')
        },
        onResponseEnd: () => end(true, null),
        onResponseError: (_, error) => end(false, error),
      },
    )
  })

type Webhooks = WebhookPort & {
  /** How many connections are kept for a next post. */
  readonly resting: () => number
  readonly close: () => Promise<void>
}

export function createWebhooks(options: Options): Webhooks {
  const { inside, connectMs = CONNECT_SECONDS_MAX * 1000, answerMs = ANSWER_SECONDS_MAX * 1000 } = options
  const allowed = (address: string) => isPublic(address) || inside?.(address) === true
  // The sandbox may use the machine's own names.
  const find = inside && !options.nameServers ? systemLookup : nameServerLookup(options.nameServers)
  // The time to connect covers the look-up and the handshake of TLS.
  const connector = buildConnector({
    timeout: connectMs,
    rejectUnauthorized: true,
    lookup: checkedLookup(find, allowed),
  })
  const connect = guarded(connector, allowed)

  // One client is one connection with one post on it at a time. undici's Agent would do, but after an answer
  // that we leave unread it opens one more connection for nothing (7.30), and it does not bound those that
  // rest.
  type Line = { readonly origin: string; readonly client: Client; posts: number; idleSince: number }
  const running = new Set<Promise<WebhookAnswer>>()
  const resting = new Set<Line>() // the one that has rested longest first
  const restingAt = new Map<string, Line[]>()
  const steady = new Set<string>() // origins whose connections have been seen to stay open
  let closed = false

  const drop = (line: Line): void => {
    if (resting.delete(line)) forget(line)
    void line.client.destroy()
  }
  const forget = (line: Line): void => {
    const lines = (restingAt.get(line.origin) ?? []).filter((one) => one !== line)
    if (lines.length > 0) restingAt.set(line.origin, lines)
    else restingAt.delete(line.origin)
  }
  const unsteady = (line: Line): void => {
    steady.delete(line.origin)
  }
  /** An idle connection: the last one used, because a receiver closes the others first. */
  function restingLine(origin: string): Line | undefined {
    const lines = restingAt.get(origin)
    const last = lines?.at(-1)
    if (!lines || !last) return undefined
    const settled = monotonicMs() - SETTLE_MS
    const line = steady.has(origin) ? last : lines.find((one) => one.idleSince < settled)
    if (!line) return undefined
    resting.delete(line)
    if (line === last) lines.pop()
    else forget(line)
    if (lines.length === 0) restingAt.delete(origin)
    return line
  }
  function take(origin: string): Line {
    const known = restingLine(origin)
    if (known) return known
    const client = new Client(origin, {
      connect,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS, // whatever the receiver would like
      maxHeaderSize: HEADERS_MAX,
      headersTimeout: 0, // both counted below
      bodyTimeout: 0,
    })
    const line: Line = { origin, client, posts: 0, idleSince: 0 }
    client.on('disconnect', () => {
      if (!resting.has(line)) return
      if (monotonicMs() - line.idleSince < SETTLE_MS) unsteady(line)
      drop(line)
    })
    return line
  }
  function release(line: Line, atItsEnd: boolean): void {
    line.posts += 1
    if (line.posts > 1) {
      if (!atItsEnd) unsteady(line)
      else if (steady.size < ORIGINS_KNOWN_MAX) steady.add(line.origin)
    }
    line.idleSince = monotonicMs()
    if (closed || !atItsEnd || !line.client.stats.connected) {
      drop(line)
      return
    }
    resting.add(line)
    const lines = restingAt.get(line.origin)
    if (lines) lines.push(line)
    else restingAt.set(line.origin, [line])
    const [oldest] = resting
    if (oldest && resting.size > IDLE_MAX) drop(oldest)
  }

  async function send(
    url: string,
    headers: Record<string, string>,
    body: string,
    limitMs: number,
  ): Promise<WebhookAnswer> {
    const started = monotonicMs()
    let line: Line | undefined
    let atItsEnd = false
    try {
      const { origin, path } = targetOf(url, inside === null)
      line = take(origin)
      const { status, durationMs, parts, retryAfter, whole } = await ask(line.client, path, headers, body, limitMs)
      atItsEnd = whole
      return { status, durationMs, error: null, answer: kept(parts), retryAfter }
    } catch (error) {
      const { code, name } = error as Error & { code?: string }
      const durationMs = Math.round(monotonicMs() - started)
      return { status: null, durationMs, error: code ?? name, answer: null, retryAfter: null }
    } finally {
      if (line) release(line, atItsEnd)
    }
  }

  return {
    post: (url, headers, body, limitMs = answerMs) => {
      const sent = calling('webhook', (trace) => send(url, { ...headers, ...trace }, body, Math.min(limitMs, answerMs)))
        .then(counted)
        .finally(() => running.delete(sent))
      running.add(sent)
      return sent
    },
    resting: () => resting.size,
    close: async () => {
      closed = true
      for (const line of resting) drop(line)
      await Promise.all(running)
    },
  }
}
