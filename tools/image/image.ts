// `npm run image`: builds the image of the Containerfile and tries it. migrate, api, worker and simulator run
// from it, with its own file system as a read-only root and as its own user, against a PostgreSQL of the
// machine; a payment becomes PAID. Prints the compressed size. Needs root, buildah and mmdebstrap; a few
// minutes.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { firstPayment, openShop } from '../package/story.ts'
import { CELL, handleOf } from '../sandbox/handle.ts'
import { seedAll } from '../sandbox/sandbox.ts'
import { choosePorts, startStack } from '../sandbox/stack.ts'
import { buildah, buildImage, compressedBytes, configOf, type ImageConfig } from './buildah.ts'

const TAG = 'localhost/cowrie'
const GOAL_BYTES = 120e6
const SEED = 'image'

/** A command as a runtime would start it: own mounts, the image as a read-only root, its user, its folder. Of
 *  the machine there are devices, processes and the network. */
function inside(
  root: string,
  { Entrypoint, User, WorkingDir }: ImageConfig,
  ...words: string[]
): [string, ...string[]] {
  const [uid = '', gid = uid] = User.split(':')
  const mounts =
    'mount --bind "$R" "$R" && mount -o remount,ro,bind "$R" && mount --bind /dev "$R/dev" && mount -t proc proc "$R/proc"'
  const enter = `exec unshare --root="$R" --wd=${WorkingDir} --setgid=${gid} --setuid=${uid} "$@"`
  const [node = '', ...flags] = Entrypoint
  const shell = `R="$1"; shift; ${mounts} && ${enter}`
  return ['unshare', '--mount', 'sh', '-c', shell, 'sh', root, `/usr/local/bin/${node}`, ...flags, ...words]
}

function once([program, ...args]: [string, ...string[]], env: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  if (status !== 0) throw new Error(`${args.at(-1)} ended with ${status}: ${stderr}`)
  return stdout.trim()
}

/** Who it is there, and what became of trying to write beside the program and below /tmp. */
const LOOK = `const { writeFileSync } = require('fs')
const tried = ['/opt/cowrie/x', '/tmp/x'].map((file) => { try { writeFileSync(file, ''); return 'WRITTEN' } catch ({ code }) { return code } })
console.log(process.getuid(), process.getgid(), ...tried)`

async function tryImage(root: string, config: ImageConfig, folder: string): Promise<void> {
  const who = once(inside(root, config, '-e', LOOK))
  if (who !== '10001 10001 EROFS EROFS') throw new Error(`it should be 10001 on a read-only root, and is ${who}`)
  console.log('runs as user 10001, and can write nowhere')
  console.log(`version ${once(inside(root, config, 'cowrie', '--version'))}`)
  const ports = await choosePorts(0)
  const began = Date.now()
  const stack = await startStack(
    {
      dir: folder,
      ports,
      cells: [CELL],
      seed: SEED,
      parts: ['simulator', 'api', 'worker'],
      preferSystem: true,
      launch: (part) => inside(root, config, part),
    },
    (settings) => seedAll(settings, SEED, undefined),
  )
  try {
    console.log(`simulator, api and worker run from the image after ${((Date.now() - began) / 1000).toFixed(1)} s`)
    await stack.engine.createDatabase('cell_02')
    const migrated = once(inside(root, config, 'migrate'), { CELLS: `02=${stack.engine.url('cell_02')}` })
    const count = migrated.split(',').length
    if (!/^cell 02: 0001_cell\.sql, /.test(migrated)) throw new Error(`migrate said ${migrated}`)
    console.log(`migrate made the tables of a new cell: ${count} migrations`)
    const handle = handleOf(ports, stack.databaseUrl(CELL), SEED)
    console.log(`PAID: ${await firstPayment(handle, await openShop(handle))}`)
  } finally {
    await stack.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'cowrie-image-'))
chmodSync(folder, 0o755) // PostgreSQL and the image's user are not root
const storage = { folder }
try {
  const began = Date.now()
  buildImage(storage, TAG)
  console.log(`built in ${Math.round((Date.now() - began) / 1000)} s`)
  const bytes = compressedBytes(storage, TAG)
  console.log(`compressed: ${(bytes / 1e6).toFixed(1)} MB (goal ${GOAL_BYTES / 1e6} MB)`)
  if (bytes > GOAL_BYTES) process.exitCode = 1
  const root = buildah(storage, 'mount', buildah(storage, 'from', TAG))
  await tryImage(root, configOf(storage, TAG), join(folder, 'data'))
} finally {
  buildah(storage, 'umount', '--all')
  rmSync(folder, { recursive: true, force: true })
}
