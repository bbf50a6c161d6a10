// The wall of outgoing connections: servers really listen inside and count who connects, names are answered
// by a real name server, and every trick is first shown to reach inside when the wall is down.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { buildConnector } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openNameServer } from '#test/kit/name-server.ts'
import { createWebhooks, guarded } from './webhooks.ts'

const headers = { 'content-type': 'application/json' }
/** Lies in a block that was returned and belongs to nobody: public by its letters, and nobody is there. */
const NOWHERE = '3ffe::1'

// Inside: one port, on both loopback addresses. It says nothing; to be connected to is all that counts.
/** Whoever connected, by the port it came from. */
const callers: (number | undefined)[] = []
let bytesReceived = 0
const inside: Server[] = []
let port = 0
let sixIsThere = true
async function listenInside(host: string): Promise<void> {
  const server = createServer((socket) => {
    callers.push(socket.remotePort)
    socket
      .on('error', () => undefined)
      .on('data', (bytes) => {
        bytesReceived += bytes.length
        socket.destroy()
      })
  })
  await new Promise<void>((done, reject) => server.once('error', reject).listen(port, host, done))
  port = (server.address() as { port: number }).port
  inside.push(server)
}

const { zone, asked, address: nameServer, close: closeNameServer } = await openNameServer()
const options = { nameServers: [nameServer], connectMs: 700, answerMs: 2_000 }
beforeAll(async () => {
  await listenInside('127.0.0.1')
  await listenInside('::1').catch(() => {
    sixIsThere = false
  })
})
afterAll(() => {
  for (const server of inside) server.close()
  closeNameServer()
})

/** Posts to a target, and tells how it ended and how often somebody inside was connected to. */
async function tried(url: string, allowInside: boolean) {
  const webhooks = createWebhooks({ ...options, inside: allowInside ? () => true : null })
  const before = callers.length
  const { status, error } = await webhooks.post(url, headers, '{}')
  await webhooks.close()
  for (const server of inside) await callBehind(server)
  return { status, error, reached: callers.length - before - inside.length }
}
/** Connections are taken in their order: when ours has been, nobody is still on the way. */
async function callBehind(server: Server): Promise<void> {
  const { address } = server.address() as AddressInfo
  const ours = connect(port, address)
  await once(ours, 'connect')
  await expect.poll(() => callers.includes(ours.localPort), { interval: 1 }).toBe(true)
  ours.destroy()
}

// Every one of these is our own loopback address, or a name that leads there.
const LOOPBACK = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.1.',
  '127.00000000.0.1',
  '2130706433',
  '0x7f000001',
  '0x7F000001.',
  '0x7f.0.0.1',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '0177.0.0.0x1',
  '127.0.0.%31',
  '%31%32%37.0.0.1',
  '%30x7f.1',
  '１２７.0.0.1',
  '①②⑦.0.0.①',
  '127。0。0。1',
  '127．0｡0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '0x0',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LocalHost.',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'ｌｏｃａｌｈｏｓｔ',
  'local\u00adhost',
  'local\thost',
  'localhost%2e',
  'localhost.localdomain',
  'ip6-localhost',
  'a.b.localhost',
]
const LOOPBACK_SIX = [
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::]',
  '[::0.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::FFFF:7F00:0001]',
]
// Nobody of ours is there, so only the word that refuses them can be seen.
const OTHER_INSIDE = [
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '0300.0250.1.1',
  '198.18.0.1',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '[::ffff:10.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[2001:0:7f00:1::80ff:fffe]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[100::1]',
  '[5f00::1]',
]
// No address at all: nothing is looked up, and nobody's credentials are sent.
const NO_ADDRESS = [
  'user:secret@localhost:PORT/',
  'example.com@127.0.0.1:PORT/',
  'example.com%00@127.0.0.1:PORT/',
  '1.1.1.1%2523@127.0.0.1:PORT/',
  '@127.0.0.1@127.0.0.1:PORT/',
  '[::1%25lo]:PORT/',
  '[fe80::1%25eth0]:PORT/',
  '[localhost]:PORT/',
  '[127.0.0.1]:PORT/',
  '127.0.0.1%20:PORT/',
  'localhost%00.example.com:PORT/',
  '4294967296:PORT/',
  '127.0.0.256:PORT/',
  '٤١.58.7.9:PORT/',
  '127.0.0.1:99999/',
]
const loopbackNames = ['localhost', 'localhost.localdomain', 'ip6-localhost', 'a.b.localhost']

describe('the wall', () => {
  beforeAll(() => {
    for (const name of loopbackNames) zone[name] = () => ({ addresses: ['127.0.0.1'] })
  })

  test('is needed: without it each spelling of loopback is connected to', async () => {
    const missed: string[] = []
    for (const host of [...LOOPBACK, ...(sixIsThere ? LOOPBACK_SIX : [])])
      if ((await tried(`https://${host}:${port}/x`, true)).reached === 0) missed.push(host)
    // Who listens on 127.0.0.1 is not met at 127.255.255.254; everything else is the very same place.
    expect(missed).toEqual(['127.255.255.254'])
  })

  test('refuses each of them, and every other address inside, and nobody inside is connected to', async () => {
    const hosts = [...LOOPBACK, ...LOOPBACK_SIX, ...OTHER_INSIDE]
    expect(hosts.length).toBeGreaterThanOrEqual(40)
    for (const host of hosts) {
      const seen = await tried(`https://${host}:${port}/x`, false)
      expect([host, seen]).toEqual([host, { status: null, error: 'ENOTPUBLIC', reached: 0 }])
    }
  })

  test.each(NO_ADDRESS)('%s is not an address, in the sandbox either', async (text) => {
    for (const allowInside of [false, true]) {
      const seen = await tried(`https://${text.replace('PORT', String(port))}`, allowInside)
      expect(seen).toEqual({ status: null, error: 'ERR_INVALID_URL', reached: 0 })
    }
  })

  test('what only looks like user information is a path: the name before it is asked for', async () => {
    zone['shop.example.com'] = () => ({ addresses: ['10.1.1.1'] })
    const seen = await tried(`https://shop.example.com\\@127.0.0.1:${port}/`, false)
    expect(seen).toEqual({ status: null, error: 'ENOTPUBLIC', reached: 0 })
    expect(asked).toContain('A shop.example.com')
  })

  test.each([
    'ftp://127.0.0.1/',
    'file:///etc/hostname',
    'http://',
    'nonsense',
    'https://[',
    'data:,x',
    '',
    'ws://x.com',
  ])('refuses %j', async (target) => {
    expect(await tried(target, true)).toMatchObject({ status: null, error: 'ERR_INVALID_URL' })
    expect(await tried(target, false)).toMatchObject({ status: null, error: 'ERR_INVALID_URL' })
  })

  test('live posts nothing without encryption; the sandbox may', async () => {
    expect(await tried(`http://127.0.0.1:${port}/`, false)).toMatchObject({ error: 'ENOTENCRYPTED', reached: 0 })
    expect(await tried('http://shop.example.com/', false)).toMatchObject({ error: 'ENOTENCRYPTED' })
    expect(await tried(`http://127.0.0.1:${port}/`, true)).toMatchObject({ reached: 1 })
  })

  test('a connection that stands and leads inside is cut before a byte is sent: a network may translate addresses', async () => {
    const plain = buildConnector({ timeout: 700 })
    const astray = guarded((target, callback) => plain({ ...target, hostname: '127.0.0.1' }, callback))
    const before = { callers: callers.length, bytesReceived }
    const outcome = await new Promise((done) =>
      astray({ hostname: '8.8.8.8', protocol: 'http:', port: String(port) }, (error, socket) => done([error, socket])),
    )
    expect(outcome).toEqual([expect.objectContaining({ code: 'ENOTPUBLIC' }), null])
    await expect.poll(() => callers.length).toBe(before.callers + 1)
    expect(bytesReceived).toBe(before.bytesReceived)
  })
})

describe('names', () => {
  const url = (name: string) => `https://${name}:${port}/hook`
  const refused = { status: null, error: 'ENOTPUBLIC', reached: 0 }
  const tricks: [string, string, string[], string?][] = [
    ['a name with an address inside', 'private.example.com', ['127.0.0.1']],
    ['one address inside among public ones', 'mixed.example.com', [NOWHERE, '127.0.0.1']],
    ['an IPv4 address within IPv6', 'mapped.example.com', ['::ffff:127.0.0.1']],
    ['another name for localhost', 'alias.example.com', ['127.0.0.1'], 'localhost'],
    ['the address of all zeros', 'zero.example.com', ['0.0.0.0']],
  ]
  test.each(tricks)('%s: inside is reached without the wall, and never with it', async (_, name, addresses, cname) => {
    zone[name] = () => ({ addresses, ...(cname ? { cname } : {}) })
    const control = sixIsThere || !name.startsWith('mapped') ? 1 : 0
    expect((await tried(url(name), true)).reached).toBe(control)
    expect(await tried(url(name), false)).toEqual(refused)
  })

  test('a name that flips after the check: one look-up, and what was checked is what is connected to', async () => {
    // To the first question nowhere, to every later one inside.
    zone['flip.example.com'] = (_, before) => ({ addresses: before === 0 ? [NOWHERE] : ['127.0.0.1', '::1'] })
    const first = await tried(url('flip.example.com'), false)
    expect(first).toMatchObject({ status: null, reached: 0 })
    expect(first.error).not.toBe('ENOTPUBLIC') // it was let through the wall, to where nobody is
    expect(asked.filter((one) => one.endsWith(' flip.example.com')).sort()).toEqual([
      'A flip.example.com',
      'AAAA flip.example.com',
    ])
    expect(await tried(url('flip.example.com'), false)).toEqual(refused)
    expect((await tried(url('flip.example.com'), true)).reached).toBe(1)
  })

  test('a name that does not exist is ENOTFOUND; one that is never answered ends with the time to connect', async () => {
    expect(await tried(url('nobody.example.com'), false)).toMatchObject({ status: null, error: 'ENOTFOUND' })
    zone['silent.example.com'] = null
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 5 && best >= 2_500; tries += 1) {
      const started = performance.now()
      expect(await tried(url('silent.example.com'), false)).toMatchObject({
        error: 'UND_ERR_CONNECT_TIMEOUT',
        reached: 0,
      })
      best = Math.min(best, performance.now() - started)
    }
    expect(best, 'the name server itself is given up after three seconds').toBeLessThan(2_500)
  })
})
