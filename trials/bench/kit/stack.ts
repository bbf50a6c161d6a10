// A scratch stack with merchants, and the tools a bench needs on the machine.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { joinMerchant } from '../../../apps/gateway/src/join.ts'
import { type SeededMerchant, seedMerchant } from '../../../tools/sandbox/seed.ts'
import { choosePorts, type PartName, type Stack, startStack, withGateway } from '../../../tools/sandbox/stack.ts'

export const SEED = 'bench'

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

export type BenchStack = {
  readonly stack: Stack
  readonly merchants: readonly SeededMerchant[]
  readonly ids: readonly bigint[]
  close(): Promise<void>
}

/** A scratch PostgreSQL with `count` merchants in one cell, and the real api process on it, or other
 *  parts. */
export async function openBench(
  count: number,
  env: Record<string, string> = {},
  parts: readonly PartName[] = ['api'],
  walletKobo: (merchant: number) => bigint = () => 0n,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchStack> {
  const dir = await mkdtemp(join(tmpdir(), 'cowrie-bench-'))
  await chmod(dir, 0o755)
  const merchants = Array.from({ length: count }, (_, n) =>
    seedMerchant({
      seed: SEED,
      cell: '01',
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
      dir,
      ports: await choosePorts(0),
      cells: ['01'],
      seed: SEED,
      parts,
      settings: { ...SETTINGS, ...settings },
      preferSystem: true,
      env,
    },
    (config) =>
      withGateway(config, async ({ ctx }) => {
        for (const merchant of merchants) ids.push(await joinMerchant(ctx, '01', merchant))
      }),
  )
  return {
    stack,
    merchants,
    ids,
    close: async () => {
      await stack.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export const postmasterPid = (stack: Stack): number =>
  Number(readFileSync(join(stack.engine.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])

/** Runs on a stack and one connection to its database; the process fails when `run` answers false. */
export async function withBench(
  opening: Promise<BenchStack>,
  run: (bench: BenchStack, client: pg.Client) => Promise<boolean>,
): Promise<void> {
  const bench = await opening
  const client = new pg.Client({ connectionString: bench.stack.databaseUrl('01') })
  try {
    await client.connect()
    if (!(await run(bench, client))) process.exitCode = 1
  } finally {
    await client.end()
    await bench.close()
  }
}
