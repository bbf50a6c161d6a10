// Receivers as adversaries, on real sockets: what they say, what they never say, what they say too much of,
// and the certificates they show. What is posted is posted once, and nothing of them piles up here.
import { createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { ANSWER_SECONDS_MAX, CONNECT_SECONDS_MAX } from '@cowrie/contract/events/delivery'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Certificate, type CertificateSpec, makeCertificate } from '#test/kit/certificates.ts'
import { openNameServer } from '#test/kit/name-server.ts'
import { lacks } from '../../../../tools/programs.ts'
import { createWebhooks } from './webhooks.ts'

const LIMITS = { connectMs: 300, answerMs: 1_500 }
const headers = { 'content-type': 'application/json' }
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const one of cleanUp.splice(0).reverse()) await one()
})
function webhooks(options: Partial<Parameters<typeof createWebhooks>[0]> = {}) {
  const made = createWebhooks({ ...LIMITS, inside: () => true, ...options })
  cleanUp.push(made.close)
  return made
}

/** A receiver that answers each post it receives by writing to the socket; it knows its connections and its
 *  posts. */
async function receiver(answer: (socket: Socket, post: number) => void, tls?: Certificate) {
  const open = new Set<Socket>()
  const state = { url: '', connections: 0, posts: 0, sent: 0, open: () => open.size }
  const onSocket = (socket: Socket) => {
    state.connections += 1
    open.add(socket)
    socket
      .on('error', () => undefined)
      .on('close', () => {
        open.delete(socket)
        state.sent += socket.bytesWritten
      })
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const [, ...bodies] = text.split('\r\n\r\n')
      if (bodies.length === 0) return
      text = ''
      answer(socket, state.posts++)
    })
  }
  const server = tls ? createTlsServer(tls, onSocket) : createServer(onSocket)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  state.url = `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${(server.address() as { port: number }).port}`
  cleanUp.push(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return state
}
const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const started = performance.now()
  return [await work, performance.now() - started]
}
/** A connection is taken again when it has been idle for 20 ms, and is kept for ten seconds. */
const settled = () => pause(40)
const turn = () => new Promise((done) => setImmediate(done))
/** Posts and connections once all is over: nothing stays open, and after close() nobody connects again. */
async function ended(to: Awaited<ReturnType<typeof receiver>>, sender: ReturnType<typeof createWebhooks>) {
  await expect.poll(to.open).toBe(0)
  await sender.close()
  return { posts: to.posts, connections: to.connections }
}

describe('the status', () => {
  test.each([200, 201, 204, 400, 401, 410, 429, 500, 503])('%d is reported as it came', async (status) => {
    const to = await receiver((socket) =>
      socket.write(`HTTP/1.1 ${status} X\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n`),
    )
    const answer = await webhooks().post(to.url, headers, '{}')
    expect(answer).toMatchObject({ status, error: null, answer: '', retryAfter: '7' })
  })

  test.each([301, 302, 303, 307, 308])('%d to elsewhere and to itself is an answer, not a way', async (status) => {
    const elsewhere = await receiver((socket) => socket.write(ok))
    for (const location of [`${elsewhere.url}/stolen`, '/again']) {
      const to = await receiver((socket) =>
        socket.write(`HTTP/1.1 ${status} X\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`),
      )
      const sender = webhooks()
      expect(await sender.post(to.url, headers, '{}')).toMatchObject({ status, error: null })
      await sender.close() // with everything it would still do
      expect(to.posts).toBe(1)
    }
    expect(elsewhere.connections).toBe(0)
  })

  test('200 before the body was read is a 200', async () => {
    const to = await receiver((socket) => socket.write(ok))
    expect(await webhooks().post(to.url, headers, 'x'.repeat(5_000_000))).toMatchObject({ status: 200 })
  })

  test.each([
    ['close after the headers', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n', true],
    ['less than its content-length', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nok', true],
    ['more than its content-length', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokokokok', false],
    ['no length at all, then the end', 'HTTP/1.1 200 OK\r\n\r\nok', true],
    ['chunks that break off', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\nzzz', false],
    ['a thousand headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(1_000)}content-length: 0\r\n\r\n`, false],
  ])('a 200 stays one: %s', async (_, text, end) => {
    const to = await receiver((socket) => (end ? socket.end(text) : socket.write(text)))
    expect(await webhooks().post(to.url, headers, '{}')).toMatchObject({ status: 200, error: null })
    expect(to.posts).toBe(1)
  })

  test.each([
    ['nonsense', 'hello\r\n\r\n', /^HTTPParserError$/],
    [
      'two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nokk',
      /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/,
    ],
    ['nothing, then the end', null, /^UND_ERR_SOCKET$/],
    ['half a header, then the end', 'HTTP/1.1 200 OK\r\ncont', /^(UND_ERR_SOCKET|HPE_)/],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`, /^UND_ERR_HEADERS_OVERFLOW$/],
    ['100 without being asked', 'HTTP/1.1 100 Continue\r\n\r\n', /^UND_ERR_SOCKET$/],
    ['103 without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000), /^ETOOMANYEARLYANSWERS$/],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      /^UND_ERR_SOCKET$/,
    ],
  ])('no answer: %s', async (_, text, error) => {
    const to = await receiver((socket) => (text?.endsWith('\n') ? socket.write(text) : socket.end(text ?? '')))
    const sender = webhooks()
    const answer = await sender.post(to.url, headers, '{}')
    expect(answer).toMatchObject({ status: null, error: expect.stringMatching(error), answer: null, retryAfter: null })
    expect(await ended(to, sender)).toEqual({ posts: 1, connections: 1 })
  })

  test('a few early hints may precede it', async () => {
    const to = await receiver((socket) => socket.write(`${'HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n'.repeat(3)}${ok}`))
    expect(await webhooks().post(to.url, headers, '{}')).toMatchObject({ status: 200, answer: 'ok' })
  })
})

describe('time', () => {
  test('the limits are those of the contract', () => {
    expect([CONNECT_SECONDS_MAX, ANSWER_SECONDS_MAX]).toEqual([5, 15])
  })

  test.each([
    ['never', () => undefined],
    ['drop by drop, in its headers', (socket: Socket) => drip(socket, 'HTTP/1.1 200 OK\r\na: ', 'a')],
    ['with early hints now and then', (socket: Socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n', 300)],
  ])('who answers %s is left when the time is up: TIMEOUT, and the connection is gone', async (_, answer) => {
    const to = await receiver(answer)
    const sender = webhooks()
    const [got, ms] = await timed(sender.post(to.url, headers, '{}'))
    expect(got).toMatchObject({ status: null, error: 'TIMEOUT' })
    expect(ms).toBeGreaterThan(LIMITS.answerMs - 50)
    expect(ms).toBeLessThan(LIMITS.answerMs + 10_000) // who answers drop by drop would go on for ever
    expect(await ended(to, sender)).toEqual({ posts: 1, connections: 1 })
  })

  test('without other limits it is 15 s', async () => {
    const to = await receiver(() => undefined)
    const patient = createWebhooks({ inside: () => true })
    cleanUp.push(patient.close)
    const [got, ms] = await timed(patient.post(to.url, headers, '{}'))
    expect(got.error).toBe('TIMEOUT')
    expect(ms).toBeGreaterThan(14_900)
    expect(ms).toBeLessThan(30_000)
  })

  test('who hangs in the handshake of TLS is left when the time to connect is up: 5 s', async () => {
    const to = await receiver(() => undefined)
    const patient = createWebhooks({ inside: () => true })
    cleanUp.push(patient.close)
    const [got, ms] = await timed(patient.post(to.url.replace('http:', 'https:'), headers, '{}'))
    expect(got).toMatchObject({ status: null, error: 'UND_ERR_CONNECT_TIMEOUT' })
    expect(ms).toBeGreaterThan(4_900)
    expect(ms).toBeLessThan(13_000) // and not the fifteen of an answer
    expect(await ended(to, patient)).toMatchObject({ connections: 1 })
  })

  test('a 200 whose body drips or never ends is taken after a second, and the connection is cut', async () => {
    for (const last of ['', 'x']) {
      const to = await receiver((socket) => drip(socket, 'HTTP/1.1 200 OK\r\n\r\nok', last))
      const sender = webhooks({ answerMs: 30_000 })
      const [got, ms] = await timed(sender.post(to.url, headers, '{}'))
      expect(got).toMatchObject({ status: 200, error: null, answer: expect.stringMatching(/^okx*$/) })
      // How long the receiver took is reported, without the second for which we listened.
      expect(ms - got.durationMs).toBeGreaterThan(900)
      expect(ms).toBeLessThan(20_000) // the time of an answer would be thirty
      expect(await ended(to, sender)).toEqual({ posts: 1, connections: 1 })
    }
  })
})
/** A first text, then one more piece again and again until the other side has gone. */
function drip(socket: Socket, first: string, piece: string, everyMs = 50): void {
  socket.write(first)
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.on('close', () => clearInterval(timer))
}

describe('size', () => {
  test('of a gigabyte some 64 kB are read, a kilobyte is kept, and the connection is cut', async () => {
    const piece = Buffer.alloc(64 * 1024, 'a')
    const to = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${2 ** 30}\r\n\r\n`)
      const more = () => {
        while (!socket.destroyed && socket.write(piece));
      }
      socket.on('drain', more)
      more()
    })
    const before = process.memoryUsage().arrayBuffers
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 5 && best >= 900; tries += 1) {
      const [got, ms] = await timed(webhooks().post(to.url, headers, '{}'))
      expect(got).toMatchObject({ status: 200, answer: 'a'.repeat(1024) })
      best = Math.min(best, ms)
    }
    expect(best, 'cut by its size: by the time it would be a second, always').toBeLessThan(900)
    await expect.poll(to.open).toBe(0)
    expect(to.sent / to.posts).toBeLessThan(8 * 2 ** 20) // the buffers of two sockets, no more
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20)
    expect(to.connections).toBe(to.posts)
  })

  test('what is packed is not unpacked, and what is not text is still no more than a kilobyte', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const to = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    })
    const { status, answer } = await webhooks().post(to.url, headers, '{}')
    expect(status).toBe(200)
    expect(Buffer.byteLength(answer ?? '')).toBeLessThanOrEqual(1024)
    expect(answer).not.toContain('\u0000')
  })

  test('a letter that is cut in two is left out', async () => {
    const text = `${'a'.repeat(1023)}ü${'b'.repeat(10)}`
    const to = await receiver((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`),
    )
    expect((await webhooks().post(to.url, headers, '{}')).answer).toBe('a'.repeat(1023))
  })
})

function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

describe('one connection after another', () => {
  test('an answer that came to its end leaves the connection for the next post', async () => {
    const to = await receiver((socket) => socket.write(ok))
    const sender = webhooks()
    for (let i = 0; i < 20; i++) {
      expect((await sender.post(to.url, headers, '{}')).status).toBe(200)
      await settled()
    }
    expect([to.posts, to.connections, sender.resting()]).toEqual([20, 1, 1])
  })

  test('posts at the same time do not wait for each other', async () => {
    const waiting: Socket[] = []
    // Nobody is answered before all are there.
    const to = await receiver((socket) => {
      waiting.push(socket)
      if (waiting.length === 20) for (const one of waiting) one.write(ok)
    })
    const sender = webhooks({ answerMs: 20_000 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => sender.post(to.url, headers, '{}')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(to.connections).toBe(20)
  })

  test('a second answer after the first is not the answer of the next post', async () => {
    const to = await receiver((socket, post) =>
      socket.write(post === 0 ? `${ok}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nFAKE` : ok.replace('200', '500')),
    )
    const sender = webhooks()
    expect(await sender.post(to.url, headers, '{}')).toMatchObject({ status: 200, answer: 'ok' })
    expect(await sender.post(to.url, headers, '{}')).toMatchObject({ status: 500, answer: 'ok' })
    expect([to.posts, to.connections]).toEqual([2, 2])
  })

  test('a kept connection that is reset when the next post comes: that post failed, and is not sent again', async () => {
    const to = await receiver((socket, post) => (post === 1 ? socket.resetAndDestroy() : socket.write(ok)))
    const sender = webhooks()
    expect(await sender.post(to.url, headers, '{}')).toMatchObject({ status: 200 })
    await settled()
    expect(await sender.post(to.url, headers, '{}')).toMatchObject({
      status: null,
      error: expect.stringMatching(/^(ECONNRESET|UND_ERR_SOCKET)$/),
    })
    await expect.poll(to.open).toBe(0)
    expect([to.posts, to.connections]).toEqual([2, 1])
    expect(await sender.post(to.url, headers, '{}')).toMatchObject({ status: 200 })
  })

  test('a kept connection that the receiver closes is forgotten, and the next post takes a new one', async () => {
    const to = await receiver((socket) => socket.end(ok))
    const sender = webhooks()
    for (let i = 0; i < 5; i++) {
      expect(await sender.post(to.url, headers, '{}')).toMatchObject({ status: 200 })
      await expect.poll(sender.resting).toBe(0) // the answer may arrive before the end of the connection does
    }
    expect([to.posts, to.connections]).toEqual([5, 5])
  })

  test('after 2,000 receivers at most 1,024 connections rest, none after close, and memory is as before', async () => {
    const to = await receiver((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=86400\r\ncontent-length: 2\r\n\r\nok'),
    )
    const names = await openNameServer()
    cleanUp.push(names.close)
    const sender = webhooks({ connectMs: 5_000, answerMs: 15_000, nameServers: [names.address] })
    const { port } = new URL(to.url)
    const address = (i: number) => {
      names.zone[`r${i}.example.com`] = () => ({ addresses: ['127.0.0.1'] })
      return `http://r${i}.example.com:${port}/`
    }
    let highest = 0
    const walk = async (from: number) => {
      for (let i = from; i < from + 1_000; i += 20) {
        const some = Array.from({ length: 20 }, (_, j) => sender.post(address(i + j), headers, '{}'))
        for (const { status, error } of await Promise.all(some)) expect([status, error]).toEqual([200, null])
        highest = Math.max(highest, to.open())
      }
    }
    await walk(0)
    const after1000 = heapInUse()
    await walk(1_000)
    expect(sender.resting()).toBeLessThanOrEqual(1_024) // fewer where 1,000 posts take longer than a connection rests
    expect(sender.resting()).toBeGreaterThan(20)
    expect(highest).toBeLessThanOrEqual(1_024 + 40)
    await expect.poll(() => heapInUse() - after1000).toBeLessThan(4 * 2 ** 20) // 4 kB for each that is no longer idle
    await sender.close()
    await expect.poll(to.open).toBe(0)
  })

  test('close waits for the posts that are under way', async () => {
    const sockets: Socket[] = []
    const to = await receiver((socket) => sockets.push(socket))
    const sender = webhooks({ answerMs: 20_000 })
    const order: string[] = []
    const sent = sender.post(to.url, headers, '{}').finally(() => order.push('answered'))
    await expect.poll(() => to.posts).toBe(1)
    const closing = sender.close().then(() => order.push('closed'))
    await turn()
    sockets[0]?.write(ok)
    await closing
    expect(order).toEqual(['answered', 'closed'])
    expect((await sent).status).toBe(200)
    await expect.poll(to.open).toBe(0)
  })
})

describe.skipIf(lacks('openssl'))('certificates (needs openssl)', () => {
  /** Its authority is trusted for one test. */
  function trusted(spec: CertificateSpec): Certificate {
    const made = makeCertificate(spec)
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, made.authority])
    cleanUp.push(() => setDefaultCACertificates(before))
    return made
  }

  test('a good one is taken, and its connection kept', async () => {
    const to = await receiver((socket) => socket.write(ok), trusted({ name: 'localhost' }))
    const sender = webhooks({ connectMs: 5_000 })
    for (let i = 0; i < 3; i++) {
      expect(await sender.post(to.url, headers, '{}')).toMatchObject({ status: 200, error: null })
      await settled()
    }
    expect([to.posts, to.connections]).toEqual([3, 1])
  })

  test.each<[string, CertificateSpec, string]>([
    ['for another name', { name: 'other.example.com' }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that has expired', { name: 'localhost', from: '20200101000000Z', until: '20200201000000Z' }, 'CERT_HAS_EXPIRED'],
    [
      'that is not valid yet',
      { name: 'localhost', from: '20990101000000Z', until: '20990201000000Z' },
      'CERT_NOT_YET_VALID',
    ],
    ['that it signed itself', { name: 'localhost', signed: false }, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('one %s is refused, also when the environment says otherwise', async (_, made, error) => {
    const to = await receiver((socket) => socket.write(ok), trusted(made))
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    cleanUp.push(() => vi.unstubAllEnvs())
    const sender = webhooks({ connectMs: 5_000 })
    expect(await sender.post(to.url, headers, '{}')).toMatchObject({ status: null, error })
    expect(await ended(to, sender)).toMatchObject({ posts: 0 })
  })
})
