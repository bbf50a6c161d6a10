// Where attacks happen: a gateway with its processes, merchants with money, people who are in, and the
// addresses an attacker has. Nobody here knows the code: everything that is tried goes over HTTP.
import { setTimeout as pause } from 'node:timers/promises'
import { joinMerchant } from '../../../apps/gateway/src/join.ts'
import { personIn, sessionHeader } from '../../../apps/gateway/test/people/sessions.ts'
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import type { MerchantRole, OperatorRole, Side } from '../../../packages/contract/src/kit/permissions.ts'
import { freePort } from '../../../tools/ports.ts'
import { type SeededMerchant, seedMerchant } from '../../../tools/sandbox/seed.ts'
import { fromSource, type Stack, withGateway } from '../../../tools/sandbox/stack.ts'
import type { Held } from '../kit/bounded.ts'
import { withClient } from '../kit/database.ts'
import { type Plant, plantingFlags } from '../kit/plants.ts'
import { startChaosStack } from '../kit/world.ts'

const CELL = '01'
const OF_PEOPLE = { cell: CELL, id: 0n }
const WAIT_MS = 20_000
const LOOK_MS = 100

/** What an answer says: the code of a refusal, or what is in the envelope. */
// biome-ignore lint/suspicious/noExplicitAny: the body of any route
export type Answer = { readonly status: number; readonly code: string; readonly body: any; readonly text: string }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Call = (method: Method, path: string, body?: unknown) => Promise<Answer>
export type Keys = { readonly apiKey: string; readonly secretKey: string }

export type Merchant = SeededMerchant & { readonly id: bigint; readonly call: Call }
export type Person = {
  readonly email: string
  readonly call: Call
  /** With other headers beside those of the session. */
  readonly from: (more: Readonly<Record<string, string>>) => Call
  /** One that goes on until its end is asked for, or the gateway ends it. */
  readonly stream: (path: string, signal: AbortSignal) => Promise<{ readonly goesOn: () => boolean }>
  readonly act: (id: string, input: object, merchant?: Merchant) => Promise<Answer>
  readonly view: (id: string, query?: Readonly<Record<string, string>>) => Promise<Answer>
}

export async function exchange(
  url: string,
  method: Method,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: answer.status, code: json.problem?.code ?? '', body: json.responseBody, text }
}

async function openStream(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
  const answer = await fetch(url, { headers, signal })
  let open = answer.status === 200
  const end = (): void => {
    open = false
  }
  answer.body?.pipeTo(new WritableStream()).then(end, end)
  return { goesOn: () => open }
}

const SEED = 'attacks'
type Running = { readonly stack: Stack; readonly apiUrl: string; readonly operatorUrl: string }
type Settings = { readonly approvalAbove?: number; readonly waitHours?: number; readonly otp?: boolean }
let made = 0

/** With a pair of keys, logged in whenever that is needed: the clock is moved past the hour of a token. */
function callWith(apiUrl: string, { apiKey, secretKey }: Keys): Call {
  let token = ''
  const logIn = async (): Promise<Answer> => {
    const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
    const answer = await exchange(`${apiUrl}/api/v1/auth/login`, 'POST', { authorization })
    token = answer.body?.accessToken ?? ''
    return answer
  }
  return async (method, path, body) => {
    const ask = () => exchange(apiUrl + path, method, { authorization: `Bearer ${token}` }, body)
    const first = token === '' ? null : await ask()
    if (first !== null && first.status !== 401) return first
    const logged = await logIn()
    return token === '' ? logged : ask()
  }
}

/** One that joined just now, with its money in its wallet. Its settings are those of live. */
async function newMerchant({ stack, apiUrl }: Running, naira = 1_000_000, settings: Settings = {}): Promise<Merchant> {
  made += 1
  const seeded = {
    ...seedMerchant({
      ...{ seed: SEED, cell: CELL, label: `attacked ${made}`, name: `Market Stall ${made}` },
      ...{ email: `stall-${made}@attacked.example`, transferOtp: settings.otp ?? false },
      ...{ requestsPerSecond: 100_000, walletKobo: BigInt(naira) * 100n },
    }),
    newSubAccountWaitHours: settings.waitHours ?? 24,
  }
  const id = await withGateway(stack.config, ({ ctx }) => joinMerchant(ctx, CELL, seeded))
  const one = { ...seeded, id, call: callWith(apiUrl, seeded) }
  if (settings.approvalAbove !== undefined) {
    const sent = { lowBalanceThreshold: null, approvalAbove: settings.approvalAbove }
    must(await one.call('PUT', '/api/v1/disbursement-settings', sent))
  }
  return one
}

/** Somebody who is in. `provedAgo`: seconds since they last proved who they are. */
async function newPerson(
  { stack, apiUrl, operatorUrl }: Running,
  side: Side,
  role: MerchantRole | OperatorRole,
  of: Merchant | undefined,
  provedAgo: number,
): Promise<Person> {
  const { email, ...started } = await withGateway(stack.config, (gateway) =>
    personIn({ gateway }, side, role, {
      ...(of ? { merchant: { cell: CELL, id: of.id } } : {}),
      provedAt: new Date(gateway.ctx.clock.now().getTime() - provedAgo * 1000),
    }),
  )
  const headers = sessionHeader(started)
  const base = side === 'operator' ? `${operatorUrl}/operator/v1` : `${apiUrl}/dashboard/v1`
  const from =
    (more: Readonly<Record<string, string>>): Call =>
    (method, path, body) =>
      exchange(base + path, method, { ...headers, ...more }, body)
  const call = from({})
  return {
    email,
    call,
    from,
    stream: (path, signal) => openStream(base + path, headers, signal),
    act: (id, input, merchant) =>
      call('POST', `/acts/${id}`, { ...(merchant ? { merchant: merchant.apiKey } : {}), input, reason: 'an attack' }),
    view: (id, query = {}) => call('GET', `/views/${id}?${new URLSearchParams(query).toString()}`),
  }
}

/** Mails to an address that a text is in, once there is one; none when none came in time. */
async function mailed({ stack }: Running, to: string, text: string, whose: typeof OF_PEOPLE): Promise<string[]> {
  const until = performance.now() + WAIT_MS
  for (;;) {
    const all = await withGateway(stack.config, async ({ ctx }) => (await ctx.simulator?.mails(whose, to)) ?? [])
    const found = all.flatMap((mail) => (mail.text.includes(text) ? [mail.text] : []))
    if (found.length > 0 || performance.now() > until) return found
    await pause(LOOK_MS)
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld(dir: string, held: Held, plant: Plant | undefined) {
  const operatorPort = await freePort()
  const operatorUrl = `http://127.0.0.1:${operatorPort}`
  const ended: string[] = []
  const stack: Stack = await startChaosStack(
    {
      ...{ dir, seed: SEED, parts: ['simulator', 'api', 'worker'] },
      env: { OPERATOR_PORT: String(operatorPort), OPERATOR_URL: operatorUrl, TRUSTED_PROXIES: '127.0.0.1,::1' },
      onExit: (part, how) => ended.push(`${part} ended: ${how}`),
      ...(plant === undefined ? {} : { launch: (part) => fromSource(part, plantingFlags(plant)) }),
    },
    async () => {},
  )
  held.defer(() => stack.stop())
  const running = { stack, operatorUrl, apiUrl: `http://127.0.0.1:${stack.ports.api}` }
  const simulatorUrl = `http://127.0.0.1:${stack.ports.simulator}`
  let mover: Merchant | null = null
  let networks = 0
  return {
    ...{ apiUrl: running.apiUrl, operatorUrl, simulatorUrl, ended },
    callWith: (keys: Keys) => callWith(running.apiUrl, keys),
    merchant: (naira?: number, settings?: Settings) => newMerchant(running, naira, settings),
    person: (
      side: Side,
      role: MerchantRole | OperatorRole,
      of?: Merchant,
      { provedAgo = 0 }: { readonly provedAgo?: number } = {},
    ) => newPerson(running, side, role, of, provedAgo),
    /** Headers of a caller in a network that nobody else has: as the proxy before the gateway writes them. */
    network: () => {
      networks += 1
      return { 'x-forwarded-for': `41.${networks >> 8}.${networks & 255}.7` }
    },
    /** Moves the clock; everything that is due meanwhile has happened. */
    advance: async (seconds: number): Promise<void> => {
      mover ??= await newMerchant(running, 0)
      must(await mover.call('POST', '/sandbox/clock/advance', { seconds }))
    },
    /** What an attacker cannot do: to look, and to prepare. */
    sql: <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
      withClient(stack.databaseUrl(CELL), async (client) => (await client.query(text, [...values])).rows as Row[]),
    mailed: (to: string, text: string, about?: Merchant) =>
      mailed(running, to, text, about ? { cell: CELL, id: about.id } : OF_PEOPLE),
    /** A customer's transfer to an account number of the gateway. */
    pay: async (accountNumber: string, amount: number, bankCode = '50515'): Promise<void> => {
      const sent = { bankCode, accountNumber, amount: amount.toFixed(2) }
      const { status, text } = await exchange(`${simulatorUrl}/api/transfers`, 'POST', {}, sent)
      if (status !== 200) throw new Error(`the customer could not pay: ${status} ${text}`)
    },
  }
}

/** A step that the attack only prepares with. */
export function must(answer: Answer): Answer {
  if (answer.status >= 300) throw new Error(`not prepared: ${answer.status} ${answer.text.slice(0, 300)}`)
  return answer
}

const BANK = '058'
let serial = 0
/** The thief's account, another each time. */
export const account = (): string => {
  serial += 1
  return `31${String(serial).padStart(4, '0')}7788`
}
export const reference = (): string => {
  serial += 1
  return `attack-${process.pid}-${serial}`
}
/** A transfer out of the merchant's wallet. */
export const transfer = (merchant: Merchant, amount: number, to = account()) => ({
  ...{ amount, reference: reference(), narration: 'an attack', currency: 'NGN' },
  ...{ destinationBankCode: BANK, destinationAccountNumber: to },
  destinationAccountName: accountName(BANK, to) ?? 'Nobody',
  sourceAccountNumber: merchant.walletNumber,
})
export const SINGLE = '/api/v2/disbursements/single'
