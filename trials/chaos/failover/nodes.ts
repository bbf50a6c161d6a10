// Three PostgreSQL nodes and a monitor under pg_auto_failover (Debian's packages), as
// docs/operate/failover.md sets them up, each node in a network namespace of its own: so one can be killed
// whole, frozen whole, or cut off from everybody. Needs root.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../kit/database.ts'

const BRIDGE = 'cwr0'
const NETWORK = '10.98.71'
const MONITOR = { host: `${NETWORK}.1`, port: 6500 }
/** One each: their sockets lie in one folder. */
const PORTS = [6501, 6502, 6503] as const
const BINARIES = '/usr/lib/postgresql/15/bin'
const PATIENCE_MS = 90_000

/** As the guide sets them for callers that are refused for seconds; one that must not fail over for a hiccup
 *  takes 5 s each. */
const MONITOR_SETTINGS = `
pgautofailover.health_check_period = 300
pgautofailover.health_check_timeout = 300
pgautofailover.health_check_retry_delay = 100
pgautofailover.node_considered_unhealthy_timeout = 500
pgautofailover.primary_demote_timeout = 1000
pgautofailover.startup_grace_period = 1000
`
const NODE_SETTINGS = `
max_connections = 150
wal_retrieve_retry_interval = '100ms'
`
const ENTRY = `host all all ${NETWORK}.0/24 trust\n` // only for a network that exists on this machine alone

const system = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
const quietly = (program: string, ...args: string[]): void => {
  try {
    system(program, ...args)
  } catch {
    // it is not there
  }
}

export type Node = {
  readonly name: string
  /** With its port. */
  readonly host: string
  /** Every process of it, at once. */
  kill(): void
  /** PostgreSQL ends as by `pg_ctl stop -m immediate`; its agent is there and starts it again. */
  crash(): void
  start(): void
  freeze(): void
  thaw(): void
  cutOff(): void
  reconnect(): void
  /** The process that receives the log from the primary stands still; and another takes its place. */
  deafen(): void
  hear(): void
}

export type Formation = {
  readonly nodes: readonly Node[]
  /** `a:6501,b:6502,c:6503` */
  readonly hosts: string
  /** The superuser's address on a node. */
  url(node: Node, database: string): string
  primary(): Promise<Node>
  /** Waits for another primary than this one; answers which. */
  replaced(node: Node): Promise<Node>
  /** Waits until one is the primary and all others follow it synchronously. */
  whole(): Promise<void>
  stop(): Promise<void>
}

/** Why nodes cannot have networks of their own here; null when they can. A container is often root without
 *  the right to. */
export function forbidden(): string | null {
  if (process.getuid?.() !== 0) return 'this needs root: nodes live in network namespaces'
  if (spawnSync('ip', ['-V']).error) return null // that is missing, not forbidden
  try {
    openNetwork()
    openNamespace('cwr-a', `${NETWORK}.11`)
    system('ip', 'netns', 'exec', 'cwr-a', 'true')
    return null
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string }
    return `network namespaces cannot be made here (${(stderr || message).trim().split('\n')[0]})`
  } finally {
    closeNetwork()
  }
}

export function needed(): string | null {
  if (!existsSync('/usr/bin/pg_autoctl') || !existsSync(`${BINARIES}/pg_ctl`))
    return 'this needs: apt-get install postgresql-15-auto-failover pg-auto-failover-cli iproute2'
  return null
}

type Place = { readonly dir: string; readonly data: string; readonly namespace: string | null }

/** A folder that belongs to postgres, with what pg_autoctl keeps for itself. */
function placeOf(root: string, name: string, namespace: string | null): Place {
  const dir = join(root, name)
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(system('id', flag, 'postgres'))) as [number, number]
  mkdirSync(root, { recursive: true, mode: 0o755 })
  for (const folder of [dir, join(dir, 'run')]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chownSync(folder, uid, gid)
  }
  return { dir, data: join(dir, 'data'), namespace }
}

const environmentOf = ({ dir }: Place): NodeJS.ProcessEnv => ({
  PATH: `${BINARIES}:/usr/bin:/bin:/usr/sbin:/sbin`,
  HOME: dir,
  LANG: 'C.UTF-8', // of the cluster that initdb makes
  XDG_CONFIG_HOME: join(dir, 'config'),
  XDG_DATA_HOME: join(dir, 'share'),
  XDG_RUNTIME_DIR: join(dir, 'run'),
})

const command = ({ namespace }: Place, args: readonly string[]): readonly [string, string[]] => {
  const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups', 'pg_autoctl', ...args]
  const [program = '', ...rest] = namespace === null ? asPostgres : ['ip', 'netns', 'exec', namespace, ...asPostgres]
  return [program, rest]
}

function create(place: Place, args: readonly string[]): void {
  const [program, rest] = command(place, ['create', ...args, '--pgdata', place.data, '--pgctl', `${BINARIES}/pg_ctl`])
  const log = openSync(join(place.dir, 'create.log'), 'a')
  execFileSync(program, rest, { env: environmentOf(place), stdio: ['ignore', log, log], cwd: place.dir })
}

function run(place: Place): ChildProcess {
  const [program, rest] = command(place, ['run', '--pgdata', place.data])
  const log = openSync(join(place.dir, 'run.log'), 'a')
  return spawn(program, rest, { env: environmentOf(place), stdio: ['ignore', log, log], cwd: place.dir })
}

function openNetwork(): void {
  closeNetwork()
  system('ip', 'link', 'add', BRIDGE, 'type', 'bridge')
  system('ip', 'address', 'add', `${MONITOR.host}/24`, 'dev', BRIDGE)
  system('ip', 'link', 'set', BRIDGE, 'up')
}
function closeNetwork(): void {
  for (const name of ['cwr-a', 'cwr-b', 'cwr-c']) quietly('ip', 'netns', 'delete', name)
  quietly('ip', 'link', 'delete', BRIDGE)
}

function openNamespace(name: string, host: string): void {
  const outside = `${name}-o`
  system('ip', 'netns', 'add', name)
  system('ip', 'link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  system('ip', 'link', 'set', outside, 'master', BRIDGE, 'up')
  for (const args of [
    ['address', 'add', `${host}/24`, 'dev', 'eth0'],
    ['link', 'set', 'eth0', 'up'],
    ['link', 'set', 'lo', 'up'],
  ])
    system('ip', '-n', name, ...args)
}

const processesOf = (namespace: string): number[] =>
  system('ip', 'netns', 'pids', namespace).split('\n').filter(Boolean).map(Number)

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // it has ended
    }
  }
}

const processesWith = (namespace: string, args: string): number[] =>
  processesOf(namespace).filter((pid) => {
    try {
      return system('ps', '-o', 'args=', '-p', String(pid)).includes(args)
    } catch {
      return false
    }
  })
const receivers = (namespace: string): number[] => processesWith(namespace, 'walreceiver')

function nodeAt(root: string, name: string, host: string, port: number): Node {
  openNamespace(name, host)
  const place = placeOf(root, name, name)
  const fresh = !existsSync(place.data)
  if (fresh)
    create(place, [
      ...['postgres', '--pgport', String(port), '--hostname', host, '--listen', host, '--name', name],
      ...['--dbname', 'cell_01', '--auth', 'trust', '--no-ssl'],
      ...['--monitor', `postgres://autoctl_node@${MONITOR.host}:${MONITOR.port}/pg_auto_failover?sslmode=disable`],
    ])
  appendFileSync(join(place.data, 'postgresql.conf'), NODE_SETTINGS)
  appendFileSync(join(place.data, 'pg_hba.conf'), ENTRY)
  const [program, rest] = command(place, ['config', 'set', 'timeout.network_partition_timeout', '1'])
  execFileSync(program, [...rest, '--pgdata', place.data], { env: environmentOf(place), stdio: 'ignore' })
  const start = (): void => void run(place)
  start()
  return {
    name,
    host: `${host}:${port}`,
    kill: () => signal(processesOf(name), 'SIGKILL'),
    crash: () => signal(processesWith(name, `${BINARIES}/postgres -D`), 'SIGQUIT'),
    start,
    freeze: () => signal(processesOf(name), 'SIGSTOP'),
    thaw: () => signal(processesOf(name), 'SIGCONT'),
    cutOff: () => void system('ip', 'link', 'set', `${name}-o`, 'down'),
    reconnect: () => void system('ip', 'link', 'set', `${name}-o`, 'up'),
    deafen: () => signal(receivers(name), 'SIGSTOP'),
    hear: () => {
      const pids = receivers(name)
      signal(pids, 'SIGTERM') // what had reached the machine and not the process is lost
      signal(pids, 'SIGCONT')
    },
  }
}

type Reported = { readonly nodename: string; readonly reportedstate: string; readonly goalstate: string }

const monitorUrl = `postgres://postgres@${MONITOR.host}:${MONITOR.port}/pg_auto_failover`
const states = (): Promise<Reported[]> =>
  withClient(monitorUrl, async (client) => {
    const asked = 'select nodename, reportedstate::text, goalstate::text from pgautofailover.node'
    return (await client.query<Reported>(asked)).rows
  }).catch(() => [])

async function until<T>(what: string, found: () => Promise<T | null>): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await found()
    if (answer !== null) return answer
    if (Date.now() > giveUpAt) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${what}`)
    await pause(100)
  }
}

const PRIMARY = new Set(['single', 'primary', 'wait_primary', 'join_primary', 'apply_settings'])
const takesWrites = ({ reportedstate, goalstate }: Reported): boolean =>
  PRIMARY.has(reportedstate) && PRIMARY.has(goalstate)

export async function openFormation(root: string): Promise<Formation> {
  openNetwork()
  const monitor = placeOf(root, 'monitor', null)
  create(monitor, [
    'monitor',
    '--pgport',
    String(MONITOR.port),
    '--hostname',
    MONITOR.host,
    '--auth',
    'trust',
    '--no-ssl',
  ])
  appendFileSync(join(monitor.data, 'postgresql.conf'), MONITOR_SETTINGS)
  appendFileSync(join(monitor.data, 'pg_hba.conf'), ENTRY)
  const watching = run(monitor)
  await until('the monitor answers', async () => withClient(monitorUrl, async () => true).catch(() => null))
  const nodes: Node[] = []
  const settled = (count: number) =>
    until(`${count} nodes are in sync`, async () => {
      const all = await states()
      const primary = all.filter(
        ({ reportedstate, goalstate }) => reportedstate === goalstate && ['single', 'primary'].includes(goalstate),
      )
      const others = all.filter(
        ({ reportedstate, goalstate }) => reportedstate === 'secondary' && goalstate === 'secondary',
      )
      return all.length === count && primary.length === 1 && others.length === count - 1 ? true : null
    })
  for (const [index, name] of ['cwr-a', 'cwr-b', 'cwr-c'].entries()) {
    nodes.push(nodeAt(root, name, `${NETWORK}.${11 + index}`, PORTS[index] as number))
    await settled(index + 1)
  }
  const byName = (name: string): Node => nodes.find((node) => node.name === name) as Node
  const url = (node: Node, database: string): string => `postgres://postgres@${node.host}/${database}`
  const primary = (other?: Node) =>
    until('a node takes writes', async () => {
      const found = (await states()).find((one) => takesWrites(one) && one.nodename !== other?.name)
      return found ? byName(found.nodename) : null
    })
  return {
    nodes,
    hosts: nodes.map(({ host }) => host).join(','),
    url,
    primary: () => primary(),
    replaced: (node) => primary(node),
    whole: async () => void (await settled(nodes.length)),
    stop: async () => {
      for (const node of nodes) {
        node.thaw()
        node.kill()
      }
      const ended = watching.exitCode === null ? once(watching, 'exit') : null
      watching.kill('SIGTERM')
      await ended
      closeNetwork()
    },
  }
}
