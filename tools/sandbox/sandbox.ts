// `cowrie sandbox`: the real gateway, a real PostgreSQL and the bank simulator, from nothing, without root
// or Docker.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cellById, engineTx, readAll } from '../../apps/gateway/src/core/cells/cells.ts'
import { grantNew } from '../../apps/gateway/src/features/access/merchants/access.ts'
import { joinFirst } from '../../apps/gateway/src/features/access/people/team.ts'
import { setWebhookUrls } from '../../apps/gateway/src/features/events/webhooks/endpoints.ts'
import { joinMerchant } from '../../apps/gateway/src/join.ts'
import { whenLeft, whenOrphaned } from '../../packages/cli/src/programs/orphan.ts'
import { login } from '../../packages/contract/src/access/auth.ts'
import { WEBHOOK_KINDS } from '../../packages/contract/src/kit/spec.ts'
import { COMMAND } from '../operator/operator.ts'
import { firstTaken } from '../ports.ts'
import { type Served, serveSite } from '../site/serve.ts'
import { CELL, type Handle, handleOf, operatorUrlOf } from './handle.ts'
import { readOptions, type SandboxOptions } from './options.ts'
import { seedOwner } from './people.ts'
import { operatorOf, sandboxMerchants } from './seed.ts'
import { choosePorts, type Stack, startStack, withGateway } from './stack.ts'
import { welcome } from './welcome.ts'

/** Of the repository. A package has the files of the dashboard, and not what makes them. */
const DASHBOARD_BUILD = fileURLToPath(new URL('../dashboard/build.ts', import.meta.url))

/** The folder of the data, and the seed that is kept in it. */
async function prepareFolder(options: SandboxOptions): Promise<{ dir: string; seed: string }> {
  if (options.ephemeral) {
    const dir = await mkdtemp(join(tmpdir(), 'cowrie-'))
    await chmod(dir, 0o755) // PostgreSQL runs as another user when we are root
    return { dir, seed: options.seed ?? randomBytes(16).toString('hex') }
  }
  const dir = join(process.cwd(), '.cowrie')
  if (options.reset) await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true })
  const file = join(dir, 'seed')
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept !== null && options.seed !== undefined && kept !== options.seed) {
    process.stderr.write('The data in .cowrie/ was created with a different seed. Run with --reset to start over.\n')
    process.exit(2)
  }
  const seed = kept ?? options.seed ?? randomBytes(16).toString('hex')
  if (kept === null) await writeFile(file, seed, { mode: 0o600 })
  return { dir, seed }
}

/** Tells `cowrie listen` and its like, in this folder, whom to ask and with which keys, for as long as we
 *  run. */
const handleFile = (dir: string): string => join(dir, 'handle.json')
async function leaveHandle(dir: string, handle: Handle): Promise<void> {
  await rm(handleFile(dir), { force: true }) // the mode is given to a new file only
  await writeFile(handleFile(dir), `${JSON.stringify(handle, null, 2)}\n`, { mode: 0o600 })
}

/** The address of a sandbox that left its handle in this folder and takes its keys: one of another folder may
 *  have the port by now. */
async function runningHere(folder: string): Promise<string | null> {
  const text = await readFile(handleFile(join(folder, '.cowrie')), 'utf8').catch(() => null)
  if (text === null) return null
  const { apiUrl, merchants } = JSON.parse(text) as Handle
  const { apiKey, secretKey } = merchants.main
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
  const signal = AbortSignal.timeout(ANSWER_MS)
  const answers = await fetch(apiUrl + login.path, { method: login.method, headers: { authorization }, signal }).then(
    ({ ok }) => ok,
    () => false,
  )
  return answers ? apiUrl : null
}

/** In a process of its own, beside the start: nobody waits for it, and without it only the dashboard is
 *  missing. */
function buildDashboardBeside(say: (line: string) => void): void {
  if (!existsSync(DASHBOARD_BUILD)) return
  const child = spawn(process.execPath, [DASHBOARD_BUILD, '--if-needed'], { stdio: 'ignore' })
  child.once('exit', (code) => {
    if (code !== 0) say('The dashboard could not be built; run npm run build:dashboard to see why.\n')
  })
  child.once('error', () => undefined)
  child.unref()
}

const ANSWER_MS = 3_000

const MERCHANT_BY_KEY = {
  name: 'sandbox_merchant',
  text: '-- all merchants: seeding\nselect id from merchants where api_key = $1',
}

/** Seeds the operator and the merchants that are not there yet, and sets their notification addresses where
 *  one was given. */
export async function seedAll(
  config: Parameters<typeof withGateway>[0],
  seed: string,
  webhookUrl: string | undefined,
): Promise<void> {
  await withGateway(config, async ({ ctx }) => {
    cellById(ctx, CELL)
    await joinFirst(ctx, { ...operatorOf(seed), name: 'Sandbox Operator', by: COMMAND })
    const merchants = sandboxMerchants(seed, CELL)
    for (const merchant of Object.values(merchants)) {
      const [known] = await readAll(ctx, CELL, (r) => r.query<{ id: bigint }>(MERCHANT_BY_KEY, [merchant.apiKey]))
      const id = known?.id ?? (await joinMerchant(ctx, CELL, merchant))
      // Of an earlier version of the sandbox: it has what is new as well.
      await engineTx(ctx, CELL, (t) => grantNew(t, id, merchant.features, 'in the sandbox everything is on'))
      if (merchant === merchants.main) await seedOwner(ctx, { cell: CELL, id }, merchant)
      if (webhookUrl === undefined) continue
      const urls = Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, webhookUrl]))
      await engineTx(ctx, CELL, (t) => setWebhookUrls(ctx, t, id, urls))
    }
  })
}

/** What cannot start is said before anything is touched, also before `--reset`. */
async function refuseTaken(options: SandboxOptions, ports: readonly number[]): Promise<void> {
  const first = options.ephemeral ? null : await runningHere(process.cwd())
  const taken = first === null ? await firstTaken(ports) : null
  if (first === null && taken === null) return
  process.stderr.write(
    first !== null
      ? `A sandbox already runs in this folder, at ${first}. Its keys are found from here: try cowrie status.\n` +
          'Stop it with Ctrl-C where it runs; or start another one beside it, with --ephemeral --port 0.\n'
      : `Port ${taken} is taken by another program. Choose another first port, such as --port 5000, or --port 0 for any free ones.\n`,
  )
  process.exit(1)
}

async function main(): Promise<void> {
  const started = Date.now()
  const options = readOptions()
  const ports = await choosePorts(Number(options.port))
  await refuseTaken(options, Object.values(ports))
  const { dir, seed } = await prepareFolder(options)
  let stack: Stack | null = null
  let guides: Served | null = null
  let ending = false
  let leftHandle = false
  const end = async (code: number) => {
    if (ending) return
    ending = true
    guides?.stop()
    await stack?.stop()
    if (options.ephemeral) await rm(dir, { recursive: true, force: true })
    else if (leftHandle) await rm(handleFile(dir), { force: true })
    process.exit(code)
  }
  process.on('SIGTERM', () => void end(0))
  const say = (line: string) => {
    if (!options.json) process.stdout.write(line)
  }
  process.on('SIGINT', () => {
    if (!ending) say('\nStopping the sandbox …\n')
    void end(0)
  })
  const watch = options.json ? whenLeft : whenOrphaned
  watch(() => void end(0))
  buildDashboardBeside(say)
  say('\nStarting the sandbox: PostgreSQL, the gateway (api and worker) and the bank simulator …\n')
  try {
    stack = await startStack(
      {
        dir,
        ports,
        cells: [CELL],
        seed,
        parts: ['simulator', 'api', 'worker'],
        env: {
          WEBHOOK_NETWORKS: process.env['WEBHOOK_NETWORKS'] ?? '',
          OPERATOR_PORT: String(ports.operator),
          OPERATOR_URL: operatorUrlOf(ports),
        },
        onExit: (part, how) => {
          if (ending) return
          process.stderr.write(`The ${part} stopped (${how}); stopping the sandbox.\n`)
          void end(1)
        },
      },
      (config) => seedAll(config, seed, options['webhook-url']),
    )
    guides = await serveSite(ports.guides)
  } catch (error) {
    process.stderr.write(`The sandbox could not start: ${(error as Error).message}\n`)
    await end(1)
    return
  }
  if (ending) {
    await stack.stop()
    return
  }
  const handle = handleOf(ports, stack.databaseUrl(CELL), seed)
  if (!options.ephemeral) {
    leftHandle = true
    await leaveHandle(dir, handle)
  }
  if (options.json) process.stdout.write(`${JSON.stringify(handle)}\n`)
  else say(welcome(handle, { ms: Date.now() - started, ephemeral: options.ephemeral }))
}

if (import.meta.main) await main()
