// `npm run release -- 0.2.0`: everything that a release consists of, in dist-release/. Without --yes nothing
// else is changed, and what would be is said.
//   cowrie-0.2.0.tgz            the build, as an npm package and for `tar x` on a server
//   cowrie-sdk-0.2.0.tgz        the npm package @cowrie/sdk; cowrie-checkout-… and cowrie-react-… beside it
//   cowrie-chart-0.2.0.tgz      the Helm chart
//   cowrie-0.2.0-source.tar.gz  the tree
//   sbom.cdx.json               what is in it, for machines (CycloneDX)
//   THIRD-PARTY-LICENCES.txt    and under which licences
//   NOTES.md                    what is new
//   SHA256SUMS                  of all of these
// With --yes: changelog, versions of all packages, a commit and an annotated tag. Pushing and publishing are
// left to whoever may.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildInto } from '../build/build.ts'
import { ROOT } from '../build/places.ts'
import { CHART, withChartVersion } from '../helm/chart.ts'
import { buildPackage, PUBLISHED } from '../sdk/build.ts'
import { notesOf, refuseOlder, released, withVersion } from './changelog.ts'

const OUT = join(ROOT, 'dist-release')
const CHANGELOG = join(ROOT, 'CHANGELOG.md')
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const npm = (...args: string[]): string => execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e8 })
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1e9 }).trim()

/** The newest tag of a release; null before the first. */
function lastRelease(): string | null {
  const [newest] = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n')
  return newest ? newest.slice(1) : null
}

const manifests = (): string[] => [
  'package.json',
  'package-lock.json',
  ...globSync('{apps,connectors,packages}/*/package.json', { cwd: ROOT }),
]

/** Changes the tree: changelog and versions. */
function stampTree(version: string, day: string): void {
  const { version: before } = JSON.parse(textOf('package.json')) as { version: string }
  writeFileSync(CHANGELOG, released(textOf('CHANGELOG.md'), version, day))
  for (const path of manifests()) writeFileSync(join(ROOT, path), withVersion(textOf(path), before, version))
  writeFileSync(join(ROOT, CHART, 'Chart.yaml'), withChartVersion(textOf(`${CHART}/Chart.yaml`), version))
}

/** npm names the root after its folder. */
function sbom(version: string): string {
  const made = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev'))
  made.metadata.component.name = 'cowrie'
  made.metadata.component.version = version
  return `${JSON.stringify(made, null, 2)}\n`
}

/** Known faults of what runs in production, by the registry's list; null where no registry answers such a
 *  question. */
function audit(): { readonly high: number; readonly text: string } | null {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: ROOT, encoding: 'utf8' })
  const counted = JSON.parse(stdout || '{}').metadata?.vulnerabilities
  return counted ? { high: counted.high + counted.critical, text: JSON.stringify(counted) } : null
}

/** As `helm package` would, but for its name: a chart and an npm package are both called cowrie. */
function packChart(version: string): void {
  const folder = join(OUT, 'chart', 'cowrie')
  cpSync(join(ROOT, CHART), folder, { recursive: true })
  writeFileSync(join(folder, 'Chart.yaml'), withChartVersion(textOf(`${CHART}/Chart.yaml`), version))
  const archive = join(OUT, `cowrie-chart-${version}.tgz`)
  execFileSync('tar', ['--create', '--gzip', '--file', archive, '--directory', join(OUT, 'chart'), 'cowrie'])
  rmSync(join(OUT, 'chart'), { recursive: true })
}

async function makeFiles(version: string, notes: string): Promise<void> {
  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(OUT)
  const build = join(OUT, 'build')
  await buildInto(build, version)
  npm('pack', build, '--pack-destination', OUT)
  copyFileSync(join(build, 'THIRD-PARTY-LICENCES.txt'), join(OUT, 'THIRD-PARTY-LICENCES.txt'))
  rmSync(build, { recursive: true })
  for (const made of PUBLISHED) {
    const folder = join(OUT, made.out)
    await buildPackage(made, folder, version)
    npm('pack', folder, '--pack-destination', OUT)
    rmSync(folder, { recursive: true })
  }
  packChart(version)
  // The tree as it is on disk: with --yes the versions are stamped and not committed yet.
  const tree = git('stash', 'create') || 'HEAD'
  git('archive', `--prefix=cowrie-${version}/`, '--output', join(OUT, `cowrie-${version}-source.tar.gz`), tree)
  writeFileSync(join(OUT, 'sbom.cdx.json'), sbom(version))
  writeFileSync(join(OUT, 'NOTES.md'), `# Cowrie ${version}\n\n${notes}\n`)
  const sums = readdirSync(OUT)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(OUT, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(OUT, 'SHA256SUMS'), sums.join(''))
}

async function release(version: string, yes: boolean): Promise<void> {
  const day = new Date().toISOString().slice(0, 10)
  refuseOlder(version, lastRelease())
  const notes = notesOf(textOf('CHANGELOG.md'), '## [Unreleased]')
  released(textOf('CHANGELOG.md'), version, day) // refuses before anything is made
  if (yes && git('status', '--porcelain') !== '') throw new Error('the tree has changes that are not committed')
  const known = audit()
  console.log(known === null ? 'audit: no registry answered; ask one before you publish' : `audit: ${known.text}`)
  if (yes && known !== null && known.high > 0) throw new Error('there are known faults that are high or critical')
  if (yes) stampTree(version, day)
  await makeFiles(version, notes)
  for (const name of readdirSync(OUT)) console.log(`dist-release/${name}  ${statSync(join(OUT, name)).size} bytes`)
  const tag = `v${version}`
  if (!yes) {
    console.log(
      `A dry run. With --yes: CHANGELOG.md, ${manifests().length} manifests and the chart say ${version}, a commit, the tag ${tag}.`,
    )
    return
  }
  git('commit', '--all', '--message', `chore: release ${version}`)
  git('tag', '--annotate', tag, '--message', `Cowrie ${version}`)
  console.log(`Tagged ${tag}. Push it with: git push --follow-tags`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { yes: { type: 'boolean', default: false } },
})
const [version] = positionals
try {
  if (version === undefined) throw new Error('Usage: npm run release -- <version> [--yes]')
  await release(version, values.yes)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
