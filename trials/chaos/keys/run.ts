// The rotation of keys: payments and payouts run while the master key and the bank's key are rotated as
// docs/operate/keys.md says, step by step, in the files that api, worker and bank read again, and without a
// restart. Re-sealing is killed on its way and run again. At the end every merchant still logs in, whatever
// was sealed opens, nobody was refused, and the version before can be retired and removed. The new master key
// lies wrapped, and two custodians open it.
//   npm run trial -- keys [--rows 20000] [--clients 16] [--kills 10] [--seed N] [--plant early|lost]
// The short form: --rows 2000 --clients 4 --kills 1
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { wrapKey } from '../../../apps/gateway/src/kit/custody.ts'
import { createCustodian } from '../../../apps/gateway/src/outside/custody.ts'
import { bankKeyOf, masterKeyOf } from '../../../tools/sandbox/seed.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { withClient } from '../kit/database.ts'
import { readOptions } from '../kit/options.ts'
import { mulberry32 } from '../kit/random.ts'
import { chaosMerchants, seedMerchants, startChaosStack } from '../kit/world.ts'
import { createLoad, type Load } from './load.ts'
import { faults, loadSealed, loseOne, sealedBy } from './rows.ts'

const TOOL = fileURLToPath(new URL('../../../tools/operator/keys.ts', import.meta.url))
/** The bank signs with a key that we do not know yet; a sealed record is lost. */
const PLANTS = ['early', 'lost'] as const
type Options = ReturnType<typeof parseOptions>
const parseOptions = () => readOptions({ rows: 20_000, clients: 16, kills: 10 }, PLANTS)

/** How often api and worker look at the files, and how long everybody is given to have looked. */
const LOOK_SECONDS = 1
const LOOKED_MS = 2_500

const keyFrom = (seed: string, of: string): string => createHmac('sha256', seed).update(of).digest('base64')

type Files = { readonly master: string; readonly gateway: string; readonly bank: string }

/** Nobody may read half of a file. */
async function put(file: string, text: string): Promise<void> {
  await writeFile(`${file}.next`, text, { mode: 0o644 })
  await rename(`${file}.next`, file)
}

const spawnTool = (stack: Stack, words: readonly string[]) =>
  spawn(process.execPath, [TOOL, ...words], {
    env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', ...stack.env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })

/** The operator's command, as a process. */
async function keysCommand(stack: Stack, words: readonly string[]): Promise<void> {
  const child = spawnTool(stack, words)
  let text = ''
  child.stdout.on('data', (data: Buffer) => {
    text += data.toString()
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`keys ${words.join(' ')}: ${text}`)
}

/** Kills the command once it has re-sealed a part of the rows; the part is chosen by the seed. */
async function killOnItsWay(stack: Stack, old: string, random: () => number): Promise<string> {
  const url = stack.databaseUrl('01')
  const before = await sealedBy(url, old)
  const child = spawnTool(stack, ['reseal'])
  child.stdout.resume()
  const ended = once(child, 'exit')
  const part = Math.floor(random() * Math.min(before, 4_000))
  while (child.exitCode === null && before - (await sealedBy(url, old)) < part) await pause(2)
  child.kill('SIGKILL')
  await ended
  return `${before - (await sealedBy(url, old))} of ${before}`
}

type Names = { readonly [N in 'm1' | 'm2' | 'b1' | 'b2']: string }

/** Both keys at once, in the order of the page: known to everybody, then in use, then the old one is gone. */
async function rotate(options: Options, stack: Stack, files: Files, keys: Names, say: (text: string) => void) {
  const random = mulberry32(options.seed)
  const url = stack.databaseUrl('01')
  const { m1, m2, b1, b2 } = keys
  await put(files.master, `1:${m1},2:${m2}`)
  await put(files.bank, options.plant === 'early' ? `2:${b2},1:${b1}` : `1:${b1},2:${b2}`)
  if (options.plant === 'early') await pause(LOOKED_MS)
  await put(files.gateway, `1:${b1},2:${b2}`)
  await pause(LOOKED_MS)
  say('both sides know the new keys')
  await put(files.master, `2:${m2},1:${m1}`)
  await put(files.gateway, `2:${b2},1:${b1}`)
  await put(files.bank, `2:${b2},1:${b1}`)
  await pause(LOOKED_MS)
  say('the new keys seal and sign')
  const [old = ''] = await withClient(url, async (client) => {
    const { rows } = await client.query<{ fingerprint: string }>(
      'select fingerprint from master_keys order by version limit 1',
    )
    return rows.map(({ fingerprint }) => fingerprint)
  })
  const points: string[] = []
  for (let kill = 0; kill < options.kills; kill += 1) points.push(await killOnItsWay(stack, old, random))
  say(`re-sealing was killed after ${points.join(', ')} records`)
  await keysCommand(stack, ['reseal'])
  if (options.plant === 'lost') await loseOne(url)
  await keysCommand(stack, ['retire', '1', '--now'])
  say('version 1 is retired')
  await put(files.master, `2:${m2}`)
  await put(files.gateway, `2:${b2}`)
  await put(files.bank, `2:${b2}`)
  await pause(LOOKED_MS)
  say('the old keys are gone')
}

/** The new master key is one that no one person has; the old one lay in the clear. */
async function twoCustodians(seed: string, dir: string) {
  const places = ['amina', 'bola'].map((name) => ({ name, place: { kind: 'file', path: join(dir, name) } as const }))
  for (const { name, place } of places) await put(place.path, keyFrom(seed, name))
  return {
    all: places.map((one) => createCustodian(one, {})),
    setting: places.map(({ name, place }) => `${name}=file:${place.path}`).join(','),
  }
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const seed = `keys ${options.seed}`
  const custodians = await twoCustodians(seed, dir)
  const m2 = await wrapKey(custodians.all, keyFrom(seed, 'second master key'))
  const keys: Names = { m1: masterKeyOf(seed), m2, b1: bankKeyOf(seed), b2: keyFrom(seed, 'second bank key') }
  const files = { master: join(dir, 'master'), gateway: join(dir, 'bank-keys'), bank: join(dir, 'bank-keys-there') }
  await put(files.master, `1:${keys.m1}`)
  await put(files.gateway, `1:${keys.b1}`)
  await put(files.bank, `1:${keys.b1}`)
  const merchants = chaosMerchants(seed, ['01'], options.clients)
  const stack = await startChaosStack(
    {
      ...{ dir, seed, parts: ['simulator', 'api', 'worker'] },
      env: {
        ...{ MASTER_KEY: '', BANK_KEY: '', KEYS_SECONDS: String(LOOK_SECONDS), CUSTODIANS: custodians.setting },
        ...{ MASTER_KEYS_FILE: files.master, BANK_KEYS_FILE: files.gateway, SIMULATOR_BANK_KEYS_FILE: files.bank },
      },
    },
    (config) => seedMerchants(config, merchants),
  )
  held.defer(() => stack.stop())
  await loadSealed(stack, options.rows)
  const load: Load = createLoad(stack, merchants, signal)
  held.defer(() => load.stop())
  const started = Date.now()
  await load.until(options.clients)
  await rotate(options, stack, files, keys, (text) =>
    console.log(`${((Date.now() - started) / 1000).toFixed(1)} s, ${load.answered()} answered: ${text}`),
  )
  await load.until(load.answered() + options.clients)
  await load.stop()
  const wrong = [...load.refused(), ...(await faults(stack, merchants, options.rows, load))]
  const seconds = (Date.now() - started) / 1000
  const says = `${load.answered()} requests answered in ${seconds.toFixed(1)} s, ${load.refused().length} refused; ${load.paid()} payments and ${load.payouts()} payouts; ${options.rows} sealed rows, ${options.kills} kills`
  return { says, wrong: wrong.slice(0, 20) }
}

await main(import.meta, () => ({ name: 'keys', options: parseOptions(), run }))
