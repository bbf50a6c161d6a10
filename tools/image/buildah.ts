// The image, built without a daemon, a registry or Docker: bases from Debian's packages by mmdebstrap, the
// Containerfile by buildah in a chroot, all of it below one folder. On Debian: apt-get install buildah
// mmdebstrap.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../build/places.ts'

const SUITE = 'bookworm'
const MIRROR = 'http://deb.debian.org/debian'
/** Node's own binary needs these; no shell, no package manager. */
const AT_RUN_TIME = 'base-files,libc6,libstdc++6,libgcc-s1'

export type Storage = { readonly folder: string }
export type ImageConfig = {
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Env: readonly string[]
  readonly User: string
  readonly WorkingDir: string
}

/** Runs a program and answers with what it printed; its errors are for the reader. */
const output = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1e8 }).trim()

export const buildah = ({ folder }: Storage, ...args: string[]): string =>
  output('buildah', [
    '--root',
    join(folder, 'storage'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'vfs',
    ...args,
  ])

type Base = { readonly options: readonly string[]; readonly hooks: readonly string[]; readonly env: readonly string[] }

/** A file system of Debian's packages with Node, and whatever else a hook puts into it (its folder is "$1"),
 *  as an image. Of the hooks only this one is run where packages are unpacked and not installed. */
function base(storage: Storage, name: string, { options, hooks, env }: Base): void {
  const tar = join(storage.folder, `${name}.tar`)
  const put = [`install -D ${process.execPath} "$1/usr/local/bin/node"`, ...hooks]
  output('mmdebstrap', [...options, '--quiet', ...put.map((hook) => `--extract-hook=${hook}`), SUITE, tar, MIRROR])
  const container = buildah(storage, 'from', 'scratch')
  buildah(storage, 'add', '--quiet', container, tar, '/')
  const settings = ['PATH=/usr/local/bin:/usr/bin:/bin', ...env].flatMap((setting) => ['--env', setting])
  buildah(storage, 'config', ...settings, container)
  buildah(storage, 'commit', '--quiet', '--rm', container, `localhost/${name}`)
}

/** For the first stage: npm as this machine has it, and the certificates that it trusts. */
function withNpm(): Base {
  const npm = dirname(dirname(process.env['npm_execpath'] ?? ''))
  const trusted = process.env['NODE_EXTRA_CA_CERTS']
  const place = '/etc/ssl/trusted.pem'
  return {
    options: ['--variant=minbase', '--include=libstdc++6'],
    hooks: [
      `mkdir -p "$1/usr/local/lib" && cp -rL ${npm} "$1/usr/local/lib/npm"`,
      'ln -s ../lib/npm/bin/npm-cli.js "$1/usr/local/bin/npm"',
      ...(trusted ? [`install -D -m 644 ${trusted} "$1${place}"`] : []),
    ],
    env: trusted ? [`NODE_EXTRA_CA_CERTS=${place}`] : [],
  }
}

/** Only what is committed, or would be, gets into the image's first stage. */
function sourcesIn(folder: string): string {
  const files = output('git', ['-C', ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(folder, file))
  }
  return folder
}

export function buildImage(storage: Storage, tag: string): void {
  base(storage, 'cowrie-base', { options: ['--variant=extract', `--include=${AT_RUN_TIME}`], hooks: [], env: [] })
  base(storage, 'cowrie-build', withNpm())
  const bases = ['--build-arg', 'BUILD=localhost/cowrie-build', '--build-arg', 'BASE=localhost/cowrie-base']
  const context = sourcesIn(join(storage.folder, 'context'))
  const how = ['--isolation', 'chroot', '--format', 'oci', '--file', join(context, 'Containerfile')]
  console.log(buildah(storage, 'build', ...how, ...bases, '--tag', tag, context))
}

export const configOf = (storage: Storage, tag: string): ImageConfig =>
  JSON.parse(buildah(storage, 'inspect', '--type', 'image', tag)).OCIv1.config

/** What a registry would store and a machine would download: the layers as gzip makes them. */
export function compressedBytes(storage: Storage, tag: string): number {
  const to = join(storage.folder, 'oci')
  buildah(storage, 'push', '--quiet', tag, `oci:${to}:image`)
  const blobs = join(to, 'blobs', 'sha256')
  return readdirSync(blobs).reduce((sum, name) => sum + statSync(join(blobs, name)).size, 0)
}
