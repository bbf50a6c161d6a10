// A live start, as processes: with a bank that says who it is, over TLS by an authority of the operator's;
// and without.
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createEncrypted } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BANK_PATHS, SIGNATURE_HEADER, signedText, TIMESTAMP_HEADER } from '@cowrie/contract/bank/connector'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest'
import { hmacHex } from '#kit/crypto.ts'
import { makeCertificate } from '#test/kit/certificates.ts'
import { loginsTo, unique, useHarness } from '#test/kit/harness.ts'
import { until } from '#test/kit/waiting.ts'
import { fileOf } from '../../../tools/compiled.ts'
import { freePort } from '../../../tools/ports.ts'
import { lacks } from '../../../tools/programs.ts'
import { bankKeyOf, masterKeyOf } from '../../../tools/sandbox/seed.ts'
import { cellsText } from './config.ts'
import { meetBank } from './outside/bank.ts'

const harness = useHarness()
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const KEY = bankKeyOf('live')
const SELF = { bankCode: '035', bankName: 'Wema Bank', environment: 'LIVE' }
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown
const says =
  (status: number, body: unknown): Answer =>
  (_, response) =>
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
/** A bank that holds the key, and says `body` to whoever signs with it. */
const honest =
  (body: unknown): Answer =>
  (request, response) => {
    const at = String(request.headers[TIMESTAMP_HEADER])
    const right = hmacHex('sha256', KEY, signedText(at, request.method ?? '', request.url ?? '', ''))
    return says(request.headers[SIGNATURE_HEADER] === `v1=${right}` ? 200 : 401, body)(request, response)
  }

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}
const plainBank = async (answer: Answer): Promise<string> => {
  const server = createPlain(answer)
  closing.push(() => server.closeAllConnections())
  return `http://127.0.0.1:${await listening(server)}`
}

describe('who the bank is', () => {
  test('a bank that answers in the form of the protocol is believed', async () => {
    expect(await meetBank(await plainBank(honest(SELF)), KEY)).toEqual(SELF)
  })

  const NOT_SAID = 'the bank at BANK_URL did not identify itself: '
  test.each([
    [
      'a wrong key',
      honest(SELF),
      'the bank at BANK_URL rejects our signature; check BANK_KEY, or the first of BANK_KEYS',
      'x'.repeat(32),
    ],
    ['silence', () => undefined, `${NOT_SAID}The operation was aborted due to timeout`, KEY],
    [
      'an answer that is not of the form',
      says(200, { ...SELF, environment: 'live' }),
      `${NOT_SAID}the answer is not of the protocol`,
      KEY,
    ],
    ['a name without a bank', says(200, { environment: 'LIVE' }), `${NOT_SAID}the answer is not of the protocol`, KEY],
    ['a web page', says(200, '<html>'), `${NOT_SAID}the answer is not JSON`, KEY],
    ['a bank that does not know the call', says(404, {}), `${NOT_SAID}answered 404`, KEY],
    ['a fault of the bank', says(500, SELF), `${NOT_SAID}answered 500`, KEY],
    ['a redirect', says(302, SELF), `${NOT_SAID}answered 302`, KEY],
    [
      'the test system',
      says(200, { ...SELF, environment: 'TEST' }),
      'BANK_URL is the test system of Wema Bank, which is not allowed in live',
      KEY,
    ],
  ])('%s ends the start with a sentence', async (_, answer, sentence, key) => {
    await expect(meetBank(await plainBank(answer), key, { limitMs: 300 })).rejects.toThrow(sentence)
  })

  test('nobody there, and the simulator, end it too', async () => {
    await expect(meetBank(`http://127.0.0.1:${await freePort()}`, KEY)).rejects.toThrow(NOT_SAID)
    const h = harness()
    await expect(meetBank(h.simulatorUrl, h.config.keys.bank[0].key)).rejects.toThrow(
      'BANK_URL is a simulator, which is not allowed in live',
    )
  })
})

describe.skipIf(lacks('openssl'))('a live start (needs openssl)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-live-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** A bank behind TLS; answers its address and the file of its authority. */
  async function encryptedBank(answer: Answer) {
    const calls: string[] = []
    const { cert, key, authority } = makeCertificate({ name: 'localhost' })
    const file = join(folder, `${unique('authority')}.pem`)
    writeFileSync(file, authority)
    const server = createEncrypted({ cert, key }, (request, response) => {
      calls.push(`${request.method} ${request.url}`)
      answer(request, response)
    })
    closing.push(() => server.closeAllConnections())
    return { url: `https://localhost:${await listening(server)}`, authority: file, calls }
  }

  async function liveDatabase(): Promise<string> {
    const name = unique('live').replaceAll('-', '_')
    const admin = new pg.Client({ connectionString: `${inject('postgresUrl')}postgres` })
    await admin.connect()
    await admin.query(`create database ${name} template cowrie_template`)
    await admin.end()
    return inject('postgresUrl') + name
  }

  type Ended = { ready: boolean; said: string; code: number | null }
  /** Starts a process; answers what it says when it is ready or has ended. */
  async function start(
    part: 'api' | 'worker',
    env: Record<string, string>,
    /** What is done while it runs; `words` waits until it has said them. */
    meanwhile: (words: (text: string) => Promise<unknown>) => Promise<void> = async () => undefined,
  ): Promise<Ended> {
    const child = spawn(process.execPath, [fileOf(part, `apps/gateway/src/${part}.ts`)], {
      cwd: ROOT,
      env: {
        NODE_NO_WARNINGS: '1',
        ENVIRONMENT: 'live',
        MASTER_KEY: masterKeyOf('live'),
        BANK_KEY: KEY,
        PUBLIC_URL: 'https://pay.example',
        SMTP_URL: 'smtps://mail.invalid',
        PORT: String(await freePort()),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        said += bytes.toString()
      })
    const ended = once(child, 'close')
    const ready = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)])
    try {
      if (ready) await meanwhile((text) => until(text, async () => said.includes(text)))
    } finally {
      if (ready) child.kill('SIGTERM')
    }
    await ended
    return { ready, said, code: child.exitCode }
  }

  test.each(['api', 'worker'] as const)(
    'the %s starts when the bank has said who it is, and asks that first',
    async (part) => {
      const bank = await encryptedBank(honest(SELF))
      const CELLS = cellsText(new Map([['01', loginsTo(await liveDatabase())]]))
      const { ready, said } = await start(part, { CELLS, BANK_URL: bank.url, NODE_EXTRA_CA_CERTS: bank.authority })
      expect(ready, said).toBe(true)
      expect(said).toContain('Wema Bank')
      expect(bank.calls[0]).toBe(`GET ${BANK_PATHS.self}`)
    },
  )

  test.each(['api', 'worker'] as const)('the %s does not start otherwise, and says why in one line', async (part) => {
    const simulator = await encryptedBank(says(200, { ...SELF, environment: 'SIMULATOR' }))
    const CELLS = cellsText(new Map([['01', loginsTo(await liveDatabase())]]))
    const good = { CELLS, BANK_URL: simulator.url, NODE_EXTRA_CA_CERTS: simulator.authority }
    for (const [env, sentence] of [
      [good, 'Cannot start: BANK_URL is a simulator, which is not allowed in live\n'],
      [
        { ...good, NODE_EXTRA_CA_CERTS: '' },
        'Cannot start: the bank at BANK_URL did not identify itself: unable to verify the first certificate',
      ],
      [{ ...good, CELLS: `01=${inject('postgresUrl')}x|${inject('logins').engine}x` }, 'Cannot start: cell 01: '],
      [
        { ...good, BANK_URL: 'http://127.0.0.1:1' },
        'Cannot start: the configuration is not valid:\n  BANK_URL must be https in live\n',
      ],
    ] as const) {
      const { said, ...ended } = await start(part, env)
      expect({ ...ended, said }).toEqual({ ready: false, code: 1, said: expect.stringContaining(sentence) })
      expect(said, 'a sentence, no stack').not.toContain('    at ')
    }
    expect(simulator.calls).toEqual([`GET ${BANK_PATHS.self}`])
  })

  test('another bank than the one at BANK_URL may be away: live starts without it, and uses it when it has said that it is a live one', async () => {
    const bank = await encryptedBank(honest(SELF))
    let environment = 'AWAY'
    const other = await encryptedBank((request, response) => {
      const { status, body } =
        environment === 'AWAY'
          ? { status: 503, body: {} }
          : { status: 200, body: { ...SELF, bankName: 'Nibss', environment } }
      says(status, body)(request, response)
    })
    const authorities = join(folder, `${unique('authorities')}.pem`)
    writeFileSync(authorities, readFileSync(bank.authority, 'utf8') + readFileSync(other.authority, 'utf8'))
    const CELLS = cellsText(new Map([['01', loginsTo(await liveDatabase())]]))
    const env = { CELLS, BANK_URL: bank.url, NODE_EXTRA_CA_CERTS: authorities, DRAIN_SECONDS: '0' }
    const both = { ...env, CONNECTORS: `nibss=${other.url}`, CONNECTOR_NIBSS_KEY: bankKeyOf('nibss') }
    const { ready, said } = await start('worker', both, async (words) => {
      await words('not used until it has said which bank it is')
      environment = 'TEST'
      await words('is the test system of Nibss')
      expect(other.calls.every((call) => call === `GET ${BANK_PATHS.self}`)).toBe(true)
      environment = 'LIVE'
      await words('"detail":"Nibss"')
    })
    expect(ready, said).toBe(true)
    environment = 'TEST'
    expect(await start('worker', both)).toMatchObject({
      ready: false,
      said: expect.stringContaining('CONNECTORS (nibss) is the test system of Nibss'),
    })
  })

  test('whoever charges cards has a key that they are sealed with, or a page of its own, or live does not start', async () => {
    const CELLS = cellsText(new Map([['01', loginsTo(await liveDatabase())]]))
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const { n, e } = publicKey.export({ format: 'jwk' })
    const key = { kid: 'k1', kty: 'RSA', alg: 'RSA-OAEP-256', n, e }
    const startWith = async (more: object): Promise<Ended> => {
      const said = (url?: string): object => (url === CONNECTOR_PATHS.capabilities ? { ...SELF, ...more } : SELF)
      const bank = await encryptedBank((request, response) => honest(said(request.url))(request, response))
      const env = { CELLS, BANK_URL: bank.url, NODE_EXTRA_CA_CERTS: bank.authority }
      return start('api', { ...env, LOG_LEVEL: 'error', DRAIN_SECONDS: '0' })
    }
    expect(await startWith({ capabilities: ['card'], cards: { version: 2, pin: 'ASKED' } })).toEqual({
      ready: false,
      code: 1,
      said: 'Cannot start: BANK_URL charges cards and would be sent their numbers in clear text; live needs its key to seal them with (cards.key), a card page of its own (cards.page), or mutual TLS (BANK_CERTIFICATE_FILE)\n',
    })
    for (const safe of [{ key }, { page: true }])
      expect(await startWith({ capabilities: ['card'], cards: { version: 2, pin: 'ASKED', ...safe } })).toMatchObject({
        ready: true,
      })
  })

  test.each(['PORT', 'OPERATOR_PORT'])('a %s that is in use ends the api with one sentence', async (setting) => {
    const bank = await encryptedBank(honest(SELF))
    const CELLS = cellsText(new Map([['01', loginsTo(await liveDatabase())]]))
    const port = await listening(createPlain())
    const env = { CELLS, BANK_URL: bank.url, NODE_EXTRA_CA_CERTS: bank.authority, LOG_LEVEL: 'error' }
    expect(await start('api', { ...env, [setting]: String(port) })).toEqual({
      ready: false,
      code: 1,
      said: `Cannot start: ${setting}: 127.0.0.1:${port} is in use by another process\n`,
    })
  })
})
