// `npm run check:package`: the npm package, used as a newcomer uses it. Packs dist/, and for each Node that
// is promised, in an empty folder with an empty cache of npm: `npx ./cowrie-*.tgz sandbox`, then samples,
// listen and pay → PAID → a webhook that the sample handler has verified. Prints the seconds.
//   npm run check:package [-- 22 24]     the majors of Node; each comes from the npm package `node`
import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { buildInto } from '../build/build.ts'
import { ROOT } from '../build/places.ts'
import { firstMinute, GOAL_S, timesText } from './newcomer.ts'

const run = promisify(execFile)
const majors = process.argv.slice(2).length > 0 ? process.argv.slice(2) : ['22', '24']
/** Without the repository's own Node and without what npm hands to its scripts: a newcomer has neither. */
const BARE = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|INIT_CWD|NODE_(?:ENV|OPTIONS|PATH|COMPILE_CACHE))/.test(name),
  ),
)
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.startsWith(ROOT) && !folder.includes('node_modules'))

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

/** The folder of a Node of that major. */
async function nodeOf(major: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  await run(
    'npm',
    ['install', '--prefix', folder, '--no-audit', '--no-fund', '--foreground-scripts', `node@${major}`],
    {
      cwd: folder,
      env: { ...BARE, PATH: PATH.join(delimiter) },
    },
  )
  return join(folder, 'node_modules', 'node', 'bin')
}

/** npx was ended: what it had started must end, too. */
async function ends(url: string): Promise<void> {
  for (const until = Date.now() + 15_000; Date.now() < until; await pause(100)) {
    const silent = await fetch(url).then(
      () => false,
      () => true,
    )
    if (silent) return
  }
  throw new Error(`${url} still answers after npx has ended`)
}

async function tryWith(major: string, tarball: string, folder: string): Promise<number> {
  const bin = await nodeOf(major, join(folder, `node-${major}`))
  const empty = join(folder, `empty-${major}`)
  mkdirSync(empty)
  copyFileSync(tarball, join(empty, basename(tarball)))
  const env = { ...BARE, PATH: [bin, ...PATH].join(delimiter), npm_config_cache: join(folder, `cache-${major}`) }
  const { stdout: version } = await run('node', ['--version'], { env })
  const command = { program: 'npx', args: ['--yes', `./${basename(tarball)}`], env, cwd: empty }
  const { times, apiUrl } = await firstMinute(command, join(bin, 'node'))
  console.log(`Node ${version.trim()}: ${timesText(times)}, downloads included`)
  await ends(apiUrl)
  return times.webhook
}

const folder = mkdtempSync(join(tmpdir(), 'cowrie-package-'))
chmodSync(folder, 0o755)
try {
  const dist = join(folder, 'dist')
  await buildInto(dist)
  await run('npm', ['pack', dist, '--pack-destination', folder], { cwd: folder })
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
  console.log(`${basename(tarball)}: ${megabytes(statSync(tarball).size)}`)
  const taken: number[] = []
  for (const major of majors) taken.push(await tryWith(major, tarball, folder))
  if (Math.max(...taken) > GOAL_S) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
