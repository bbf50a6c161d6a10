// The line to a connector: mutual TLS shuts out both who has no certificate and who pretends to be the bank;
// a signed answer answers one call only.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { afterAll, expect, test } from 'vitest'
import { makeCertificate } from '#test/kit/certificates.ts'
import { createBank } from './bank.ts'
import { createConnectors } from './connectors.ts'
import { lineTo } from './line.ts'

const KEY = 'a key of thirty-two bytes, or of more'
const SAID = { bankCode: '999', bankName: 'B', environment: 'TEST', capabilities: ['name'] }
const NAME = { accountNumber: '0123456789', bankCode: '058', accountName: 'ADA OBI' }

const open: Server[] = []
afterAll(() => {
  for (const server of open) server.close()
})
const portOf = async (server: Server): Promise<number> => {
  open.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

test('mutual TLS: each side shows a certificate of the authority that the other trusts, or nothing is said', async () => {
  const [bank, gateway, stranger] = ['localhost', 'gateway', 'gateway'].map((name) => makeCertificate({ name }))
  if (!bank || !gateway || !stranger) throw new Error('no certificates')
  const server = createTlsServer(
    { cert: bank.cert, key: bank.key, ca: gateway.authority, requestCert: true, rejectUnauthorized: true },
    (_, response) => response.end(JSON.stringify(SAID)),
  )
  const url = `https://localhost:${await portOf(server)}`
  const kindBy = async (tls: Parameters<typeof lineTo>[1]): Promise<string> =>
    (await createBank(lineTo(url, tls), KEY).capabilities()).kind
  expect(await kindBy({ cert: gateway.cert, key: gateway.key, ca: bank.authority })).toBe('yes')
  expect(await kindBy({ cert: stranger.cert, key: stranger.key, ca: bank.authority })).toBe('unknown')
  expect(await kindBy({ cert: gateway.cert, key: gateway.key, ca: stranger.authority })).toBe('unknown')
  expect(await kindBy(null)).toBe('unknown')
})

type Sign = (request: IncomingMessage, body: string) => string | null
const rightly: Sign = ({ headers }, body) =>
  `v1=${createHmac('sha256', KEY)
    .update(`${String(headers['cowrie-signature'])}.200.${body}`)
    .digest('hex')}`

/** A connector that says it signs; `sign` is how it signs everything but that. */
async function signing(sign: Sign) {
  const server = createServer((request, response) => {
    const isSelf = request.url === CONNECTOR_PATHS.capabilities
    const body = JSON.stringify(isSelf ? { ...SAID, signsAnswers: true } : NAME)
    const signature = isSelf ? rightly(request, body) : sign(request, body)
    response.writeHead(200, signature === null ? {} : { 'cowrie-signature': signature }).end(body)
  })
  const line = { url: `http://127.0.0.1:${await portOf(server)}` }
  const settings = { name: 'bank', line, keys: () => ['the next key of thirty-two bytes', KEY], signingKey: () => KEY }
  const clock = { now: () => new Date(1_000_000_000_000) }
  const { connectors } = createConnectors([settings], clock, { error: () => undefined })
  await connectors.all[0].ready()
  return () => connectors.all[0].bank.nameEnquiry({ accountNumber: NAME.accountNumber, bankCode: NAME.bankCode })
}

test('an answer that is signed rightly counts', async () => {
  expect(await (await signing(rightly))()).toMatchObject({ kind: 'yes', value: NAME })
})

test.each<[string, Sign]>([
  ['is not signed', () => null],
  ['is signed with another key', (_, body) => `v1=${createHmac('sha256', 'x').update(body).digest('hex')}`],
  ['is signed for another body', (request, body) => rightly(request, `${body} `)],
])('an answer that %s is none, from a connector that signs', async (_, sign) => {
  expect(await (await signing(sign))()).toMatchObject({ kind: 'unknown' })
})

test('the answer to another call is none', async () => {
  const other = { 'cowrie-signature': 'v1=of-another-call' }
  const ask = await signing((request, body) => rightly(Object.assign(request, { headers: other }), body))
  expect(await ask()).toMatchObject({ kind: 'unknown' })
})
