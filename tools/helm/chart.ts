// The Helm chart and what was rendered of it. Helm is a program that neither npm nor Debian has, and Go's
// templates are hundreds of megabytes; so the chart is rendered by whoever changes it, and what came out is
// committed with the digest of what went in. CI checks the one against the other.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../build/places.ts'

export const CHART = 'deploy/helm/cowrie'
export const RENDERER = 'tools/helm/render.go'
/** In place of the real one, so that a release leaves what was rendered as it is. */
export const VERSION = '1.2.3'

/** The values that the chart is rendered with, and the name that it is installed by. */
export const RENDERINGS = [
  { name: 'needed', release: 'cowrie' },
  { name: 'full', release: 'pay' },
] as const
export type RenderingName = (typeof RENDERINGS)[number]['name']

export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
export const valuesOf = (name: string): string => `deploy/helm/${name}.yaml`
export const renderedOf = (name: string): string => `deploy/helm/rendered/${name}.json`

/** A chart for a version of Cowrie; the chart's own version is the same one. */
export const withChartVersion = (text: string, version: string): string =>
  text.replace(/^version: .*$/m, `version: ${version}`).replace(/^appVersion: .*$/m, `appVersion: "${version}"`)

export const versionsOf = (text: string): string[] =>
  [...text.matchAll(/^(?:version|appVersion): "?([^"\n]*)"?$/gm)].map(([, version = '']) => version)

/** Of everything that what is rendered depends on. */
export function digestOf(name: string): string {
  const hash = createHash('sha256')
  const files = globSync(`${CHART}/{Chart.yaml,values.yaml,templates/*}`, { cwd: ROOT }).toSorted()
  for (const path of [...files, valuesOf(name), RENDERER]) {
    const text = textOf(path)
    hash.update(`${path}\n${path.endsWith('/Chart.yaml') ? withChartVersion(text, VERSION) : text}\n`)
  }
  return hash.digest('hex')
}
