// An acquirer that has a key: a small server that keeps what it reads, asks for the PIN where a test wants
// it, and approves everything. It opens what was sealed as RFC 7516 says, with nothing of what seals.
import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CARD_PATHS_V2, type CardSettings, type SealingKey } from '@cowrie/contract/bank/v2/cards'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'

export type Acquirer = {
  readonly url: string
  readonly key: SealingKey
  /** All that it was sent, in order. */
  readonly read: { readonly path: string; readonly text: string }[]
  /** The messages about charges. */
  messages(): any[]
  open(jwe: string): string
  stop(): void
}

function createKey(kid: string): Pick<Acquirer, 'key' | 'open'> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  return {
    key: { kid, kty: 'RSA', alg: 'RSA-OAEP-256', n, e },
    open: (jwe) => {
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
    },
  }
}

const SAID = {
  ...{ code: '', message: '', card: { scheme: 'Visa', bankCode: '058', bankName: 'GTBank', countryCode: 'NG' } },
}
const INPUT = { id: 'i1', kind: 'PIN', expiresAt: '2999-01-01T00:00:00Z', wrong: false }

/** `seals`: false: it has no key, and takes cards in clear text. */
export async function startAcquirer({
  pin,
  kid = 'k1',
  seals = true,
}: {
  readonly pin: CardSettings['pin']
  readonly kid?: string
  readonly seals?: boolean
}): Promise<Acquirer> {
  const { key, open } = createKey(kid)
  const read: Acquirer['read'] = []
  const answerTo = (path: string, chargeReference: string): object => {
    if (path === CONNECTOR_PATHS.capabilities)
      return {
        ...{ bankCode: '999', bankName: 'A', environment: 'TEST', capabilities: ['card'] },
        cards: { version: 2, pin, ...(seals ? { key } : {}) },
      }
    if (path === CARD_PATHS_V2.authorisations && pin === 'ASKED')
      return { ...SAID, chargeReference, state: 'INPUT', input: INPUT }
    return { ...SAID, chargeReference, state: 'APPROVED', code: '00' }
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = ''
    for await (const part of request) text += String(part)
    const path = request.url ?? ''
    read.push({ path, text })
    const { chargeReference = '' } = (text === '' ? {} : JSON.parse(text)) as { chargeReference?: string }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answerTo(path, chargeReference)))
  }
  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    read,
    messages: () => read.filter(({ text }) => text !== '').map(({ path, text }) => ({ path, ...JSON.parse(text) })),
    open,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
