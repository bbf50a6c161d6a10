// `npm run helm`: renders the chart with each of the example values, into deploy/helm/rendered/. Run it after
// every change of the chart. As root on Debian: apt-get install --no-install-recommends golang-go
// golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../build/places.ts'
import { lacks } from '../programs.ts'
import { CHART, digestOf, RENDERER, RENDERINGS, renderedOf, VERSION, valuesOf } from './chart.ts'

const LIBRARIES = '/usr/share/gocode' // where Debian has those of Go

if (lacks('go')) process.exit(1)
const dir = mkdtempSync(join(tmpdir(), 'cowrie-helm-'))
try {
  const program = join(dir, 'render')
  const env = { PATH: process.env['PATH'] ?? '', HOME: dir, GOCACHE: join(dir, 'cache'), GO111MODULE: 'off' }
  execFileSync('go', ['build', '-o', program, RENDERER], {
    cwd: ROOT,
    env: { ...env, GOPATH: LIBRARIES, GOFLAGS: '-buildvcs=false' },
    stdio: 'inherit',
  })
  for (const { name, release } of RENDERINGS) {
    const text = execFileSync(program, [CHART, release, valuesOf(name)], {
      cwd: ROOT,
      env: { VERSION },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const rendered = { digest: digestOf(name), ...(JSON.parse(text) as { objects: object[]; notes: string }) }
    writeFileSync(join(ROOT, renderedOf(name)), `${JSON.stringify(rendered, null, 2)}\n`)
    console.log(`${renderedOf(name)}: ${rendered.objects.length} objects`)
  }
} finally {
  rmSync(dir, { recursive: true, force: true })
}
