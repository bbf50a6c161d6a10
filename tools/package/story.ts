// What a newcomer does with a build: starts the sandbox, is paid once, and checks the signature of the
// webhook. The short test of the build and `npm run check:package` live it, each with its own way of starting
// the command.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Handle } from '../sandbox/handle.ts'

const LIMIT_MS = 120_000
const JSON_TYPE = { 'content-type': 'application/json' }

export type Sandbox = { readonly handle: Handle; stop(): Promise<number | null> }
export type Command = {
  readonly program: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
}

/** Starts `<command> sandbox` in a process group of its own, and answers when it is ready. */
export async function startSandbox({ program, args, env, cwd }: Command, webhookUrl: string): Promise<Sandbox> {
  const options = ['sandbox', '--json', '--ephemeral', '--port', '0', '--webhook-url', webhookUrl]
  const child: ChildProcess = spawn(program, [...args, ...options], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit') as Promise<[number | null]>
  const stop = async () => {
    child.kill('SIGTERM')
    return (await exited)[0]
  }
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const late = new AbortController()
  try {
    const [line] = await Promise.race([
      once(lines, 'line') as Promise<[string]>,
      exited.then(([code]) => Promise.reject(new Error(`the sandbox ended with ${code}`))),
      pause(LIMIT_MS, undefined, { signal: late.signal }).then(() =>
        Promise.reject(new Error('the sandbox is not ready')),
      ),
    ])
    return { handle: JSON.parse(line) as Handle, stop }
  } catch (error) {
    if (child.exitCode === null && child.signalCode === null) await stop()
    throw error
  } finally {
    late.abort()
  }
}

export type Receiver = {
  readonly url: string
  /** The first webhook: its body, and whether its signature is that of the key. */
  first(secretKey: string): Promise<{ readonly eventType: string; readonly signed: boolean }>
  stop(): void
}

export async function startReceiver(): Promise<Receiver> {
  const got = Promise.withResolvers<{ body: Buffer; signature: string }>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      response.end()
      got.resolve({ body: Buffer.concat(parts), signature: String(request.headers['service-signature']) })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    first: async (secretKey) => {
      const { body, signature } = await got.promise
      const { eventType } = JSON.parse(body.toString()) as { eventType: string }
      return { eventType, signed: signature === createHmac('sha512', secretKey).update(body).digest('hex') }
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Shop = {
  /** The `responseBody` of a call that was answered with success. */
  call<T>(path: string, body?: object): Promise<T>
}
type Answer<T> = { readonly requestSuccessful: boolean; readonly responseMessage: string; readonly responseBody: T }

/** The merchant's server. */
export async function openShop({ apiUrl, merchants: { main } }: Handle): Promise<Shop> {
  const ask = async <T>(path: string, authorization: string, body?: object): Promise<T> => {
    const answer = await fetch(`${apiUrl}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...JSON_TYPE, authorization },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const said = (await answer.json()) as Answer<T>
    if (!said.requestSuccessful) throw new Error(`${path}: ${answer.status} ${said.responseMessage}`)
    return said.responseBody
  }
  const basic = Buffer.from(`${main.apiKey}:${main.secretKey}`).toString('base64')
  const { accessToken } = await ask<{ accessToken: string }>('/api/v1/auth/login', `Basic ${basic}`, {})
  return { call: (path, body) => ask(path, `Bearer ${accessToken}`, body) }
}

/** One payment by bank transfer; answers when it is PAID. */
export async function firstPayment(handle: Handle, shop: Shop): Promise<string> {
  const { transactionReference } = await shop.call<{ transactionReference: string }>(
    '/api/v1/merchant/transactions/init-transaction',
    {
      amount: 1000,
      customerEmail: 'ada@example.com',
      paymentReference: 'first',
      currencyCode: 'NGN',
      contractCode: handle.merchants.main.contractCode,
    },
  )
  const { accountNumber } = await shop.call<{ accountNumber: string }>('/api/v1/merchant/bank-transfer/init-payment', {
    transactionReference,
  })
  await fetch(`${handle.simulatorUrl}/api/transfers`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ bankCode: '50515', accountNumber, amount: 1000 }),
  })
  const query = `/api/v2/merchant/transactions/query?transactionReference=${encodeURIComponent(transactionReference)}`
  for (const until = Date.now() + LIMIT_MS; ; await pause(50)) {
    const { paymentStatus } = await shop.call<{ paymentStatus: string }>(query)
    if (paymentStatus === 'PAID') return transactionReference
    if (Date.now() > until) throw new Error(`the first payment is ${paymentStatus}`)
  }
}
