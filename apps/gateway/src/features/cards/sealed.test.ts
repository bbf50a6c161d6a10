// A connector that has a key: it gets cards and PINs sealed, and nothing of them in clear text. It is a small server that keeps what it reads.
import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { CARD_PATHS_V2 } from '../../../../../packages/contract/src/bank/v2/cards.ts'
import { CONNECTOR_PATHS } from '../../../../../packages/contract/src/bank/v2/connectors.ts'
import { card, charges } from '../../../test/features/cards.ts'
import { advance, initialise, status, useHarness } from '../../../test/kit/harness.ts'
import type { Merchant } from '../../core/access/merchants.ts'
import { createConnectors } from '../../outside/connectors.ts'
import { charge, readCard } from './cards.ts'

const harness = useHarness()
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
const key = { kid: 'k1', kty: 'RSA', alg: 'RSA-OAEP-256', n, e }

function open(jwe: string): string {
  const [header = '', ...rest] = jwe.split('.')
  const [wrapped, iv, sealed, tag] = rest.map((part) => Buffer.from(part, 'base64url')) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const contentKey = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, wrapped)
  const decipher = createDecipheriv('aes-256-gcm', contentKey, iv).setAAD(Buffer.from(header)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString()
}

let server: Server | null = null
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})
/** Asks for the PIN, and takes any. */
async function acquirer(pin: 'ASKED' | 'ALWAYS') {
  const read: { path: string; text: string }[] = []
  const said = {
    code: '',
    message: '',
    card: { scheme: 'Visa', bankCode: '058', bankName: 'GTBank', countryCode: 'NG' },
  }
  const input = { id: 'i1', kind: 'PIN', expiresAt: '2999-01-01T00:00:00Z', wrong: false }
  const answerTo = (path: string, chargeReference: string): object => {
    if (path === CONNECTOR_PATHS.capabilities)
      return {
        bankCode: '999',
        bankName: 'A',
        environment: 'TEST',
        capabilities: ['card'],
        cards: { version: 2, pin, key },
      }
    if (path === CARD_PATHS_V2.authorisations && pin === 'ASKED')
      return { ...said, chargeReference, state: 'INPUT', input }
    return { ...said, chargeReference, state: 'APPROVED', code: '00' }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const part of request) text += String(part)
    const path = request.url ?? ''
    read.push({ path, text })
    const { chargeReference = '' } = (text === '' ? {} : JSON.parse(text)) as { chargeReference?: string }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(path, chargeReference)))
  }
  server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, read }
}

test.each(['ASKED', 'ALWAYS'] as const)(
  'PIN %s: the card and the PIN arrive sealed, and in no message in clear text',
  async (pin) => {
    const h = harness()
    const { main } = h.merchants
    const { ctx, merchants } = h.gateway
    const { url, read } = await acquirer(pin)
    const settings = { name: 'bank', line: { url }, keys: () => ['k'], signingKey: () => 'k' }
    const sealing = { ...ctx, connectors: createConnectors([settings], ctx.clock, ctx.log).connectors }
    const { transactionReference: reference } = await initialise(h, main)
    const typed = readCard(ctx, card('plain', { cvv: '864', pin: '975319' }))
    const request = { reference, card: typed, channel: 'API', keepCard: false, address: null } as const
    const merchant = (await merchants.byId(main.cell, main.id)) as Merchant
    await charge(sealing, merchant, request, async () => undefined)
    expect((await status(h, main, reference)).paymentStatus).toBe('PAID')
    expect((await charges(h, main, reference))[0]).toMatchObject({ bin: '411111', last4: '1111', protocol: 2 })

    const messages = read.filter(({ text }) => text !== '').map(({ path, text }) => ({ path, ...JSON.parse(text) }))
    const { pin: secret, ...rest } = typed
    expect(JSON.parse(open(messages[0].sealedCard))).toEqual(pin === 'ALWAYS' ? typed : rest)
    const later = messages.slice(1).map(({ sealedValue }) => open(sealedValue))
    expect(later).toEqual(pin === 'ASKED' ? [secret] : [])
    expect(messages.map(({ path }) => path)).toEqual(
      pin === 'ASKED' ? [CARD_PATHS_V2.authorisations, CARD_PATHS_V2.inputs] : [CARD_PATHS_V2.authorisations],
    )
    for (const { text } of read)
      for (const clear of [typed.number, '"cvv"', '975319', '"card":{"number"']) expect(text).not.toContain(clear)
    await advance(h, 1)
  },
)
