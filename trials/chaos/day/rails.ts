// The rails of the day: an adapter and the fake of its bank for each connector, as processes. A fake is told
// how to behave, and read, by the control interface that all fakes have (packages/connector-exam/README.md).
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SANDBOX_INSTITUTION } from '../../../apps/gateway/src/config.ts'
import {
  adapterFile,
  type Env,
  fakeFile,
  type Program,
  runProgram,
  startProgram,
} from '../../../packages/connector-kit/test/programs.ts'
import type { Held } from '../kit/bounded.ts'

export const ADAPTERS = ['providus', 'nibss'] as const
export type Adapter = (typeof ADAPTERS)[number]
/** `bank` is the simulator, which needs no adapter. */
export type Rail = Adapter | 'bank'
export const RAILS: readonly Rail[] = [...ADAPTERS, 'bank']
/** `paystack` charges cards, and pays nothing out. */
export type Upstream = Rail | 'paystack'
export const CONNECTED = [...ADAPTERS, 'paystack'] as const
export type Connected = (typeof CONNECTED)[number]

export const keyOf = (adapter: Connected): string => `the key of ${adapter} of thirty-two bytes and more`
/** These banks charge once a day for all payouts of it, which is more than the preset of a single charge. In
 *  naira. */
const STATEMENTS_CHARGE_MOST = '99999'
/** More than a day pays out; an account that lacks the money would be passed over. */
const RICH = '900000000.00'

type Places = {
  readonly port: number
  readonly databaseUrl: string
  readonly gatewayUrl: string
  /** Where the files of its bank are put; without it the connector has no statements. */
  readonly statements?: string
}
type Kind = {
  readonly folder: string
  readonly fake: object
  readonly settings: (places: Places, fakeUrl: string) => Env
  /** The form of its bank's statements, and how days are written in them; null: it has none. */
  readonly statements: { readonly form: 'csv' | 'mt940'; readonly dates: string } | null
  /** What the fake is told before anything else. */
  readonly first: (fake: Fake, adapter: Program) => Promise<unknown>
}

const PEM = { type: 'pkcs8', format: 'pem' } as const
const SPKI = { type: 'spki', format: 'pem' } as const
const PROVIDUS = { userName: 'day', password: 'the-password', clientId: 'ZGF5', clientSecret: 'THESECRET' }
const NIBSS = { clientId: 'the-client', clientSecret: 'the~secret' }

const SECRET_KEY = 'sk_test_0123456789abcdef0123'
/** Cards come sealed with it. */
const SEAL = generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: PEM, publicKeyEncoding: SPKI })

const KINDS: Readonly<Record<Connected, Kind>> = {
  providus: {
    folder: 'providus',
    fake: { ...PROVIDUS, port: 0, debitAccount: '1700313889', webhookUrl: 'http://127.0.0.1:1/' },
    settings: ({ port, databaseUrl, gatewayUrl }, fakeUrl) => ({
      PROVIDUS_ENVIRONMENT: 'TEST',
      PROVIDUS_TRANSFERS_URL: `${fakeUrl}/postingrest`,
      PROVIDUS_USERNAME: PROVIDUS.userName,
      PROVIDUS_PASSWORD: PROVIDUS.password,
      PROVIDUS_DEBIT_ACCOUNT: '1700313889',
      PROVIDUS_COLLECTIONS_URL: `${fakeUrl}/api`,
      PROVIDUS_CLIENT_ID: PROVIDUS.clientId,
      PROVIDUS_CLIENT_SECRET: PROVIDUS.clientSecret,
      DATABASE_URL: databaseUrl,
      GATEWAY_URL: gatewayUrl,
      CONNECTOR_KEY: keyOf('providus'),
      PORT: String(port),
      WEBHOOK_PORT: '0',
    }),
    statements: { form: 'csv', dates: 'dd/mm/yyyy' },
    first: async (fake, { webhooks }) => {
      await fake.tell('/fake/balance', { balance: RICH })
      await fake.tell('/fake/webhooks', { url: `${webhooks}/providus` })
    },
  },
  nibss: {
    folder: 'nibss-easypay',
    fake: { ...NIBSS, port: 0, tokenSeconds: 3_600 },
    settings: ({ port, databaseUrl, gatewayUrl }, fakeUrl) => ({
      DATABASE_URL: databaseUrl,
      GATEWAY_URL: gatewayUrl,
      CONNECTOR_KEY: keyOf('nibss'),
      NIBSS_ENVIRONMENT: 'TEST',
      PORT: String(port),
      BANK_CODE: '999',
      NIBSS_URL: fakeUrl,
      NIBSS_CLIENT_ID: NIBSS.clientId,
      NIBSS_CLIENT_SECRET: NIBSS.clientSecret,
      NIBSS_INSTITUTION_CODE: SANDBOX_INSTITUTION,
      NIBSS_LOCATION: '6.45407,3.39467',
      NIBSS_BILLER_ID: 'the biller',
      NIBSS_MANDATE: 'the mandate',
      NIBSS_ACCOUNT_INSTITUTION: '999998',
      NIBSS_ACCOUNT_NUMBER: '0112345678',
      NIBSS_ACCOUNT_NAME: 'Cowrie settlement',
      NIBSS_ACCOUNT_BVN: '22187654321',
    }),
    statements: { form: 'mt940', dates: 'yyyy-mm-dd' },
    first: async () => undefined,
  },
  paystack: {
    folder: 'paystack',
    fake: { port: 0, secretKey: SECRET_KEY, webhookUrl: 'http://127.0.0.1:1/' },
    settings: ({ port, databaseUrl, gatewayUrl }, fakeUrl) => ({
      PAYSTACK_ENVIRONMENT: 'TEST',
      PAYSTACK_URL: fakeUrl,
      PAYSTACK_SECRET_KEY: SECRET_KEY,
      CARD_KEY: SEAL.privateKey,
      DATABASE_URL: databaseUrl,
      GATEWAY_URL: gatewayUrl,
      CONNECTOR_KEY: keyOf('paystack'),
      PORT: String(port),
      WEBHOOK_PORT: '0',
    }),
    statements: null,
    first: (fake, { webhooks }) => fake.tell('/fake/webhooks', { url: `${webhooks}/paystack` }),
  },
}

async function start(file: string, args: readonly string[], env: Env, held: Held): Promise<Program> {
  const program = await startProgram(file, args, env)
  held.defer(() => program.kill())
  return program
}

/** An order in a bank's own books. */
export type Booked = {
  readonly reference: string
  readonly kobo: string
  readonly status: string
  readonly accountNumber: string
}
export type Fake = {
  tell(path: string, body: object): Promise<void>
  ask(path: string, body: object): Promise<unknown>
  read(path: string): Promise<unknown>
  /** How so many calls of a kind are treated; without a number all of them, until it is reset. */
  next(on: string, behaviour: string, more?: { readonly times?: number; readonly status?: number }): Promise<void>
  reset(): Promise<void>
  books(): Promise<readonly Booked[]>
  /** Somebody pays into an account there, and the bank says so. */
  credit(accountNumber: string, kobo: bigint): Promise<void>
}

const ALL = 100_000

function fakeAt(url: string): Fake {
  const ask = async (path: string, body: object): Promise<Response> => {
    const answer = await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })
    if (answer.status !== 200) throw new Error(`a fake answered ${answer.status} to ${path}`)
    return answer
  }
  const tell = async (path: string, body: object): Promise<void> => void (await ask(path, body))
  const read = async (path: string): Promise<unknown> => (await fetch(url + path)).json()
  return {
    tell,
    ask: async (path, body) => (await ask(path, body)).json(),
    read,
    credit: async (accountNumber, kobo) => {
      const booked = (await (await ask('/exam/credit', { accountNumber, kobo: String(kobo) })).json()) as object
      await tell('/exam/webhook', { kind: 'credit', times: 1, forged: null, ...booked })
    },
    next: (on, behaviour, { times = ALL, ...more } = {}) => tell('/exam/next', { on, behaviour, times, ...more }),
    reset: () => tell('/exam/reset', {}),
    books: async () => ((await read('/exam/orders')) as { readonly orders: readonly Booked[] }).orders,
  }
}

export type Running = Fake & {
  /** Of the adapter. */
  readonly pid: number
  /** Two people end payouts as FAILED, by the command of the adapter: the bank never received them, and does
   *  not say so when it is asked. */
  endByHand(sessions: readonly string[]): Promise<void>
  /** Somebody takes the statement of a day from its bank, and puts it where the adapter looks; `edit` is for
   *  a control. Answers what the bank has charged. */
  print(date: string, edit?: (text: string) => string): Promise<bigint>
}

/** Whole or not at all: under another name first. */
async function putFile(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${name}.part`), text)
  await rename(join(folder, `${name}.part`), join(folder, name))
}
type Printed = { readonly text: string; readonly chargedKobo: string }

async function statementEnv({ statements: folder }: Places, { statements }: Kind): Promise<Env> {
  if (folder === undefined || statements === null) return {}
  await mkdir(folder, { recursive: true })
  return { STATEMENTS_FOLDER: folder, STATEMENTS_DATES: statements.dates, STATEMENTS_CHARGE_MOST }
}

/** The fake first: an adapter may ask its bank something as soon as it runs. */
export async function startRail(adapter: Connected, places: Places, held: Held): Promise<Running> {
  const { folder, fake: config, settings, first, statements } = KINDS[adapter]
  const { url } = await start(fakeFile(folder), [JSON.stringify(config)], {}, held)
  const fake = fakeAt(url)
  const env = { ...settings(places, url), ...(await statementEnv(places, KINDS[adapter])) }
  const started = await start(adapterFile(folder), [], env, held)
  await first(fake, started)
  return {
    ...fake,
    pid: started.child.pid ?? 0,
    print: async (date, edit = (text) => text) => {
      if (places.statements === undefined || statements === null) return 0n
      const { text, chargedKobo } = (await fake.ask('/fake/print', { date })) as Printed
      await putFile(places.statements, `${date}.${statements.form}`, edit(text))
      return BigInt(chargedKobo)
    },
    endByHand: async (sessions) => {
      if (sessions.length === 0) return
      for (const who of ['Ada Obi', 'Bayo Ade']) {
        const { code, stderr } = await runProgram(adapterFile(folder, 'settle'), [who, 'FAILED', ...sessions], env)
        if (code !== 0) throw new Error(`settle ended with ${code}: ${stderr}`)
      }
    },
  }
}
