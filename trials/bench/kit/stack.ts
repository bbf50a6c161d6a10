// What every benchmark does around its measurement: a scratch PostgreSQL with merchants, the real processes
// on it, a connection to its database, an exit code, and everything released however it ends.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createSealing } from '../../../apps/gateway/src/features/collections/transactions/blocks.ts'
import { joinMerchant } from '../../../apps/gateway/src/join.ts'
import { type SeededMerchant, seedMerchant } from '../../../tools/sandbox/seed.ts'
import { choosePorts, type PartName, type Stack, startStack, withGateway } from '../../../tools/sandbox/stack.ts'
import type { Held } from '../../chaos/kit/bounded.ts'
import { logIn } from '../../chaos/kit/world.ts'
import { cpuSeconds } from './figures.ts'

export const SEED = 'bench'
const CELL = '01'

/** As the prototype was measured (docs/decisions/0001-engine.md): durable, with room for a run without a
 *  checkpoint. */
export const SETTINGS = {
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  min_wal_size: '2GB',
  checkpoint_timeout: '15min',
  max_connections: '300',
  effective_cache_size: '12GB',
  random_page_cost: '1.1',
  autovacuum_naptime: '15s',
}

export function need(command: string, debianPackage: string): string {
  const find = (): string | null => {
    try {
      return (
        execFileSync(
          'sh',
          ['-c', `command -v ${command} || ls -1 /usr/lib/postgresql/*/bin/${command} 2>/dev/null | tail -1`],
          { encoding: 'utf8' },
        ).trim() || null
      )
    } catch {
      return null
    }
  }
  const found = find()
  if (found) return found
  if (process.getuid?.() !== 0) throw new Error(`${command} is missing: apt-get install ${debianPackage}`)
  execFileSync('apt-get', ['install', '-y', '-q', debianPackage], { stdio: 'ignore' })
  return find() ?? fail(`${command} could not be installed`)
}
const fail = (why: string): never => {
  throw new Error(why)
}

export type BenchAsked = {
  readonly merchants: number
  readonly env?: Readonly<Record<string, string>>
  /** By default the api alone. */
  readonly parts?: readonly PartName[]
  readonly walletKobo?: (merchant: number) => bigint
  readonly settings?: Readonly<Record<string, string>>
  /** A folder for CPU profiles of the parts. */
  readonly profile?: string | undefined
}

export type Bench = {
  readonly stack: Stack
  readonly merchants: readonly SeededMerchant[]
  readonly ids: readonly bigint[]
  readonly apiUrl: string
  /** For what the run writes. */
  readonly folder: string
  /** To the database of the cell. */
  readonly client: pg.Client
}

export async function openBench(
  { merchants: count, env = {}, parts = ['api'], walletKobo = () => 0n, settings = {}, profile }: BenchAsked,
  held: Held,
): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'cowrie-bench-'))
  held.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755) // PostgreSQL runs as another user when we are root
  const merchants = Array.from({ length: count }, (_, n) =>
    seedMerchant({
      seed: SEED,
      cell: CELL,
      label: `m${n}`,
      name: `Merchant ${n}`,
      email: `m${n}@bench.example`,
      transferOtp: false,
      requestsPerSecond: 1_000_000,
      walletKobo: walletKobo(n),
    }),
  )
  const ids: bigint[] = []
  const stack = await startStack(
    {
      dir: folder,
      ports: await choosePorts(0),
      cells: [CELL],
      seed: SEED,
      parts,
      settings: { ...SETTINGS, ...settings },
      preferSystem: true,
      env: { ...env, ...(profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }) },
    },
    (config) =>
      withGateway(config, async ({ ctx }) => {
        for (const merchant of merchants) ids.push(await joinMerchant(ctx, CELL, merchant))
      }),
  )
  held.defer(() => stack.stop())
  const client = new pg.Client({ connectionString: stack.databaseUrl(CELL) })
  await client.connect()
  held.defer(() => client.end())
  return { stack, merchants, ids, folder, client, apiUrl: `http://127.0.0.1:${stack.ports.api}` }
}

/** The process ends with 0 when `measure` answers true, else with 1. */
export async function run(measure: (held: Held) => Promise<boolean>): Promise<void> {
  const held = new AsyncDisposableStack()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void held.disposeAsync().finally(() => process.exit(130)))
  try {
    process.exitCode = (await measure(held)) ? 0 : 1
  } finally {
    await held.disposeAsync()
  }
}

/** The same on one stack. */
export const runOn = (asked: BenchAsked, measure: (bench: Bench, held: Held) => Promise<boolean>): Promise<void> =>
  run(async (held) => measure(await openBench(asked, held), held))

// ---- what several ask of it

/** An access token of each merchant, or of the first ones. */
export async function tokensOf({ apiUrl, merchants }: Bench, count = merchants.length): Promise<string[]> {
  const tokens: string[] = []
  for (const merchant of merchants.slice(0, count)) tokens.push(await logIn(apiUrl, merchant))
  return tokens
}

/** A file of them with their contracts, as payments.lua reads it. */
export async function tokensFile(bench: Bench, tokens: readonly string[]): Promise<string> {
  const file = join(bench.folder, 'tokens')
  await writeFile(file, `${tokens.map((token, at) => `${token} ${bench.merchants[at]?.contractCode}`).join('\n')}\n`)
  return file
}

/** Makes blocks of all transactions that were loaded, as the worker does. */
export async function sealAll({ stack, client }: Bench): Promise<void> {
  await withGateway(stack.config, async ({ ctx }) => {
    const seal = createSealing(ctx, { merchants: 1000, blocksEach: 1000, blocks: 500 })
    while ((await seal(CELL)) > 0);
  })
  await client.query('vacuum analyze search_blocks, search_parts, search_values')
}

export const postmasterPid = (stack: Stack): number =>
  Number(readFileSync(join(stack.engine.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])

/** Processor seconds so far, by who took them; of a part that does not run, none. */
export function processorOf({ stack }: Pick<Bench, 'stack'>) {
  const part = (name: PartName): number => {
    const pid = stack.pid(name)
    return pid === undefined ? 0 : cpuSeconds(pid, false)
  }
  return {
    ...{ api: part('api'), worker: part('worker'), bank: part('simulator') },
    ...{ PostgreSQL: cpuSeconds(postmasterPid(stack), true), client: cpuSeconds(process.pid, false) },
  }
}
export type Processor = ReturnType<typeof processorOf>
