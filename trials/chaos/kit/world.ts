// The gateway under test: a database per cell, merchants in each, and ports that stay ours while nobody
// listens on them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engineTx } from '../../../apps/gateway/src/core/cells/cells.ts'
import { setWebhookUrls } from '../../../apps/gateway/src/features/events/webhooks/endpoints.ts'
import { joinMerchant } from '../../../apps/gateway/src/join.ts'
import { WEBHOOK_KINDS } from '../../../packages/contract/src/kit/spec.ts'
import { BUILD } from '../../../tools/compiled.ts'
import { type SeededMerchant, seedMerchant } from '../../../tools/sandbox/seed.ts'
import { type Ports, type Stack, type StackOptions, startStack, withGateway } from '../../../tools/sandbox/stack.ts'

export type ChaosMerchant = SeededMerchant & {
  readonly cell: string
  /** Where its notifications go. */
  readonly path: string
}

const MERCHANTS_PER_CELL = 5

export const chaosMerchants = (
  seed: string,
  cells: readonly string[],
  perCell: number = MERCHANTS_PER_CELL,
): ChaosMerchant[] =>
  cells.flatMap((cell) =>
    Array.from({ length: perCell }, (_, index) => ({
      ...seedMerchant({
        seed,
        cell,
        label: `chaos ${index}`,
        name: `Market Stall ${cell}/${index}`,
        email: `stall-${cell}-${index}@chaos.example`,
        transferOtp: false,
        requestsPerSecond: 100_000,
      }),
      cell,
      path: `/hooks/${cell}/${index}`,
    })),
  )

/** Answers with their ids; `urlOf` says where the notifications of each go. */
export function seedMerchants<M extends ChaosMerchant>(
  config: Parameters<typeof withGateway>[0],
  merchants: readonly M[],
  urlOf?: (merchant: M) => string,
): Promise<bigint[]> {
  return withGateway(config, async ({ ctx }) => {
    const ids: bigint[] = []
    for (const merchant of merchants) {
      const id = await joinMerchant(ctx, merchant.cell, merchant)
      ids.push(id)
      if (urlOf === undefined) continue
      const urls = Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, urlOf(merchant)]))
      await engineTx(ctx, merchant.cell, (t) => setWebhookUrls(ctx, t, id, urls))
    }
    return ids
  })
}

/** Answers with an access token. */
export async function logIn(apiUrl: string, merchant: SeededMerchant): Promise<string> {
  const basic = Buffer.from(`${merchant.apiKey}:${merchant.secretKey}`).toString('base64')
  const answer = await fetch(`${apiUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${merchant.email} could not log in: ${answer.status} ${text}`)
  return (JSON.parse(text) as { responseBody: { accessToken: string } }).responseBody.accessToken
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Ports below the range that outgoing connections use. A port of that range would be lost, now and then, to
 *  somebody's connection in the second between a kill and the restart. */
export async function steadyNumbers(count: number): Promise<number[]> {
  const found: number[] = []
  while (found.length < count) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (!found.includes(port) && (await isFree(port))) found.push(port)
  }
  return found
}
export async function steadyPorts(): Promise<Ports> {
  const [api, operator, simulator, postgres, smtp] = (await steadyNumbers(5)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  return { api, operator, simulator, postgres, smtp }
}

/** Compiles the gateway once into a folder that its processes then start from: a start costs half, so that
 *  the machine is busy with payments and not with a hundred compilations. A killed process never writes
 *  there. */
async function compiledOnce(folder: string): Promise<Record<string, string>> {
  const env = { NODE_COMPILE_CACHE: folder }
  const imports = ['app.ts', 'gateway.ts']
    .map((file) => fileURLToPath(new URL(`../../../apps/gateway/src/${file}`, import.meta.url)))
    .map((path) => `await import(${JSON.stringify(path)})`)
  // Of a build, its programs: without settings they compile everything and end.
  const starts =
    BUILD === undefined
      ? [['--input-type=module', '-e', imports.join('; ')]]
      : ['api', 'worker'].map((program) => [join(BUILD ?? '', `${program}.js`)])
  for (const args of starts) {
    const [code] = (await once(spawn(process.execPath, args, { stdio: 'ignore', env }), 'exit')) as [number | null]
    if (BUILD === undefined && code !== 0) throw new Error(`not compiled: node ${args.join(' ')}`)
  }
  return env
}

type Asked = Pick<StackOptions, 'dir' | 'seed' | 'parts'> &
  Partial<Pick<StackOptions, 'ports' | 'cells' | 'env' | 'onExit' | 'elsewhere' | 'launch'>>

/** The stack of a run. It logs nothing: what kills and faults cause is counted by the run, not written line
 *  by line. */
export const startChaosStack = async (
  asked: Asked,
  prepare: (config: Parameters<typeof withGateway>[0]) => Promise<unknown>,
): Promise<Stack> =>
  startStack(
    {
      ...asked,
      ports: asked.ports ?? (await steadyPorts()),
      cells: asked.cells ?? ['01'],
      logLevel: 'fatal',
      env: { ...(await compiledOnce(join(asked.dir, 'compiled'))), ...asked.env },
    },
    async (config) => {
      await prepare(config)
    },
  )
