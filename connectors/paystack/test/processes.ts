// The fake and the adapter as processes, for tests that kill them.
import { createCipheriv, generateKeyPairSync, publicEncrypt, randomBytes, randomInt } from 'node:crypto'
import { CARD_REFUND_PATHS } from '@cowrie/contract/bank/card-refund-connector'
import { CARD_PATHS_V2, type CardAuthorisationV2 } from '@cowrie/contract/bank/v2/cards'
import { rowsOf } from '../../../packages/connector-exam/test/rows.ts'
import { sharedSettings, startFake, startReported } from '../../../packages/connector-kit/test/fake-client.ts'
import { call, KEY } from '../../../packages/connector-kit/test/gateway.ts'
import type { Env, Program } from '../../../packages/connector-kit/test/programs.ts'
import type { Json } from '../../../packages/connector-kit/test/store.ts'
import { useFake } from '../../../packages/connector-kit/test/use-fake.ts'
import { CARDS } from '../fake/books.ts'

export const SECRET_KEY = 'sk_test_canary5fd10aa1b2c3d4e5f6'
/** What cards are sealed with in these tests. */
export const SEAL = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PEM = SEAL.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

export const newReference = (): string => `CH${randomInt(1e12)}x${randomInt(1e9)}`
export const cardOf = (number: string) => ({ number, expiryMonth: '12', expiryYear: '2030', cvv: '408' })
export const newCharge = (number: string = CARDS.plain, more: Partial<CardAuthorisationV2> = {}) => ({
  chargeReference: newReference(),
  amount: '12500.50',
  merchantName: 'Adire Stores',
  returnUrl: 'https://shop.example/back',
  payer: { name: 'Ada Obi', email: 'ada@example.com' },
  card: cardOf(number),
  ...more,
})
export const newSession = (): string => `000013261118020500${String(randomInt(1e12)).padStart(12, '0')}`

/** As a browser seals it: JWE, RSA-OAEP-256, A256GCM, compact. */
export function seal(text: string, header: object = { alg: 'RSA-OAEP-256', enc: 'A256GCM' }): string {
  const [secret, iv] = [randomBytes(32), randomBytes(12)]
  const first = Buffer.from(JSON.stringify(header)).toString('base64url')
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(first, 'ascii'))
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  const wrapped = publicEncrypt({ key: SEAL.publicKey, oaepHash: 'sha256' }, secret)
  return [first, ...[wrapped, iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.')
}

/** Calls to an adapter as the gateway makes them. */
export const caller = (url: () => string) => {
  const post = async (path: string, message: unknown): Promise<Json> => {
    const reply = await call(url(), 'POST', path, message)
    return { status: reply?.status ?? null, ...reply?.json }
  }
  const state = (path: string) => (chargeReference: string) => post(path, { chargeReference })
  return {
    post,
    charge: (message: object) => post(CARD_PATHS_V2.authorisations, message),
    input: (chargeReference: string, inputId: unknown, kind: string, value: unknown) =>
      post(CARD_PATHS_V2.inputs, {
        ...{ chargeReference, inputId, kind },
        ...(kind === 'ADDRESS' ? { address: value } : { value }),
      }),
    inquire: state(CARD_PATHS_V2.inquiries),
    reverse: state(CARD_PATHS_V2.reversals),
    refund: (chargeReference: string, amount: string, sessionId: string) =>
      post(CARD_REFUND_PATHS.refunds, {
        ...{ sessionId, chargeReference, amount, narration: 'Returned goods', merchantName: 'Adire Stores' },
      }),
    refundState: (sessionId: string) => post(CARD_REFUND_PATHS.inquiries, { sessionId }),
    barRefund: (sessionId: string) => post(CARD_REFUND_PATHS.bars, { sessionId }),
  }
}

/** A fake of Paystack, a recording gateway, a database, and adapters between them. Call once per test
 *  file. */
export function usePaystack() {
  const used = useFake(() =>
    startFake('paystack', { port: 0, secretKey: SECRET_KEY, webhookUrl: 'http://127.0.0.1:1/' }),
  )
  const { client, kept } = used
  const settings = (more: Env = {}): Env => ({
    ...sharedSettings(used.places([KEY])),
    ...{ PAYSTACK_ENVIRONMENT: 'TEST', PAYSTACK_SECRET_KEY: SECRET_KEY, CARD_KEY: PEM },
    PAYSTACK_URL: used.process().url,
    ...more,
  })

  return {
    ...used,
    settings,
    /** Every row of every table of the adapter. */
    rows: (): Promise<string> => rowsOf(used.url(), used.store().schema),
    fake: {
      ...client,
      times: async (reference: string) => (await client.received()).filter((one) => one === reference).length,
      refunds: async () => (await client.get('/fake/refunds'))['refunds'] as Json[],
      settleRefund: (note: string, status: string) => client.post('/fake/refund', { note, status }),
      webhook: async (reference: string, more: object = {}) =>
        (await client.post('/exam/webhook', { reference, ...more }))['statuses'] as (number | null)[],
    },
    adapter: async (more: Env = {}): Promise<Program & { readonly gateway: ReturnType<typeof caller> }> => {
      const adapter = await kept(startReported('paystack', used.process().url, settings(more)))
      return { ...adapter, gateway: caller(() => adapter.url) }
    },
  }
}
