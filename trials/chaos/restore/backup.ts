// pgBackRest (Debian's package) around one scratch server: a repository, a whole backup, the log as it is
// written, and a restore to a moment.
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { unprivilegedUser } from '../../../tools/postgres/binaries.ts'
import { type Engine, startPostgres } from '../../../tools/postgres/postgres.ts'

const STANZA = 'cell'

export const needed = (): string | null =>
  existsSync('/usr/bin/pgbackrest') ? null : 'this needs: apt-get install pgbackrest postgresql'

export type Backup = {
  readonly engine: Engine
  /** Everything as it is now; the log that follows is kept too. */
  take(): Promise<void>
  /** The server as it was at a moment, in the place of what it is now. */
  restore(at: string): Promise<void>
  stop(): Promise<void>
}

const secondNow = (): number => Math.floor(Date.now() / 1000)

export async function openBackup(dir: string, port: number): Promise<Backup> {
  const user = process.getuid?.() === 0 ? unprivilegedUser() : null
  const folder = (name: string): string => {
    const path = join(dir, name)
    mkdirSync(path, { recursive: true, mode: 0o755 })
    if (user) chownSync(path, user.uid, user.gid)
    return path
  }
  const [repository, lock, log, socket] = ['repository', 'lock', 'log', 'socket'].map(folder)
  const config = join(dir, 'pgbackrest.conf')
  const settings = {
    archive_mode: 'on',
    archive_command: `pgbackrest --config=${config} --stanza=${STANZA} archive-push %p`,
    archive_timeout: '5',
    unix_socket_directories: socket ?? '',
  }
  const start = (): Promise<Engine> => startPostgres({ dir: join(dir, 'server'), port, preferSystem: true, settings })
  let engine = await start()
  const { password } = new URL(engine.url('postgres'))
  writeFileSync(
    config,
    `[global]
repo1-path=${repository}
lock-path=${lock}
log-path=${log}
log-level-console=warn
start-fast=y
repo1-retention-full=2
[${STANZA}]
pg1-path=${engine.dataDir}
pg1-port=${port}
pg1-socket-path=${socket}
pg1-user=cowrie
`,
  )
  const run = (...args: string[]): void => {
    execFileSync('pgbackrest', [`--config=${config}`, `--stanza=${STANZA}`, ...args], {
      ...(user ?? {}),
      env: { PATH: process.env['PATH'] ?? '', HOME: dir, PGPASSWORD: password },
      stdio: ['ignore', 'ignore', 'inherit'],
      cwd: dir,
    })
  }
  run('stanza-create')
  return {
    get engine() {
      return engine
    },
    take: async () => {
      run('--type=full', 'backup')
      // pgBackRest knows the end of a backup by its second, and restores only to a later one.
      const ended = secondNow()
      while (secondNow() <= ended) await pause(50)
    },
    restore: async (at) => {
      await engine.stop()
      run('--delta', '--type=time', `--target=${at}`, '--target-action=promote', 'restore')
      engine = await start()
    },
    stop: () => engine.stop(),
  }
}
